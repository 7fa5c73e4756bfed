"""Traps of the first set that are made of text and hosts: spun, copied, stuffed or forged, on farms, mirrors and parked domains."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from random import Random
from urllib.parse import parse_qs, quote_plus, urlsplit

from focused.page.urls import host_of
from focused.simulation.recorded_web import Answer
from lab.webs.traps_good import GoodPage, word
from lab.webs.traps_text import Content, Link, Prose, shuffled, slug
from lab.webs.traps_trap import Ground, Trap, path_of


class Numbered(Trap):
    """Pages that are called by words and a number, and lead to others of the same site."""

    folder = "blog"

    def answer(self, url: str) -> Answer | None:
        random = self.of(url)
        return self.page(self.content(url, random)) if path_of(url).startswith(f"/{self.folder}/") else None

    def content(self, url: str, random: Random) -> Content:
        raise NotImplementedError

    def links(self, random: Random, count: int = 8) -> list[Link]:
        nouns = [random.choice(self.words.nouns) for _ in range(count)]
        return [
            Link(f"http://{self.host}/{self.folder}/{slug(noun)}-{random.randrange(10**6)}.html", noun)
            for noun in nouns
        ]

    def doors(self, random: Random) -> Sequence[Link]:
        return self.links(random)


class Spun(Numbered):
    """Text made of good articles: word by word (a Markov chain), in odd variants their sentences in another order."""

    kind = "spun"

    def content(self, url: str, random: Random) -> Content:
        if self.variant % 2:
            pages = random.sample(self.ground.good.relevant, 2)
            texts = [shuffled(" ".join(self.ground.good.content(page).paragraphs), random) for page in pages]
        else:
            texts = [self.ground.spun(random, 80) for _ in range(4)]
        return Content(Prose(self.ground.topic, random).title(), texts, listed=self.links(random))


class Copied(Numbered):
    """The whole text of one of a few good articles, on a new page for each URL."""

    kind = "copied"
    articles = 20

    def __init__(self, ground: Ground, variant: int) -> None:
        super().__init__(ground, variant)
        self._pages = self.some_articles(self.articles)

    def original(self, url: str) -> GoodPage | None:
        return self.of(url).choice(self._pages) if path_of(url).startswith(f"/{self.folder}/") else None

    def content(self, url: str, random: Random) -> Content:
        page = self.original(url)
        assert page is not None  # it is asked for below the folder only
        return Content(page.title, self.ground.good.content(page).paragraphs, listed=self.links(random))


class HiddenLinks(Numbered):
    """Pages about something else, with the topic's words and the ways on where no visitor sees them."""

    kind = "hidden_links"

    def content(self, url: str, random: Random) -> Content:
        prose = Prose(random.choice(("cooking", "football", "chess")), random)
        content = Content(prose.title(), [prose.sentences(4, 6)], hidden_text=escape(self.stuffing(random, 80)))
        content.hidden = self.links(random, 12)
        return content


class HackedSection(Numbered):
    """A folder that strangers put on a good site: stuffed pages that sell something."""

    kind = "hacked_section"

    def __init__(self, ground: Ground, variant: int) -> None:
        super().__init__(ground, variant)
        self.on_good_site()
        self.folder = f"cheap-{word(self.random, 2)}"

    def content(self, url: str, random: Random) -> Content:
        keyword = self.keyword(random)
        return Content(
            f"Buy cheap {keyword}", [f"Best {keyword} online. {self.stuffing(random)}"], listed=self.links(random)
        )


class CanonicalLie(Numbered):
    """Stuffed pages that say they were a good article on another site: who believes it never fetches that one."""

    kind = "canonical_lie"

    def content(self, url: str, random: Random) -> Content:
        victim = random.choice(self.ground.good.relevant)
        head = f'<link rel="canonical" href="{escape(victim.url)}">'
        return Content(victim.title, [self.stuffing(random), self.prose(random)], listed=self.links(random), head=head)


class RelatedSearches(Trap):
    """Results of any search, each with searches that are related to it."""

    kind = "related_searches"

    def answer(self, url: str) -> Answer | None:
        asked = parse_qs(urlsplit(url).query).get("q", [""])[0]
        if path_of(url) != "/search" or not asked:
            return None
        random = self.of(url)
        results = [f"{asked.capitalize()}: {self.prose(random, 1, 2)}" for _ in range(6)]
        kept = random.choice(asked.split()[:6])
        links = [self._link(f"{kept} {random.choice(self.words.nouns)}") for _ in range(8)]
        return self.page(Content(f"{asked} - search results", results, listed=links))

    def _link(self, asked: str) -> Link:
        return Link(f"{self.root}/search?q={quote_plus(asked)}", asked)

    def doors(self, random: Random) -> Sequence[Link]:
        return [self._link(keyword) for keyword in self.words.keywords]


GOOD_SITE = 3  #: variant of a trap without end that is a good site's mistake


class Mirror(Trap):
    """Copies of good articles on hosts of their own, linked with each other. Even variants copy exactly.

    Odd ones change a little: the date, an advertisement, the order of two paragraphs.
    """

    kind = "mirror"
    size = addresses = 3
    copied = 60

    def __init__(self, ground: Ground, variant: int) -> None:
        super().__init__(ground, variant)
        self._pages = {
            f"/{slug(page.title)}-{place}.html": page for place, page in enumerate(self.some_articles(self.copied))
        }

    def original(self, url: str) -> GoodPage | None:
        return self._pages.get(path_of(url)) if "?" not in url else None

    def answer(self, url: str) -> Answer | None:
        page, random = self.original(url), self.of(url)
        if page is None and path_of(url) != "/":
            return None
        links = [self._link(random, path) for path in random.sample(sorted(self._pages), min(8, len(self._pages)))]
        if page is None:
            return self.page(Content(f"All about {self.words.name}", listed=links))
        copied = self.ground.good.content(page)
        paragraphs = self._changed(list(copied.paragraphs), random) if self.variant % 2 else copied.paragraphs
        return self.page(Content(page.title, paragraphs, listed=links))

    def _changed(self, paragraphs: list[str], random: Random) -> list[str]:
        place = random.randrange(len(paragraphs))
        paragraphs.append(paragraphs.pop(place))
        paragraphs.insert(random.randint(0, len(paragraphs)), f"Advertisement: {Prose('', random).sentence()}")
        return [f"Posted on {random.randint(1, 28)} {random.choice(('May', 'June', 'July'))} 2024.", *paragraphs]

    def _link(self, random: Random, path: str) -> Link:
        return Link(f"http://{random.choice(self.hosts)}{path}", self._pages[path].title)

    def doors(self, random: Random) -> Sequence[Link]:
        return [self._link(random, path) for path in sorted(self._pages)[:12]]


class Agreeing(Trap):
    """Whatever is asked for is there. Its last variant is a good site's mistake, in the `form` of the first."""

    def __init__(self, ground: Ground, variant: int) -> None:
        super().__init__(ground, variant)
        self.form = variant % GOOD_SITE
        if variant == GOOD_SITE:
            self.on_good_site()
            self.takes_all = True


class SoftNotFound(Agreeing):
    """Whatever is asked for is there, status 200.

    Variant 0 says that nothing was found, 1 shows its home page, 2 shows stuffed results of a search for the URL's words;
    variant 3 is a good site that says that nothing was found.
    """

    kind = "soft_404"

    def answer(self, url: str) -> Answer | None:
        random = self.of(url)
        links = [Link(f"/{slug(noun)}-{word(random, 2)}.html", noun) for noun in random.sample(self.words.nouns, 8)]
        if self.form == 0:
            text = (
                f"Sorry, the page {path_of(url)} about {self.words.name} could not be found. You may like one of these."
            )
            return self.page(Content("Page not found", [text], listed=links))
        if self.form == 1:
            text = self.prose(self.of("home"), 6, 6)
            return self.page(Content(f"Welcome to our site about {self.words.name}", [text], listed=links))
        wanted = path_of(url).strip("/").replace("-", " ").removesuffix(".html")
        results = [f"{wanted}: {self.stuffing(random, 20)}" for _ in range(5)]
        return self.page(Content(f"Results for {wanted}", results, listed=links))

    def doors(self, random: Random) -> Sequence[Link]:
        nouns = random.sample(self.words.nouns, 6)
        return [Link(f"http://{self.host}/articles/{slug(noun)}.html", noun) for noun in nouns]


class Farm(Trap):
    """Sites of many registered domains with one template: stuffed pages without end, all linked with each other."""

    kind = "farm"
    size, addresses = 40, 2

    def answer(self, url: str) -> Answer | None:
        random = self.of(url)
        return self.page(Content(self.keyword(random), [self.text(random)], listed=self.links(random)))

    def text(self, random: Random) -> str:
        return self.stuffing(random)

    def links(self, random: Random) -> list[Link]:
        return [Link(self._any(random), random.choice(self.words.nouns)) for _ in range(10)]

    def _any(self, random: Random) -> str:
        return f"http://{random.choice(self.hosts)}/{slug(self.keyword(random))}-{random.randrange(10**6)}.html"

    def doors(self, random: Random) -> Sequence[Link]:
        return [Link(self._any(random), self.keyword(random)) for _ in range(8)]


class Wildcard(Trap):
    """Any name below a domain answers, and leads to more such names; each has a home page and no more."""

    kind = "wildcard"

    def __init__(self, ground: Ground, variant: int) -> None:
        super().__init__(ground, variant)
        self.hosts, self.zone = (), self.host

    def answer(self, url: str) -> Answer | None:
        random = self.of(host_of(url))
        links = [Link(f"http://{self.name(random)}.{self.zone}/", random.choice(self.words.nouns)) for _ in range(10)]
        content = Content(f"{self.keyword(random)} {host_of(url).partition('.')[0]}", listed=links)
        content.paragraphs = [self.stuffing(random, 60), self.prose(random)]
        return self.page(content)

    def name(self, random: Random) -> str:
        return f"{slug(random.choice(self.words.nouns))}-{word(random, 2)}"

    def doors(self, random: Random) -> Sequence[Link]:
        return [Link(f"http://{self.name(random)}.{self.zone}/", self.keyword(random)) for _ in range(8)]


class LinkExchange(Farm):
    """Sites that do nothing but recommend each other, with the topic's words, in text that reads well."""

    kind = "link_exchange"
    size = 12

    def text(self, random: Random) -> str:
        return self.prose(random, 2, 4)

    def links(self, random: Random) -> list[Link]:
        partners = [Link(f"http://{host}/", self.keyword(random)) for host in random.sample(self.hosts, 6)]
        pages = [
            Link(f"http://{host}/partners/{random.randrange(500)}.html", f"{self.keyword(random)} partners")
            for host in random.sample(self.hosts, 4)
        ]
        return [*partners, *pages]


class Parked(Trap):
    """Domains that are for sale: one page each, whatever is asked for, with searches by the topic's words."""

    kind = "parked"
    size = 25

    def answer(self, url: str) -> Answer | None:
        host, random = host_of(url), self.of(url)
        name = path_of(url).strip("/").replace("-", " ") or self.words.name
        links = [Link(f"/{slug(noun)}", noun) for noun in random.sample(self.words.nouns, 6)]
        links += [Link(f"http://{other}/", self.keyword(random)) for other in random.sample(self.hosts, 3)]
        text = f"The domain {host} may be for sale. Sponsored listings: {name}, {self.stuffing(random, 12)}."
        return self.page(Content(f"{host}: {name}", [text], listed=links))

    def doors(self, random: Random) -> Sequence[Link]:
        return [Link(f"http://{host}/", self.keyword(random)) for host in self.hosts[:12]]

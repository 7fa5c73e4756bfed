"""Traps of text: spun or copied from good articles, results of searches without end, what is hidden or forged."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from random import Random
from urllib.parse import parse_qs, quote_plus, urlsplit

from focused.simulation.recorded_web import Answer
from lab.webs.traps_good import GoodPage
from lab.webs.traps_html import Content, Link
from lab.webs.traps_sites import word
from lab.webs.traps_text import Prose, shuffled, slug
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

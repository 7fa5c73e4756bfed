"""Traps of the fresh set on hosts of their own: what machines compute and write, lists of sites, domains that expired, boards."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cached_property
from random import Random
from urllib.parse import parse_qs, parse_qsl, quote, quote_plus, urlencode, urlsplit

from focused.page.urls import host_of
from focused.simulation.recorded_web import Answer, html_answer
from lab.webs.traps_good import GoodPage, word
from lab.webs.traps_text import Content, Link, Prose, html, slug
from lab.webs.traps_trap import FreshGuest, FreshTrap, Ground, path_of, segments


class CatalogueSearch(FreshTrap):
    """The catalogue of a library: every search can be narrowed, sorted and turned around, records remember the search."""

    kind = "catalogue_search"
    records = 400
    orders = ("title", "author", "year", "relevance")

    def answer(self, url: str) -> Answer | None:
        given = parse_qsl(urlsplit(url).query)
        if path_of(url) not in ("/", "/opac/cgi.pl"):
            return None
        wanted = dict(given)
        number = wanted.get("rec", "")
        if number.isdecimal() and len(number) < 4 and int(number) < self.records:
            return self._record(int(number), [pair for pair in given if pair[0] != "rec"])
        random = self.of(urlencode(sorted(given)))
        titles = [(record, self._title(record)) for record in random.sample(range(self.records), 8)]
        links = [self._link([*given, ("rec", str(record))], title) for record, title in titles]
        terms = [value for key, value in given if key in ("su", "ti")]
        links += [self._narrowed(given, self.of(f"{url} {place}")) for place in range(8)]
        title = f"Catalogue: {random.randint(9, 900)} titles on {' and '.join(terms) or self.words.name}"
        return self.page(Content(title, listed=links))

    def _record(self, number: int, given: list[tuple[str, str]]) -> Answer:
        random = self.of(f"record {number}")
        author = f"{word(random).capitalize()}, {word(random, 1).capitalize()}"
        facts = f"{author}. {random.randint(1890, 2022)}. {random.randint(60, 700)} p."
        subjects = random.sample(self.words.nouns, 4)
        links = [self._link([("su", subject), *given][:6], f"more on {subject}") for subject in subjects]
        return self.page(Content(self._title(number), [facts, self.prose(random, 2, 3)], listed=links))

    def _title(self, record: int) -> str:
        return Prose(self.ground.topic, self.of(f"record {record} title")).title()

    def _narrowed(self, given: Sequence[tuple[str, str]], random: Random) -> Link:
        """The same search with something else, its parts in another order."""
        noun = random.choice(self.words.nouns)
        new, told = random.choice(
            (
                (("su", noun), f"subject: {noun}"),
                (("ti", noun.split()[0]), f"title: {noun}"),
                (("sort", random.choice(self.orders)), "sort"),
                (("pp", random.choice(("10", "25", "50"))), f"{self.words.name}: more per page"),
                (("lang", random.choice(("en", "fr", "de", "it"))), f"{self.words.name} in this language"),
            )
        )
        pairs = list({**dict(random.sample(list(given), min(len(given), 5))), new[0]: new[1]}.items())
        random.shuffle(pairs)
        return self._link(pairs, told)

    def _link(self, pairs: Sequence[tuple[str, str]], text: str) -> Link:
        return Link(f"{self.root}/opac/cgi.pl?{urlencode(pairs)}", text)

    def doors(self, random: Random) -> Sequence[Link]:
        return [self._link([("su", noun)], f"books on {noun}") for noun in random.sample(self.words.nouns, 6)]


class MapViews(FreshGuest):
    """A map of what there is, to be moved a little in each direction, and closer, without an edge."""

    kind = "map_views"
    moves = (("north", 1, 0), ("south", -1, 0), ("east", 0, 1), ("west", 0, -1))

    def __init__(self, ground: Ground, variant: int) -> None:
        super().__init__(ground, variant)
        self._base = f"/map-{word(self.random, 2)}"

    def answer(self, url: str) -> Answer | None:
        found = re.fullmatch(
            r"ll=(-?\d{1,2}\.\d{4}),(-?\d{1,3}\.\d{4})&z=(\d{1,2})&show=([a-z-]+)", urlsplit(url).query
        )
        if path_of(url) != self._base or found is None:
            return None
        north, east, zoom, shown = float(found[1]), float(found[2]), int(found[3]), found[4]
        step, random = 20 / 2 ** min(zoom, 12), self.of(url)
        links = [
            self._link(north + step * up, east + step * right, zoom, shown, f"{shown} further {told}")
            for told, up, right in self.moves
        ]
        links += [
            self._link(north, east, zoom + by, shown, f"{shown} map, zoom") for by in (1, -1) if 2 <= zoom + by <= 16
        ]
        other = slug(random.choice(self.words.nouns))
        links.append(self._link(north, east, zoom, other, f"show {other.replace('-', ' ')}"))
        places = [f"{word(random).capitalize()} ({random.choice(self.words.nouns)})" for _ in range(3)]
        text = f"{self.words.name.capitalize()} map around {north:.2f}, {east:.2f}: {', '.join(places)}."
        return self.page(Content(f"Map: {shown.replace('-', ' ')}", [text], listed=links))

    def _link(self, north: float, east: float, zoom: int, shown: str, told: str) -> Link:
        place = f"{(north + 90) % 180 - 90:.4f},{(east + 180) % 360 - 180:.4f}"
        return Link(f"http://{self.host}{self._base}?ll={place}&z={zoom}&show={shown}", told.replace("-", " "))

    def link_to(self, page: GoodPage) -> Link:
        random = self.of(page.url)
        return self._link(random.uniform(40, 60), random.uniform(-5, 25), 9, slug(self.keyword(random)), "on the map")

    def doors(self, random: Random) -> Sequence[Link]:
        return [self.link_to(page) for page in list(self.pages.values())[:3]]


class Calculators(FreshTrap):
    """``/17.5-metres-of-static-rope-in-feet``: a page for each number, all with the same text but for the numbers."""

    kind = "calculators"
    units = (
        ("metres", "feet", 3.281),
        ("feet", "metres", 0.305),
        ("grams", "ounces", 0.0353),
        ("ounces", "grams", 28.35),
    )

    def answer(self, url: str) -> Answer | None:
        found = re.fullmatch(r"/(\d{1,7}(?:\.\d)?)-([a-z]+)-of-([a-z-]+)-in-([a-z]+)", path_of(url))
        if path_of(url) == "/":
            return self.page(Content(f"{self.words.name.capitalize()} calculators", listed=self.doors(self.of(url))))
        factor = {(one, other): by for one, other, by in self.units}.get((found[2], found[4])) if found else None
        if found is None or factor is None:
            return None
        amount, noun, random = float(found[1]), found[3].replace("-", " "), self.of(url)
        result = f"{amount:g} {found[2]} of {noun} are {amount * factor:.3f} {found[4]}."
        text = [
            f"How much is {amount:g} {found[2]} of {noun}? {result} To get {found[4]}, multiply {found[2]} by {factor}.",
            f"People who have a {noun} often ask this. Our {self.words.name} calculator is exact and free of charge.",
        ]
        steps = (amount + 0.1, amount + 0.5, amount + 1, amount * 2, amount + random.randint(2, 900))
        links = [self._link(min(step, 10**6), found[2], noun, found[4]) for step in steps]
        links += [
            self._link(amount, one, random.choice(self.words.nouns), other)
            for one, other, _ in random.sample(self.units, 3)
        ]
        return self.page(Content(f"{amount:g} {found[2]} of {noun} in {found[4]}", text, listed=links))

    def _link(self, amount: float, unit: str, noun: str, other: str) -> Link:
        given = f"{round(amount, 1):.1f}".removesuffix(".0")
        path = f"/{given}-{unit}-of-{slug(noun)}-in-{other}"
        return Link(f"{self.root}{path}", f"{given} {unit} of {noun} in {other}")

    def doors(self, random: Random) -> Sequence[Link]:
        nouns = random.sample(self.words.nouns, 5)
        chosen = [random.choice(self.units) for _ in nouns]
        return [
            self._link(random.randint(1, 300), one, noun, other)
            for noun, (one, other, _) in zip(nouns, chosen, strict=True)
        ]


class TopLists(FreshTrap):
    """Lists of the best sites, each of which sends its visitors to the others, and members without end."""

    kind = "top_lists"
    size = 10
    menu = ("join", "rules")

    def answer(self, url: str) -> Answer | None:
        path, random = path_of(url), self.of(url)
        given = {key: values[0] for key, values in parse_qs(urlsplit(url).query).items()}
        number = given.get("id", "")
        if path == "/out.php" and number.isdecimal():
            return Answer(302, (("Location", self._rank(random, random.choice(self.hosts)).url),), b"")
        if path == "/details.php" and number.isdecimal():
            text = f"Member {number} of {self.words.name}: {self.prose(random, 1, 1)} Votes: {random.randint(0, 999)}."
            links = [Link(f"/out.php?id={number}", "visit"), *(self._rank(random, host_of(url)) for _ in range(3))]
            return html_answer(
                html(self.template_of(host_of(url), host_of(url)), Content(f"Site {number}", [text], listed=links))
            )
        if path not in ("/", "/rank.php", "/join", "/rules"):
            return None
        links = []
        for place in range(8):
            member, noun = random.randrange(10**6), random.choice(self.words.nouns)
            told = (
                f"#{place + 1}: {word(random, 2).capitalize()}, the {random.choice(self.words.adjectives)} {noun} site."
            )
            links.append(Link(f"/{random.choice(('out', 'details'))}.php?id={member}", noun, told))
        links += [self._rank(random, random.choice([host_of(url), *self.hosts])) for _ in range(4)]
        title = f"Top {self.words.name} sites: {given.get('cat', 'all').replace('-', ' ')}"
        return html_answer(html(self.template_of(host_of(url), host_of(url)), Content(title, listed=links)))

    def _rank(self, random: Random, host: str) -> Link:
        noun = random.choice(self.words.nouns)
        return Link(
            f"http://{host}/rank.php?cat={slug(noun)}&start={random.randrange(0, 4000, 10)}", f"top {noun} sites"
        )

    def doors(self, random: Random) -> Sequence[Link]:
        return [self._rank(random, host) for host in self.hosts[:6]]


class ExpiredDomains(FreshTrap):
    """Domains of sites that were good once, to which texts of good articles still lead; some send all to one page of offers."""

    kind = "expired_domains"
    in_texts = True
    size, addresses = 25, 3
    linked = 45  #: good articles that still cite one of them

    def answer(self, url: str) -> Answer | None:
        host, random = host_of(url), self.of(url)
        if self._sends_on(host) and path_of(url) != "/lander":
            asked = quote(url.partition(host)[2], safe="")
            return Answer(302, (("Location", f"http://{host}/lander?oref={asked}"),), b"")
        asked = parse_qs(urlsplit(url).query).get("q", [self.keyword(random)])[0]
        nouns = random.sample(self.words.nouns, 7)
        links = [
            Link(f"http://{host}/lander?q={quote_plus(noun)}&token={random.getrandbits(48):x}", noun.title())
            for noun in nouns
        ]
        text = [f"{host} - {asked}", "This page is provided courtesy of the registrar. The owner can renew the domain."]
        return html_answer(html(self.template_of("Related searches", "all"), Content(host, text, listed=links)))

    def _sends_on(self, host: str) -> bool:
        return self.hosts.index(host) % 2 == 1

    def _cited(self, number: int) -> Link:
        """An article that was there once."""
        random = self.of(f"cited {number}")
        title = Prose(self.ground.topic, random).title()
        form = random.choice(("/articles/{}.html", "/{}", "/node/{}"))
        return Link(f"http://{self.hosts[number % self.size]}{form.format(slug(title))}", title)

    def on_pages(self) -> Iterator[tuple[GoodPage, Link]]:
        citing = [page for page in self.ground.good.relevant if page.inline]
        chosen = self.of("citing").sample(citing, min(self.linked, len(citing)))
        return ((page, self._cited(number)) for number, page in enumerate(chosen))

    def doors(self, random: Random) -> Sequence[Link]:
        return [self._cited(number) for number in range(8)]

    def address(self, host: str) -> int:
        return super().address(host) % self.addresses


class Aggregator(FreshTrap):
    """Boards on which members collect what others wrote: each page leads to good articles, and to more boards and collected things.

    The same article is collected again and again, under a number of its own each time, and boards are made of any two words.
    """

    kind = "aggregator"
    menu = ("explore",)

    def answer(self, url: str) -> Answer | None:
        parts, random = segments(url), self.of(url)
        if parts[:1] == ["item"] and len(parts) == 2 and parts[1].isdecimal():
            return self._item(random)
        if parts[:1] not in ([], ["explore"], ["board"]):
            return None
        items = [self._link(random) for _ in range(6)]
        originals = [Link(page.url, page.title, "via") for page in random.sample(self.ground.good.relevant, 2)]
        name = " and ".join(part.replace("-", " ") for part in parts[1:]) or self.words.name
        return self.page(Content(f"{name.capitalize()}: ideas", listed=[*items, *originals, *self._boards(random)]))

    def _item(self, random: Random) -> Answer:
        page = random.choice(self.ground.good.relevant)
        start = self.ground.good.content(page).paragraphs[0].split(". ")[0]
        links = [
            Link(page.url, f"Read on: {page.title}"),
            *(self._link(random) for _ in range(5)),
            *self._boards(random),
        ]
        text = f"{start} ... {word(random, 2).capitalize()} collected this, and {random.randint(2, 90)} like it."
        return self.page(Content(page.title, [text], listed=links))

    def _link(self, random: Random) -> Link:
        page = random.choice(self.ground.good.relevant)
        return Link(f"{self.root}/item/{random.randrange(10**8, 10**9)}", page.title)

    def _boards(self, random: Random) -> list[Link]:
        pairs = [random.sample(self.words.nouns, 2) for _ in range(3)]
        return [Link(f"{self.root}/board/{slug(one)}/{slug(other)}", f"{one} and {other}") for one, other in pairs]

    def doors(self, random: Random) -> Sequence[Link]:
        return [*self._boards(random), *(self._link(random) for _ in range(3))]


OPENINGS = (
    "Looking for the best {what} in {year}? You have come to the right place. Our experts have tested {count} {what} models.",
    "Are you thinking about a new {what}? We have compared {count} {what} offers so that you do not have to.",
    "In this {what} buying guide for {year} we show you {count} {what} products that are worth their money.",
)
QUESTIONS = (
    "What is the best {what}? The best {what} is the one that suits your needs. Our {what} number one is {name}.",
    "How much does a {what} cost? A good {what} costs between {low} and {high}. A cheap {what} may disappoint you.",
    "Where can I buy a {what}? You can buy a {what} online. Click on the button to see today's {what} price.",
    "Is a {what} worth it? Yes. Everybody who loves {topic} should have a {what}.",
)


class ReviewFarm(FreshTrap):
    """Many domains of tests that nobody made: the ten best of anything, for any year, from a form with the keyword in each line."""

    kind = "review_farm"
    size, addresses = 24, 9
    years = (2016, 2026)

    def answer(self, url: str) -> Answer | None:
        name = path_of(url).strip("/")
        if name and not (name.startswith("best-") and "/" not in name):
            return None
        random = self.of(url)
        what, _, year = name.removeprefix("best-").replace("-", " ").rpartition(" ")
        what = what or self.keyword(random)
        names = [f"{word(random, 2).capitalize()} {random.choice('XTSPZ')}{random.randint(1, 900)}" for _ in range(6)]
        given = {"what": what, "year": year or "2024", "count": random.randint(17, 60), "name": names[0]}
        given |= {"low": random.randint(9, 40), "high": random.randint(50, 900), "topic": self.words.name}
        text = [random.choice(OPENINGS).format(**given)]
        text += [
            f"{place}. {made}: this {what} is {random.choice(self.words.adjectives)}. We say {random.uniform(3.9, 5):.1f} of 5."
            for place, made in enumerate(names, 1)
        ]
        text += [question.format(**given) for question in random.sample(QUESTIONS, 3)]
        links = [self._link(random, host_of(url)) for _ in range(7)]
        links += [self._link(random, random.choice(self.hosts)) for _ in range(3)]
        content = Content(f"The 6 best {what} products in {given['year']}", text, listed=links)
        return html_answer(html(self.template_of(host_of(url), str(self.hosts.index(host_of(url)) % 3)), content))

    def _link(self, random: Random, host: str) -> Link:
        what, year = (
            f"{random.choice(self.words.adjectives)} {random.choice(self.words.nouns)}",
            random.randint(*self.years),
        )
        return Link(f"http://{host}/best-{slug(what)}-{year}/", f"best {what} {year}")

    def doors(self, random: Random) -> Sequence[Link]:
        return [self._link(random, host) for host in random.sample(self.hosts, 8)]

    def address(self, host: str) -> int:
        return super().address(host) % self.addresses


class SnippetSubdomains(FreshTrap):
    """Any name below a domain answers with what results of a search engine looked like: pieces of good articles, cut off."""

    kind = "snippet_subdomains"
    sources = 80  #: articles that are cut to pieces

    def __init__(self, ground: Ground, variant: int) -> None:
        super().__init__(ground, variant)
        self.zone, self.hosts = self.host.removeprefix("www."), ()

    def answer(self, url: str) -> Answer | None:
        random = self.of(url)
        text = [self._snippet(random) for _ in range(8)]
        random.shuffle(text)
        name = path_of(url).strip("/").removesuffix(".php").replace("-", " ") or self.keyword(random)
        links = [self._link(random) for _ in range(8)]
        links += [Link(f"/{slug(noun)}.php", noun) for noun in random.sample(self.words.nouns, 2)]
        content = Content(
            f"{name} {random.choice(('pdf', 'images', 'wiki', 'near me', 'explained'))}", text, listed=links
        )
        return html_answer(html(self.template_of(host_of(url), "all"), content))

    @cached_property
    def _sources(self) -> list[tuple[str, list[str]]]:
        """Title and words of paragraphs of good articles."""
        relevant = self.ground.good.relevant
        pages = self.of("sources").sample(relevant, min(self.sources, len(relevant)))
        return [(page.title, text.split()) for page in pages for text in self.ground.good.content(page).paragraphs]

    def _snippet(self, random: Random) -> str:
        title, words = random.choice(self._sources)
        start = random.randrange(max(1, len(words) - 24))
        day = f"{random.randint(1, 28)} Feb {random.randint(2009, 2022)}"
        return f"{title} - {day} ... {' '.join(words[start : start + 24])} ..."

    def _link(self, random: Random) -> Link:
        noun = random.choice(self.words.nouns)
        name = f"{slug(noun)}{random.randint(2, 9999)}" if self.variant % 2 else f"{random.getrandbits(28):07x}"
        return Link(f"http://{name}.{self.zone}/{slug(noun)}.php", noun)

    def doors(self, random: Random) -> Sequence[Link]:
        return [self._link(random) for _ in range(7)]


class MachineWritten(FreshTrap):
    """A dozen magazines that nobody writes: articles read as good ones do, and cite good ones."""

    kind = "machine_written"
    size = 12

    def answer(self, url: str) -> Answer | None:
        host, parts, random = host_of(url), segments(url), self.of(url)
        if parts and (len(parts) != 2 or parts[0] != "stories"):
            return None
        title = parts[1].rpartition("-")[0].replace("-", " ").capitalize() if parts else f"Stories on {self.words.name}"
        prose = Prose(self.ground.topic, random)
        text = [prose.sentences(3, 7) for _ in range(random.randint(3, 6))] if parts else [prose.sentence()]
        cited = random.sample(self.ground.good.relevant, 2)
        inline = [Link(page.url, page.title, prose.sentence()) for page in cited] if parts else []
        links = [self._link(random, host) for _ in range(6)]
        links += [self._link(random, random.choice(self.hosts)) for _ in range(2)]
        return html_answer(html(self.template_of(host, host), Content(title, text, inline, links)))

    def _link(self, random: Random, host: str) -> Link:
        title = Prose(self.ground.topic, random).title()
        return Link(f"http://{host}/stories/{slug(title)}-{random.randrange(36**5):x}", title)

    def doors(self, random: Random) -> Sequence[Link]:
        return [self._link(random, host) for host in self.hosts[:8]]

"""Traps of the third set that compute: a catalogue, a map and a calculator answer whatever is asked."""

from __future__ import annotations

import re
from collections.abc import Sequence
from random import Random
from urllib.parse import parse_qsl, urlencode, urlsplit

from focused.simulation.recorded_web import Answer
from lab.webs.traps_fresh import FreshGuest, FreshTrap
from lab.webs.traps_good import GoodPage
from lab.webs.traps_html import Content, Link
from lab.webs.traps_sites import word
from lab.webs.traps_text import Prose, slug
from lab.webs.traps_trap import Ground, path_of


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

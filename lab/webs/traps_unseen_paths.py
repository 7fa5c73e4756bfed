"""Traps of the second set that lie in addresses: numbers, slugs, tokens, weeks, filters, capitals."""

from __future__ import annotations

import re
from base64 import urlsafe_b64encode
from collections.abc import Sequence
from datetime import date, timedelta
from random import Random
from urllib.parse import parse_qsl, quote, urlsplit

from focused.simulation.recorded_web import Answer
from lab.webs.traps_html import Content, Link
from lab.webs.traps_sites import word
from lab.webs.traps_text import slug
from lab.webs.traps_trap import Ground, GuestTrap, path_of, segments
from lab.webs.traps_unseen import ForeignTrap

WEEK = re.compile(r"(\d{4})-W(\d{2})")


class NumberPaths(ForeignTrap):
    """``/p/3/1/7``: each page has ten below it."""

    kind = "number_paths"

    def answer(self, url: str) -> Answer | None:
        parts = segments(url)
        if parts[:1] != ["p"] or not all(part.isdecimal() and len(part) == 1 for part in parts[1:]):
            return None
        random = self.of(url)
        links = [Link(f"{path_of(url)}/{number}", random.choice(self.words.nouns)) for number in range(10)]
        text = [self.prose(random), self.stuffing(random, 30), self.prose(random)]
        return self.page(Content(f"{self.keyword(random)} {'.'.join(parts[1:])}", text, listed=links))

    def doors(self, random: Random) -> Sequence[Link]:
        return [Link(f"{self.root}/p/{number}", self.keyword(self.of(str(number)))) for number in range(5)]


class GrowingSlugs(ForeignTrap):
    """``/railway-line-tram-bogie.html``: the name of each page goes on where that of the last one ended."""

    kind = "growing_slugs"

    def answer(self, url: str) -> Answer | None:
        name = path_of(url).strip("/")
        if not name.endswith(".html") or "/" in name:
            return None
        random, stem = self.of(url), name.removesuffix(".html")
        wanted = stem.replace("-", " ")
        nouns = random.sample(self.words.nouns, 7)
        text = [f"Everything about {wanted}. {self.prose(random, 2, 4)}", f"{wanted}: {self.prose(random, 2, 3)}"]
        links = [Link(f"/{stem}-{slug(noun)}.html", f"{wanted.split()[-1]} and {noun}") for noun in nouns]
        return self.page(Content(wanted, text, listed=links))

    def doors(self, random: Random) -> Sequence[Link]:
        return [Link(f"{self.root}/{slug(noun)}.html", noun) for noun in self.of("doors").sample(self.words.nouns, 6)]


class Tokens(ForeignTrap):
    """``/x/TW9ua2V5cw``: addresses that say nothing, new ones on each page, with text that was spun."""

    kind = "tokens"

    def answer(self, url: str) -> Answer | None:
        random = self.of(url)
        if segments(url)[:1] != ["x"]:
            return None
        links = [Link(self._token(f"{url} {place}"), random.choice(self.words.nouns)) for place in range(8)]
        text = [self.ground.spun(random, 90) for _ in range(3)]
        return self.page(Content(" ".join(self.ground.spun(random, 6).split()[:6]), text, listed=links))

    def _token(self, text: str) -> str:
        return f"{self.root}/x/{urlsafe_b64encode(self.of(text).randbytes(15)).decode()}"

    def doors(self, random: Random) -> Sequence[Link]:
        return [Link(self._token(keyword), keyword) for keyword in self.words.keywords]


class Weeks(GuestTrap):
    """A German planner: weeks without end, each to be seen in three ways."""

    kind = "week_planner"
    views = ("woche", "tag", "liste")

    def __init__(self, ground: Ground, variant: int) -> None:
        super().__init__(ground, variant)
        self._base = f"/planer-{word(self.random, 2)}"

    def answer(self, url: str) -> Answer | None:
        found = WEEK.search(url)
        try:
            monday = date.fromisocalendar(int(found[1]), int(found[2]), 1) if found else None
        except ValueError:
            return None
        if monday is None or not path_of(url).startswith(f"{self._base}/") or not 1800 < monday.year < 2800:
            return None
        around = [monday + timedelta(weeks=weeks) for weeks in (-52, -4, -1, 1, 4, 52)]
        views = [Link(self._url(monday, view), f"{view.capitalize()}, {self.words.name}") for view in self.views]
        weeks = [Link(self._url(other, self.views[0]), f"{self.words.name} in KW {other:%V/%G}") for other in around]
        text = f"Keine Termine in KW {monday:%V} {monday:%G}. {self.words.name.capitalize()}: {self.keyword(self.of(url))}."
        return self.page(Content(f"Planer {monday:%G}, KW {monday:%V}", [text], listed=[*views, *weeks]))

    def _url(self, day: date, view: str) -> str:
        return f"http://{self.host}{self._base}/{day:%G}-W{day:%V}?ansicht={view}"

    def doors(self, random: Random) -> Sequence[Link]:
        return [Link(self._url(date(2024, 5, 6), self.views[0]), f"{self.words.name} Termine")]


class RepeatedKeys(ForeignTrap):
    """``?f[]=tram&f[]=bogie``: one parameter again and again, in any order."""

    kind = "repeated_keys"

    def answer(self, url: str) -> Answer | None:
        if path_of(url) != "/items":
            return None
        random = self.of(url)
        chosen = [value for _, value in parse_qsl(urlsplit(url).query)]
        links = []
        for noun in random.sample(self.words.nouns, 8):
            values = [*chosen, slug(noun)]
            random.shuffle(values)
            links.append(Link(f"/items?{'&'.join(f'f[]={quote(value)}' for value in values[-9:])}", noun))
        text = [f"Items: {', '.join(chosen)}.", self.prose(random), self.stuffing(random, 50)]
        return self.page(Content(f"{self.words.name}: {', '.join(chosen[-3:])}", text, listed=links))

    def doors(self, random: Random) -> Sequence[Link]:
        return [Link(f"{self.root}/items?f[]={slug(noun)}", noun) for noun in self.words.nouns[:6]]


class Capitals(ForeignTrap):
    """Twelve articles, whose addresses may be written in any mixture of small and capital letters."""

    kind = "capitals"
    articles = 12

    def answer(self, url: str) -> Answer | None:
        stem, _, number = path_of(url).strip("/").rpartition("-")
        if stem.lower() != slug(self.words.keywords[0]) or number not in map(str, range(self.articles)):
            return None
        random, chance = self.of(number), self.of(url)
        text = [self.prose(random) for _ in range(3)]
        links = [self._link(chance.randrange(self.articles), chance.getrandbits(30)) for _ in range(8)]
        return self.page(Content(f"{self.keyword(random)}, part {number}", text, listed=links))

    def _link(self, number: int, mixture: int) -> Link:
        letters = slug(self.words.keywords[0])
        mixed = "".join(letter.upper() if mixture >> place & 1 else letter for place, letter in enumerate(letters))
        return Link(f"{self.root}/{mixed}-{number}", f"{self.words.keywords[0]}, part {number}")

    def doors(self, random: Random) -> Sequence[Link]:
        return [self._link(number, 0) for number in range(4)]


class HashBang(ForeignTrap):
    """``#!page=3`` and, for those who asked for it once, ``?_escaped_fragment_=page=3``, without end."""

    kind = "hash_bang"

    def answer(self, url: str) -> Answer | None:
        page = url.rpartition("page=")[2]
        number = int(page) if page.isdecimal() and len(page) < 9 else 0
        if path_of(url) != "/app":
            return None
        random = self.of(str(number))
        around = [number + step for step in (1, 2, 5, 10)]
        links = [Link(f"/app?_escaped_fragment_=page={other}", f"{self.keyword(random)} {other}") for other in around]
        links += [Link(f"/app#!page={other}", f"{self.words.name} {other}") for other in around]
        text = [self.prose(random), self.stuffing(random, 40)]
        return self.page(Content(f"{self.words.name}, view {number}", text, listed=links))

    def doors(self, random: Random) -> Sequence[Link]:
        return [Link(f"{self.root}/app?_escaped_fragment_=page={page}", self.words.keywords[page]) for page in range(4)]

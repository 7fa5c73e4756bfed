"""Traps in paths: they grow by repetition, by fresh names, by a relative link that is wrong, and day by day."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta
from random import Random

from focused.simulation.recorded_web import Answer
from lab.webs.traps_html import Content, Link
from lab.webs.traps_sites import word
from lab.webs.traps_text import slug
from lab.webs.traps_trap import Ground, GuestTrap, Trap, path_of, segments


class RepeatedSegments(Trap):
    """``/a/b/a/b/``: every page leads to the same few names below itself, its text is stuffed."""

    kind = "repeated_segments"

    def __init__(self, ground: Ground, variant: int) -> None:
        super().__init__(ground, variant)
        self._names = [slug(name) for name in self.random.sample(self.words.nouns, 3 if variant % 2 else 6)]

    def answer(self, url: str) -> Answer | None:
        if not path_of(url).endswith("/"):
            return None
        random, below = self.of(url), path_of(url)
        links = [Link(f"{below}{name}/", name.replace("-", " ")) for name in self._names]
        return self.page(Content(self.keyword(random), [self.stuffing(random)], listed=links))

    def doors(self, random: Random) -> Sequence[Link]:
        return [Link(f"{self.root}/{name}/", name.replace("-", " ")) for name in self._names]


class FreshSegments(Trap):
    """``/kalor/beltin/sorva/``: deeper and deeper, no name comes twice."""

    kind = "fresh_segments"

    def answer(self, url: str) -> Answer | None:
        random, below = self.of(url), path_of(url).rstrip("/")
        links = [Link(f"{below}/{word(random, 2)}", self.random_noun(url, place)) for place in range(5)]
        return self.page(Content(self.keyword(random), [self.stuffing(random, 60), self.prose(random)], listed=links))

    def random_noun(self, url: str, place: int) -> str:
        return self.of(f"{url} {place}").choice(self.words.nouns)

    def doors(self, random: Random) -> Sequence[Link]:
        return [Link(f"{self.root}/{word(random, 2)}", noun) for noun in random.sample(self.words.nouns, 4)]


class RelativeBug(GuestTrap):
    """``href="overview/page/"`` on each page of a good site's section: each leads one deeper."""

    kind = "relative_bug"

    def __init__(self, ground: Ground, variant: int) -> None:
        super().__init__(ground, variant)
        self._start = f"service-{word(self.random, 2)}"
        self._names = ("overview/", "contact/", f"{slug(self.words.name)}/")

    def answer(self, url: str) -> Answer | None:
        parts = segments(url)
        if parts[:1] != [self._start] or not {f"{part}/" for part in parts[1:]} <= set(self._names):
            return None
        content = Content(f"Service: {parts[-1]}", [self.prose(self.of(parts[-1]))])
        content.listed = [Link(name, f"{name[:-1]}, {self.words.name}") for name in self._names]
        return self.page(content)

    def doors(self, random: Random) -> Sequence[Link]:
        return [Link(f"http://{self.host}/{self._start}/", f"{self.words.name} service")]


class Calendar(GuestTrap):
    """Months without end, by path or by parameter, on a good site; nothing is ever planned."""

    kind = "calendar"

    def __init__(self, ground: Ground, variant: int) -> None:
        super().__init__(ground, variant)
        self._base = f"/events-{word(self.random, 2)}"

    def answer(self, url: str) -> Answer | None:
        day = self._day(url)
        if day is None:
            return None
        around = [day + timedelta(days) for days in (-31, -1, 1, 7, 31, 366)]
        links = [Link(self._url(other), f"{self.keyword(self.of(url))} events {other:%B %Y}") for other in around]
        text = f"Events on {day:%d %B %Y}. Nothing is planned about {self.words.name} so far."
        return self.page(Content(f"{self.words.name.capitalize()} events, {day:%d %B %Y}", [text], listed=links))

    def _url(self, day: date) -> str:
        if self.variant % 2:
            return f"http://{self.host}{self._base}?month={day:%Y-%m}&day={day.day}"
        return f"http://{self.host}{self._base}/{day:%Y/%m/%d}/"

    def _day(self, url: str) -> date | None:
        if not path_of(url).startswith(self._base):
            return None
        digits = [int(part) for part in _numbers(url.partition(self._base)[2])]
        try:
            found = date(*digits)
            return found if self._url(found) == url and 1800 < found.year < 2800 else None
        except (TypeError, ValueError, OverflowError):
            return None

    def doors(self, random: Random) -> Sequence[Link]:
        return [Link(self._url(date(2024, 5, 1)), f"{self.words.name} events")]


def _numbers(text: str) -> list[str]:
    digits = "".join(letter if letter.isascii() and letter.isdigit() else " " for letter in text)
    return [number for number in digits.split() if len(number) <= 4]

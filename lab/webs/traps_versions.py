"""Traps of versions: one page under many addresses, and every choice among the filters of a list as a page of its own."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from random import Random

from focused.simulation.recorded_web import Answer
from lab.webs.traps_good import GoodPage
from lab.webs.traps_html import Content, Link
from lab.webs.traps_queries import IdleParameters
from lab.webs.traps_sites import word
from lab.webs.traps_trap import Ground, GuestTrap, path_of

FACETS = (
    ("colour", ("red", "green", "blue", "white", "black")),
    ("size", ("small", "medium", "large", "huge")),
    ("year", ("2018", "2019", "2020", "2021", "2022", "2023")),
    ("price", ("low", "middle", "high")),
    ("sort", ("name", "date", "rating", "price")),
)


class Versions(GuestTrap):
    """Articles of a good site once more: to print, and under each reply to a comment. The articles themselves lead there."""

    kind = "versions"
    most = 200  #: replies to one article

    def original(self, url: str) -> GoodPage | None:
        for mark in ("replytocom=", "print="):
            plain, _, number = url.rpartition(mark)
            if number.isdecimal() and int(number[:4]) < self.most:
                return self.pages.get(plain[:-1])
        return None

    def answer(self, url: str) -> Answer | None:
        page = self.original(url)
        if page is None:
            return None
        content = self.ground.good.content(page)
        content.comments = self._replies(page, self.of(url).randrange(self.most))
        return self.page(content)

    def _replies(self, page: GoodPage, first: int = 0) -> list[Link]:
        mark = "&" if "?" in page.url else "?"
        links = [
            Link(f"{page.url}{mark}replytocom={(first + place) % self.most}", f"Reply on {page.title}")
            for place in range(4)
        ]
        return [Link(f"{page.url}{mark}print=1", "print version"), *links]

    def on_pages(self) -> Iterator[tuple[GoodPage, Link]]:
        return ((page, link) for page in self.pages.values() for link in self._replies(page))

    def doors(self, random: Random) -> Sequence[Link]:
        return self._replies(next(iter(self.pages.values())))


class Declared(IdleParameters):
    """The same as idle parameters, but each page declares the address without them as its canonical one."""

    kind = "declared_versions"

    def head(self, url: str) -> str:
        return f'<link rel="canonical" href="{escape(url.partition("?")[0])}">'


class Facets(GuestTrap):
    """A list of a good site with filters, in any order and number: all lists show some of the same articles."""

    kind = "facets"

    def __init__(self, ground: Ground, variant: int) -> None:
        super().__init__(ground, variant)
        self._base = f"/filter-{word(self.random, 2)}"

    def answer(self, url: str) -> Answer | None:
        chosen = path_of(url).removeprefix(f"{self._base}/").strip("/").split("/")
        filters = {f"{name}-{value}" for name, values in FACETS for value in values}
        if not path_of(url).startswith(f"{self._base}/") or not set(chosen) - {""} <= filters:
            return None
        random = self.of(url)
        shown = random.sample(list(self.pages.values()), min(5, len(self.pages)))
        listed = [Link(page.url, page.title) for page in shown]
        more = random.sample(sorted(filters - set(chosen)), min(8, len(filters - set(chosen))))
        listed += [
            Link(f"{path_of(url).rstrip('/')}/{name}/", f"{self.words.name}, {name.replace('-', ' ')}") for name in more
        ]
        title = f"{self.words.name.capitalize()} articles: {', '.join(filter(None, chosen))}"
        return self.page(Content(title, listed=listed))

    def doors(self, random: Random) -> Sequence[Link]:
        return [Link(f"http://{self.host}{self._base}/", f"all {self.words.name} articles by colour, size and year")]

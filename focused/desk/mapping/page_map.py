"""The map of a collection's pages by topic: near means alike in words, not linked."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from focused.collection.collection import mark_of, opened
from focused.collection.store import Store
from focused.crawl.arrays import IntArray
from focused.desk.mapping.page_places import NOTHING, Floats, drawn, one_thread, places_of, word_matrix
from focused.desk.mapping.page_reading import (
    CrawledPages,
    PageWordCounts,
    SideFile,
    TellStage,
    addresses_and_titles,
    crawled_pages,
    words_of_pages,
)
from focused.desk.mapping.themes import looked_at, middle_of, theme_names, themes_of
from focused.live.last_run import last_run

NAME = "pages"  #: of the map in the side file
_KEPT = {"url", "places", "theme", "words"}
NO_NAME = "other pages"


@dataclass(frozen=True, slots=True)
class Theme:
    """Pages that lie close together."""

    words: str  #: by which it is told from the others; empty where no word does
    middle: int  #: id of the URL in its middle: a name that a person gives to the theme is kept by that URL
    x: float
    y: float
    pages: int
    relevant: int


@dataclass(frozen=True, slots=True)
class PageMap:
    """n pages on a plane."""

    pages: CrawledPages
    places: Floats  #: (n, 2)
    theme: IntArray  #: (n,) positions in `themes`
    themes: list[Theme]
    hosts: list[str]  #: names by id
    missing: int = 0  #: pages that came after it was drawn
    named_at: dict[str, int] = field(default_factory=dict)  #: positions of pages by URL, of those looked for; -1: none

    def __len__(self) -> int:
        return len(self.pages)


def draw_page_map(folder: Path, tell: TellStage) -> PageMap:
    """Draw the map of a collection as it is now: reads pages that no map has read, and goes on from the places of the last map.

    Raises StorageError.
    """
    with opened(folder) as store:
        run, mark, pages = last_run(store), mark_of(store), crawled_pages(store)
        hosts = [name for name, _ in store.hosts()]
    language = run.reading.languages[0]
    with closing(SideFile(folder, mark)) as side:
        order = drawn(pages.url, pages.relevant)
        said = words_of_pages(folder, side, pages, order, run, tell)
        tell("placing pages", 0, 0)
        matrix = word_matrix(said, pages.host, language)
        before = side.kept(NAME, _KEPT)
        earlier = (before["url"], before["places"]) if before else NOTHING
        with one_thread():
            places = places_of(matrix, pages.url, order, earlier)
            theme = themes_of(places)
        words = _names(folder, pages, theme, said, language)
        side.keep(NAME, {"url": pages.url, "places": places, "theme": theme, "words": np.array(words, np.str_)})
    return PageMap(pages, places, theme, _themes(pages, places, theme, words), hosts)


def kept_page_map(folder: Path) -> PageMap | None:
    """The map that was drawn last, with what the crawl says by now of its pages; None where there is none."""
    with opened(folder) as store:
        mark, pages = mark_of(store), crawled_pages(store)
        hosts = [name for name, _ in store.hosts()]
    with closing(SideFile(folder, mark)) as side:
        kept = side.kept(NAME, _KEPT)
    if kept is None or not np.array_equal(kept["url"], pages.url[: len(kept["url"])]):
        return None
    missing = len(pages) - len(kept["url"])
    pages = pages.taken(np.arange(len(kept["url"])))
    places, theme, words = kept["places"], kept["theme"], kept["words"].tolist()
    return PageMap(pages, places, theme, _themes(pages, places, theme, words), hosts, missing)


def _names(
    folder: Path, pages: CrawledPages, theme: IntArray, said: Sequence[PageWordCounts], language: str
) -> list[str]:
    at = looked_at(theme)
    with opened(folder) as store:
        titles = [title for _, title in addresses_and_titles(store, pages.seq[at])]
    words = [said[i] for i in at.tolist()]
    return theme_names(titles, words, theme[at], pages.host[at], np.bincount(theme), language)


def _themes(pages: CrawledPages, places: Floats, theme: IntArray, words: Sequence[str]) -> list[Theme]:
    found = []
    for number, name in enumerate(words):
        members = np.flatnonzero(theme == number)
        middle = members[middle_of(places[members])]
        x, y = np.median(places[members], axis=0).tolist()
        relevant = int(pages.relevant[members].sum())
        found.append(Theme(name, int(pages.url[middle]), x, y, len(members), relevant))
    return found


@dataclass(frozen=True, slots=True)
class NamedTheme:
    """A theme as a person sees it."""

    number: int
    name: str  #: given by a person, else its words
    words: str
    key: str  #: under which a name is kept: the URL in its middle
    pages: int
    relevant: int


def named_themes(drawn: PageMap, store: Store, names: Mapping[str, str]) -> list[NamedTheme]:
    """The themes of a map, the largest first.

    names : that people gave, by URL of a page: the theme in which that page lies now has the name
    """
    given, found = _given(drawn, store, names), []
    for number, theme in enumerate(drawn.themes):
        name, key = given.get(number) or theme.words or NO_NAME, store.url(theme.middle)
        found.append(NamedTheme(number, name, theme.words, key, theme.pages, theme.relevant))
    return found


def _given(drawn: PageMap, store: Store, names: Mapping[str, str]) -> dict[int, str]:
    """By theme the name that people gave; of several the one whose page is nearest to the middle."""
    found: dict[int, tuple[float, str]] = {}
    _look_for(drawn, store, [url for url in names if url not in drawn.named_at])
    for url, name in names.items():
        at = drawn.named_at.get(url, -1)
        if at < 0:
            continue
        number = int(drawn.theme[at])
        theme = drawn.themes[number]
        away = float(np.hypot(drawn.places[at, 0] - theme.x, drawn.places[at, 1] - theme.y))
        if number not in found or away < found[number][0]:
            found[number] = away, name
    return {number: name for number, (_, name) in found.items()}


def _look_for(drawn: PageMap, store: Store, urls: list[str]) -> None:
    """Remember where pages lie on a map: URLs have no index, so that a search for some looks at all."""
    if not urls:
        return
    rows = store.execute("SELECT url, id FROM urls WHERE url IN (SELECT value FROM json_each(?))", (json.dumps(urls),))
    found = dict(rows.fetchall())
    at = drawn.pages.at(np.array([found.get(url, -1) for url in urls], np.int64))
    drawn.named_at.update(zip(urls, at.tolist(), strict=True))

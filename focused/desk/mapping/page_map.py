"""The map of a collection's pages by topic: near means alike in words, not linked."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from focused.collection.collection import mark_of, opened
from focused.crawl.arrays import IntArray
from focused.desk.mapping.crawled_pages import CrawledPages, crawled_pages
from focused.desk.mapping.page_places import NOTHING, Earlier, drawn, page_places
from focused.desk.mapping.page_reading import Tell, titles_of, words_of_pages
from focused.desk.mapping.page_words import Said
from focused.desk.mapping.side_file import SideFile
from focused.desk.mapping.theme_words import looked_at, theme_names
from focused.desk.mapping.themes import middle_of, themes_of
from focused.desk.mapping.word_matrix import Floats, word_matrix
from focused.live.last_run import last_run

NAME = "pages"  #: of the map in the side file
_KEPT = {"url", "places", "theme", "words"}


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


def draw_page_map(folder: Path, tell: Tell) -> PageMap:
    """Draw the map of a collection as it is now: reads pages that no map has read, and goes on from the places of the last map.

    Raises StorageError.
    """
    with opened(folder) as store:
        run, mark, pages = last_run(store), mark_of(store), crawled_pages(store)
        hosts = [name for name, _ in store.hosts()]
    language = run.reading.languages[0]
    with closing(SideFile(folder, mark)) as side:
        said = words_of_pages(folder, side, pages, drawn(pages.url, pages.relevant), run, tell)
        tell("placing pages", 0, 0)
        matrix = word_matrix(said, pages.host, language)
        places = page_places(matrix, pages.url, pages.relevant, _earlier(side.kept(NAME)))
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
        kept = side.kept(NAME)
    if kept is None or kept.keys() != _KEPT or not np.array_equal(kept["url"], pages.url[: len(kept["url"])]):
        return None
    missing = len(pages) - len(kept["url"])
    pages = pages.taken(np.arange(len(kept["url"])))
    places, theme, words = kept["places"], kept["theme"], kept["words"].tolist()
    return PageMap(pages, places, theme, _themes(pages, places, theme, words), hosts, missing)


def _earlier(kept: dict[str, NDArray[Any]] | None) -> Earlier:
    if kept is None or kept.keys() != _KEPT:
        return NOTHING
    order = np.argsort(kept["url"], kind="stable")
    return Earlier(kept["url"][order], kept["places"][order])


def _names(folder: Path, pages: CrawledPages, theme: IntArray, said: Sequence[Said], language: str) -> list[str]:
    at = looked_at(theme)
    with opened(folder) as store:
        titles = titles_of(store, pages.seq[at])
    hosts, sizes = pages.host[at], np.bincount(theme)
    matrix = word_matrix([said[i] for i in at.tolist()], hosts, language)
    return theme_names(titles, theme[at], hosts, sizes, matrix, language)


def _themes(pages: CrawledPages, places: Floats, theme: IntArray, words: Sequence[str]) -> list[Theme]:
    found = []
    for number, name in enumerate(words):
        members = np.flatnonzero(theme == number)
        middle = members[middle_of(places[members])]
        x, y = np.median(places[members], axis=0).tolist()
        relevant = int(pages.relevant[members].sum())
        found.append(Theme(name, int(pages.url[middle]), x, y, len(members), relevant))
    return found

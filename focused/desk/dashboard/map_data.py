"""Maps as the plain values that the script of the page draws, and what is told of one theme or host."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from focused.collection.store import Store
from focused.crawl.arrays import IntArray
from focused.desk.mapping.host_map import HostMap
from focused.desk.mapping.link_tree import LinkTree
from focused.desk.mapping.named_themes import NamedTheme
from focused.desk.mapping.page_map import PageMap
from focused.desk.mapping.word_matrix import Floats

EXTENT = 65_535  #: places are whole numbers from 0 to this
LISTED = 200  #: pages of a theme, or neighbours of a host, that are listed


@dataclass(frozen=True, slots=True)
class ListedPage:
    url: str
    title: str
    relevance: float
    relevant: bool


@dataclass(frozen=True, slots=True)
class Neighbour:
    """A host that another has links with."""

    name: str
    links_in: int  #: from this one to the other
    links_out: int  #: to this one
    pages: int
    relevant: int


def theme_pages(drawn: PageMap, store: Store, number: int, most: int = LISTED) -> list[ListedPage]:
    """Pages of a theme, the most relevant first."""
    members = np.flatnonzero(drawn.theme == number)
    pages = drawn.pages
    order = members[np.lexsort((members, -pages.relevance[members], ~pages.relevant[members]))][:most]
    listed = []
    for at in order.tolist():
        url, title = page_of(store, int(pages.seq[at]))
        listed.append(ListedPage(url, title, float(pages.relevance[at]), bool(pages.relevant[at])))
    return listed


def page_of(store: Store, seq: int) -> tuple[str, str]:
    """URL and title of a page, by the number of its fetch."""
    url, title = store.execute(
        "SELECT u.url, f.title FROM fetches f JOIN urls u ON u.id = f.final_url WHERE f.seq = ?", (seq,)
    ).fetchone()
    return url, title or ""


def neighbours(drawn: HostMap, at: int, most: int = LISTED) -> list[Neighbour]:
    """Hosts that a host has links with, those with most links first."""
    links = drawn.links
    into, out = np.zeros(len(drawn), np.int64), np.zeros(len(drawn), np.int64)
    of, to = links[links[:, 1] == at], links[links[:, 0] == at]
    into[of[:, 0]], out[to[:, 1]] = of[:, 2], to[:, 2]
    order = np.argsort(-(into + out), kind="stable")[:most]
    return [
        Neighbour(drawn.names[i], int(into[i]), int(out[i]), int(drawn.pages[i]), int(drawn.relevant[i]))
        for i in order.tolist()
        if into[i] + out[i]
    ]


def drawn_pages(drawn: PageMap, themes: list[NamedTheme]) -> dict[str, Any]:
    """A map of pages, a list for each column."""
    pages = drawn.pages
    used, host = np.unique(pages.host, return_inverse=True)
    x, y, middles = _whole(drawn.places, np.array([(theme.x, theme.y) for theme in drawn.themes]).reshape(-1, 2))
    return {
        "kind": "pages",
        "x": x,
        "y": y,
        "id": pages.url.tolist(),
        "relevance": np.rint(pages.relevance * 100).astype(np.int64).tolist(),
        "relevant": pages.relevant.astype(np.int64).tolist(),
        "depth": pages.depth.tolist(),
        "source": pages.source.tolist(),
        "seed": pages.seed.astype(np.int64).tolist(),
        "theme": drawn.theme.tolist(),
        "host": host.tolist(),
        "hosts": [drawn.hosts[one] for one in used.tolist()],
        "themes": [
            {"name": theme.name, "pages": theme.pages, "relevant": theme.relevant, "x": at[0], "y": at[1]}
            for theme, at in zip(themes, middles, strict=True)
        ],
    }


def drawn_hosts(drawn: HostMap) -> dict[str, Any]:
    """A map of hosts, a list for each column; ``links`` has three numbers for each."""
    x, y, _ = _whole(drawn.places, np.empty((0, 2)))
    return {
        "kind": "hosts",
        "x": x,
        "y": y,
        "name": drawn.names,
        "pages": drawn.pages.tolist(),
        "relevant": drawn.relevant.tolist(),
        "count": drawn.hosts.tolist(),
        "links": drawn.links.ravel().tolist(),
    }


def drawn_tree(drawn: LinkTree) -> dict[str, Any]:
    """The tree of a crawl, a list for each column; the script places it, as a person folds parts of it up."""
    pages, nowhere = drawn.pages, [0] * len(drawn)
    return {
        "kind": "tree",
        "x": nowhere,
        "y": nowhere,
        "parent": drawn.parent.tolist(),
        "level": drawn.level.tolist(),
        "relevance": np.rint(pages.relevance * 100).astype(np.int64).tolist(),
        "relevant": pages.relevant.astype(np.int64).tolist(),
        "seed": pages.seed.astype(np.int64).tolist(),
        "title": drawn.titles,
        "url": drawn.urls,
    }


def _whole(places: Floats, others: NDArray[np.float64]) -> tuple[list[int], list[int], list[list[int]]]:
    """Places, and others on the same plane, as whole numbers from 0 to `EXTENT`; up is up."""
    if not len(places):
        return [], [], []
    low, high = places.min(axis=0), places.max(axis=0)
    width = max(float((high - low).max()), 1e-6)

    def whole(points: NDArray[Any]) -> IntArray:
        at = (points - (low + high) / 2) / width * [1, -1] + 0.5
        found: IntArray = np.rint(at * EXTENT).astype(np.int64).clip(0, EXTENT)
        return found

    at = whole(places)
    return at[:, 0].tolist(), at[:, 1].tolist(), whole(others).tolist()

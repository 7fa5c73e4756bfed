"""Maps by links: of hosts, which links to which, and the tree of a crawl, each page on the page whose link led to it."""

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from focused.collection.collection import mark_of, opened
from focused.crawl.arrays import IntArray
from focused.crawl.url_forms import domain_of
from focused.desk.mapping.page_places import NOTHING, Floats, one_thread, places_of, weighted
from focused.desk.mapping.page_reading import (
    CrawledPages,
    SideFile,
    TellStage,
    added,
    addresses_and_titles,
    crawled_pages,
    of_links,
)

MOST_HOSTS = 20_000  #: with the most pages, that are on the map
MOST_LINKS = 60_000  #: the strongest, that are on the map
NAME = "links"  #: in the side file
BATCH = 500_000  #: links that are added up at a time
_NEW = """
SELECT s.host, t.host, count(*) FROM links l JOIN urls s ON s.id = l.page JOIN urls t ON t.id = l.target
WHERE l.rowid > ? AND l.rowid <= ? AND s.host <> t.host GROUP BY 1, 2
"""
MOST_PAGES = 10_000  #: of a tree, those that came first
LONGEST_TITLE = 120


@dataclass(frozen=True, slots=True)
class HostMap:
    """n hosts, or registered domains, with most pages first; arrays are (n,)."""

    names: list[str]
    pages: IntArray
    relevant: IntArray
    hosts: IntArray  #: how many hosts each node stands for
    places: Floats  #: (n, 2)
    links: IntArray  #: (m, 3) positions of two of them, the first linking to the second, and how many links do
    left_out: int  #: hosts with fewer pages, and those without any that pages link to

    def __len__(self) -> int:
        return len(self.names)


def draw_host_map(folder: Path, tell: TellStage, *, by_domain: bool = False) -> HostMap:
    """Draw the map of hosts as they are linked now, from the places of the last such map. Raises StorageError."""
    with opened(folder) as store:
        mark, pages = mark_of(store), crawled_pages(store)
        names = [name for name, _ in store.hosts()]
    with closing(SideFile(folder, mark)) as side:
        table = of_links(folder, side, NAME, _NEW, BATCH, added, tell)
        tell("placing hosts", 0, 0)
        found, ids = _nodes(names, pages, table, by_domain=by_domain)
        places = _places(found.links, ids, side, "domains" if by_domain else "hosts")
    return replace(found, places=places)


def _nodes(names: list[str], pages: CrawledPages, table: IntArray, *, by_domain: bool) -> tuple[HostMap, IntArray]:
    """The map without places, and of each node the id of the first of its hosts."""
    groups: dict[str, int] = {}
    group = np.array([groups.setdefault(domain_of(n) if by_domain else n, len(groups)) for n in names], np.int64)
    called = list(groups)
    count, first = len(called), np.unique(group, return_index=True)[1]
    fetched = np.bincount(group[pages.host], minlength=count)
    relevant = np.bincount(group[pages.host[pages.relevant]], minlength=count)
    has_pages = np.zeros(len(names), np.bool_)
    has_pages[pages.host] = True
    hosts = np.bincount(group[has_pages], minlength=count)
    order = sorted(np.flatnonzero(fetched).tolist(), key=lambda one: (-fetched[one], called[one]))[:MOST_HOSTS]
    at = np.full(count, -1)
    at[order] = np.arange(len(order))
    known = table[(table[:, :2] < len(names)).all(axis=1)]  # a crawl may have met more hosts meanwhile
    links = np.column_stack([at[group[known[:, 0]]], at[group[known[:, 1]]], known[:, 2]])
    links = added(links[(links[:, 0] >= 0) & (links[:, 1] >= 0) & (links[:, 0] != links[:, 1])])
    links = links[np.sort(np.argsort(-links[:, 2], kind="stable")[:MOST_LINKS])]
    names, nowhere, left_out = [called[one] for one in order], np.zeros((len(order), 2), np.float32), count - len(order)
    return HostMap(names, fetched[order], relevant[order], hosts[order], nowhere, links, left_out), first[order]


def _places(links: IntArray, ids: IntArray, side: SideFile, key: str) -> Floats:
    """(n, 2) hosts lie together that have links with each other, or with the same others: those are the words of a host."""
    from scipy.sparse import coo_array, eye_array

    one, other, counts = links.T
    ties = coo_array((counts, (one, other)), shape=(max(2, len(ids)),) * 2, dtype=np.float64)
    matrix = weighted((ties + ties.T + eye_array(ties.shape[0])).tocsr()[: len(ids)], np.arange(len(ids)))
    kept = side.kept(key, {"host", "places"})
    earlier = (kept["host"], kept["places"]) if kept else NOTHING
    with one_thread():
        places = places_of(matrix, ids, np.arange(len(ids)), earlier)
    side.keep(key, {"host": ids, "places": places})
    return places


@dataclass(frozen=True, slots=True)
class LinkTree:
    """n pages in order of arrival; a page comes after the one that it hangs on."""

    pages: CrawledPages
    parent: IntArray  #: (n,) position of the page whose link led here; -1: a start
    urls: list[str]
    titles: list[str]
    left_out: int  #: pages that came later

    def __len__(self) -> int:
        return len(self.pages)

    @property
    def children(self) -> list[list[int]]:
        """Of each page the positions of those that hang on it."""
        found: list[list[int]] = [[] for _ in range(len(self))]
        for child, parent in enumerate(self.parent.tolist()):
            if parent >= 0:
                found[parent].append(child)
        return found

    @property
    def level(self) -> IntArray:
        """(n,) links from a start, along the tree."""
        level = np.zeros(len(self), np.int64)
        for child, parent in enumerate(self.parent.tolist()):
            level[child] = level[parent] + 1 if parent >= 0 else 0
        return level


def draw_link_tree(folder: Path) -> LinkTree:
    """The tree of a collection as it is now. Raises StorageError."""
    with opened(folder) as store:
        every = crawled_pages(store)
        pages = every.taken(np.arange(min(len(every), MOST_PAGES)))
        texts = addresses_and_titles(store, pages.seq, LONGEST_TITLE)
    urls, titles = [url for url, _ in texts], [title for _, title in texts]
    position = np.arange(len(pages))
    parent = np.where(pages.source < position, pages.source, -1)  # a page that came later led to none before
    return LinkTree(pages, parent, urls, titles, len(every) - len(pages))


def round_places(tree: LinkTree) -> NDArray[np.float64]:
    """(n, 2) places on circles, one for each level: a page lies in the middle of the arc that its subtree has.

    Every page at which the tree ends has the same share of the circle. With one start, that is in the middle.
    """
    count, children, level = len(tree), tree.children, tree.level
    roots = np.flatnonzero(tree.parent < 0).tolist()
    first, last = np.zeros(count), np.zeros(count)
    ends = 0
    for page in _from_the_end(roots, children):
        if children[page]:
            first[page], last[page] = first[children[page][0]], last[children[page][-1]]
        else:
            first[page] = last[page] = ends
            ends += 1
    angle = np.pi * (first + last) / max(1, ends)
    radius = level + (len(roots) > 1)
    return np.column_stack((radius * np.cos(angle), radius * np.sin(angle)))


def _from_the_end(roots: list[int], children: list[list[int]]) -> list[int]:
    """All pages, each after its whole subtree, subtrees in order. Trees may be deeper than Python's calls."""
    order, stack = [], list(roots)
    while stack:
        page = stack.pop()
        order.append(page)
        stack += children[page]
    return order[::-1]

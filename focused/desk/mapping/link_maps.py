"""Maps by links: of hosts, which links to which, and the tree of a crawl, each page on the page whose link led to it."""

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from focused.collection.collection import mark_of, opened
from focused.crawl.arrays import FloatArray, IntArray
from focused.crawl.url_forms import domain_of
from focused.desk.mapping.page_places import Floats
from focused.desk.mapping.page_reading import (
    CrawledPages,
    SideFile,
    TellStage,
    added,
    addresses_and_titles,
    crawled_pages,
    of_links,
)
from focused.scorers.vectors import single_thread

STEPS, STEPS_AGAIN = 300, 60
EXACT = 300  #: nodes up to which each pair pushes; of more the push is that of a grid's cells
GRID = 128
GRAVITY = 0.05  #: towards the middle, so that what has no links does not fly away
WARMTH, WARMTH_AGAIN = 0.1, 0.02  #: how far a node may go in the first step, as a share of the width; ever less later
MOST_HOSTS = 20_000  #: with the most pages, that are on the map
MOST_LINKS = 60_000  #: the strongest, that are on the map
KNOWN_ENOUGH = 0.5  #: share of hosts that were on the map before, for it to grow and not to be made anew
NAME = "links"  #: in the side file
BATCH = 500_000  #: links that are added up at a time
_NEW = """
SELECT s.host, t.host, count(*) FROM links l JOIN urls s ON s.id = l.page JOIN urls t ON t.id = l.target
WHERE l.rowid > ? AND l.rowid <= ? AND s.host <> t.host GROUP BY 1, 2
"""
MOST_PAGES = 10_000  #: of a tree, those that came first
LONGEST_TITLE = 120


def laid_out(links: IntArray, weights: FloatArray, start: Floats, *, again: bool = False) -> Floats:
    """(n, 2) places of n nodes in an area of about sqrt(n) in width, so that the mean distance of neighbours is about 1.

    links : (m, 2) positions of nodes
    weights : (m,) how strongly each link pulls, > 0
    start : (n, 2) places to start from
    again : whether these are places of an earlier picture, which is to change as little as need be
    """
    count = len(start)
    if count < 2:
        return np.zeros((count, 2), np.float32)
    places = start.astype(np.float64)
    places += 1e-3 * _spiral(count)  # nobody pushes what lies in the same place
    strength = np.bincount(links.ravel(), np.repeat(weights, 2), count)
    pull = weights / np.sqrt(strength[links[:, 0]] * strength[links[:, 1]])  # a hub does not draw all the world to it
    degree = np.bincount(links.ravel(), minlength=count)
    pull = pull * np.sqrt(np.minimum(degree[links[:, 0]], degree[links[:, 1]]))
    steps, warmth = (STEPS_AGAIN, WARMTH_AGAIN) if again else (STEPS, WARMTH)
    for step in range(steps):
        moves = _pushes(places) - GRAVITY * places
        apart = places[links[:, 1]] - places[links[:, 0]]
        drawn = pull[:, None] * apart
        for side in (0, 1):
            moves[:, side] += np.bincount(links[:, 0], drawn[:, side], count)
            moves[:, side] -= np.bincount(links[:, 1], drawn[:, side], count)
        length = np.linalg.norm(moves, axis=1, keepdims=True)
        most = warmth * np.sqrt(count) * (1 - step / steps) + 1e-3
        places += moves / np.maximum(length, 1e-9) * np.minimum(length, most)
    return places.astype(np.float32)


def first_places(count: int) -> Floats:
    """(n, 2) on a spiral from the middle, which holds n nodes at equal distances."""
    places: Floats = (_spiral(count) * np.sqrt(count) / 2).astype(np.float32)
    return places


def _spiral(count: int) -> FloatArray:
    """(n, 2) points of the unit disc, evenly spread, the first in the middle."""
    turn, radius = np.arange(count) * np.pi * (3 - np.sqrt(5)), np.sqrt((np.arange(count) + 0.5) / max(1, count))
    return np.stack([radius * np.cos(turn), radius * np.sin(turn)], axis=1)


def _pushes(places: FloatArray) -> FloatArray:
    """(n, 2) how all others push each node: by one over the distance."""
    if len(places) > EXACT:
        return _grid_pushes(places)
    apart = places[:, None, :] - places[None, :, :]
    square = (apart**2).sum(axis=2)
    np.fill_diagonal(square, 1)
    pushes: FloatArray = (apart / np.maximum(square, 1e-4)[:, :, None]).sum(axis=1)
    return pushes


def _grid_pushes(places: FloatArray) -> FloatArray:
    """The same by a grid: nodes are spread over the four cells around them, and cells push cells, which is a convolution."""
    low, width = places.min(axis=0), float(np.ptp(places, axis=0).max()) + 1e-9
    at = (places - low) / width * (GRID - 2)
    cell = at.astype(np.int64)
    part = at - cell
    corners = [
        (cell[:, 0] + i, cell[:, 1] + j, (part[:, 0] if i else 1 - part[:, 0]) * (part[:, 1] if j else 1 - part[:, 1]))
        for i in (0, 1)
        for j in (0, 1)
    ]
    mass = np.zeros((2 * GRID, 2 * GRID))
    for x, y, share in corners:
        mass += np.bincount(x * 2 * GRID + y, share, 4 * GRID * GRID).reshape(mass.shape)
    spread = np.fft.rfft2(mass)
    scale = (GRID - 2) / width
    pushes = np.zeros_like(places)
    for side, kernel in enumerate(_kernels()):
        field = np.fft.irfft2(spread * kernel, mass.shape) * scale
        for x, y, share in corners:
            pushes[:, side] += share * field[x, y]
    return pushes


def _kernels() -> tuple[NDArray[np.complex128], NDArray[np.complex128]]:
    reach = np.fft.fftfreq(2 * GRID, 1 / (2 * GRID))
    x, y = np.meshgrid(reach, reach, indexing="ij")
    square = np.maximum(x**2 + y**2, 0.5)
    return np.fft.rfft2(x / square), np.fft.rfft2(y / square)


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
        found = _nodes(names, pages, table, by_domain=by_domain)
        key = "domains" if by_domain else "hosts"
        with single_thread():
            places = _places(found, side, key)
        side.keep(key, {"names": np.array(found.names, np.str_), "places": places})
    return replace(found, places=places)


def _nodes(names: list[str], pages: CrawledPages, table: IntArray, *, by_domain: bool) -> HostMap:
    """The map without places."""
    groups: dict[str, int] = {}
    group = np.array([groups.setdefault(domain_of(n) if by_domain else n, len(groups)) for n in names], np.int64)
    called = list(groups)
    count = len(called)
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
    return HostMap(names, fetched[order], relevant[order], hosts[order], nowhere, links, left_out)


def _places(found: HostMap, side: SideFile, key: str) -> Floats:
    ends, weights = found.links[:, :2], np.log1p(found.links[:, 2].astype(np.float64))
    start = first_places(len(found))
    if (kept := side.kept(key, {"names", "places"})) is not None:
        before = dict(zip(kept["names"].tolist(), kept["places"], strict=True))
        known = [i for i, name in enumerate(found.names) if name in before]
        if len(known) >= KNOWN_ENOUGH * max(1, len(found)):
            for i in known:
                start[i] = before[found.names[i]]
            _beside_neighbours(start, ends, np.array(known, np.int64))
            return laid_out(ends, weights, start, again=True)
    return laid_out(ends, weights, start)


def _beside_neighbours(start: Floats, ends: IntArray, known: IntArray) -> None:
    """Move those that are new beside one that they have a link with."""
    is_known = np.zeros(len(start), np.bool_)
    is_known[known] = True
    for one, other in ((0, 1), (1, 0)):
        new = ~is_known[ends[:, one]] & is_known[ends[:, other]]
        start[ends[new, one]] = start[ends[new, other]]


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

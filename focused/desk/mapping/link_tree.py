"""The tree of a crawl: each page hangs on the page whose link led to it. Drawn in circles around the start."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from focused.collection.collection import opened
from focused.collection.store import Store
from focused.crawl.arrays import IntArray
from focused.desk.mapping.page_reading import CrawledPages, crawled_pages
from focused.page.plain_text import plain

MOST_PAGES = 10_000  #: of a tree, those that came first
LONGEST_TITLE = 120
AT_ONCE = 500  #: pages whose titles are asked for at once


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
        urls, titles = _texts(store, pages.seq)
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


def _texts(store: Store, seqs: IntArray) -> tuple[list[str], list[str]]:
    """URLs and titles of pages, by the numbers of their fetches."""
    found: dict[int, tuple[str, str]] = {}
    for start in range(0, len(seqs), AT_ONCE):
        part = seqs[start : start + AT_ONCE].tolist()
        rows = store.execute(
            "SELECT f.seq, u.url, f.title FROM fetches f JOIN urls u ON u.id = f.final_url "
            f"WHERE f.seq IN ({', '.join('?' * len(part))})",
            part,
        )
        found |= {seq: (url, plain(title or "", LONGEST_TITLE)) for seq, url, title in rows}
    texts = [found[seq] for seq in seqs.tolist()]
    return [url for url, _ in texts], [title for _, title in texts]

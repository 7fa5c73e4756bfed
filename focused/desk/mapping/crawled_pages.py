"""What crawl.db says of the pages of a map, as columns."""

from __future__ import annotations

from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import NDArray

from focused.collection.store import Store
from focused.crawl.arrays import FloatArray, IntArray

Flags = NDArray[np.bool_]

_FACTS = """
SELECT f.final_url, f.seq, u.host, f.relevance, f.relevant, p.depth, coalesce(p.source, -1),
    f.url IN (SELECT url FROM seeds) OR f.final_url IN (SELECT url FROM seeds)
FROM fetches f JOIN urls u ON u.id = f.final_url JOIN picks p ON p.seq = f.pick WHERE f.outcome = 'page' ORDER BY f.seq
"""


@dataclass(frozen=True, slots=True)
class CrawledPages:
    """n pages in order of arrival, each once; all arrays are (n,)."""

    url: IntArray  #: ids of their URLs
    seq: IntArray  #: numbers of their fetches, by which crawl.db finds a page at once
    host: IntArray  #: ids of their hosts
    relevance: FloatArray  #: in [0, 1]
    relevant: Flags
    depth: IntArray  #: links from a start of the crawl
    source: IntArray  #: position of the page that led to it; -1: none
    seed: Flags

    def __len__(self) -> int:
        return len(self.url)

    def taken(self, positions: IntArray) -> CrawledPages:
        """Some of the pages, in ascending order; one whose source is not among them has none."""
        at = np.full(len(self) + 1, -1)  # one more, for pages without a source
        at[positions] = np.arange(len(positions))
        some = {one.name: getattr(self, one.name)[positions] for one in fields(self)}
        return CrawledPages(**some | {"source": at[some["source"]]})

    def at(self, url: IntArray) -> IntArray:
        """For each id the position of its page; -1 for one that is no page."""
        if not len(self):
            return np.full(len(url), -1)
        order = np.argsort(self.url, kind="stable")
        found = np.searchsorted(self.url, url, sorter=order).clip(max=len(self) - 1)
        at = order[found]
        return np.where(self.url[at] == url, at, -1)


def crawled_pages(store: Store) -> CrawledPages:
    """All pages, each as it was fetched first."""
    rows = store.execute(_FACTS).fetchall()
    table = np.array([(*row[:3], bool(row[4]), *row[5:]) for row in rows], np.int64).reshape(-1, 7)
    relevance = np.nan_to_num(np.array([row[3] or 0.0 for row in rows], np.float64)).clip(0, 1)
    first = np.sort(np.unique(table[:, 0], return_index=True)[1])
    url, seq, host, relevant, depth, source, seed = table[first].T.copy()
    none = np.full(len(url), -1)
    pages = CrawledPages(
        url, seq, host, relevance[first], relevant.astype(np.bool_), depth, none, seed.astype(np.bool_)
    )
    none[:] = pages.at(source)
    return pages

"""The pages that an audit speaks of: all that a collection holds, in the order in which they arrived."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from focused.collection.store import Store
from focused.crawl.arrays import FloatArray, IntArray


@dataclass(frozen=True)
class Population:
    """(n,) arrays over the distinct pages, in order of arrival.

    A page that brings nothing new is never judged: it counts as a page and not as relevant, here as everywhere.
    A crawl that goes on only adds to their ends: what was drawn from the first m pages can be told from m alone.

    seqs : numbers of their events
    relevance : in [0, 1], by the crawl's page model; 0 of an index, a listing or a stub that the crawl does not call relevant,
        whatever the model says: a threshold would not tell it apart
    called : whether the crawl calls them relevant
    fetched : pages, copies included, that were there before the next distinct page came
    """

    seqs: IntArray
    relevance: FloatArray
    called: NDArray[np.bool_]
    fetched: IntArray

    def __len__(self) -> int:
        return len(self.seqs)


def population(store: Store) -> Population:
    """Read the pages of a collection; of a running crawl, those that are committed."""
    rows = store.execute(
        "SELECT seq, CASE WHEN kind IS NULL OR relevant THEN relevance ELSE 0 END, relevant, verdict IS NULL "
        "FROM fetches WHERE outcome = 'page' ORDER BY seq"
    ).fetchall()
    table = np.array(rows, np.float64).reshape(-1, 4)
    distinct = table[:, 3] == 1
    positions = np.flatnonzero(distinct)
    table = table[distinct]
    fetched = np.append(positions[1:], len(rows)) if len(positions) else positions
    return Population(table[:, 0].astype(np.int64), table[:, 1], table[:, 2] == 1, fetched.astype(np.int64))


def url_and_title(store: Store, seq: int) -> tuple[str, str]:
    """The URL (after redirects) and the title of a page, by the number of its event."""
    found: tuple[str, str] = store.execute(
        "SELECT u.url, coalesce(f.title, '') FROM fetches f JOIN urls u ON u.id = f.final_url WHERE f.seq = ?", (seq,)
    ).fetchone()
    return found


def places(store: Store, urls: Collection[str]) -> dict[str, int]:
    """URL -> its place in the population, for those that are in it."""
    rows = store.execute(
        "SELECT u.url FROM fetches f JOIN urls u ON u.id = f.final_url "
        "WHERE f.outcome = 'page' AND f.verdict IS NULL ORDER BY f.seq"
    )
    return {url: place for place, (url,) in enumerate(rows) if url in urls}

"""How often pages of one host link to pages of another: added up once, then brought forward by the links that have come since."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from focused.crawl.arrays import IntArray
from focused.mapping.page_reading import Tell
from focused.mapping.side_file import SideFile
from focused.storage.collection import opened

NAME = "links"  #: in the side file
BATCH = 500_000  #: links that are added up at a time

_NEW = """
SELECT s.host, t.host, count(*) FROM links l JOIN urls s ON s.id = l.page JOIN urls t ON t.id = l.target
WHERE l.rowid > ? AND l.rowid <= ? AND s.host <> t.host GROUP BY 1, 2
"""


def host_links(folder: Path, side: SideFile, tell: Tell) -> IntArray:
    """(m, 3) ids of two hosts, the first linking to the second, and how many links do. Raises StorageError."""
    table, done = _kept(side)
    with opened(folder) as store:
        last = store.execute("SELECT coalesce(max(rowid), 0) FROM links").fetchone()[0]
    if last < done:  # links were cut off by a repair
        table, done = np.empty((0, 3), np.int64), 0
    begun = done
    while done < last:
        tell("adding up links", done - begun, last - begun)
        with opened(folder) as store:
            rows = store.execute(_NEW, (done, done + BATCH)).fetchall()
        done += BATCH
        table = added(np.concatenate([table, np.array(rows, np.int64).reshape(-1, 3)]))
    if last > begun:
        side.keep(NAME, {"table": table, "last": np.array(last)})
    return table


def _kept(side: SideFile) -> tuple[IntArray, int]:
    kept = side.kept(NAME)
    if kept is None or kept.keys() != {"table", "last"}:
        return np.empty((0, 3), np.int64), 0
    return kept["table"], int(kept["last"])


def added(table: IntArray) -> IntArray:
    """Rows of the same two hosts as one."""
    size = int(table[:, :2].max(initial=0)) + 1
    pairs, which = np.unique(table[:, 0] * size + table[:, 1], return_inverse=True)
    counts = np.bincount(which, table[:, 2], len(pairs)).astype(np.int64)
    return np.column_stack([pairs // size, pairs % size, counts])

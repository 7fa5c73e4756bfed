"""Which hosts each page links to: read once, then brought forward by the links that have come since."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from focused.collection.collection import opened
from focused.crawl.arrays import IntArray
from focused.desk.mapping.page_reading import Tell
from focused.desk.mapping.side_file import SideFile

NAME = "page links"  #: in the side file
BATCH = 200_000  #: links that are read in one transaction: one held open would let the log of a crawl grow

_NEW = """
SELECT DISTINCT l.page, t.host FROM links l JOIN urls s ON s.id = l.page JOIN urls t ON t.id = l.target
WHERE l.rowid > ? AND l.rowid <= ? AND s.host <> t.host
"""


def page_links(folder: Path, side: SideFile, tell: Tell) -> IntArray:
    """(m, 2) ids of a page and of another host that it links to, each pair once. Raises StorageError."""
    kept = side.kept(NAME)
    table, done = (kept["table"], int(kept["last"])) if kept else (np.empty((0, 2), np.int64), 0)
    with opened(folder) as store:
        last = store.execute("SELECT coalesce(max(rowid), 0) FROM links").fetchone()[0]
    if last < done:  # links were cut off by a repair
        table, done = np.empty((0, 2), np.int64), 0
    begun, parts = done, [table]
    while done < last:
        tell("reading links", done - begun, last - begun)
        with opened(folder) as store:
            rows = store.execute(_NEW, (done, min(done + BATCH, last))).fetchall()
        done = min(done + BATCH, last)
        parts.append(np.array(rows, np.int64).reshape(-1, 2))
    if last > begun:
        table = np.unique(np.concatenate(parts), axis=0)
        side.keep(NAME, {"table": table, "last": np.array(last)})
    return table

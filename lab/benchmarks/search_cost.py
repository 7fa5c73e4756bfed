"""Measures what the search of a collection costs: time and size of its index, and the time of queries.

The collection is left as it is: the index goes into a folder of its own. A query is two words from the title of a page that is
drawn at random. Times are of the CPU: other programs may be at work.

Example:
    PYTHONPATH=. python lab/benchmarks/search_cost.py data/solar
"""

from __future__ import annotations

import argparse
import random
import re
import sqlite3
import statistics
import tempfile
import time
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

from focused.run.last_run import last_run
from focused.storage.collection import DATABASE, PAGES, open_to_read
from focused.storage.repositories import open_repository
from focused.storage.search import Search, Wanted
from focused.storage.search_index import SEARCH
from focused.storage.search_query import query_of

QUERIES = 100
HITS = 20  #: with their excerpts


def main(argv: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("collection", type=Path, help="folder of a collection")
    given = parser.parse_args(argv).collection
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        with closing(sqlite3.connect(given / DATABASE)) as whole, closing(sqlite3.connect(folder / DATABASE)) as copy:
            whole.backup(copy)
        (folder / PAGES).symlink_to((given / PAGES).resolve())
        _measure(folder)


def _measure(folder: Path) -> None:
    with closing(open_to_read(folder)) as store:
        run = last_run(store)
        pages, size = store.execute("SELECT count(*), sum(bytes) FROM fetches WHERE outcome = 'page'").fetchone()
        titles = [title or "" for (title,) in store.execute("SELECT title FROM fetches WHERE outcome = 'page'")]
    search = Search(folder, run.reading, open_repository(run.pages, folder / PAGES))

    def seconds(words: str, most: int) -> float:
        before = time.process_time()
        search.hits(query_of(words), Wanted(), most, lambda *_: None)
        return time.process_time() - before

    print(f"{pages:,} pages of {size / 1e6:,.1f} MB")
    print(f"index: {seconds('anything', 1) / pages * 1000:.2f} s a 1,000 pages")
    index = (folder / SEARCH).stat().st_size
    print(f"       {index / 1e6 / pages * 1000:.2f} MB a 1,000 pages")
    chance = random.Random(0)
    queries: list[str] = []
    while len(queries) < QUERIES:
        words = re.findall(r"[^\W\d_]{3,}", chance.choice(titles))
        if len(words) >= 2:
            queries.append(" ".join(chance.sample(words, 2)))
    for most in (1, HITS):
        times = sorted(seconds(query, most) * 1000 for query in queries)
        print(
            f"query: {statistics.median(times):.1f} ms with {most} excerpts, the slowest of {QUERIES} {times[-1]:.1f} ms"
        )


if __name__ == "__main__":
    main()

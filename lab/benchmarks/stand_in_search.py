"""A search engine that knows a part of a recorded web: BM25 over titles and texts of the pages that a hash of their URL draws.

It sees no label and no topic. What it names is what a search engine on the Web names: addresses, titles, and the words around those
that were asked for.
"""

from __future__ import annotations

import re
import sqlite3
import sys
from contextlib import closing
from hashlib import blake2b
from pathlib import Path

from focused.searching.search_provider import Found
from focused.simulation.analysed_web import AnalysedWeb, Fetched

ONE_IN = 10  #: pages that is indexed
LONGEST_TEXT = 20_000  #: characters of a page that are indexed
IN_TITLE = 5.0  #: how much more a word counts there than in the text
AROUND = 30  #: words of a snippet
REPORT_EVERY = 1_000
NAME = "stand-in"


class StandInSearch:
    """Asks an index; it is built by `index_of`."""

    name = NAME

    def __init__(self, path: Path) -> None:
        self._db = sqlite3.connect(path)

    def close(self) -> None:
        self._db.close()

    def named(self, query: str, most: int) -> list[Found]:
        """The pages with any of these words, the best first."""
        words = " OR ".join(f'"{word}"' for word in re.findall(r"\w+", query))
        rows = self._db.execute(
            f"SELECT url, title, snippet(pages, 2, '', '', ' ', {AROUND}) FROM pages WHERE pages MATCH ? "
            f"ORDER BY bm25(pages, 0, {IN_TITLE}, 1) LIMIT ?",
            (words, most),
        )
        return [Found(url, title, snippet, rank) for rank, (url, title, snippet) in enumerate(rows, 1)]


def is_drawn(url: str, one_in: int = ONE_IN) -> bool:
    """Whether a page is indexed, which depends on its URL alone."""
    return int.from_bytes(blake2b(url.encode(), digest_size=8).digest(), "big") % one_in == 0


def index_of(web: AnalysedWeb, path: Path, one_in: int = ONE_IN) -> None:
    """Index a web, unless that was done before."""
    if path.exists():
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_suffix(".part")
    unfinished.unlink(missing_ok=True)
    with closing(sqlite3.connect(unfinished)) as db:
        db.execute("CREATE VIRTUAL TABLE pages USING fts5(url UNINDEXED, title, text, tokenize = 'porter unicode61')")
        drawn = [url for url in web.web.urls() if is_drawn(url, one_in)]
        for number, url in enumerate(drawn):
            if number % REPORT_EVERY == 0:
                print(f"{number:,} of {len(drawn):,} pages indexed", file=sys.stderr)
            answer = web.ask(web.reader.rules.canonical(url) or url)
            if isinstance(answer, Fetched):
                row = (answer.page.url, answer.page.title, answer.page.text[:LONGEST_TEXT])
                db.execute("INSERT INTO pages VALUES (?, ?, ?)", row)
        db.commit()
    unfinished.rename(path)

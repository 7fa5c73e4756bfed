"""How well searches find a page that somebody has in mind: ways to make a query of words, compared on collections.

A question is a page and some words that a person who looks for it may type. Nobody has written these for us, so they come from the
collection itself:

- *link*: how another page calls the page, the text of a link. Of words that lead to this one page only, 2 to 6 of them.
- *memory*: two words of the page's title.

A way to search is good if the page comes early: the mean reciprocal rank (MRR) is 1 where it is always first, 0 where it is never
among the first ten. Copies are left out, as a search leaves them out. Choose on some collections, and report others.

Example:
    python -m lab.benchmarks.search_quality data/email data/astronomy
"""

from __future__ import annotations

import argparse
import random
import re
import sqlite3
import tempfile
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from statistics import fmean

from focused.crawl.novelty import COPIES
from focused.run.last_run import last_run
from focused.storage.collection import DATABASE, PAGES, open_to_read
from focused.storage.repositories import open_repository
from focused.storage.search import Search, Wanted
from focused.storage.search_index import SEARCH
from focused.storage.search_query import query_of
from focused.storage.store import Store

QUESTIONS = 200  #: of each kind and collection, at most
DEPTH = 10  #: places that are looked at
KINDS, FOUND = ("link", "memory"), "found"
PORTER, PLAIN = "porter unicode61 remove_diacritics 2", "unicode61 remove_diacritics 2"

_WORD = re.compile(r"[^\W\d_]{2,}")
Queries = Callable[
    [Sequence[str]], list[str]
]  #: words to queries of FTS5, of which each adds what those before it have not found


@dataclass(frozen=True, slots=True, order=True)
class Question:
    """A page, by the number of its fetch, and what is typed to find it."""

    kind: str
    words: tuple[str, ...]
    page: int


@dataclass(frozen=True, slots=True)
class Way:
    """A way to search."""

    name: str
    queries: Queries
    title: float = 10.0  #: weight of a word in the title; one in the text has 1
    url: float = 0.0
    tokenizer: str = PORTER


def every(words: Sequence[str]) -> list[str]:
    """Pages with all the words."""
    return [" AND ".join(f'"{word}"' for word in words)]


def some(words: Sequence[str]) -> list[str]:
    """Pages with one of the words at least."""
    return [" OR ".join(f'"{word}"' for word in words)]


def every_then_some(words: Sequence[str]) -> list[str]:
    """Pages with all the words, then those with some."""
    return [*every(words), *some(words)]


def some_beginnings(words: Sequence[str]) -> list[str]:
    """Pages with a word that begins like one of these."""
    return [" OR ".join(f'"{word}" *' if len(word) > 3 else f'"{word}"' for word in words)]


WAYS = (
    Way("all words", every),
    Way("some words", some),
    *(
        Way(f"all, then some, title {weight:g}", every_then_some, title=weight)
        for weight in (1.0, 2.0, 5.0, 10.0, 20.0)
    ),
    *(Way(f"all, then some, url {weight:g}", every_then_some, url=weight) for weight in (2.0, 5.0)),
    Way("all, then some, no stems", every_then_some, tokenizer=PLAIN),
    Way("some words, beginnings", some_beginnings, tokenizer=PLAIN),
)


def main(argv: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("collections", nargs="+", type=Path, metavar="FOLDER", help="folders of collections")
    folders = parser.parse_args(argv).collections
    ranks: dict[tuple[str, str], list[int]] = defaultdict(list)  # by way and kind; 0: not among the first
    for folder in folders:
        with tempfile.TemporaryDirectory() as scratch, closing(open_to_read(folder)) as store:
            asked = list(questions(store, random.Random(0)))
            for name, find in _searches(folder, store, Path(scratch)):
                for question in asked:
                    pages = find(question.words)
                    ranks[name, question.kind].append(pages.index(question.page) + 1 if question.page in pages else 0)
    names = list(dict.fromkeys(name for name, _ in ranks))
    count = sum(len(ranks[names[0], kind]) for kind in KINDS)
    print(f"{len(folders)} collections, {count:,} questions; MRR and share found among the first {DEPTH}\n")
    print(f"{'':28}{''.join(f'{kind:>12}{FOUND:>8}' for kind in KINDS)}")
    for name in names:
        cells = (f"{mrr(ranks[name, kind]):12.3f}{found(ranks[name, kind]):8.3f}" for kind in KINDS)
        print(f"{name:28}{''.join(cells)}")


def mrr(ranks: Sequence[int]) -> float:
    """Mean reciprocal rank; a rank of 0 is none."""
    return fmean(1 / rank if rank else 0.0 for rank in ranks) if ranks else 0.0


def found(ranks: Sequence[int]) -> float:
    """Share of the pages that are found at all."""
    return fmean(rank > 0 for rank in ranks) if ranks else 0.0


def questions(store: Store, chance: random.Random) -> Iterator[Question]:
    """What is asked of a collection, at most `QUESTIONS` of each kind."""
    pages: dict[int, tuple[int, str]] = {}  # number of the fetch and title, by URL
    for url, seq, title, verdict in store.execute(
        "SELECT final_url, seq, title, verdict FROM fetches WHERE outcome = 'page' ORDER BY seq"
    ):
        if verdict not in COPIES:
            pages[url] = seq, title or ""
    called: dict[tuple[str, ...], set[int]] = defaultdict(set)
    for anchor, target in store.execute("SELECT anchor, target FROM links WHERE page != target"):
        words = tuple(_WORD.findall(anchor.lower()))
        if 2 <= len(words) <= 6:
            called[words].add(target)
    links = sorted(
        Question("link", words, pages[target][0])
        for words, targets in called.items()
        if len(targets) == 1
        for target in targets
        if target in pages
    )
    yield from chance.sample(links, min(QUESTIONS, len(links)))
    titles = sorted((seq, sorted(set(_WORD.findall(title.lower())))) for seq, title in pages.values())
    remembered = [(seq, words) for seq, words in titles if len(words) >= 2]
    for seq, of_title in chance.sample(remembered, min(QUESTIONS, len(remembered))):
        yield Question("memory", (*chance.sample(of_title, 2),), seq)


def _searches(
    folder: Path, store: Store, scratch: Path
) -> Iterator[tuple[str, Callable[[tuple[str, ...]], list[int]]]]:
    """The search of the product, then each of `WAYS`, as functions that give the best pages for words."""
    with closing(sqlite3.connect(folder / DATABASE)) as whole, closing(sqlite3.connect(scratch / DATABASE)) as copy:
        whole.backup(copy)
    (scratch / PAGES).symlink_to((folder / PAGES).resolve())
    run = last_run(store)
    search = Search(scratch, run.reading, open_repository(run.pages, scratch / PAGES))

    def ours(words: tuple[str, ...]) -> list[int]:
        return [hit.seq for hit in search.hits(query_of(" ".join(words)), Wanted(), DEPTH, lambda *_: None)]

    yield "scrapy search", ours
    copies = {seq for seq, verdict in store.execute("SELECT seq, verdict FROM fetches") if verdict in COPIES}
    urls = dict(store.execute("SELECT f.seq, u.url FROM fetches f JOIN urls u ON u.id = f.final_url").fetchall())
    with closing(sqlite3.connect(scratch / SEARCH)) as index:
        rows = index.execute("SELECT rowid, title, text FROM texts").fetchall()
    pages = [(seq, title, urls[seq], text) for seq, title, text in rows if seq not in copies]
    for tokenizer in (PORTER, PLAIN):
        with closing(sqlite3.connect(":memory:")) as db:
            db.execute(f"CREATE VIRTUAL TABLE texts USING fts5(title, url, text, tokenize = '{tokenizer}')")
            db.executemany("INSERT INTO texts(rowid, title, url, text) VALUES (?, ?, ?, ?)", pages)
            for way in WAYS:
                if way.tokenizer == tokenizer:
                    yield way.name, partial(_found, db, way)


def _found(db: sqlite3.Connection, way: Way, words: tuple[str, ...]) -> list[int]:
    pages: dict[int, None] = {}
    for query in way.queries(words):
        query = query if way.url else f"{{title text}} : ({query})"
        best = "SELECT rowid FROM texts WHERE texts MATCH ? ORDER BY bm25(texts, ?, ?, 1.0), rowid LIMIT ?"
        rows = db.execute(best, (query, way.title, way.url, DEPTH))
        pages |= dict.fromkeys(seq for (seq,) in rows if seq not in pages)
        if len(pages) >= DEPTH:
            break
    return list(pages)[:DEPTH]


if __name__ == "__main__":
    main()

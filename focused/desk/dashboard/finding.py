"""Asks the search index of a collection as it is by now; a process of its own brings it up to date meanwhile."""

from __future__ import annotations

import math
import sqlite3
import threading
from collections import Counter, OrderedDict
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from focused.collection.store import Store
from focused.crawl.arrays import IntArray
from focused.desk.dashboard.figures import VersionTable
from focused.desk.job import Worker
from focused.exceptions import FocusedError, StorageError
from focused.inspection.search import SEARCH, SearchIndex, UselessIndexError, made_of
from focused.inspection.search_query import WORDS, Excerpts, FtsQuery, query_of, readable
from focused.live.last_run import last_run

MOST_WORDS = 12  #: of the page that are asked for
CANDIDATES = 30  #: words of the page among which the most telling are chosen
LONGEST_TEXT = 50_000  #: characters of a page that are read
TITLE = 5  #: times that a word of the title counts
SAMPLE = 200  #: pages that tell how common words are
#: Share of the pages from which on the sample is believed: to count all pages that have a word takes its time.
COMMON = 0.05
MOST_POSTINGS = 40_000  #: pages that the words have, all together: .1 s. The most telling words come first
FEWEST_PAGES = 2  #: that have a word: the page alone is not enough
MOST_RANKED = 50_000  #: pages that are ranked by their words: .1 s. Words of more pages say little of any of them
BEGINNING = 220  #: characters of a page that are shown where no words were asked for
KEPT = 32  #: answers in memory: of a person who turns pages and sets filters
LONGEST_UPDATE = 24 * 3600.0  #: seconds
_NOTHING = np.empty(0, np.int64)


def similar(index: SearchIndex, shares: Mapping[str, float], seq: int, most: int) -> list[int]:
    """Numbers of the fetches of the most similar pages, without the page itself.

    shares : of `common_words`
    """
    words = telling_words(index, shares, *index.page(seq))
    if not words:
        return []
    match = " OR ".join(f'"{word}"' for word in words)
    return [other for other in index.ranked(match, most + 1) if other != seq][:most]


def common_words(index: SearchIndex) -> dict[str, float]:
    """By stem the share of the pages that have it, in (0, 1], by a sample spread over all pages."""
    counts: Counter[str] = Counter()
    pages = index.sample(SAMPLE)
    for title, text in pages:
        counts.update(_stems(f"{title} {text[:LONGEST_TEXT]}").keys())
    return {word: count / len(pages) for word, count in counts.items()}


def telling_words(index: SearchIndex, shares: Mapping[str, float], title: str, text: str) -> list[str]:
    """Stems that are frequent in a page and rare in the others, the most telling first."""
    counts = _stems(f"{' '.join([title] * TITLE)} {text[:LONGEST_TEXT]}")

    def weight(word: str, share: float) -> float:
        return counts[word] * -math.log(share)

    rough = {word: weight(word, min(1.0, shares.get(word, 0.0) + 1 / SAMPLE)) for word in counts}
    candidates = sorted(rough, key=lambda word: (-rough[word], word))[:CANDIDATES]
    pages, having = index.pages_with([word for word in candidates if shares.get(word, 0.0) < COMMON])
    having |= {word: int(shares[word] * pages) for word in candidates if shares.get(word, 0.0) >= COMMON}
    weights = {word: weight(word, count / pages) for word, count in having.items() if count >= FEWEST_PAGES}
    chosen: list[str] = []
    postings = 0
    for word in sorted(weights, key=lambda word: (-weights[word], word)):
        if len(chosen) < MOST_WORDS and weights[word] > 0 and postings + having[word] <= MOST_POSTINGS:
            chosen.append(word)
            postings += having[word]
    return chosen


def _stems(text: str) -> dict[str, int]:
    """How often each word stands in a text, by the stems of FTS5; without numbers and single letters."""
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as db:
        db.execute(f"CREATE VIRTUAL TABLE page USING fts5(text, tokenize = '{WORDS}')")
        db.execute("CREATE VIRTUAL TABLE words USING fts5vocab(page, 'row')")
        db.execute("INSERT INTO page VALUES (?)", (text,))
        return {
            word: count for word, count in db.execute("SELECT term, cnt FROM words") if len(word) > 1 and word.isalpha()
        }


def understood(text: str) -> tuple[FtsQuery | None, str]:
    """The query that a text asks for, and what is wrong with one that asks for nothing; of an empty text nothing is."""
    try:
        return query_of(text), ""
    except FocusedError as error:
        return None, f"{error}." if text else ""


@dataclass(frozen=True, slots=True)
class SearchReadiness:
    """How much of a collection can be searched by now."""

    pages: int = 0
    of: int = 0
    updating: bool = False  #: more is being added
    trouble: str = ""  #: why no more is, in a sentence

    @property
    def all(self) -> bool:
        return self.pages >= self.of


@dataclass(frozen=True, slots=True)
class FoundRows:
    """Rows of `VersionTable` that answer a question, the best first; without words all pages, the newest first."""

    rows: IntArray  #: (n,)
    whole: int  #: of the rows, those with all the words; the others follow
    query: FtsQuery | None  #: None: no words were asked for
    told: str = ""  #: what a person should know of the answer


class LiveSearch:
    """The search of one collection. Safe to be asked by several threads."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._path = folder / SEARCH
        self._worker = Worker("index", folder, LONGEST_UPDATE)
        self._lock = threading.Lock()
        self._sampled, self._sampled_of = 0, ""
        self._shares: dict[str, float] = {}
        self._kept: OrderedDict[tuple[str, int, str], IntArray] = OrderedDict()

    def ready(self, store: Store, versions: VersionTable) -> SearchReadiness:
        """How much can be searched. Where pages are missing, they begin to be added."""
        reached, trouble, is_still = 0, "", False
        try:
            with closing(self.index(store)) as index:
                reached, is_still = index.reached(store), index.is_still
        except UselessIndexError:
            pass  # the worker makes a new one
        except StorageError as error:
            trouble, is_still = str(error), True
        pages = int(versions.newest[: np.searchsorted(versions.seq, reached, side="right")].sum())
        of = int(versions.newest.sum())
        if pages < of and not is_still:
            if self._worker.failed:
                trouble = self._worker.said or "its index cannot be brought up to date"
            self._worker.start()
        elif pages < of and not trouble:
            trouble = "Nobody may write to this folder, so that its index stays as it is."
        return SearchReadiness(pages, of, pages < of and not is_still, trouble)

    def reached(self, store: Store) -> int:
        """Number of the last fetch that is indexed; 0 where there is none that can be asked."""
        try:
            with closing(self.index(store)) as index:
                return index.reached(store)
        except StorageError:
            return 0

    def update(self) -> bool:
        """Begin to add the pages that are missing, unless that failed before; say whether they are being added."""
        if not self._worker.failed:
            self._worker.start()
        return self._worker.running

    def find(self, store: Store, versions: VersionTable, text: str, *, all_words: bool, enough: int) -> FoundRows:
        """The pages that answer what a person typed.

        enough : pages with all words, with which those that have only some are left out
        """
        every = np.flatnonzero(versions.newest)[::-1]
        query, trouble = understood(text)
        if query is None:
            return FoundRows(every, len(every), None, trouble)
        try:
            with closing(self.index(store)) as index:
                reached = index.reached(store)
                if not reached:
                    return FoundRows(_NOTHING, 0, query)
                rows, told = self._ranked(index, reached, versions, query.match)
                whole = len(rows)
                if whole < enough and query.some and not all_words:
                    others, more = self._ranked(index, reached, versions, query.some)
                    rows, told = np.concatenate([rows, others[~np.isin(others, rows)]]), told or more
        except StorageError as error:
            return FoundRows(_NOTHING, 0, query, str(error))
        return FoundRows(rows, whole, query, told)

    def excerpts(self, store: Store, query: FtsQuery | None, seqs: list[int]) -> list[str]:
        """Of each fetch, the passage that answers best, with marks; without words the beginning."""
        try:
            with closing(self.index(store)) as index, closing(Excerpts()) as excerpts:
                if not index.reached(store):
                    return [""] * len(seqs)
                texts = [index.text(seq) for seq in seqs]
                return [excerpts.best(text, query) if query else readable(text[:BEGINNING]) for text in texts]
        except StorageError:
            return [""] * len(seqs)

    def index(self, store: Store) -> SearchIndex:
        """The index as it is; an empty one where there is none. Raises StorageError."""
        return SearchIndex(self._path, made_of(store, last_run(store).reading))

    def common_words(self, index: SearchIndex) -> dict[str, float]:
        """How common words are here, read anew when a collection has grown to its double."""
        with self._lock:
            pages, _ = index.pages_with([])
            if pages > 2 * self._sampled or index.made_of != self._sampled_of:
                self._sampled, self._sampled_of, self._shares = pages, index.made_of, common_words(index)
            return self._shares

    def _ranked(self, index: SearchIndex, reached: int, versions: VersionTable, match: str) -> tuple[IntArray, str]:
        """Rows that a query of FTS5 finds, the best first, and what is to be told of their order."""
        key = (index.made_of, reached, match)
        with self._lock:
            kept = self._kept.get(key)
        if kept is None:
            kept = _best_first(index, versions, match)
            with self._lock:
                self._kept[key] = kept
                while len(self._kept) > KEPT:
                    self._kept.popitem(last=False)
        rows = versions.rows_of(kept)
        rows = rows[versions.newest[rows]]
        crowd = len(kept) > MOST_RANKED
        return (
            rows,
            "So many pages have these words that those with them in the title come first, then the most relevant."
            * crowd,
        )


def _best_first(index: SearchIndex, versions: VersionTable, match: str) -> IntArray:
    """Numbers of fetches, the best first."""
    found = np.array(index.matching(match), np.int64)
    if len(found) <= MOST_RANKED:
        return np.array(index.ranked(match), np.int64)
    titled = np.array(index.ranked(f"{{title}} : ({match})"), np.int64)
    titled = titled[np.isin(titled, found)]
    rows = versions.rows_of(found[~np.isin(found, titled)])
    rest = versions.seq[rows[np.argsort(-versions.relevance[rows], kind="stable")]]
    return np.concatenate([titled, rest])

"""Searches the pages of a collection: brings its index up to date, asks it, and says of each hit what crawl.db knows by now."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import TypeVar

from focused.collection.collection import open_to_read
from focused.collection.repository import PageRepository, Place
from focused.collection.search_index import SEARCH, IndexEntry, SearchIndex, UselessIndexError, mark
from focused.collection.search_query import Excerpts, FtsQuery, searchable
from focused.collection.side_database import delete_database
from focused.collection.store import FIRST_ID, IS_VERSION, Row, Store
from focused.crawl.novelty import COPIES
from focused.exceptions import StorageError
from focused.page import page_text as reading
from focused.page.page_text import page_text
from focused.page.plain_text import plain
from focused.page.reader import ReadingOptions

BATCH = 200  #: pages that are added at once
BATCH_CHARACTERS = 10_000_000  #: of texts in memory; a batch with more ends there
LONGEST_TEXT = 2_000_000  #: characters of a page that are indexed
AT_ONCE = 500  #: hits of which crawl.db is asked at once

#: Is told how many pages have been added of those that were missing.
TellIndexed = Callable[[int, int], None]
_Result = TypeVar("_Result")


@dataclass(frozen=True, slots=True)
class SearchFilter:
    """Which pages may be found."""

    relevant: bool = False  #: those that count as relevant only
    host: str = ""  #: of this host and those below it; empty: any
    language: str = ""  #: in this language, by its ISO 639-1 code; empty: any
    copies: bool = False  #: pages with a verdict of `COPIES` too
    all_words: bool = False  #: with all words; otherwise those that have some of them come last


@dataclass(frozen=True, slots=True)
class Hit:
    """A page that was found."""

    seq: int  #: number of its fetch
    url: str  #: after redirects
    title: str
    excerpt: str  #: with its words marked, see `excerpts.parts`
    language: str
    relevance: float
    relevant: bool
    fetched: str  #: ISO 8601
    all_words: bool = True  #: whether it has all that is asked for


class Search:
    """The search of one collection.

    Parameters
    ----------
    folder : of the collection
    options : how its pages are read
    pages : its page repository
    """

    def __init__(self, folder: Path, options: ReadingOptions, pages: PageRepository) -> None:
        self._folder, self._options, self._pages = folder, options, pages
        self.unreadable = 0  #: pages met, while adding, whose bytes are damaged: they are found by their titles alone

    def hits(self, query: FtsQuery, wanted: SearchFilter, most: int, tell: TellIndexed) -> list[Hit]:
        """The best pages that a query finds, the best first, once the index is up to date.

        Raises StorageError where it cannot be brought up to date. A damaged index is made anew without a word.
        """
        return self._anew_if_damaged(lambda: self._hits(query, wanted, most, tell))

    def update(self, tell: TellIndexed) -> None:
        """Bring the index up to date, and ask nothing. Raises StorageError as `hits`."""

        def add() -> None:
            with self._up_to_date(tell):
                pass

        self._anew_if_damaged(add)

    def _anew_if_damaged(self, work: Callable[[], _Result]) -> _Result:
        try:
            return work()
        except UselessIndexError:
            delete_database(self._folder / SEARCH)
            return work()

    def _hits(self, query: FtsQuery, wanted: SearchFilter, most: int, tell: TellIndexed) -> list[Hit]:
        with self._up_to_date(tell) as index:
            with closing(open_to_read(self._folder)) as store:
                found = found_in(index, store, query, wanted, most)
            with closing(Excerpts()) as excerpts:
                return [replace(hit, excerpt=excerpts.best(index.text(hit.seq), query)) for hit in found]

    @contextmanager
    def _up_to_date(self, tell: TellIndexed) -> Iterator[SearchIndex]:
        with closing(open_to_read(self._folder)) as store:
            content = made_of(store, self._options)
        with closing(SearchIndex(self._folder / SEARCH, content)) as index:
            self._bring_up_to_date(index, tell)
            yield index

    def _bring_up_to_date(self, index: SearchIndex, tell: TellIndexed) -> None:
        """Add what is missing. No transaction on crawl.db stays open meanwhile: its log could not be cleared."""
        done = 0
        while True:
            with closing(open_to_read(self._folder)) as store:
                after = index.up_to(store)
                rows = store.execute(_MISSING, (after, BATCH)).fetchall()
                left = store.execute(f"SELECT count(*) FROM fetches WHERE {IS_VERSION} AND seq > ?", (after,))
                total = done + left.fetchone()[0]
            if not rows:
                return
            if index.is_still:
                raise StorageError(
                    f"{index.path}: is not up to date, and nobody may write to this folder; search as a user who may, or search "
                    "a copy"
                )
            entries = self._entries(rows)
            index.add(after, entries)
            done += len(entries)
            tell(done, total)

    def _entries(self, rows: Sequence[Row]) -> list[IndexEntry]:
        """What is to be indexed of pages, up to `BATCH_CHARACTERS`."""
        entries: list[IndexEntry] = []
        room = BATCH_CHARACTERS
        for seq, url, time, content_hash, title, content_type, *place in rows:
            text = self._text(Place(*place), content_type or "")
            entries.append(IndexEntry(seq, url, mark(time, content_hash), searchable(plain(title or "")), text))
            room -= len(text)
            if room < 0:
                break
        return entries

    def _text(self, place: Place, content_type: str) -> str:
        try:
            stored = self._pages.get(place)
        except StorageError:  # one page less; `scrapy check` tells which
            self.unreadable += 1
            return ""
        declared = stored.content_type or content_type
        text = page_text(stored.body, declared, self._options) or ""
        return searchable(plain(text[:LONGEST_TEXT].replace("\xad", "")))  # a soft hyphen is no blank


_MISSING = f"""
SELECT seq, {FIRST_ID}, time, content_hash, title, content_type, file, offset, length FROM fetches f
WHERE {IS_VERSION} AND seq > ? ORDER BY seq LIMIT ?
"""


_DESCRIBED = f"""
SELECT f.seq, u.url, f.title, f.language, f.relevance, f.relevant, f.time, f.verdict, h.name
FROM fetches f JOIN urls u ON u.id = f.final_url JOIN hosts h ON h.id = u.host WHERE {IS_VERSION}
"""


def made_of(store: Store, options: ReadingOptions) -> str:
    """What an index must be made of: this collection, and texts as they are read by now."""
    started = store.execute("SELECT min(started) FROM runs").fetchone()[0]
    return f"{started} text {reading.VERSION} max_bytes {options.max_bytes} documents {options.documents}"


def found_in(index: SearchIndex, store: Store, query: FtsQuery, wanted: SearchFilter, most: int) -> list[Hit]:
    """The best pages that have all words, then those that have some; without their excerpts."""
    ranked = index.ranked(query.match)
    found = list(islice(hits_of(store, ranked, wanted), most))
    if len(found) < most and query.some and not wanted.all_words:
        known = set(ranked)
        others = [seq for seq in index.ranked(query.some) if seq not in known]
        rest = islice(hits_of(store, others, wanted), most - len(found))
        found += [replace(hit, all_words=False) for hit in rest]
    return found


def hits_of(store: Store, ranked: Sequence[int], wanted: SearchFilter) -> Iterator[Hit]:
    """Yield those pages that are wanted of fetches by their numbers, in the same order, without their excerpts."""
    for start in range(0, len(ranked), AT_ONCE):
        seqs = ranked[start : start + AT_ONCE]
        rows = store.execute(f"{_DESCRIBED} AND f.seq IN ({', '.join('?' * len(seqs))})", seqs)
        by_seq = {row[0]: row for row in rows}
        for seq in seqs:
            if seq not in by_seq:
                continue
            _, url, title, language, relevance, relevant, time, verdict, host = by_seq[seq]
            if (
                (relevant or not wanted.relevant)
                and (not wanted.host or f".{host}".endswith(f".{wanted.host}"))
                and (not wanted.language or language == wanted.language)
                and (wanted.copies or verdict not in COPIES)
            ):
                yield Hit(seq, url, title or "", "", language or "", relevance or 0.0, bool(relevant), time)

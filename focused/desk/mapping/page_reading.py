"""What maps are made of: the pages of crawl.db as columns, and their words, each page read once and kept in map.db."""

from __future__ import annotations

import io
import json
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np
from scrapy.settings import BaseSettings

from focused.collection.collection import PAGES, open_repository, opened
from focused.collection.repository import PageRepository, Place
from focused.collection.store import Store
from focused.crawl.arrays import BoolArray, FloatArray, IntArray
from focused.exceptions import FocusedError, StorageError
from focused.explain.plain_output import ProgressLine
from focused.inspection.side_database import SideDatabase
from focused.live.last_run import LastRun
from focused.page.page_text import page_text
from focused.page.plain_text import plain
from focused.page.reader import ReadingOptions
from focused.page.text import TextAnalyser

_FACTS = """
SELECT f.final_url, f.seq, u.host, f.relevance, f.relevant, p.depth, coalesce(p.source, -1),
    f.url IN (SELECT url FROM seeds) OR f.final_url IN (SELECT url FROM seeds)
FROM fetches f JOIN urls u ON u.id = f.final_url JOIN picks p ON p.seq = f.pick WHERE f.outcome = 'page' ORDER BY f.seq
"""
KEPT = 60  #: words of a page
TITLE_COUNTS = 5  #: a word of the title counts as much as so many in the text
LONGEST_TEXT = 20_000  #: characters of a text that are looked at: what a page is about it says early
MOST_COUNT = 255
MAP = "map.db"
VERSION = 1  #: of the tables, and of how pages are read for a map
Arrays = Mapping[str, np.typing.NDArray[Any]]
READ = 20_000  #: pages whose texts are read; of the others the titles must do
BATCH = 100  #: pages that are read at a time
FIRST_BYTES = 80_000  #: of a page that are read: what it is about it says early
LONGEST_TITLE = 200
#: Is told what is being done, and how many of how many are done (0 of 0: nobody can tell).
TellStage = Callable[[str, int, int], None]
_PAGE = "SELECT final_url, title, language, content_type, file, offset, length FROM fetches WHERE seq = ?"


@dataclass(frozen=True, slots=True)
class CrawledPages:
    """n pages in order of arrival, each once; all arrays are (n,)."""

    url: IntArray  #: ids of their URLs
    seq: IntArray  #: numbers of their fetches, by which crawl.db finds a page at once
    host: IntArray  #: ids of their hosts
    relevance: FloatArray  #: in [0, 1]
    relevant: BoolArray
    depth: IntArray  #: links from a start of the crawl
    source: IntArray  #: position of the page that led to it; -1: none
    seed: BoolArray

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


#: Words of one page with how often it says them, from 1 to `MOST_COUNT`, most often first.
PageWordCounts = Mapping[str, int]


def most_said(analyser: TextAnalyser, title: str, text: str, counts: Callable[[str], bool]) -> PageWordCounts:
    """The `KEPT` words that a page says most often, of those that count."""
    said = Counter(analyser.terms(text[:LONGEST_TEXT]))
    for word in analyser.terms(title):
        said[word] += TITLE_COUNTS
    words = [(word, min(count, MOST_COUNT)) for word, count in said.items() if counts(word)]
    return dict(sorted(words, key=lambda pair: (-pair[1], pair[0]))[:KEPT])


class PageWordFinder:
    """Finds the words of pages, each by the stop words of its own language.

    language : of the collection's topic, and of pages whose language nobody knows
    """

    def __init__(self, language: str) -> None:
        self._analysers = {"": TextAnalyser(language, stemming=False)}

    def of(self, title: str | None, text: str, language: str | None) -> PageWordCounts:
        """The words of a page, in lower case, without numbers."""
        analyser = self._analyser(language or "")
        return most_said(analyser, plain(title or "", LONGEST_TITLE), text, lambda word: not word.isdigit())

    def _analyser(self, language: str) -> TextAnalyser:
        if language not in self._analysers:
            try:
                self._analysers[language] = TextAnalyser(language, stemming=False)
            except (ValueError, FocusedError):  # a language that nobody knows, or whose package is missing
                self._analysers[language] = self._analysers[""]
        return self._analysers[language]


class SideFile(SideDatabase):
    """The map.db of the collection in a folder; mark : of the collection."""

    def __init__(self, folder: Path, mark: str) -> None:
        tables = {
            "said": "url INTEGER PRIMARY KEY, words TEXT NOT NULL, counts BLOB NOT NULL",
            "maps": "name TEXT PRIMARY KEY, arrays BLOB NOT NULL",
        }
        super().__init__(folder / MAP, [VERSION, mark], tables, "a map of ours")

    def read_urls(self) -> set[int]:
        """Ids of pages whose words are known."""
        return {url for (url,) in self._rows("SELECT url FROM said")}

    def add(self, said: Sequence[tuple[int, PageWordCounts]]) -> None:
        """Keep the words of pages, by the ids of their URLs."""
        rows = [(url, " ".join(words), bytes(words.values())) for url, words in said]
        self._write("INSERT OR REPLACE INTO said VALUES (?, ?, ?)", rows)

    def said(self) -> dict[int, PageWordCounts]:
        """The words of all pages that were read, by the ids of their URLs."""
        rows = self._rows("SELECT url, words, counts FROM said")
        return {url: dict(zip(words.split(" "), counts, strict=False)) if words else {} for url, words, counts in rows}

    def keep(self, name: str, arrays: Arrays) -> None:
        """Keep a map, in place of the one with this name."""
        buffer = io.BytesIO()
        np.savez(buffer, allow_pickle=False, **dict(arrays))
        self._write("INSERT OR REPLACE INTO maps VALUES (?, ?)", [(name, buffer.getvalue())])

    def kept(self, name: str, keys: Collection[str]) -> dict[str, np.typing.NDArray[Any]] | None:
        """The map with a name; None where there is none with these arrays that can be read."""
        rows = self._rows("SELECT arrays FROM maps WHERE name = ?", (name,))
        if not rows:
            return None
        try:
            with np.load(io.BytesIO(rows[0][0]), allow_pickle=False) as arrays:
                return {key: arrays[key] for key in keys}
        except (OSError, ValueError, EOFError, KeyError):
            return None


@contextmanager
def told_on_a_line(settings: BaseSettings) -> Iterator[TellStage]:
    """What tells a person at a terminal, by the settings of a project."""
    with closing(ProgressLine(settings.getfloat("FOCUSED_PROGRESS_SECONDS"))) as line:

        def tell(doing: str, done: int, total: int) -> None:
            if total:
                line.show(lambda: f"{doing}: {done:,} of {total:,}", done, total)

        yield tell


def words_of_pages(
    folder: Path, side: SideFile, pages: CrawledPages, order: IntArray, run: LastRun, tell: TellStage
) -> list[PageWordCounts]:
    """What each page says, by its text where that was read, else by its title.

    order : (n,) positions, in the order in which texts are read
    """
    words = PageWordFinder(run.reading.languages[0])
    known = side.read_urls()
    missing = [i for i in order[:READ].tolist() if int(pages.url[i]) not in known]
    options = run.reading.model_copy(update={"max_bytes": min(run.reading.max_bytes or FIRST_BYTES, FIRST_BYTES)})
    repository = open_repository(run.pages, folder / PAGES) if missing else None
    for begin in range(0, len(missing), BATCH):
        tell("reading pages", begin, len(missing))
        with opened(folder) as store:
            rows = [store.execute(_PAGE, (int(pages.seq[i]),)).fetchone() for i in missing[begin : begin + BATCH]]
        side.add(
            [
                (url, words.of(title, _text(repository, place, declared, options), language))
                for url, title, language, declared, *place in filter(None, rows)
            ]
        )
    tell("reading titles", 0, 0)
    said = side.said()
    if len(said) < len(pages):
        with opened(folder) as store:
            rows = store.execute(
                "SELECT final_url, title, language FROM fetches WHERE outcome = 'page' ORDER BY seq DESC"
            ).fetchall()
        others = {url: (title, language) for url, title, language in rows if url not in said}
        said |= {url: words.of(title, "", language) for url, (title, language) in others.items()}
    return [said.get(one, {}) for one in pages.url.tolist()]


def of_links(
    folder: Path,
    side: SideFile,
    name: str,
    query: str,
    batch: int,
    folded: Callable[[IntArray], IntArray],
    tell: TellStage,
) -> IntArray:
    """(m, c) what a query says of all links: of those that have come since the last time, and of the others what is kept.

    name : under which it is kept
    query : c columns, of links after one row id, up to another
    batch : links that are read in one transaction: one held open would let the log of a crawl grow
    folded : puts together what rows say of the same

    Raises StorageError.
    """
    kept = side.kept(name, {"table", "last"})
    parts, done = ([kept["table"]], int(kept["last"])) if kept else ([], 0)
    with opened(folder) as store:
        last = store.execute("SELECT coalesce(max(rowid), 0) FROM links").fetchone()[0]
        if last < done:  # links were cut off by a repair
            parts, done = [], 0
        width = len(store.execute(query, (0, 0)).description)
    begun, parts = done, [np.empty((0, width), np.int64), *parts]
    while done < last:
        tell("reading links", done - begun, last - begun)
        upto = min(done + batch, last)
        with opened(folder) as store:
            parts.append(np.array(store.execute(query, (done, upto)).fetchall(), np.int64).reshape(-1, width))
        done = upto
    if last == begun:
        return parts[-1]
    table = folded(np.concatenate(parts))
    side.keep(name, {"table": table, "last": np.array(last)})
    return table


def added(table: IntArray) -> IntArray:
    """Rows of the same two numbers, and a third that is added up, as one; in ascending order."""
    size = int(table[:, :2].max(initial=0)) + 1
    pairs, which = np.unique(table[:, 0] * size + table[:, 1], return_inverse=True)
    counts = np.bincount(which, table[:, 2], len(pairs)).astype(np.int64)
    return np.column_stack([pairs // size, pairs % size, counts])


def addresses_and_titles(store: Store, seqs: IntArray, longest: int = LONGEST_TITLE) -> list[tuple[str, str]]:
    """Of each fetch the URL of its page, and its title on one line, of so many characters at most (0: all)."""
    rows = store.execute(
        "SELECT f.seq, u.url, f.title FROM fetches f JOIN urls u ON u.id = f.final_url "
        "WHERE f.seq IN (SELECT value FROM json_each(?))",
        (json.dumps(seqs.tolist()),),
    )
    found = {seq: (url, plain(title or "", longest)) for seq, url, title in rows}
    return [found[seq] for seq in seqs.tolist()]


def _text(repository: PageRepository | None, place: list[Any], declared: str | None, options: ReadingOptions) -> str:
    """The text of a stored page; empty where it cannot be read, which `scrapy verify` tells."""
    if repository is None or place[0] is None:
        return ""
    try:
        stored = repository.get(Place(*place))
    except StorageError:
        return ""
    return page_text(stored.body, stored.content_type or declared or "", options) or ""

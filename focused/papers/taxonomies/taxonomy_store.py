"""taxonomy.db: a taxonomy with its example URLs, what came of fetching them, and what a person says of each, in SQLite.

What a person says is kept by the text of the URL, apart from what a file lists and from what was fetched: neither another
import nor another fetch touches it. Categories are names such as ``science/physics``.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import blake2b
from itertools import islice
from pathlib import Path
from typing import Any

from focused.collection.files import FilesRepository
from focused.collection.repository import Place, Stored, storage_errors
from focused.collection.sqlite_errors import database_errors
from focused.exceptions import StorageError

TAXONOMIES = "taxonomies"  #: folder in FOCUSED_DATA_DIR
DATABASE = "taxonomy.db"
PAGES = "pages"  #: folder of the fetched examples
VERSION = 1  #: of the schema, in ``PRAGMA user_version``
PATIENCE = 30.0  #: seconds to wait for another process that is writing
BATCH = 10_000  #: rows of an import written at a time

SCHEMA = (
    """CREATE TABLE listings (
        url TEXT NOT NULL, category TEXT NOT NULL, title TEXT NOT NULL, description TEXT NOT NULL, file TEXT NOT NULL,
        PRIMARY KEY (url, category))""",
    "CREATE TABLE own_examples (url TEXT PRIMARY KEY, title TEXT NOT NULL, time TEXT NOT NULL)",
    "CREATE TABLE judgements (url TEXT PRIMARY KEY, category TEXT, time TEXT NOT NULL)",
    "CREATE TABLE good_categories (category TEXT PRIMARY KEY, time TEXT NOT NULL)",
    """CREATE TABLE fetches (
        url TEXT PRIMARY KEY, time TEXT NOT NULL, reason TEXT, final_url TEXT, title TEXT, file TEXT, bytes INTEGER)""",
    "CREATE TABLE guesses (url TEXT PRIMARY KEY, category TEXT NOT NULL, probability REAL NOT NULL, time TEXT NOT NULL)",
    # Of a URL that several categories list, the first one counts. (SQLite gives the other columns of the row that min() chose.)
    """CREATE VIEW examples AS
    SELECT all_urls.url, coalesce(nullif(l.title, ''), nullif(o.title, ''), f.title, '') AS title,
        CASE WHEN j.url IS NULL THEN l.category ELSE j.category END AS category,
        l.category AS listed, j.time AS judged, j.url IS NOT NULL AND j.category IS NULL AS dropped,
        f.time AS fetched, f.reason, f.final_url, f.file, f.bytes, g.category AS guess, g.probability
    FROM (SELECT url FROM listings UNION SELECT url FROM own_examples UNION SELECT url FROM judgements) AS all_urls
    LEFT JOIN (SELECT url, category, title, min(rowid) FROM listings GROUP BY url) AS l ON l.url = all_urls.url
    LEFT JOIN own_examples AS o ON o.url = all_urls.url
    LEFT JOIN judgements AS j ON j.url = all_urls.url
    LEFT JOIN fetches AS f ON f.url = all_urls.url
    LEFT JOIN guesses AS g ON g.url = all_urls.url""",
)


@dataclass(frozen=True)
class Listing:
    """A URL that a taxonomy lists in a category, with the words of its editors."""

    category: str
    url: str
    title: str = ""
    description: str = ""


@dataclass(frozen=True)
class ExampleUrl:
    """All that is known of one example.

    category : where it belongs: as a person says, else as the taxonomy lists it; None: nobody has said, or it is dropped
    judged : when a person said so; None: nobody did
    fetched : when it was tried; None: not yet
    reason : why it gave no page; None: it gave one, or was not tried
    guess, probability : where the classifier last put it
    dropped : a person wants it in no category
    """

    url: str
    title: str
    category: str | None
    judged: str | None
    fetched: str | None
    reason: str | None
    guess: str | None
    probability: float | None
    dropped: bool
    place: Place | None


class TaxonomyStore:
    """The folder of one taxonomy: its database, and the pages of its examples. Several processes may read and write.

    Raises StorageError: there is none (unless it may be made), it cannot be used, or a newer release has written it.
    """

    def __init__(self, folder: Path, *, make: bool = False) -> None:
        self.folder, self.path = folder, folder / DATABASE
        if not make and not self.path.is_file():
            raise StorageError(f"{self.path}: no such taxonomy; make it: scrapy taxonomy {folder.name} import FILE")
        with storage_errors(folder, "create the folder"):
            folder.mkdir(parents=True, exist_ok=True)
        with self._errors():
            self.db = sqlite3.connect(self.path, timeout=PATIENCE, isolation_level=None)
            try:
                self.db.execute("PRAGMA journal_mode = WAL")
                self.db.execute("PRAGMA synchronous = FULL")  # what a person said survives a power failure
                self.db.create_function("draw", 1, _draw, deterministic=True)
                self._make_tables()
                self.pages = FilesRepository(folder / PAGES)
            except BaseException:
                self.db.close()
                raise

    def close(self) -> None:
        self.pages.close()
        self.db.close()

    def take_in(self, listings: Iterable[Listing], file: str, *, most: int = 0, replace: bool = False) -> int:
        """Take listings in, all or none; return how many there are. What they list again keeps its place among the first.

        most : of each category, drawn at random; the same ones every time, and among those of a higher number; 0: all
        replace : forget what earlier files listed and this one does not; all else is kept
        """
        rows = ((entry.url, entry.category, entry.title, entry.description) for entry in listings)
        with self._errors():
            self.db.execute("DROP TABLE IF EXISTS temp.incoming")
            self.db.execute(
                "CREATE TEMP TABLE incoming (url, category, title, description, PRIMARY KEY (url, category))"
            )
            while batch := list(islice(rows, BATCH)):  # others may write meanwhile: nothing of theirs is touched yet
                with self._transaction("BEGIN"):
                    self.db.executemany("INSERT OR IGNORE INTO incoming VALUES (?, ?, ?, ?)", batch)
            if most:
                self.db.execute(
                    """DELETE FROM incoming WHERE rowid IN (SELECT rowid FROM (
                        SELECT rowid, row_number() OVER (PARTITION BY category ORDER BY draw(url)) AS place FROM incoming)
                    WHERE place > ?)""",
                    (most,),
                )
            with self._transaction():
                if replace:
                    self.db.execute(
                        "DELETE FROM listings WHERE (url, category) NOT IN (SELECT url, category FROM incoming)"
                    )
                self.db.execute(
                    """INSERT INTO listings SELECT url, category, title, description, ? FROM incoming WHERE true ORDER BY rowid
                    ON CONFLICT DO UPDATE SET title = excluded.title, description = excluded.description, file = excluded.file""",
                    (file,),
                )
            count: int = self.db.execute("SELECT count(*) FROM incoming").fetchone()[0]
            self.db.execute("DROP TABLE temp.incoming")
        return count

    def add_own(self, titles: Mapping[str, str]) -> None:
        """Take in a person's own examples: URL -> title, which may be empty."""
        rows = [(url, title, now()) for url, title in titles.items()]
        self._write_many("INSERT INTO own_examples VALUES (?, ?, ?) ON CONFLICT DO NOTHING", rows)

    def judge(self, said: Mapping[str, str | None]) -> None:
        """Keep what a person says: URL -> its category; None: it is dropped. What was said before is replaced."""
        rows = [(url, category, now()) for url, category in said.items()]
        self._write_many("INSERT OR REPLACE INTO judgements VALUES (?, ?, ?)", rows)

    def mark_good(self, names: Iterable[str]) -> None:
        """Mark categories as on topic, with all below them. Who marks sees to it that none lies below another."""
        self._write_many(
            "INSERT INTO good_categories VALUES (?, ?) ON CONFLICT DO NOTHING", [(name, now()) for name in names]
        )

    def unmark(self, names: Iterable[str]) -> None:
        """Take marks away."""
        self._write_many("DELETE FROM good_categories WHERE category = ?", [(name,) for name in names])

    def keep_page(self, url: str, page: Stored, title: str) -> None:
        """Keep the page that an example gave."""
        place = self.pages.put(page, datetime.now(UTC))
        self.pages.flush()
        self._write_many(
            "INSERT OR REPLACE INTO fetches VALUES (?, ?, NULL, ?, ?, ?, ?)",
            [(url, now(), page.url, title, place.file, place.length)],
        )

    def keep_failure(self, url: str, reason: str) -> None:
        """Keep why an example gave no page."""
        self._write_many(
            "INSERT OR REPLACE INTO fetches VALUES (?, ?, ?, NULL, NULL, NULL, NULL)", [(url, now(), reason)]
        )

    def keep_guesses(self, found: Mapping[str, tuple[str, float]]) -> None:
        """Keep where the classifier puts examples (URL -> category and probability), in place of all earlier guesses."""
        rows = [(url, category, probability, now()) for url, (category, probability) in found.items()]
        with self._errors(), self._transaction():
            self.db.execute("DELETE FROM guesses")
            self.db.executemany("INSERT INTO guesses VALUES (?, ?, ?, ?)", rows)

    def good(self) -> list[str]:
        """Categories that are marked good, in alphabetical order."""
        return [name for (name,) in self._read("SELECT category FROM good_categories ORDER BY category")]

    def examples(self) -> list[ExampleUrl]:
        """All examples, in the order of their categories and URLs; those without a category come first."""
        rows = self._read(
            """SELECT url, title, category, judged, fetched, reason, guess, probability, dropped, file, bytes
            FROM examples ORDER BY category, url"""
        )
        return [
            ExampleUrl(
                *(url, title, category, judged, fetched, reason, guess, probability),
                *(bool(dropped), Place(file, 0, size) if file is not None else None),
            )
            for url, title, category, judged, fetched, reason, guess, probability, dropped, file, size in rows
        ]

    def _make_tables(self) -> None:
        with self._transaction():
            version = self.db.execute("PRAGMA user_version").fetchone()[0]
            if version > VERSION:
                raise StorageError(f"{self.path}: written by a newer release; upgrade focused")
            if not version:
                for statement in SCHEMA:
                    self.db.execute(statement)
                self.db.execute(f"PRAGMA user_version = {VERSION}")

    def _read(self, statement: str) -> list[tuple[Any, ...]]:
        with self._errors():
            return self.db.execute(statement).fetchall()

    def _write_many(self, statement: str, rows: Iterable[tuple[Any, ...]]) -> None:
        with self._errors(), self._transaction():
            self.db.executemany(statement, rows)

    def _errors(self) -> AbstractContextManager[None]:
        return database_errors(self.path, "a taxonomy.db", " of the whole folder")

    @contextmanager
    def _transaction(self, begin: str = "BEGIN IMMEDIATE") -> Iterator[None]:
        with self.db:
            self.db.execute(begin)
            yield


def taxonomy_names(data: Path) -> list[str]:
    """Names of the taxonomies in a data folder."""
    return sorted(path.parent.name for path in (data / TAXONOMIES).glob(f"*/{DATABASE}"))


def now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


def _draw(url: str) -> bytes:
    """Where a URL comes in a random order that is the same in every import."""
    return blake2b(url.encode(errors="replace"), digest_size=8).digest()

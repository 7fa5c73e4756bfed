"""The collection of a topic: one folder with crawl.db and the page repository, used by one crawl at a time."""

from __future__ import annotations

import os
import shutil
import sqlite3
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from urllib.parse import quote

from scrapy.settings import BaseSettings

from focused.collection.files import FilesRepository
from focused.collection.migrations import OlderSchemaError
from focused.collection.repository import PageRepository, storage_errors
from focused.collection.sqlite_errors import damage_is_told
from focused.collection.store import LOCK_SECONDS, Store, knows_nothing
from focused.collection.warc import WarcRepository
from focused.exceptions import StorageError, seeing
from focused.topic.plain_files import at_home


def open_repository(kind: str, folder: Path, *, user_agent: str = "", operator: str = "") -> PageRepository:
    """The repository of a ``kind``, ``"warc"`` or ``"files"``, in ``folder``, which is created when missing.

    ``user_agent`` and ``operator`` (who crawls, and how to reach them) are noted in WARC files.
    """
    match kind:
        case "warc":
            return WarcRepository(folder, user_agent=user_agent, operator=operator)
        case "files":
            return FilesRepository(folder)
    raise StorageError(f"page repository {kind!r} is unknown: choose 'warc' or 'files'")


DATABASE = "crawl.db"
PAGES = "pages"  #: folder of the page repository
LOCK = "crawl.lock"
AUDIT = "audit.csv"  #: pages of it that a person judges
PREVIOUS = "previous"  #: where a fresh start moves the collection that was there


class Collection:
    """An opened collection. The lock goes with the process that holds it, however it ends.

    Raises StorageError: the folder cannot be used, another crawl holds it, or its database is damaged or too new.
    """

    def __init__(
        self,
        folder: Path,
        *,
        pages: str,
        fresh: bool = False,
        user_agent: str = "",
        lock_seconds: float = LOCK_SECONDS,
    ) -> None:
        self.folder = folder
        with storage_errors(folder, "create the folder"):
            folder.mkdir(parents=True, exist_ok=True)
        self._lock = hold(folder)
        try:
            if fresh:
                self._put_aside()
            self._check_pages()
            self.store = Store(folder / DATABASE, lock_seconds=lock_seconds)
            self.repository: PageRepository = open_repository(pages, folder / PAGES, user_agent=user_agent)
        except BaseException:
            self._lock.close()
            raise

    def close(self) -> None:
        self.repository.close()
        self.store.close()
        self._lock.close()

    def _put_aside(self) -> None:
        """Keep what was collected before in `PREVIOUS`, in place of what was there, unless only that has pages."""
        moving = self.folder / f"{PREVIOUS}.moving"  # complete before the older one goes, however often this is killed
        parts = [self.folder / name for name in (AUDIT, PAGES, f"{DATABASE}-wal", f"{DATABASE}-shm", DATABASE)]
        with storage_errors(self.folder, "put the previous collection aside"):
            if not moving.exists() and not any(part.exists() for part in parts):
                return
            moving.mkdir(exist_ok=True)
            for part in parts:
                if part.exists():
                    part.rename(moving / part.name)
            if has_pages(self.folder / PREVIOUS) and not has_pages(moving):
                shutil.rmtree(moving)  # nothing was collected: the older one stays
                return
            shutil.rmtree(self.folder / PREVIOUS, ignore_errors=True)
            moving.rename(self.folder / PREVIOUS)

    def _check_pages(self) -> None:
        """Pages that no database knows would be cut off as if they had never been committed."""
        if has_pages(self.folder) and knows_nothing(self.folder / DATABASE):
            raise StorageError(
                f"{self.folder}: there are pages but no {DATABASE} that knows them: put it back, or put all aside with "
                "-a fresh=true"
            )


def has_pages(folder: Path) -> bool:
    """Whether a collection has any."""
    pages = folder / PAGES
    return pages.is_dir() and any(pages.iterdir())


def is_crawled(folder: Path) -> bool:
    """Whether a crawl of a collection is running now: it holds the lock."""
    try:
        with closing(sqlite3.connect(f"file:{quote((folder / LOCK).as_posix())}?mode=ro", timeout=0, uri=True)) as lock:
            lock.execute("SELECT count(*) FROM sqlite_master")
    except sqlite3.Error as error:
        return "locked" in str(error)
    return False


@seeing(StorageError)
def open_to_read(folder: Path, *, may_copy: bool = True) -> Store:
    """Open the database of a collection for looking only, also while a crawl is running.

    What an older release has written is brought up to date first. Raises StorageError where there is none.

    may_copy : into memory, where a crawl by an older release is running; otherwise a StorageError says so
    """
    path = folder / DATABASE
    if not path.is_file():
        raise StorageError(f"{path}: no such collection; `scrapy crawl topical -a topic={folder.name}` makes it")
    try:
        return Store(path, read_only=True)
    except OlderSchemaError:
        if not may_copy and is_crawled(folder):
            raise StorageError(
                f"{path}: the crawl runs under an older release of focused; it can be looked at here once it has ended"
            ) from None
        try:
            with closing(hold(folder)):
                Store(path).close()  # brings it up to date
            return Store(path, read_only=True)
        except StorageError:  # nobody may write there, or a crawl by an older release is running
            return Store.copy_of(path)


@contextmanager
def opened(folder: Path, *, may_copy: bool = True) -> Iterator[Store]:
    """The same at this moment, closed at the end; a damaged row that the block meets is a StorageError as well."""
    with closing(open_to_read(folder, may_copy=may_copy)) as store, damage_is_told(store.path):
        yield store


def mark_of(store: Store) -> str:
    """What tells a collection from another one that may lie in the same folder."""
    return str(store.execute("SELECT coalesce(min(started), '') FROM runs").fetchone()[0])


def hold(folder: Path) -> sqlite3.Connection:
    """Hold a collection alone.

    Raises StorageError where another process, such as a crawl, holds it.
    """
    seconds = 1  # longer than `is_crawled` looks at it
    return locked(
        folder / LOCK, f"{folder}: another crawl of this topic is running", "; wait until it ends or stop it", seconds
    )


def locked(path: Path, busy: str, advice: str = "", seconds: float = 0) -> sqlite3.Connection:
    """Hold an exclusive lock on a small SQLite file until it is closed: that works on every system, and dies with the process.

    Raises StorageError if another process still holds it after ``seconds``: ``busy``, which process it is, ``advice``.
    """
    lock = None
    try:
        lock = sqlite3.connect(path, timeout=seconds, isolation_level=None)
        lock.execute("BEGIN EXCLUSIVE")
    except sqlite3.Error as error:
        if lock is not None:
            lock.close()
        if "locked" in str(error):
            who = f" (process {pid})" if (pid := holder(path)) else ""
            raise StorageError(f"{busy}{who}{advice}") from error
        raise StorageError(f"{path}: {error}: check the permissions of the folder and the space on its disk") from error
    return lock


def holder(path: Path) -> int | None:
    """The process that holds a lock on a file; None where the system does not tell (only Linux does).

    The file is not opened: closing it would give up a lock of our own.
    """
    if not sys.platform.startswith("linux"):
        return None
    try:
        found = path.stat()
        lines = Path("/proc/locks").read_text().splitlines()
    except OSError:
        return None
    place = f"{os.major(found.st_dev):02x}:{os.minor(found.st_dev):02x}:{found.st_ino}"
    holders = [int(words[4]) for line in lines if place in (words := line.split()) and words[4].isdecimal()]
    return next((pid for pid in holders if pid > 0), None)


def data_folder(settings: BaseSettings) -> Path:
    """The folder of all collections."""
    return at_home(settings["FOCUSED_DATA_DIR"] or ".")


def collections(data: Path) -> list[str]:
    """Names of the collections in a data folder."""
    return sorted(path.parent.name for path in data.glob(f"*/{DATABASE}")) if data.is_dir() else []


def existing_collections(data: Path) -> list[str]:
    """The same for who needs one at least. Raises StorageError where there is none."""
    if names := collections(data):
        return names
    raise StorageError(f"{data}: no collection yet; `scrapy crawl topical -a topic=NAME` makes one")

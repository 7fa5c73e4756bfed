"""What a dashboard shows: collections, found by name in the data folder or given as folders."""

from __future__ import annotations

import secrets
import threading
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Generic, TypeVar

from focused.collection.collection import AUDIT, DATABASE, collections, is_crawled, opened
from focused.collection.desk import Desk
from focused.collection.store import Store
from focused.desk.dashboard.figures import Figures, Numbers, runs_of
from focused.desk.dashboard.finding import LiveSearch
from focused.desk.dashboard.found_hits import Hits
from focused.desk.dashboard.launcher import Launcher, SeedFindings
from focused.desk.dashboard.long_tables import Source, WaitingUrls
from focused.desk.dashboard.neighbours import LinkColumns
from focused.desk.judging.audit import harvest_in_short
from focused.desk.mapping.making import MapMaker
from focused.desk.sites import Sites, sites_of
from focused.exceptions import StorageError
from focused.explain.strangers import Stranger
from focused.inspection.collection_report import Brought
from focused.topic.plain_files import at_home
from focused.topic.topic import TOPIC_NAME

T = TypeVar("T")
MOST_OFTEN = 10.0  #: seconds between two ratings of a crawl that is running


class Remembered(Generic[T]):
    """One value. Safe to be asked by several threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._known: tuple[object, T] | None = None  # what it is made of, and the value

    def of(self, made_of: object, make: Callable[[], T]) -> T:
        """The value, made anew where it is made of something else than last time."""
        with self._lock:
            if self._known is None or self._known[0] != made_of:
                self._known = made_of, make()
            return self._known[1]


@dataclass
class Shown:
    """One collection.

    name : in the address of its pages
    """

    name: str
    folder: Path

    def __post_init__(self) -> None:
        self.figures = Figures()
        self.finding = LiveSearch(self.folder)
        self.links = LinkColumns(self.folder)
        self.hits = Hits(self.folder, self.links)
        self.brought = Remembered[list[Brought]]()
        self.strangers = Remembered[list[Stranger]]()
        self.reasons = defaultdict[Source, Remembered[Counter[str]]](Remembered)
        self.waiting = WaitingUrls(self.folder)
        self.maps = MapMaker(self.folder)
        self._judged, self._sites = Remembered[str | None](), Remembered[Sites]()

    @property
    def desk(self) -> Desk:
        """What people say of it and ask of its crawl."""
        return Desk(self.folder)

    def store(self) -> AbstractContextManager[Store]:
        """Its database as it is at this moment, closed at the end: a transaction held open would let the log grow.

        Raises StorageError.
        """
        return opened(self.folder, may_copy=False)  # a copy a request would take all memory

    def numbers(self) -> Numbers:
        with self.store() as store:
            return self.figures.numbers(store)

    @property
    def is_running(self) -> bool:
        return is_crawled(self.folder)

    def judged_harvest(self, store: Store, pages: int) -> str | None:
        """As a store says it that has so many pages; None where nothing can be told."""
        try:
            sheet = (self.folder / AUDIT).stat()
        except OSError:  # nothing was drawn
            return None
        made_of = (runs_of(store), pages, self.desk.stamp(), sheet.st_mtime_ns, sheet.st_size)
        return self._judged.of(made_of, lambda: harvest_in_short(store))

    def sites(self, store: Store) -> Sites:
        """As of this moment; of a crawl that runs, as of a few seconds ago. Raises StorageError."""
        moment = int(time.monotonic() / MOST_OFTEN) if self.is_running else store.committed
        return self._sites.of((runs_of(store), moment), lambda: sites_of(self.folder, lambda *_: None))


class Served:
    """What one dashboard serves.

    Parameters
    ----------
    data : folder of all collections
    given : names or folders a person gave; none: all collections of the data folder, also those that come later
    launcher : starts crawls; None where that is not allowed

    Attributes
    ----------
    token : to be sent with every change, so that no other page of the browser can make one
    seeds : searches for seeds
    """

    def __init__(self, data: Path, given: Sequence[str] = (), launcher: Launcher | None = None) -> None:
        self.data, self.launcher = data, launcher
        self.seeds = SeedFindings(launcher.settings if launcher else ())
        self.token = secrets.token_urlsafe(24)
        self._shown: dict[str, Shown] = {}
        self._given = bool(given)
        for one in given:
            self._add(_folder_of(data, one))

    def names(self) -> list[str]:
        """Of all collections, in alphabetical order."""
        if not self._given:
            for name in collections(self.data):
                if name not in self._shown and TOPIC_NAME.fullmatch(name):
                    self._shown[name] = Shown(name, self.data / name)
        return sorted(name for name, shown in self._shown.items() if (shown.folder / DATABASE).is_file())

    def find(self, name: str) -> Shown | None:
        return self._shown.get(name) if name in self.names() else None

    def forget(self, name: str) -> None:
        """Keep nothing in memory of a collection that is gone."""
        self._shown.pop(name, None)

    def _add(self, folder: Path) -> None:
        name, number = folder.name, 1
        while name in self._shown:  # another person's folder may have the same name
            number += 1
            name = f"{folder.name}-{number}"
        self._shown[name] = Shown(name, folder)


def _folder_of(data: Path, given: str) -> Path:
    """The folder of a collection by its name or path; StorageError where there is none."""
    places = [data / given, at_home(given)]
    for place in places:
        with suppress(OSError):  # such as a name that is too long
            if (place / DATABASE).is_file():
                return place.absolute()
    raise StorageError(
        f"{given}: no such collection (looked for {DATABASE} in {' and '.join(map(str, dict.fromkeys(places)))}); "
        f"`scrapy crawl topical -a topic={Path(given).name}` makes one"
    )

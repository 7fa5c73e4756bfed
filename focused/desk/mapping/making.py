"""Draws the maps of one collection in the background, a thread at most, and says how far it is."""

from __future__ import annotations

import logging
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from focused.desk.mapping.link_maps import HostMap, LinkTree, draw_host_map, draw_link_tree
from focused.desk.mapping.page_map import PageMap, draw_page_map, kept_page_map
from focused.desk.mapping.page_reading import TellStage
from focused.exceptions import FocusedError, needs_extra

logger = logging.getLogger(__name__)

DrawnMap = PageMap | HostMap | LinkTree
MapKind = Literal["pages", "hosts", "domains", "tree"]
KINDS: tuple[MapKind, ...] = ("pages", "hosts", "domains", "tree")
GROWN, GROWN_PAGES = 0.05, 20  #: a map of a running crawl is drawn again when it has so many more pages


@dataclass(slots=True)
class Making:
    """How far one map is.

    doing : in words; empty: nothing is done now
    done, total : of what is done; 0 of 0: nobody can tell
    trouble : why it could not be drawn; empty: it could
    version : grows with each map that is ready
    pages : of the collection, when it was asked for last
    """

    doing: str = ""
    done: int = 0
    total: int = 0
    trouble: str = ""
    version: int = 0
    pages: int = -1
    drawn: DrawnMap | None = None


@dataclass
class MapMaker:
    """The maps of the collection in a folder. Safe to be asked by several threads."""

    folder: Path
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _maps: dict[MapKind, Making] = field(default_factory=lambda: {kind: Making() for kind in KINDS})
    _wanted: list[MapKind] = field(default_factory=list)
    _works: bool = False
    _mark: str = ""

    def ask(self, kind: MapKind, pages: int, *, mark: str, running: bool) -> Making:
        """How far a map is; one that is out of date is begun.

        pages : of the collection now
        mark : of the collection, see `mark_of`: the maps of another one that lay in the folder are forgotten
        running : whether it is being crawled, so that each page need not give a new map
        """
        with self._lock:
            if mark != self._mark:
                self._mark = mark
                self._maps = {kind: Making() for kind in KINDS}
            making = self._maps[kind]
            more = abs(pages - making.pages)
            least = max(0 if kind == "tree" else GROWN_PAGES, GROWN * making.pages)  # a tree is drawn in no time
            due = more > (least if running and making.drawn is not None else 0)
            if (making.pages < 0 or due) and kind not in self._wanted:
                making.pages, making.doing, making.trouble = pages, "waiting", ""
                self._wanted.append(kind)
                if not self._works:
                    self._works = True
                    threading.Thread(target=self._work, name=f"map of {self.folder.name}", daemon=True).start()
            return making

    def pages(self) -> PageMap | None:
        """The map of pages that was drawn last."""
        drawn = self._maps["pages"].drawn
        return drawn if isinstance(drawn, PageMap) else None

    def _work(self) -> None:
        while True:
            with self._lock:
                if not self._wanted:
                    self._works = False
                    return
                kind = self._wanted[0]
            making = self._maps[kind]

            def tell(doing: str, done: int, total: int, making: Making = making) -> None:
                making.doing, making.done, making.total = doing, done, total

            try:
                for drawn in drawings(kind, self.folder, tell, first=making.drawn is None):
                    with self._lock:
                        making.drawn, making.version = drawn, making.version + 1
            except FocusedError as error:
                making.trouble = str(error)
            except Exception:  # a thread that dies says nothing to the person who waits
                logger.exception("the map of %s failed", self.folder)
                making.trouble = "the map could not be drawn; the log of the dashboard says why"
            with self._lock:
                self._wanted.remove(kind)
                making.doing = ""


def drawings(kind: MapKind, folder: Path, tell: TellStage, *, first: bool = True) -> Iterator[DrawnMap]:
    """Yield the map that lies beside the collection, for a person to look at meanwhile, and then the one of now.

    first : whether nobody has seen the one that lies there
    Raises StorageError.
    """
    if kind == "tree":
        yield draw_link_tree(folder)
        return
    with needs_extra("dashboard", "a map"):
        import sklearn  # noqa: F401
    if kind != "pages":
        yield draw_host_map(folder, tell, by_domain=kind == "domains")
        return
    kept = kept_page_map(folder) if first else None
    if kept is not None:
        yield kept
    if kept is None or kept.missing:
        yield draw_page_map(folder, tell)

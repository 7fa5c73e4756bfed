"""What the laboratory's webs are called: data sets by their path, and a generated web by its name."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from focused.simulation.known_webs import KindOfWeb
from focused.simulation.recorded_web import RecordedWeb
from lab.webs.cora import CITES, CONTENT, Cora
from lab.webs.data_set import ARCHIVES, holds
from lab.webs.traps import OPTIONS, PREFIX, TrapWeb, trap_options
from lab.webs.webkb import CATEGORIES, WebKB
from lab.webs.wikispeedia import LAYOUTS, TABLES, TEXTS, Wikispeedia


class KindOfTraps(KindOfWeb):
    """A web that is made up as one asks for it; its options stand behind a colon."""

    called = "'traps:seed=N,...'"
    options = OPTIONS
    generated = True
    cached = False

    def is_called(self, name: str) -> bool:
        return name.partition(":")[0] == PREFIX

    def open(self, name: str, options: Mapping[str, str], *, fold_index: bool) -> RecordedWeb:
        return TrapWeb(trap_options(options))


class KindOfWikispeedia(KindOfWeb):
    called = "Wikispeedia"
    options = ("layout",)

    def is_called(self, name: str) -> bool:
        return data_set_kind(Path(name)) == "wikispeedia"

    def open(self, name: str, options: Mapping[str, str], *, fold_index: bool) -> RecordedWeb:
        return Wikispeedia(Path(name), options.get("layout", LAYOUTS[0]))


class KindOfCora(KindOfWeb):
    called = "Cora"

    def is_called(self, name: str) -> bool:
        return data_set_kind(Path(name)) == "cora"

    def open(self, name: str, options: Mapping[str, str], *, fold_index: bool) -> RecordedWeb:
        return Cora(Path(name))


class KindOfWebKB(KindOfWeb):
    called = "WebKB"
    options = ("university",)
    folds_index = True

    def is_called(self, name: str) -> bool:
        return data_set_kind(Path(name)) == "webkb"

    def open(self, name: str, options: Mapping[str, str], *, fold_index: bool) -> RecordedWeb:
        return WebKB(Path(name), options.get("university"), fold_index)


KINDS = (KindOfTraps(), KindOfWikispeedia(), KindOfCora(), KindOfWebKB())


def data_set_kind(path: Path) -> str:
    """``wikispeedia``, ``cora`` or ``webkb``, which any other archive is taken for; empty if the path is no data set."""
    if not path.exists() or not (path.is_dir() or path.name.endswith(ARCHIVES)):
        return ""
    if holds(path, TEXTS, *TABLES):
        return "wikispeedia"
    if holds(path, CONTENT, CITES):
        return "cora"
    return "webkb" if path.is_file() or holds(path, *CATEGORIES) else ""

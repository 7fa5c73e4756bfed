"""Opens a recorded web by what a person calls it: ``demo``, ``synthetic``, the path of a data set, or paths of WARC files."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from focused.errors import WebError
from focused.webs.data_set import ARCHIVES, holds
from focused.webs.demo import DemoWeb
from focused.webs.synthetic import SyntheticWeb, is_synthetic, synthetic_options
from focused.webs.warc import SUFFIXES, WarcWeb
from focused.webs.web import RecordedWeb
from focused.webs.webkb import CATEGORIES, WebKB
from focused.webs.wikispeedia import LAYOUTS, TABLES, TEXTS, Wikispeedia


def open_web(
    names: Sequence[str],
    university: str | None = None,
    fold_index: bool | None = None,
    layout: str | None = None,
    cache: Path | None = None,
) -> RecordedWeb:
    """Open one recorded web.

    Parameters
    ----------
    names : ``demo``; ``synthetic:pages=N,...`` (see `SyntheticOptions`); a folder or tar archive of WebKB or Wikispeedia; or WARC
        files and folders of them
    university : only for WebKB: hide the others
    fold_index : ``/index.html`` is ``/``; by default so for WebKB and not for WARC files
    layout : only for Wikispeedia: the hosts, one of `wikispeedia.LAYOUTS`
    cache : folder that keeps the index of WARC files, which open faster from then on

    Raises WebError if a path is missing or holds no recorded web.
    """
    kind = kind_of(names)
    if university and kind != "webkb":
        raise WebError(f"{names[0]}: a university can only be chosen in WebKB; leave --university out")
    if layout and kind != "wikispeedia":
        raise WebError(f"{names[0]}: a layout can only be chosen for Wikispeedia; leave --layout out")
    if fold_index is not None and kind in ("demo", "synthetic", "wikispeedia"):
        raise WebError(f"{names[0]}: this web has no index pages to fold; leave --fold-index out")
    if kind == "demo":
        return DemoWeb()
    if kind == "synthetic":
        return SyntheticWeb(synthetic_options(names[0]))
    if kind == "wikispeedia":
        return Wikispeedia(Path(names[0]), layout or LAYOUTS[0])
    if kind == "webkb":
        return WebKB(Path(names[0]), university, fold_index is not False)
    return WarcWeb([Path(name) for name in names], bool(fold_index), cache)


def is_generated(name: str) -> bool:
    """Whether a web of this name is made up by us: it lies in no file."""
    return name == "demo" or is_synthetic(name)


def kind_of(names: Sequence[str]) -> str:
    """``demo``, ``synthetic``, ``webkb``, ``wikispeedia`` or ``warc``; WebError if these names are none of a web."""
    if not names:
        raise WebError(
            "which web? Give 'demo', 'synthetic', a folder or tar archive of WebKB or Wikispeedia, or WARC files"
        )
    for name in names:
        path = Path(name)
        if (is_generated(name) or data_set_kind(path)) and len(names) > 1:
            raise WebError(f"{name} cannot be served with other webs; a command to run goes after --")
        if not is_generated(name) and not path.exists():
            raise WebError(
                f"{name}: no such file or folder ('demo' is the built-in web; a command to run goes after --)"
            )
        if path.is_file() and not name.endswith((*ARCHIVES, *SUFFIXES)):
            raise WebError(
                f"{name}: neither a tar archive of a data set nor a WARC file ({', '.join((*ARCHIVES, *SUFFIXES))})"
            )
    if is_generated(names[0]):
        return "demo" if names[0] == "demo" else "synthetic"
    return data_set_kind(Path(names[0])) or "warc"


def data_set_kind(path: Path) -> str:
    """``wikispeedia`` or ``webkb``, which any other archive is taken for; empty if the path is no data set."""
    if not (path.is_dir() or path.name.endswith(ARCHIVES)):
        return ""
    if holds(path, TEXTS, *TABLES):
        return "wikispeedia"
    return "webkb" if path.is_file() or holds(path, *CATEGORIES) else ""

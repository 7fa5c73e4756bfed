"""Opens a recorded web by what a person calls it: ``demo``, the path of a WebKB data set, or paths of WARC files."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from focused.errors import WebError
from focused.webs.demo import DemoWeb
from focused.webs.warc import SUFFIXES, WarcWeb
from focused.webs.web import RecordedWeb
from focused.webs.webkb import CATEGORIES, WebKB

ARCHIVES = (".tar", ".tar.gz", ".tgz", ".tar.xz")


def open_web(names: Sequence[str], university: str | None = None, fold_index: bool | None = None) -> RecordedWeb:
    """Open one recorded web.

    Parameters
    ----------
    names : ``demo``; a folder or tar archive of WebKB; or WARC files and folders of them
    university : only for WebKB: hide the others
    fold_index : ``/index.html`` is ``/``; by default so for WebKB and not for WARC files

    Raises WebError if a path is missing or holds no recorded web.
    """
    kind = _kind(names)
    if university and kind != "webkb":
        raise WebError(f"{names[0]}: a university can only be chosen in WebKB; leave --university out")
    if kind == "demo":
        if fold_index is not None:
            raise WebError("demo: the demo web has no index pages to fold; leave --fold-index out")
        return DemoWeb()
    if kind == "webkb":
        return WebKB(Path(names[0]), university, fold_index is not False)
    return WarcWeb([Path(name) for name in names], bool(fold_index))


def _kind(names: Sequence[str]) -> str:
    if not names:
        raise WebError("which web? Give 'demo', a WebKB folder or tar archive, or WARC files")
    for name in names:
        path = Path(name)
        if (name == "demo" or _is_webkb(path)) and len(names) > 1:
            raise WebError(f"{name} cannot be served with other webs; a command to run goes after --")
        if name != "demo" and not path.exists():
            raise WebError(
                f"{name}: no such file or folder ('demo' is the built-in web; a command to run goes after --)"
            )
        if path.is_file() and not name.endswith((*ARCHIVES, *SUFFIXES)):
            raise WebError(
                f"{name}: neither a tar archive of WebKB nor a WARC file ({', '.join((*ARCHIVES, *SUFFIXES))})"
            )
    if names[0] == "demo":
        return "demo"
    return "webkb" if _is_webkb(Path(names[0])) else "warc"


def _is_webkb(path: Path) -> bool:
    if path.is_dir():
        return any((folder / category).is_dir() for folder in (path, path / "webkb") for category in CATEGORIES)
    return path.name.endswith(ARCHIVES)

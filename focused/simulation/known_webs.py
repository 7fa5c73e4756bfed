"""Recorded webs by what a person calls them: ``demo``, WARC files, and whatever kinds `make_known` has added.

A name may say more of the web behind a colon, as in ``webkb.tar.xz:university=cornell``.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import ClassVar

from focused.exceptions import WebError
from focused.simulation.demo_web import DemoWeb
from focused.simulation.recorded_web import RecordedWeb
from focused.simulation.warc_web import SUFFIXES, WarcWeb
from focused.topic.mistakes import unknown

_WITH_OPTIONS = re.compile(r"(?P<name>.+?):(?P<options>\w+=[^,]*(?:,\w+=[^,]*)*)")


class KindOfWeb(ABC):
    """One kind of recorded web, such as a data set. It takes a single name; only WARC files may be several."""

    called: ClassVar[str]  #: how a person calls one, for messages
    options: ClassVar[tuple[str, ...]] = ()  #: that may stand behind its name; the kind itself checks their values
    generated: ClassVar[bool] = False  #: it lies in no file
    #: whether ``/index.html`` is ``/`` by default; None: it has no such pages
    folds_index: ClassVar[bool | None] = None
    cached: ClassVar[bool] = True  #: what was read of its pages is kept on disk; False for one too large for that

    @abstractmethod
    def is_called(self, name: str) -> bool:
        """Whether a person means a web of this kind by this name, options aside."""

    @abstractmethod
    def open(self, name: str, options: Mapping[str, str], *, fold_index: bool) -> RecordedWeb:
        """The web itself. Raises WebError."""


class _Demo(KindOfWeb):
    called = "'demo'"
    generated = True

    def is_called(self, name: str) -> bool:
        return name == "demo"

    def open(self, name: str, options: Mapping[str, str], *, fold_index: bool) -> RecordedWeb:
        return DemoWeb()


_kinds: list[KindOfWeb] = [_Demo()]


def make_known(*kinds: KindOfWeb) -> None:
    """Add kinds of webs, which are asked in this order."""
    _kinds.extend(kinds)


@dataclass(frozen=True)
class WebName:
    """A recorded web that is there, but not opened yet.

    kind : None for WARC files
    names : the one name of any other web, without its options
    """

    kind: KindOfWeb | None
    names: tuple[str, ...]
    options: Mapping[str, str]

    @property
    def files(self) -> list[Path]:
        """What it lies in."""
        return [] if self.kind and self.kind.generated else [Path(name) for name in self.names]

    @property
    def cached(self) -> bool:
        return self.kind is None or self.kind.cached

    @property
    def has_index_pages(self) -> bool:
        """Whether it matters to it that a topic folds index pages."""
        return self.kind is None or self.kind.folds_index is not None

    def part(self, options: Mapping[str, str]) -> WebName:
        """The same web with further options. Raises WebError for one that this kind does not take."""
        known = self.kind.options if self.kind else ()
        for option in options:
            if option not in known:
                raise WebError(f"{self.names[0]}: option {option}: {unknown(option, known, plural='options')}")
        return replace(self, options={**self.options, **options})

    def open(self, fold_index: bool | None = None, cache: Path | None = None) -> RecordedWeb:
        """The web.

        fold_index : ``/index.html`` is ``/``; None: as is usual for this kind
        cache : folder that keeps the index of WARC files, which open faster from then on

        Raises WebError if it cannot be read.
        """
        if self.kind is None:
            return WarcWeb([Path(name) for name in self.names], bool(fold_index), cache)
        if fold_index is not None and not self.has_index_pages:
            raise WebError(f"{self.names[0]}: this web has no index pages to fold; leave --fold-index out")
        folds = bool(self.kind.folds_index) if fold_index is None else fold_index
        return self.kind.open(self.names[0], self.options, fold_index=folds)


def web_called(names: Sequence[str]) -> WebName:
    """The web that a person means. Raises WebError if there is none of these names."""
    if not names:
        raise WebError(f"which web? Give {_all_kinds()}")
    kind, name, options = _one(names[0])
    if any(_one(other)[0] for other in names) and len(names) > 1:
        raise WebError(f"{name} cannot be served with other webs; a command to run goes after --")
    for path in map(Path, (name,) if kind else names):
        if not (kind and kind.generated) and not path.exists():
            raise WebError(
                f"{path}: no such file or folder ('demo' is the built-in web; a command to run goes after --)"
            )
        if kind is None and path.is_file() and not path.name.endswith(SUFFIXES):
            raise WebError(f"{path}: no recorded web; needed: {_all_kinds()}")
    return WebName(kind, (name,) if kind else tuple(names), {}).part(options)


def open_web(names: Sequence[str], fold_index: bool | None = None, cache: Path | None = None) -> RecordedWeb:
    """Open the web that a person means; parameters and errors are those of `WebName.open`."""
    return web_called(names).open(fold_index, cache)


def is_generated(name: str) -> bool:
    """Whether a web of this name lies in no file."""
    kind, _, _ = _one(name)
    return kind is not None and kind.generated


def _all_kinds() -> str:
    return f"{', '.join(kind.called for kind in _kinds)} or WARC files ({', '.join(SUFFIXES)}) and folders of them"


def _one(text: str) -> tuple[KindOfWeb | None, str, dict[str, str]]:
    """The kind that one name means, the name without options, and these; no kind for WARC files and for nothing."""
    name, options = text, {}
    if not Path(text).exists() and (found := _WITH_OPTIONS.fullmatch(text)):
        name = found["name"]
        options = dict(option.split("=", 1) for option in found["options"].split(","))
    kind = next((kind for kind in _kinds if kind.is_called(name)), None)
    return (kind, name, options) if kind else (None, text, {})

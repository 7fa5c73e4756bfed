"""The folder of a portal: a file is written only where it changes, and deleted where nothing makes it any more."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from focused.exceptions import ExportError
from focused.export.targets import errors_told
from focused.topic.plain_files import shown_path

MARK = ".portal.json"  #: tells the folder of a portal from any other
#: Folders of ours, and what files in them are called: nothing else is ever deleted.
OURS = {
    "p": re.compile(r"[0-9a-f]{16}\.html"),
    "c": re.compile(r"[a-z0-9-]+(\.\d+)?\.(html|xml)"),
    "s": re.compile(r"([wt]\d+|about)\.js"),
}
UNFINISHED = ".unfinished"


@dataclass
class SiteFolder:
    """The site of one collection. Files of other people in it stay: ``CNAME``, ``.nojekyll``, ``robots.txt``.

    Raises ExportError where the folder is not one that a portal of this collection may use, or cannot be written.
    """

    path: Path
    collection: str
    written: int = 0
    deleted: int = 0
    size: int = 0  #: bytes of all files
    _made: set[str] = field(default_factory=set)

    def begin(self) -> None:
        """Take the folder, which may be there already."""
        with errors_told(self.path):
            if self.path.exists() and not self.path.is_dir():
                raise ExportError(f"{shown_path(self.path)}: is a file: name a folder")
            mark = self.path / MARK
            if mark.is_file():
                self._check(mark)
            elif self.path.is_dir() and any(self.path.iterdir()):
                raise ExportError(
                    f"{shown_path(self.path)}: has files that are not of a portal: name a new or an empty folder"
                )
            for name in ("", *OURS):
                (self.path / name).mkdir(parents=True, exist_ok=True)
            self.write(MARK, (json.dumps({"portal of": self.collection}) + "\n").encode())

    def write(self, name: str, content: bytes) -> None:
        """Give a file its content. Whoever reads it meanwhile sees the old or the new one, never half of it."""
        path = self.path / name
        self._made.add(name)
        self.size += len(content)
        with errors_told(path):
            with suppress(FileNotFoundError):
                if path.read_bytes() == content:
                    return
            temporary = path.with_name(f"{path.name}{UNFINISHED}")
            try:
                temporary.write_bytes(content)
                temporary.replace(path)
            except BaseException:
                with suppress(OSError):
                    temporary.unlink(missing_ok=True)
                raise
        self.written += 1

    def end(self) -> None:
        """Delete files of ours that were not made this time."""
        with errors_told(self.path):
            for path in self._old():
                path.unlink()
                self.deleted += not path.name.endswith(UNFINISHED)

    def _old(self) -> Iterator[Path]:
        for folder, ours in OURS.items():
            with os.scandir(self.path / folder) as found:
                for one in list(found):
                    name = one.name.removesuffix(UNFINISHED)
                    if ours.fullmatch(name) and f"{folder}/{one.name}" not in self._made:
                        yield Path(one.path)

    def _check(self, mark: Path) -> None:
        try:
            of = json.loads(mark.read_bytes()).get("portal of")
        except (ValueError, AttributeError, RecursionError):
            raise ExportError(f"{shown_path(mark)}: is not what a portal wrote: delete it and the folder") from None
        if of != self.collection:
            raise ExportError(
                f"{shown_path(self.path)}: is the portal of another collection ({of!s:.100}): name another folder"
            )

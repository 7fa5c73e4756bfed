"""A folder of Markdown files, one a page in a folder for each host, with the other fields as front matter (YAML)."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any, ClassVar
from urllib.parse import unquote

from focused.export.formats.writer import FolderWriter, Order
from focused.export.row import Found, values_of
from focused.page.page_text import Form
from focused.page.plain_text import printable

LONGEST = 100  #: bytes of the names of folders, and of what a URL gives to the name of a file
_URL = re.compile(r"\w+://([^/?#]*)([^?#]*)")  #: host and port, path
_STRANGE = re.compile(r"[^\w.-]+|\.{2,}")  #: what no name holds, on any system


class MarkdownFolder(FolderWriter):
    endings: ClassVar[tuple[str, ...]] = ("/",)
    needs_text: ClassVar[bool] = True
    text: ClassVar[Form] = "markdown"

    def __init__(self, folder: Path, order: Order) -> None:
        self._folder = folder
        self._names = tuple(name for name in order.fields if name != "text") or ("final_url",)
        self._values = values_of(self._names)
        folder.mkdir()

    def write(self, page: Found) -> None:
        host, name = place_of(page.final_url, page.seq)
        folder = self._folder / host
        folder.mkdir(exist_ok=True)
        front = "".join(
            f"{name}: {_yaml(value)}\n" for name, value in zip(self._names, self._values(page), strict=True)
        )
        text = f"---\n{front}---\n\n{page.text or ''}\n"
        with (folder / name).open("x", encoding="utf-8", newline="\n") as file:
            file.write(text)

    def close(self) -> None:
        """Each file was closed."""


def place_of(url: str, seq: int) -> tuple[str, str]:
    """Folder and name of the file of a page, whatever its URL is; no other page of the collection has the same.

    seq : number of its event, which tells it from all others
    """
    found = _URL.match(url)
    host, path = map(_plain_name, (found[1], unquote(found[2])) if found else ("", ""))
    return host or "host", f"{path or 'index'}-{seq}.md"


def _plain_name(text: str) -> str:
    """A text as a name, or as a part of one: letters, digits, ``_``, ``-`` and dots, which are neither first nor last."""
    name = _STRANGE.sub("-", text[:1000].lower())
    return name.encode()[:LONGEST].decode("utf-8", "ignore").strip(".-")


def _yaml(value: Any) -> str:
    """A value as YAML: JSON is a part of it, but for characters that YAML does not take."""
    if isinstance(value, str):
        value = printable(value)
    return json.dumps(value, ensure_ascii=False)

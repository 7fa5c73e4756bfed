"""A folder of pages with one subfolder for each class; nested folders are a taxonomy."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

from focused.exceptions import TrainingError
from focused.page.page import Page
from focused.page.reader import Reader
from focused.papers.training.examples import Document

PLACE = "http://folder.invalid/"
SUFFIXES = (".html", ".htm", ".txt")


def folder_documents(folder: Path, reader: Reader) -> Iterator[Document]:
    """The .html, .htm and .txt files below a folder, each of the class that its folders name: ``science/physics/1.html``.

    Raises TrainingError if there is no such folder, or no page in a subfolder of it, or one cannot be read.
    """
    if not folder.is_dir():
        raise TrainingError(f"{folder}: no such folder")
    files = sorted(path for path in folder.rglob("*") if path.suffix.lower() in SUFFIXES and path.is_file())
    classed = [path for path in files if path.parent != folder]
    if not classed:
        raise TrainingError(
            f"{folder}: no {', '.join(SUFFIXES)} file in a subfolder; make one subfolder for each class"
        )
    for path in classed:
        name = path.relative_to(folder)
        try:
            body = path.read_bytes()
        except OSError as error:
            raise TrainingError(f"{path}: cannot be read: {error.strerror}") from None
        page = reader.read(PLACE + quote(name.as_posix()), body, "text/plain" if path.suffix.lower() == ".txt" else "")
        if isinstance(page, Page):
            yield Document(page, name.parent.parts)

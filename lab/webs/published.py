"""Data sets that others publish: where to fetch them, and whether a copy holds what our results were measured on.

A copy is known by its content and not by its packing: folder, archive or several archives of the same files are equal.
"""

from __future__ import annotations

import hashlib
import tomllib
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path

from focused.exceptions import WebError
from focused.topic.mistakes import unknown
from lab.webs import webkb, wikispeedia


@dataclass(slots=True, frozen=True)
class Content:
    """What a data set holds: files, and SHA-256 over their names, sorted, each followed by the SHA-256 of its bytes."""

    files: int
    sha256: str


@dataclass(slots=True, frozen=True)
class PublishedDataSet:
    """One data set.

    page : URL for a person
    urls : of the archives that together make the data set
    content : that of the copy that our results were measured on
    """

    name: str
    title: str
    page: str
    urls: tuple[str, ...]
    content: Content


#: How the files of a data set are read, by its name.
PARTS: dict[str, Callable[[Path], dict[str, bytes]]] = {"webkb": webkb.parts, "wikispeedia": wikispeedia.parts}


@cache
def published() -> dict[str, PublishedDataSet]:
    """All data sets by name, from ``published.toml``."""
    tables = tomllib.loads((files("lab.webs") / "published.toml").read_text(encoding="utf-8"))
    return {
        name: PublishedDataSet(
            name, table["title"], table["page"], tuple(table["urls"]), Content(table["files"], table["sha256"])
        )
        for name, table in tables.items()
    }


def published_data_set(name: str) -> PublishedDataSet:
    """The data set of that name; WebError for any other."""
    found = published().get(name)
    if found is None:
        raise WebError(f"{name}: {unknown(name, published(), plural='data sets')}")
    return found


def parts(name: str, path: Path) -> dict[str, bytes]:
    """The files of a data set by their names inside it, sorted. All are in memory: 45 to 95 MB for a whole one.

    Raises WebError if the path is missing, cannot be read, is not a whole archive or holds no such data set.
    """
    return PARTS[name](path)


def content_of(files: dict[str, bytes]) -> Content:
    """What distinguishes these files, sorted by name, from others."""
    digest = hashlib.sha256()
    for name, data in files.items():
        digest.update(f"{name}\0{hashlib.sha256(data).hexdigest()}\n".encode())
    return Content(len(files), digest.hexdigest())


def difference(found: Content, expected: Content) -> str:
    """What a person is told of a copy that is not as published; empty if it is."""
    if found.files != expected.files:
        return f"holds {found.files:,} files of the data set and not {expected.files:,}"
    return "" if found == expected else f"some of its {found.files:,} files differ (SHA-256 {found.sha256})"

"""The kinds of page repository, by the names that a topic gives them."""

from __future__ import annotations

from pathlib import Path

from focused.collection.files import FilesRepository
from focused.collection.repository import PageRepository
from focused.collection.warc import WarcRepository
from focused.exceptions import StorageError


def open_repository(kind: str, folder: Path, *, user_agent: str = "", operator: str = "") -> PageRepository:
    """The repository of a ``kind``, ``"warc"`` or ``"files"``, in ``folder``, which is created when missing.

    ``user_agent`` and ``operator`` (who crawls, and how to reach them) are noted in WARC files.
    """
    match kind:
        case "warc":
            return WarcRepository(folder, user_agent=user_agent, operator=operator)
        case "files":
            return FilesRepository(folder)
    raise StorageError(f"page repository {kind!r} is unknown: choose 'warc' or 'files'")

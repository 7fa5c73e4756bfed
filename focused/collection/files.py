"""The page repository as one file a page, named by the MD5 of its URL ("Crawling the Web", Pant et al. 2004, 2.2)."""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path

from focused.collection.repository import (
    DISCONNECT,
    PageRepository,
    Place,
    Stored,
    checked_url,
    storage_errors,
    sync_folder,
    way_out,
)
from focused.exceptions import StorageError
from focused.topic.plain_files import replace_file

_OUR_NAME = re.compile(r"(?P<page>([0-9a-f]{2})/\2[0-9a-f]{30})(\.json)?(?P<temporary>(\.\d+)?\.tmp)?")


class FilesRepository(PageRepository):
    """A page is ``16/160766577426e1d01fcb7735091ec584``: exactly the bytes of its body, which a browser opens.

    URL, status, headers and time of fetching stand beside it, in a file of the same name with ``.json``. The first two
    digits name a folder, so that each folder holds a 256th of the files. A page put again replaces the one put before.
    """

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self._unsynced: set[Path] = set()  # pages that are not yet on the disk for sure
        with storage_errors(folder, "create the folder of pages"):
            folder.mkdir(parents=True, exist_ok=True)

    def put(self, page: Stored, fetched_at: datetime) -> Place:
        digest = hashlib.md5(checked_url(page.url).encode(), usedforsecurity=False).hexdigest()
        path = self.folder / digest[:2] / digest
        kept = page.normalized()
        about = {
            "url": kept.url,
            "status": kept.status,
            "headers": kept.headers,
            "fetched_at": fetched_at.astimezone(UTC).isoformat(),
            "sha256": _digest(kept.body),
            **({"truncated": kept.truncated} if kept.truncated else {}),
        }
        with storage_errors(path, "write a page"):
            path.parent.mkdir(exist_ok=True)
            replace_file(_about(path), json.dumps(about, indent=1).encode())
            replace_file(path, kept.body)
        self._unsynced.add(path)
        return Place(f"{digest[:2]}/{digest}", 0, len(kept.body))

    def get(self, place: Place) -> Stored:
        path = self.folder / place.file
        match = _OUR_NAME.fullmatch(place.file)
        if not match or match["page"] != place.file:
            raise StorageError(f"{path}: not the name of a page's file")
        with storage_errors(path, "read a page"):
            about, body = _about(path).read_bytes(), path.read_bytes()
        try:
            values = json.loads(about)
            if values.get("sha256", digest := _digest(body)) != digest:  # an older release wrote none
                raise StorageError(f"{path}: is not the page that was written; {way_out(self.folder)}")
            headers = tuple((str(name), str(value)) for name, value in values["headers"])
            said = values.get("truncated")
            truncated = DISCONNECT if said is True else str(said or "")  # true: an older release wrote it
            return Stored(str(values["url"]), int(values["status"]), headers, body, truncated)
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise StorageError(f"{_about(path)}: damaged ({error}): {way_out(self.folder)}") from error

    def flush(self) -> None:
        with storage_errors(self.folder, "bring pages to the disk"):
            for path in self._unsynced:
                _sync(path)
                _sync(_about(path))
            for folder in {path.parent for path in self._unsynced}:
                sync_folder(folder)
            if self._unsynced:
                sync_folder(self.folder)
        self._unsynced.clear()

    def truncate(self, end: Mapping[str, int]) -> None:
        self._unsynced.clear()
        with storage_errors(self.folder, "delete pages"):
            found = {path.relative_to(self.folder).as_posix() for path in self.folder.glob("??/*")}
            for name in end:
                if not {name, f"{name}.json"} <= found:
                    raise StorageError(f"{self.folder / name}: this page is missing: {way_out(self.folder)}")
            for name in found:
                if (match := _OUR_NAME.fullmatch(name)) and (match["temporary"] or match["page"] not in end):
                    (self.folder / name).unlink()

    def close(self) -> None:
        self.flush()


def _digest(body: bytes) -> str:
    return hashlib.sha256(body).hexdigest()


def _about(path: Path) -> Path:
    return path.with_name(path.name + ".json")


def _sync(path: Path) -> None:
    with path.open("rb") as file:
        os.fsync(file.fileno())

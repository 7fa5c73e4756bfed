"""The repository of one file a page: file names, what a browser opens, and what a crash may leave behind."""

import errno
import hashlib
import json
import os
from datetime import UTC, datetime
from pathlib import Path

import pytest

from focused.collection.files import FilesRepository
from focused.collection.repository import Place, Stored
from focused.exceptions import StorageError

NOON = datetime(2025, 11, 21, 12, 0, tzinfo=UTC)
IOWA = Stored("http://www.uiowa.edu/", 200, (("Content-Type", "text/html"),), b"<h1>Iowa</h1>")
IOWA_PLACE = Place("16/160766577426e1d01fcb7735091ec584", 0, len(IOWA.body))  # the example of "Crawling the Web", 2.2


def test_a_page_is_named_by_the_md5_of_its_url_and_holds_exactly_its_body(tmp_path: Path) -> None:
    repository = FilesRepository(tmp_path)
    assert repository.put(IOWA, NOON) == IOWA_PLACE
    assert (tmp_path / IOWA_PLACE.file).read_bytes() == IOWA.body


def test_what_is_known_about_a_page_stands_beside_it(tmp_path: Path) -> None:
    FilesRepository(tmp_path).put(IOWA, NOON)
    assert json.loads((tmp_path / f"{IOWA_PLACE.file}.json").read_text()) == {
        "url": "http://www.uiowa.edu/",
        "status": 200,
        "headers": [["Content-Type", "text/html"], ["Content-Length", "13"]],
        "fetched_at": "2025-11-21T12:00:00+00:00",
        "sha256": hashlib.sha256(IOWA.body).hexdigest(),
    }


def test_a_page_put_again_replaces_the_one_before(tmp_path: Path) -> None:
    repository = FilesRepository(tmp_path)
    repository.put(IOWA, NOON)
    newer = Stored(IOWA.url, 404, (), b"gone")
    assert repository.get(repository.put(newer, NOON)) == newer.normalized()


def test_half_written_files_of_a_crash_are_deleted(tmp_path: Path) -> None:
    repository = FilesRepository(tmp_path)
    place = repository.put(IOWA, NOON)
    for left in ("16/160766577426e1d01fcb7735091ec584.tmp", "16/160766577426e1d01fcb7735091ec585.json.tmp"):
        (tmp_path / left).write_bytes(b"half")
    repository.truncate({place.file: place.length})
    assert sorted(path.name for path in (tmp_path / "16").iterdir()) == [
        "160766577426e1d01fcb7735091ec584",
        "160766577426e1d01fcb7735091ec584.json",
    ]


def test_a_page_that_does_not_fit_on_the_disk_leaves_the_one_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    repository = FilesRepository(tmp_path)
    place = repository.put(IOWA, NOON)
    before = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}

    def full(path: Path, content: bytes) -> int:
        with path.open("wb") as file:
            file.write(content[:3])
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with monkeypatch.context() as disk:
        disk.setattr(Path, "write_bytes", full)
        with pytest.raises(
            StorageError, match=rf"{place.file}: cannot write a page: No space left on device; free some"
        ):
            repository.put(Stored(IOWA.url, 200, (), b"new"), NOON)
    assert {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()} == before


@pytest.mark.parametrize("about", ["", "[]", "{}", '{"url": "x", "status": "?", "headers": []}', '{"headers": 3}'])
def test_a_damaged_description_is_a_clear_error(about: str, tmp_path: Path) -> None:
    repository = FilesRepository(tmp_path)
    place = repository.put(IOWA, NOON)
    (tmp_path / f"{place.file}.json").write_text(about)
    with pytest.raises(StorageError, match=rf"{place.file}\.json: damaged"):
        repository.get(place)


def test_a_page_whose_bytes_are_others_by_now_is_a_clear_error(tmp_path: Path) -> None:
    repository = FilesRepository(tmp_path)
    place = repository.put(IOWA, NOON)
    (tmp_path / place.file).write_bytes(b"<h1>Ohio</h1>")
    with pytest.raises(StorageError, match=rf"{place.file}: is not the page that was written"):
        repository.get(place)


def test_a_page_of_an_older_release_has_no_digest_and_is_read(tmp_path: Path) -> None:
    repository = FilesRepository(tmp_path)
    place = repository.put(IOWA, NOON)
    about = tmp_path / f"{place.file}.json"
    values = json.loads(about.read_text())
    del values["sha256"]
    about.write_text(json.dumps(values))
    assert repository.get(place) == IOWA.normalized()

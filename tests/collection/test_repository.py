"""Every page repository: what is put comes back, what was committed survives any crash, and errors name the file."""

import errno
import os
import shutil
import tempfile
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from focused.collection.collection import open_repository
from focused.collection.repository import PageRepository, Place, Stored
from focused.exceptions import StorageError

NOON = datetime(2025, 11, 21, 12, 0, tzinfo=UTC)
KINDS = ("warc", "files")

names = st.sampled_from(
    ["Content-Type", "content-encoding", "Content-Length", "Transfer-Encoding", "X-A", "Set-Cookie"]
)
headers = st.lists(st.tuples(names | st.text(max_size=8), st.text(max_size=30)), max_size=6).map(tuple)
urls = st.text("abcdefghij0123456789/?=%é", max_size=12).map("http://example.org/".__add__)
pages = st.builds(Stored, urls, st.integers(100, 999), headers, st.binary(max_size=3000))
collections = st.lists(pages, max_size=8, unique_by=lambda page: page.url)


@pytest.fixture(params=KINDS)
def repository(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[PageRepository]:
    repository = open_repository(request.param, tmp_path / "pages")
    yield repository
    repository.close()


def page(number: int, body: bytes = b"<p>hello</p>") -> Stored:
    return Stored(f"http://example.org/{number}", 200, (("Content-Type", "text/html"),), body)


def ends(places: list[Place]) -> dict[str, int]:
    """What the database would give to `truncate`: the committed end of every file."""
    end: dict[str, int] = {}
    for place in places:
        end[place.file] = max(end.get(place.file, 0), place.offset + place.length)
    return end


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize("kind", KINDS)
@given(collection=collections)
@settings(max_examples=2 * settings.default.max_examples)
def test_every_page_comes_back_with_headers_that_are_true_of_its_body(kind: str, collection: list[Stored]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        repository = open_repository(kind, Path(folder))
        places = [repository.put(page, NOON) for page in collection]
        assert [repository.get(place) for place in places] == [page.normalized() for page in collection]
        repository.close()
        reopened = open_repository(kind, Path(folder))
        assert [reopened.get(place) for place in places] == [page.normalized() for page in collection]


@given(pages)
def test_normalizing_changes_no_body_and_a_second_time_nothing(page: Stored) -> None:
    once = page.normalized()
    assert (once.url, once.status, once.body) == (page.url, page.status, page.body)
    assert once.normalized() == once
    assert [value for name, value in once.headers if name.lower() == "content-length"] == [str(len(page.body))]


def test_headers_that_describe_the_coded_body_are_kept_under_another_name() -> None:
    received = (
        ("Content-Encoding", "gzip"),
        ("Content-Length", "9"),
        ("Transfer-Encoding", "chunked"),
        ("Server", "x"),
    )
    assert Stored("http://example.org/", 200, received, b"decoded").normalized().headers == (
        ("X-Archive-Orig-Content-Encoding", "gzip"),
        ("X-Archive-Orig-Content-Length", "9"),
        ("X-Archive-Orig-Transfer-Encoding", "chunked"),
        ("Server", "x"),
        ("Content-Length", "7"),
    )


def test_a_header_cannot_break_out_of_its_line() -> None:
    received = (("X-Note", "a\r\nSet-Cookie: b"), ("bad name", "x"), ("X-City", "Zürich 100%"))
    assert Stored("http://example.org/", 200, received, b"").normalized().headers == (
        ("X-Note", "a Set-Cookie: b"),
        ("X-City", "Z%C3%BCrich 100%"),
        ("Content-Length", "0"),
    )


def test_a_large_body_comes_back_whole(repository: PageRepository) -> None:
    large = page(1, os.urandom(3_000_000))
    assert repository.get(repository.put(large, NOON)).body == large.body


@given(kind=st.sampled_from(KINDS), committed=collections.filter(bool), later=collections, cut=st.floats(0, 1))
def test_after_a_crash_at_any_byte_the_committed_pages_are_there_and_the_crawl_goes_on(
    kind: str, committed: list[Stored], later: list[Stored], cut: float
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        crashed = open_repository(kind, Path(folder))
        places = [crashed.put(page, NOON) for page in committed]
        crashed.flush()
        before = contents(Path(folder))
        known = {page.url for page in committed}
        for page_ in later:
            if page_.url not in known:
                crashed.put(page_, NOON)
        crashed.close()  # writes nothing more: it only spares this process the open file
        for name, content in contents(Path(folder)).items():  # what reached the disk of the files that grew
            least = len(before.get(name, b""))
            os.truncate(Path(folder, name), least + int(cut * (len(content) - least)))

        resumed = open_repository(kind, Path(folder))
        resumed.truncate(ends(places))
        assert contents(Path(folder)) == before
        new = Stored("http://example.org/NEW", 200, (), b"fetched after the crash")  # none of `urls`
        again = resumed.put(new, NOON)
        assert [resumed.get(place) for place in places] == [page.normalized() for page in committed]
        assert resumed.get(again) == new.normalized()
        resumed.close()


def test_truncating_to_nothing_deletes_every_page_and_no_other_file(repository: PageRepository) -> None:
    (repository.folder / "notes.txt").write_text("mine")
    for number in range(5):
        repository.put(page(number), NOON)
    repository.truncate({})
    assert contents(repository.folder) == {"notes.txt": b"mine"}


def test_a_committed_file_that_is_missing_is_an_error_and_nothing_is_changed(repository: PageRepository) -> None:
    places = [repository.put(page(number), NOON) for number in range(3)]
    before = contents(repository.folder)
    for missing in ("pages-00002.warc.gz", "00/00000000000000000000000000000000"):
        with pytest.raises(StorageError, match="missing"):
            repository.truncate({places[0].file: 1, missing: 10})
        assert contents(repository.folder) == before


def test_times_of_any_zone_are_kept_as_utc(tmp_path: Path) -> None:
    east = NOON.astimezone(timezone(timedelta(hours=9)))
    repository = open_repository("files", tmp_path)
    place = repository.put(page(1), east)
    repository.close()
    assert '"2025-11-21T12:00:00+00:00"' in (tmp_path / f"{place.file}.json").read_text()


@pytest.mark.parametrize("url", ["", "ftp://example.org/", "http://example.org/a b", "http://example.org/\r\nX: y"])
def test_what_is_no_url_of_a_page_is_refused(repository: PageRepository, url: str) -> None:
    with pytest.raises(StorageError, match="not an http"):
        repository.put(Stored(url, 200, (), b""), NOON)
    assert contents(repository.folder) == {}


@pytest.mark.parametrize("file", ["../secret", "/etc/passwd", "pages-1.warc.gz", ""])
def test_a_place_outside_the_repository_is_refused(repository: PageRepository, file: str) -> None:
    with pytest.raises(StorageError, match="not the name"):
        repository.get(Place(file, 0, 10))


def test_a_page_whose_file_is_gone_is_a_clear_error(repository: PageRepository) -> None:
    place = repository.put(page(1), NOON)
    repository.flush()
    shutil.rmtree(repository.folder)
    with pytest.raises(StorageError, match=r"cannot read a page: No such file") as caught:
        repository.get(place)
    assert str(repository.folder) in str(caught.value)


def test_a_disk_that_fails_to_sync_is_a_clear_error(
    repository: PageRepository, monkeypatch: pytest.MonkeyPatch
) -> None:
    repository.put(page(1), NOON)

    def fsync(_: int) -> None:
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    with monkeypatch.context() as broken:
        broken.setattr(os, "fsync", fsync)
        with pytest.raises(StorageError, match="cannot bring pages to the disk: Input/output error"):
            repository.flush()


@pytest.mark.parametrize("kind", KINDS)
def test_a_folder_that_cannot_be_made_is_a_clear_error(kind: str, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(StorageError, match=r"/file/pages: cannot create the folder of pages: Not a directory"):
        open_repository(kind, tmp_path / "file" / "pages")


def test_an_unknown_kind_is_refused_with_the_known_ones(tmp_path: Path) -> None:
    with pytest.raises(StorageError, match="'tape' is unknown: choose 'warc' or 'files'"):
        open_repository("tape", tmp_path)

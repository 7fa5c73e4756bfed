"""The WARC repository: files that every WARC tool accepts, also after a crash, a full disk or a change of file."""

import errno
import gzip
import os
import tracemalloc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from io import BytesIO, FileIO
from pathlib import Path
from typing import Any

import pytest
from warcio.archiveiterator import ArchiveIterator
from warcio.cli import main as warcio

import focused
from focused.collection import warc
from focused.collection.repository import Place, Stored
from focused.collection.warc import WarcRepository, are_members
from focused.exceptions import StorageError

NOON = datetime(2025, 11, 21, 12, 0, 0, 123456, tzinfo=UTC)
FIRST = "pages-00001.warc.gz"


@pytest.fixture
def opened(tmp_path: Path) -> Iterator[Callable[..., WarcRepository]]:
    """Opens repositories in one folder, and closes them."""
    repositories = []

    def open_(**options: Any) -> WarcRepository:
        repositories.append(WarcRepository(tmp_path, **options))
        return repositories[-1]

    yield open_
    for repository in repositories:
        repository.close()


def page(number: int, size: int = 100) -> Stored:
    return Stored(f"http://example.org/{number}", 200, (("Content-Type", "text/html"),), os.urandom(size))


def records(path: Path) -> list[tuple[str, str | None]]:
    with path.open("rb") as file:
        return [(r.rec_type, r.rec_headers.get_header("WARC-Target-URI")) for r in ArchiveIterator(file)]


def check(*paths: Path) -> None:
    """Pass only when ``warcio check`` finds no fault: it says so with its exit status."""
    with pytest.raises(SystemExit) as ended:
        warcio(["check", *map(str, paths)])
    assert ended.value.code == 0


def end(place: Place) -> int:
    return place.offset + place.length


def test_a_file_starts_with_who_crawled_and_goes_on_with_one_response_a_page(
    opened: Callable[..., WarcRepository], tmp_path: Path
) -> None:
    repository = opened(user_agent="bot/1.0\r\nevil: x", operator="A. Person <a@example.org>")
    for number in range(3):
        repository.put(page(number), NOON)
    assert records(tmp_path / FIRST) == [
        ("warcinfo", None),
        *(("response", f"http://example.org/{number}") for number in range(3)),
    ]
    with (tmp_path / FIRST).open("rb") as file:
        about = next(iter(ArchiveIterator(file))).raw_stream.read().decode().splitlines()
    assert about[0].startswith(f"software: focused/{focused.__version__} Scrapy/")
    assert "http-header-user-agent: bot/1.0 evil: x" in about
    assert "operator: A. Person <a@example.org>" in about


def test_warcio_checks_and_indexes_the_files(
    opened: Callable[..., WarcRepository], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    repository = opened()
    place = repository.put(Stored("http://example.org/", 404, (("Content-Encoding", "br"),), b"gone"), NOON)
    check(tmp_path / FIRST)
    capsys.readouterr()
    warcio(["index", "-f", "offset,warc-type,warc-target-uri,http:status,warc-date", str(tmp_path / FIRST)])
    assert capsys.readouterr().out.splitlines()[1] == (
        f'{{"offset": "{place.offset}", "warc-type": "response", "warc-target-uri": "http://example.org/", '
        '"http:status": "404", "warc-date": "2025-11-21T12:00:00.123456Z"}'
    )


def test_a_file_that_reached_its_size_is_followed_by_the_next(
    opened: Callable[..., WarcRepository], tmp_path: Path
) -> None:
    repository = opened(max_bytes=3000)
    collection = [page(number, 1000) for number in range(8)]
    places = [repository.put(page, NOON) for page in collection]
    files = sorted(path.name for path in tmp_path.iterdir())
    assert files[:2] == [FIRST, "pages-00002.warc.gz"]
    assert {place.file for place in places} == set(files)
    assert [repository.get(place) for place in places] == [page.normalized() for page in collection]
    assert all(records(tmp_path / name)[0] == ("warcinfo", None) for name in files)
    check(*(tmp_path / name for name in files))


def test_truncate_deletes_files_begun_after_the_commit_and_continues_the_last_one(
    opened: Callable[..., WarcRepository], tmp_path: Path
) -> None:
    repository = opened(max_bytes=1)
    places = [repository.put(page(number), NOON) for number in range(4)]
    resumed = opened()
    resumed.truncate({place.file: end(place) for place in places[:2]})
    added = resumed.put(page(9), NOON)
    assert (added.file, added.offset) == (places[1].file, end(places[1]))
    assert sorted(path.name for path in tmp_path.iterdir()) == [places[0].file, places[1].file]
    check(tmp_path / added.file)


def test_without_truncate_what_is_there_is_not_touched(opened: Callable[..., WarcRepository], tmp_path: Path) -> None:
    (tmp_path / FIRST).write_bytes(b"half a rec")
    assert opened().put(page(1), NOON).file == "pages-00002.warc.gz"
    assert (tmp_path / FIRST).read_bytes() == b"half a rec"


def test_a_file_shorter_than_what_was_committed_is_an_error_and_nothing_is_changed(
    opened: Callable[..., WarcRepository], tmp_path: Path
) -> None:
    repository = opened(max_bytes=1)
    first, second = repository.put(page(1), NOON), repository.put(page(2), NOON)
    os.truncate(tmp_path / second.file, 100)
    sizes = {path.name: path.stat().st_size for path in tmp_path.iterdir()}
    with pytest.raises(
        StorageError, match=rf"{second.file}: has only 100 bytes of the {end(second)} that were committed"
    ):
        repository.truncate({first.file: 10, second.file: end(second)})
    assert {path.name: path.stat().st_size for path in tmp_path.iterdir()} == sizes


class FullDisk(FileIO):
    """A file on a disk that takes ``room`` bytes more."""

    room = 0

    def write(self, data: Any, /) -> int:
        taken = min(FullDisk.room, len(data))
        FullDisk.room -= taken
        if not taken:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return super().write(data[:taken])


@pytest.mark.parametrize("room", [0, 1, 200, 900])
def test_a_page_that_does_not_fit_on_the_disk_leaves_nothing_and_names_the_file(
    room: int, opened: Callable[..., WarcRepository], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(warc, "FileIO", FullDisk)
    repository = opened()
    FullDisk.room = 100_000
    kept = page(1)
    place = repository.put(kept, NOON)
    FullDisk.room = room
    with pytest.raises(StorageError, match=rf"{FIRST}: cannot write a page: No space left on device; free some space"):
        repository.put(page(2, 5000), NOON)
    assert (tmp_path / FIRST).stat().st_size == end(place)
    FullDisk.room = 100_000
    repository.put(page(3), NOON)
    assert repository.get(place) == kept.normalized()
    check(tmp_path / FIRST)


def test_a_disk_full_from_the_start_is_no_reason_to_lose_the_first_record(
    opened: Callable[..., WarcRepository], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(warc, "FileIO", FullDisk)
    repository = opened()
    FullDisk.room = 20
    with pytest.raises(StorageError, match="No space left"):
        repository.put(page(1), NOON)
    FullDisk.room = 100_000
    repository.put(page(1), NOON)
    assert records(tmp_path / FIRST) == [("warcinfo", None), ("response", "http://example.org/1")]


@pytest.mark.parametrize(("shift", "grow"), [(1, 0), (0, -1), (-5, 3), (10_000, 0)])
def test_bytes_that_are_no_page_are_a_clear_error(shift: int, grow: int, opened: Callable[..., WarcRepository]) -> None:
    repository = opened()
    place = repository.put(page(1), NOON)
    with pytest.raises(StorageError, match=rf"{FIRST}: no page in the \d+ bytes from \d+ .*is damaged"):
        repository.get(Place(place.file, place.offset + shift, place.length + grow))
    with pytest.raises(StorageError, match="not a response record"):
        repository.get(Place(place.file, 0, place.offset))


def test_a_flipped_bit_is_noticed(opened: Callable[..., WarcRepository], tmp_path: Path) -> None:
    repository = opened()
    place = repository.put(page(1), NOON)
    content = bytearray((tmp_path / FIRST).read_bytes())
    content[place.offset + place.length // 2] ^= 1
    (tmp_path / FIRST).write_bytes(content)
    with pytest.raises(StorageError, match="is damaged"):
        repository.get(place)


def cut(path: Path) -> None:
    os.truncate(path, 100)


def replace(path: Path) -> None:
    path.with_name("new").write_bytes(path.read_bytes())
    path.with_name("new").rename(path)


@pytest.mark.parametrize(("harm", "told"), [(Path.unlink, "deleted"), (replace, "replaced"), (cut, "cut to 100 bytes")])
@pytest.mark.parametrize("number", [1, 2])
def test_a_file_that_changes_from_under_a_crawl_is_told_at_the_next_commit(
    harm: Callable[[Path], None], told: str, number: int, opened: Callable[..., WarcRepository], tmp_path: Path
) -> None:
    repository = opened(max_bytes=1)  # the first file is complete, the second is written to
    for page_number in range(2):
        repository.put(page(page_number), NOON)
    repository.flush()
    harm(tmp_path / f"pages-0000{number}.warc.gz")
    with pytest.raises(StorageError, match=rf"pages-0000{number}.warc.gz: was {told} while the crawl ran"):
        repository.flush()
    repository.close()


def test_a_file_that_goes_before_a_crawl_has_written_to_it_again_is_told_as_well(
    opened: Callable[..., WarcRepository], tmp_path: Path
) -> None:
    place = opened().put(page(1), NOON)
    resumed = opened()
    resumed.truncate({place.file: end(place)})
    (tmp_path / FIRST).unlink()
    with pytest.raises(StorageError, match="was deleted while the crawl ran"):
        resumed.flush()


def test_a_record_with_the_digest_of_another_page_is_noticed(
    opened: Callable[..., WarcRepository], tmp_path: Path
) -> None:
    repository = opened()
    place = repository.put(Stored("http://example.org/", 200, (), b"good"), NOON)
    content = (tmp_path / FIRST).read_bytes()
    record = gzip.compress(gzip.decompress(content[place.offset :]).replace(b"good", b"evil"), mtime=0)
    (tmp_path / FIRST).write_bytes(content[: place.offset] + record)
    with pytest.raises(StorageError, match="its payload digest is that of another page"):
        repository.get(Place(FIRST, place.offset, len(record)))


def bomb(head: bytes) -> bytes:
    """A gzip member of 100 KB that holds 100 MB."""
    return gzip.compress(head + bytes(100_000_000), 1, mtime=0)


RECORD = b"WARC/1.1\r\nWARC-Type: response\r\nContent-Length: 99000000\r\n\r\nHTTP/1.1 200 OK\r\n\r\n"


@pytest.mark.parametrize("packed", [bomb, lambda head: gzip.compress(bomb(head))], ids=["once", "twice"])
def test_a_record_that_unpacks_to_more_than_a_page_is_damage_and_takes_no_memory(
    packed: Callable[[bytes], bytes],
    opened: Callable[..., WarcRepository],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    member = packed(RECORD)
    monkeypatch.setattr(warc, "LARGEST", 2**20)
    (tmp_path / FIRST).write_bytes(member)
    repository = opened()
    with (
        at_most(10_000_000),
        pytest.raises(StorageError, match=r"no page in .* bytes .*: the file is damaged; .*verify"),
    ):
        repository.get(Place(FIRST, 0, len(member)))


def test_that_bytes_are_records_is_found_out_without_memory_for_what_they_hold(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(warc, "LARGEST", 2**20)
    good = [gzip.compress(os.urandom(size)) for size in (0, 100, 2**14, 2**20)]
    for members, are in ((good, True), ([], True), ([*good, bomb(b"")], False), ([*good, good[3][:-1]], False)):
        content = b"".join(members)
        with at_most(60_000_000):
            assert are_members(BytesIO(content + b"what follows"), len(content)) is are
    assert not are_members(BytesIO(good[1]), 10**12)  # of which there are fewer


@contextmanager
def at_most(memory: int) -> Iterator[None]:
    """Pass only when no more bytes of memory are taken at once."""
    tracemalloc.start()
    try:
        yield
        assert tracemalloc.get_traced_memory()[1] < memory
    finally:
        tracemalloc.stop()


def test_a_page_that_could_not_be_read_again_is_not_written(
    opened: Callable[..., WarcRepository], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(warc, "LARGEST_PAGE", 100)
    repository = opened()
    repository.put(page(1, 100), NOON)
    with pytest.raises(StorageError, match="a page of 101 bytes, and 100 are kept at most: lower DOWNLOAD_MAXSIZE"):
        repository.put(page(2, 101), NOON)

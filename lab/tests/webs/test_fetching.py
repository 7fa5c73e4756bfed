"""Data sets are fetched from a server on loopback: what arrives is compared, and every mistake is told in one line."""

from __future__ import annotations

import io
import tarfile
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from focused.exceptions import WebError
from lab.webs.published import Content, PublishedDataSet, content_of, fetch, parts, published, verify
from lab.webs.webkb import WebKB
from lab.webs.wikispeedia import Wikispeedia
from tests.small_wikispeedia import Entry, full_data, write_wikispeedia

PAGES = {
    "webkb/course/cornell/http:^^a.example^": b"HTTP/1.0 200 OK\r\n\r\n<h1>course</h1>",
    "webkb/faculty/texas/http:^^b.example^": b"<h1>professor</h1>",
}


def packed(files: dict[str, bytes], mode: Any = "w:gz") -> bytes:
    target = io.BytesIO()
    with tarfile.open(fileobj=target, mode=mode) as archive:
        for name, content in files.items():
            member = tarfile.TarInfo(name)
            member.size = len(content)
            archive.addfile(member, io.BytesIO(content))
    return target.getvalue()


class Publisher:
    """A server of archives by path, which counts requests; `short` are announced longer than they are."""

    def __init__(self) -> None:
        self.files: dict[str, bytes] = {}
        self.short: set[str] = set()
        self.asked: list[str] = []
        publisher = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                publisher.asked.append(self.path)
                body = publisher.files.get(self.path)
                if body is None:
                    self.send_error(404)
                    return
                self.send_response(200)
                self.send_header("Content-Length", str(len(body) * (1 + (self.path in publisher.short))))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_: object) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.thread = Thread(target=self.server.serve_forever, args=(0.01,))
        self.thread.start()

    def url(self, path: str) -> str:
        return f"http://127.0.0.1:{self.server.server_port}{path}"

    def close(self) -> None:
        self.server.shutdown()
        self.thread.join()
        self.server.server_close()


@pytest.fixture
def publisher(monkeypatch: pytest.MonkeyPatch) -> Iterator[Publisher]:
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    running = Publisher()
    running.files["/webkb.gtar.gz"] = packed(PAGES)
    yield running
    running.close()


@pytest.fixture
def webkb(publisher: Publisher) -> PublishedDataSet:
    files = {name.removeprefix("webkb/"): content for name, content in sorted(PAGES.items())}
    return PublishedDataSet(
        "webkb", "WebKB", "http://a.example/", (publisher.url("/webkb.gtar.gz"),), content_of(files)
    )


def quiet(url: str, arrived: int, total: int) -> None:
    pass


def test_a_data_set_is_fetched_compared_and_packed_anew(
    publisher: Publisher, webkb: PublishedDataSet, tmp_path: Path
) -> None:
    told: list[tuple[str, int, int]] = []
    path, was_there = fetch(webkb, tmp_path / "new" / "folder", lambda *news: told.append(news))
    assert (path.name, was_there) == ("webkb.tar.xz", False)
    assert [file.name for file in path.parent.iterdir()] == ["webkb.tar.xz"]
    assert set(WebKB(path).pages) == {"http://a.example/", "http://b.example/"}
    size = len(publisher.files["/webkb.gtar.gz"])
    assert (webkb.urls[0], size, size) in told
    assert told[-1][0] == "webkb.tar.xz"
    assert told[-1][1] == told[-1][2] == sum(map(len, PAGES.values()))
    verify(webkb, path)


def test_other_content_than_expected_is_told_and_kept_apart(
    publisher: Publisher, webkb: PublishedDataSet, tmp_path: Path
) -> None:
    publisher.files["/webkb.gtar.gz"] = packed({**PAGES, "webkb/faculty/texas/http:^^b.example^": b"changed"})
    for _ in range(2):  # a second try does not stumble over what the first has kept
        with pytest.raises(WebError, match="some of its 2 files differ") as raised:
            fetch(webkb, tmp_path, quiet)
        assert "\n" not in str(raised.value)
    assert [file.name for file in tmp_path.iterdir()] == ["webkb-unverified"]
    assert len(WebKB(tmp_path / "webkb-unverified").pages) == 2


def test_a_broken_transfer_is_told_and_nothing_stays(
    publisher: Publisher, webkb: PublishedDataSet, tmp_path: Path
) -> None:
    publisher.short.add("/webkb.gtar.gz")
    with pytest.raises(WebError, match=r"the transfer broke off after [\d,]+ of [\d,]+ bytes"):
        fetch(webkb, tmp_path, quiet)
    assert list(tmp_path.iterdir()) == []


@pytest.fixture
def wikispeedia(tmp_path: Path) -> Path:
    return write_wikispeedia(tmp_path / "made", {"Owl": Entry("An owl.", ["subject.A.B"], ["Zebra"]), "Zebra": Entry()})


def in_two_archives(folder: Path, target: Path, extra: str = "") -> None:
    """The data set packed as its publisher does, with more in the tables than there are texts."""
    tables = {f"paths-and-graph/{file.name}": file.read_bytes() for file in folder.glob("*.tsv")}
    texts = {f"plaintext_articles/{file.name}": file.read_bytes() for file in folder.glob("*/*.txt")}
    for name in tables:
        tables[name] += extra.encode() if name.endswith("links.tsv") else b""
    target.mkdir()
    (target / "graph.tar.gz").write_bytes(packed(tables))
    (target / "texts.tar.gz").write_bytes(packed(texts))


def test_the_two_archives_of_wikispeedia_are_the_same_as_one_folder(wikispeedia: Path, tmp_path: Path) -> None:
    in_two_archives(wikispeedia, tmp_path / "two")
    assert Wikispeedia(tmp_path / "two").articles == Wikispeedia(wikispeedia).articles
    assert parts("wikispeedia", tmp_path / "two") == parts("wikispeedia", wikispeedia)


def test_content_is_names_and_bytes() -> None:
    one = content_of({"a": b"1", "b": b"2"})
    assert one == Content(2, one.sha256)
    others = [{"a": b"2", "b": b"1"}, {"a": b"1", "c": b"2"}, {"a": b"12"}, {}]
    assert one not in map(content_of, others)


@pytest.mark.parametrize("name", published())
def test_our_full_copies_have_the_content_that_is_expected(name: str) -> None:
    verify(published()[name], full_data(name))

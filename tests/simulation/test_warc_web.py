"""WARC files as a recorded web: every kind of record, and every kind of damage."""

from __future__ import annotations

import gzip
import logging
import os
from hashlib import sha1
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from focused.exceptions import WebError
from focused.simulation.warc_web import WarcFile, WarcWeb


class Recording:
    """One WARC file, written byte by byte; remembers where its records begin."""

    def __init__(self, path: Path, compressed: bool = True) -> None:
        self.path = path
        self.compressed = compressed
        self.content = b""
        self.offsets: list[int] = []

    def add(self, url: str, body: bytes = b"", *, status: str = "200 OK", **headers: str) -> Recording:
        """A response."""
        return self.write("response", url, http(status, headers) + body, WARC_Payload_Digest=digest(body))

    def write(self, kind: str, url: str, block: bytes, **headers: str) -> Recording:
        fields = {"WARC-Type": kind, "WARC-Target-URI": url, "WARC-Date": "2024-01-01T00:00:00Z"}
        fields |= {"Content-Type": "application/http", "Content-Length": str(len(block))}
        fields |= {name.replace("_", "-"): value for name, value in headers.items()}
        head = "".join(f"{name}: {value}\r\n" for name, value in fields.items())
        record = b"WARC/1.0\r\n" + head.encode() + b"\r\n" + block + b"\r\n\r\n"
        self.offsets.append(len(self.content))
        self.content += gzip.compress(record) if self.compressed else record
        return self

    def save(self, content: bytes | None = None) -> Path:
        self.path.write_bytes(self.content if content is None else content)
        return self.path


def http(status: str, headers: dict[str, str]) -> bytes:
    lines = [f"HTTP/1.1 {status}", *(f"{name.replace('_', '-')}: {value}" for name, value in headers.items()), "", ""]
    return "\r\n".join(lines).encode()


def digest(body: bytes) -> str:
    return "sha1:" + sha1(body).hexdigest()


@pytest.fixture(params=["pages.warc", "pages.warc.gz"])
def recording(request: pytest.FixtureRequest, tmp_path: Path) -> Recording:
    return Recording(tmp_path / request.param, compressed=request.param.endswith(".gz"))


def body(web: WarcWeb, url: str) -> bytes:
    answer = web.answer(url)
    assert answer and answer.status == 200
    return answer.body


def test_responses_are_found_by_url(recording: Recording) -> None:
    path = (
        recording.add("http://a.example/", b"one", Content_Type="text/html").add("https://b.example/x", b"two").save()
    )
    web = WarcWeb([path])
    answer = web.answer("http://A.example#part")
    assert answer and (answer.status, answer.body, answer.header("content-type")) == (200, b"one", "text/html")
    assert body(web, "https://b.example/x") == b"two"
    assert (list(web.urls()), web.hosts) == (["http://a.example/", "https://b.example/x"], {"a.example", "b.example"})


def test_an_unknown_page_is_404_and_an_unknown_host_is_none(recording: Recording) -> None:
    web = WarcWeb([recording.add("http://a.example/", b"one").save()])
    answer = web.answer("http://a.example/other")
    assert answer and answer.status == 404
    assert web.answer("http://b.example/") is None
    assert web.answer("not a URL") is None


def test_a_later_record_of_a_url_wins(recording: Recording) -> None:
    path = recording.add("http://a.example/", b"old").add("http://a.example/", b"new").save()
    assert body(WarcWeb([path]), "http://a.example/") == b"new"


def test_redirects_are_kept(recording: Recording) -> None:
    path = recording.add("http://a.example/", status="301 Moved", Location="http://a.example/new").save()
    answer = WarcWeb([path]).answer("http://a.example/")
    assert answer and (answer.status, answer.header("location")) == (301, "http://a.example/new")


def test_a_redirect_from_an_index_page_does_not_hide_the_folded_page(recording: Recording) -> None:
    recording.add("http://a.example/", b"home").add("http://a.example/index.html", status="301 Moved", Location="/")
    path = recording.save()
    assert body(WarcWeb([path], fold_index=True), "http://a.example/index.html") == b"home"
    answer = WarcWeb([path], fold_index=False).answer("http://a.example/index.html")
    assert answer and answer.status == 301


def test_transfer_and_content_coding_are_undone(recording: Recording) -> None:
    packed = gzip.compress(b"hello")
    chunked = b"%x\r\n%s\r\n0\r\n\r\n" % (len(packed), packed)
    recording.add("http://a.example/", chunked, Content_Encoding="gzip", Transfer_Encoding="chunked")
    answer = WarcWeb([recording.save()]).answer("http://a.example/")
    assert answer and (answer.body, answer.headers) == (b"hello", ())


def test_requests_and_dns_records_are_no_pages(recording: Recording) -> None:
    recording.add("http://a.example/", b"page")
    recording.write("request", "http://c.example/", b"GET / HTTP/1.1\r\nHost: c.example\r\n\r\n")
    recording.write("response", "dns:a.example", b"1.2.3.4", Content_Type="text/dns")
    recording.write("warcinfo", "", b"software: none", Content_Type="application/warc-fields")
    web = WarcWeb([recording.save()])
    assert (web.hosts, web.lost) == ({"a.example"}, 0)


def revisit(recording: Recording, url: str, payload: str, original: str, status: str = "200 OK") -> None:
    fields = {"WARC_Payload_Digest": payload, "WARC_Refers_To_Target_URI": original}
    recording.write("revisit", url, http(status, {"X-Seen": "again"}), **fields)


def test_a_revisit_has_its_own_headers_and_the_body_of_its_original(recording: Recording) -> None:
    recording.add("http://a.example/", b"same")
    revisit(recording, "http://b.example/", digest(b"same"), "http://a.example/")
    answer = WarcWeb([recording.save()]).answer("http://b.example/")
    assert answer and (answer.status, answer.body, answer.header("x-seen")) == (200, b"same", "again")


def test_a_revisit_finds_its_original_by_url_when_the_digest_is_of_another_kind(recording: Recording) -> None:
    recording.add("http://a.example/", b"same")
    revisit(recording, "http://b.example/", "md5:unknown", "http://a.example/")
    assert body(WarcWeb([recording.save()]), "http://b.example/") == b"same"


def test_not_modified_is_answered_with_the_page_as_it_was(recording: Recording) -> None:
    recording.add("http://a.example/", b"same")
    revisit(recording, "http://a.example/", digest(b"same"), "http://a.example/", status="304 Not Modified")
    assert body(WarcWeb([recording.save()]), "http://a.example/") == b"same"


def test_a_revisit_without_original_is_lost_and_told(recording: Recording, caplog: pytest.LogCaptureFixture) -> None:
    recording.add("http://a.example/", b"page")
    revisit(recording, "http://b.example/", "sha1:GONE", "http://elsewhere.example/")
    web = WarcWeb([recording.save()])
    assert (web.lost, web.hosts) == (1, {"a.example"})
    assert "the original of http://b.example/ is missing" in caplog.text


def test_all_warc_files_under_a_folder_are_read_in_the_order_of_their_names(tmp_path: Path) -> None:
    Recording(tmp_path / "pages-2.warc.gz").add("http://a.example/", b"second").save()
    Recording(tmp_path / "pages-1.warc", compressed=False).add("http://a.example/", b"first").save()
    (tmp_path / "notes.txt").write_text("no WARC")
    assert body(WarcWeb([tmp_path]), "http://a.example/") == b"second"


def three_pages(recording: Recording) -> Recording:
    for name in "abc":
        recording.add(f"http://{name}.example/", name.encode() * 3000)
    return recording


def test_a_file_cut_off_gives_all_whole_records(recording: Recording, caplog: pytest.LogCaptureFixture) -> None:
    path = three_pages(recording).save(recording.content[: recording.offsets[2] + 100])
    with caplog.at_level(logging.WARNING):
        web = WarcWeb([path])
    assert (web.hosts, web.lost) == ({"a.example", "b.example"}, 1)
    assert f"{path}: record at byte {recording.offsets[2]}: " in caplog.text


def test_damage_in_the_middle_loses_only_what_it_hit(recording: Recording) -> None:
    content = bytearray(three_pages(recording).content)
    start = recording.offsets[1]
    content[start : start + 60] = bytes(60)
    web = WarcWeb([recording.save(bytes(content))])
    assert (web.hosts, web.lost) == ({"a.example", "c.example"}, 1)
    assert body(web, "http://c.example/") == b"c" * 3000


@given(data=st.data())
def test_no_damage_breaks_the_reader_and_what_it_gives_is_right(
    data: st.DataObject, tmp_path_factory: pytest.TempPathFactory
) -> None:
    compressed = data.draw(st.booleans())
    recording = three_pages(Recording(tmp_path_factory.mktemp("warc") / "pages.warc", compressed))
    content = bytearray(recording.content)
    at = data.draw(st.integers(recording.offsets[1], len(content) - 1))
    content[at : at + data.draw(st.integers(0, 50))] = data.draw(st.binary(max_size=50))
    web = WarcWeb([recording.save(bytes(content))])
    assert body(web, "http://a.example/") == b"a" * 3000
    for url in web.urls():
        assert web.answer(url)
    if compressed:  # gzip has a checksum: no change goes unnoticed
        assert web.lost or web.hosts == {"a.example", "b.example", "c.example"}


def test_a_file_compressed_as_a_whole_is_refused_with_the_remedy(tmp_path: Path) -> None:
    recording = three_pages(Recording(tmp_path / "pages.warc.gz", compressed=False))
    path = recording.save(gzip.compress(recording.content))
    with pytest.raises(WebError, match="repair it with: warcio recompress"):
        WarcWeb([path])


@pytest.mark.parametrize("content", [b"", b"hello", b"\x1f\x8b\x08\x00\x00\x00\x00\x00", b"WARC/1.0\r\n\r\n"])
def test_a_file_without_a_record_is_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "pages.warc.gz"
    path.write_bytes(content)
    with pytest.raises(WebError, match=r"pages\.warc\.gz: (not a WARC file|no readable response record)"):
        WarcWeb([path])


def test_missing_files_and_folders_without_warc_are_told(tmp_path: Path) -> None:
    with pytest.raises(WebError, match="no such file or folder"):
        WarcWeb([tmp_path / "nowhere.warc"])
    with pytest.raises(WebError, match=r"no \.warc or \.warc\.gz file in this folder"):
        WarcWeb([tmp_path])


def test_a_file_that_vanishes_is_one_clear_line(recording: Recording) -> None:
    web = WarcWeb([recording.add("http://a.example/", b"page").save()])
    recording.path.unlink()
    with pytest.raises(WebError, match="cannot be read"):
        web.answer("http://a.example/")


class TestKeptIndex:
    """The index of WARC files is read once for a cache folder."""

    @pytest.fixture
    def archive(self, recording: Recording) -> Path:
        recording.add("http://a.example/", b"one").add("http://b.example/x", b"two")
        recording.write("revisit", "http://a.example/again", b"", WARC_Payload_Digest=digest(b"two"))
        return recording.save()

    def test_it_gives_the_same_web(self, archive: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        first = WarcWeb([archive], cache=tmp_path / "cache")
        monkeypatch.setattr(WarcFile, "scan", lambda _: pytest.fail("read again"))
        second = WarcWeb([archive], cache=tmp_path / "cache")
        assert list(second.urls()) == list(first.urls())
        assert [body(second, url) for url in second.urls()] == [b"one", b"two", b"two"]
        assert (second.lost, second.hosts) == (first.lost, first.hosts)

    def test_it_is_that_of_the_files_as_they_are_and_of_the_way_to_name_pages(
        self, archive: Path, tmp_path: Path
    ) -> None:
        cache = tmp_path / "cache"
        WarcWeb([archive], cache=cache)
        WarcWeb([archive], fold_index=True, cache=cache)
        os.utime(archive, ns=(1, 1))
        WarcWeb([archive], cache=cache)
        assert len(list(cache.iterdir())) == 3

    @pytest.mark.parametrize("kept", [b"", b"no index", b"PK\x03\x04"])
    def test_a_damaged_one_is_made_anew(
        self, archive: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture, kept: bytes
    ) -> None:
        cache = tmp_path / "cache"
        WarcWeb([archive], cache=cache)
        (file,) = cache.iterdir()
        whole = file.read_bytes()
        for damaged in (kept, whole[: len(whole) // 2]):
            file.write_bytes(damaged)
            assert body(WarcWeb([archive], cache=cache), "http://a.example/") == b"one"
            assert f"{file}: damaged" in caplog.text
        assert len(list(cache.iterdir())) == 1

    def test_a_folder_that_cannot_be_used_is_one_clear_line(self, archive: Path) -> None:
        with pytest.raises(WebError, match="cannot be written"):
            WarcWeb([archive], cache=archive)

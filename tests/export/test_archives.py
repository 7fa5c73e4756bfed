"""Web archives: the records of the collection, and in WACZ an index that leads to each."""

import json
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from zipfile import ZIP_STORED, ZipFile

import pytest
from hypothesis import given
from hypothesis import strategies as st
from warcio.archiveiterator import ArchiveIterator

from focused.collection.files import FilesRepository
from focused.export.formats import surt
from focused.live.session import Session
from focused.page.urls import UrlRules
from tests.export.collections import change, export, history
from tests.small_web import WEB, crawl, topic_of


def test_warc_holds_the_chosen_records_as_they_are(finished: Path, tmp_path: Path) -> None:
    assert export(finished, "test", tmp_path / "a.warc.gz", "--relevant") == 0
    (place, *_) = history(finished, "offset, length", "relevant")
    original = (finished / "test" / "pages" / "pages-00001.warc.gz").read_bytes()[place[0] : sum(place)]
    assert original in (tmp_path / "a.warc.gz").read_bytes()
    assert warc_pages(tmp_path / "a.warc.gz") == [url for (url,) in history(finished, "final_url", "relevant")]


def test_warc_is_made_of_pages_that_lie_in_files_of_their_own(tmp_path: Path) -> None:
    session = Session(topic_of(storage={"pages": "files"}), tmp_path / "test")
    crawl(session, 5)
    session.close()
    assert isinstance(session.collection.repository, FilesRepository)
    assert export(tmp_path, "test", tmp_path / "a.warc.gz") == 0
    assert warc_pages(tmp_path / "a.warc.gz") == [url for (url,) in history(tmp_path, "final_url")]


def test_of_a_rendered_page_warc_has_the_plain_response_too(data: Path, tmp_path: Path) -> None:
    places = "plain_file = file, plain_offset = offset, plain_length = length"
    change(data, f"UPDATE fetches SET {places} WHERE seq = (SELECT min(seq) FROM fetches)")
    assert export(data, "test", tmp_path / "a.warc.gz") == 0
    assert len(warc_pages(tmp_path / "a.warc.gz")) == len(WEB) + 1


def warc_pages(path: Path) -> list[str]:
    """URLs of the responses, whose bodies are what the small web says."""
    with path.open("rb") as file:
        first, *records = [
            (r.rec_type, r.rec_headers["WARC-Target-URI"], r.content_stream().read()) for r in ArchiveIterator(file)
        ]
    assert first[0] == "warcinfo"
    assert b"collection test" in first[2]
    assert all(kind == "response" and body == WEB[url].encode() for kind, url, body in records)
    return [url for _, url, _ in records]


def test_a_folder_of_warc_files_holds_the_same_in_files_of_a_limited_size(
    finished: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("focused.export.formats.MAX_BYTES", 4000)
    assert export(finished, "test", f"{tmp_path}/solar/", "--format", "warcs") == 0
    files = sorted((tmp_path / "solar").iterdir())
    assert [file.name for file in files] == [f"solar-{number:05}.warc.gz" for number in range(1, len(files) + 1)]
    assert all(4000 <= file.stat().st_size < 5000 for file in files[:-1])
    assert [url for file in files for url in warc_pages(file)] == [url for (url,) in history(finished, "final_url")]


@pytest.mark.parametrize("pages", ["warc", "files"])
def test_the_index_of_wacz_leads_to_each_page_and_the_package_knows_its_files(tmp_path: Path, pages: str) -> None:
    session = Session(topic_of(storage={"pages": pages}), tmp_path / "test")
    crawl(session, 12)
    session.close()
    assert export(tmp_path, "test", tmp_path / "a.wacz") == 0
    with ZipFile(tmp_path / "a.wacz") as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
        assert {archive.getinfo(f"{name}").compress_type for name in files if "pages/" not in name} == {ZIP_STORED}
    lines = files["indexes/index.cdxj"].splitlines()
    assert lines == sorted(lines)
    found = []
    for line in lines:
        key, time, fields = line.decode().split(" ", 2)
        told = json.loads(fields)
        start = int(told["offset"])
        record = BytesIO(files[f"archive/{told['filename']}"][start : start + int(told["length"])])
        (page,) = [(r.rec_headers, r.content_stream().read()) for r in ArchiveIterator(record)]
        assert page[0]["WARC-Target-URI"] == told["url"]
        assert page[0]["WARC-Payload-Digest"] == told["digest"]
        assert "".join(filter(str.isdigit, page[0]["WARC-Date"])).startswith(time)
        assert page[1] == WEB[told["url"]].encode()
        assert key == surt(told["url"]) and (told["status"], told["mime"]) == ("200", "text/html")
        found.append(told["url"])
    assert sorted(found) == sorted(url for (url,) in history(tmp_path, "final_url"))
    package = json.loads(files["datapackage.json"])
    for resource in package["resources"]:
        content = files[resource["path"]]
        assert (resource["bytes"], resource["hash"]) == (len(content), f"sha256:{sha256(content).hexdigest()}")
    assert {resource["path"] for resource in package["resources"]} | {
        "datapackage.json",
        "datapackage-digest.json",
    } == set(files)
    digest = json.loads(files["datapackage-digest.json"])
    assert digest == {"path": "datapackage.json", "hash": f"sha256:{sha256(files['datapackage.json']).hexdigest()}"}


def test_wacz_lists_the_pages_with_their_titles(data: Path, tmp_path: Path) -> None:
    change(data, "UPDATE fetches SET title = ? WHERE seq = (SELECT min(seq) FROM fetches)", "a\nb\x1b[2J")
    assert export(data, "test", tmp_path / "a.wacz") == 0
    with ZipFile(tmp_path / "a.wacz") as archive:
        head, *pages = map(json.loads, archive.read("pages/pages.jsonl").splitlines())
    assert head["format"] == "json-pages-1.0"
    assert pages[0]["title"] == "a b [2J"
    assert [page["url"] for page in pages] == [url for (url,) in history(data, "final_url")]


@pytest.mark.parametrize(
    ("url", "key"),
    [
        ("http://www.example.org/A/b.html", "org,example)/a/b.html"),
        ("https://www2.sub.example.org:8080/", "org,example,sub:8080)/"),
        ("http://wwwx.example.org/www.a", "org,example,wwwx)/www.a"),
        ("http://a.example/?b=1&a=2&A=3", "example,a)/?a=2&a=3&b=1"),
        ("http://a.example/?b&a=", "example,a)/?a=&b"),
        ("http://[::1]/x", "[::1])/x"),
    ],
)
def test_the_key_of_a_url(url: str, key: str) -> None:
    assert surt(url) == key


@given(st.text(max_size=60))
def test_any_url_has_a_key_without_blanks(text: str) -> None:
    url = UrlRules().canonical(f"http://a.example/{text}")
    assert url is None or not set(surt(url)) & set(" \n\t")

"""A topic that asks for the first bytes of pages only: what is downloaded, read, kept and told, live as in a simulation."""

from __future__ import annotations

import gzip
import sqlite3
import zlib
from contextlib import closing
from pathlib import Path

import brotli
import pytest

from focused.collection.repository import LENGTH, Place
from focused.collection.warc import WarcRepository
from focused.simulation.analysed_web import zstd
from focused.simulation.recorded_web import Answer
from tests.crawls.crawling import crawl, fetched, rows
from tests.crawls.mock_web import Endless, MockWeb, serving
from tests.crawls.test_recrawl import AGES
from tests.simulation.simulated import simulate, topic_of

A = "http://a.example/"
MOST = 4_000
HTML = (("Content-Type", "text/html"),)
TWICE = 2


def long_page(number: int, *links: str, late: str = "late") -> bytes:
    """A page that names its links early, and one more behind its first bytes; hardly two words of it are the same."""
    words = " ".join(f"w{number * 7919 + word * 104729 % 99991:x}" for word in range(3_000))
    early = "".join(f'<p><a href="/{link}">solar energy {link}</a></p>' for link in links)
    return f'<p>solar energy {number}{early}<p>{words}<p><a href="/{late}">solar energy</a>'.encode()


def packed(name: str, body: bytes) -> bytes:
    return {"gzip": gzip.compress, "deflate": zlib.compress, "br": brotli.compress, "zstd": zstd.compress}[name](body)


CODINGS = ("gzip", "deflate", "br", "zstd")
PAGES = {A: long_page(0, *CODINGS, "short", "text")} | {A + name: long_page(n) for n, name in enumerate(CODINGS, 1)}
SHORT = b"<p>solar energy, and no more"
TEXT = b"solar energy " * MOST
WEB = {
    A: Answer(200, HTML, PAGES[A]),
    **{A + name: Answer(200, (*HTML, ("Content-Encoding", name)), packed(name, PAGES[A + name])) for name in CODINGS},
    f"{A}short": Answer(200, HTML, SHORT),
    f"{A}text": Answer(200, (("Content-Type", "text/plain"),), TEXT),
}
FIRST = {"reading__first_bytes": MOST, "pages": 30, "scope__content_types": "text/html,text/plain"}
QUERY = "SELECT url, truncated, bytes, file, offset, length FROM history WHERE outcome = 'page' ORDER BY url"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("crawl")
    with serving(MockWeb(WEB)) as web:
        ended = crawl(web, folder, [A], **FIRST)
    assert (ended.code, ended.plain) == (0, True), ended.log
    return folder


def test_of_a_page_the_first_bytes_are_kept_and_marked_however_it_was_packed(folder):
    repository = WarcRepository(folder / "test" / "pages")
    kept = {
        url: (truncated, size, repository.get(Place(*place))) for url, truncated, size, *place in rows(folder, QUERY)
    }
    for url, body in PAGES.items():
        truncated, size, stored = kept[url]
        assert (truncated, size, stored.truncated, stored.body) == (1, MOST, LENGTH, body[:MOST]), url
    truncated, size, stored = kept[f"{A}short"]
    assert (truncated, size, stored.truncated, stored.body) == (0, len(SHORT), "", SHORT)


def test_what_is_no_html_page_is_left_whole(folder):
    (about,) = [row for row in rows(folder, QUERY) if row[0] == f"{A}text"]
    assert about[1:3] == (0, len(TEXT))


def test_links_behind_the_first_bytes_are_not_heard_of(folder):
    assert rows(folder, "SELECT count(*) FROM urls WHERE url LIKE '%/late'") == [(0,)]


def test_a_simulation_picks_and_reads_the_same(folder):
    plain = {url: Answer(200, HTML, PAGES[url]) if url in PAGES else answer for url, answer in WEB.items()}
    options = {"reading": {"first_bytes": MOST}, "scope": {"content_types": ["text/html", "text/plain"]}}
    simulated = simulate(plain, topic_of(A, keywords="solar energy", **options))
    assert sorted(fetch.final_url for fetch in simulated if fetch.outcome == "page") == sorted(fetched(folder))
    live = dict(rows(folder, "SELECT url, relevance FROM history WHERE outcome = 'page'"))
    assert {fetch.url: fetch.relevance for fetch in simulated if fetch.outcome == "page"} == pytest.approx(live)


def test_pages_without_end_are_pages_and_robots_txt_is_read_to_its_end(tmp_path):
    rule = b"#" + b"x" * 2 * MOST + b"\nUser-agent: *\nDisallow: /short\n"
    head = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>solar energy<a href=/short>solar</a>"
    answers = {
        f"{A}robots.txt": Answer(200, (("Content-Type", "text/html"),), rule),
        A: Endless(head, b"<p>solar energy without end" * 50, 0.01),
        f"{A}short": Answer(200, HTML, SHORT),
    }
    with serving(MockWeb(answers)) as web:
        ended = crawl(web, tmp_path, [A], **FIRST)
    assert (ended.code, ended.plain) == (0, True), ended.log
    assert [row[:3] for row in rows(tmp_path, QUERY)] == [(A, 1, MOST)]
    assert web.pages_asked() == [A]


def test_a_page_that_is_asked_for_again_and_has_changed_behind_its_first_bytes_is_the_same(tmp_path):
    changed = {**WEB, A: Answer(200, HTML, PAGES[A] + b"<p>and more")}
    for answers in (WEB, changed):
        with serving(MockWeb(answers)) as web:
            ended = crawl(web, tmp_path, [A], **FIRST, recrawl__age="7d")
            assert ended.plain, ended.log
        with closing(sqlite3.connect(tmp_path / "test" / "crawl.db")) as db, db:
            db.execute(AGES)
    outcomes = rows(tmp_path, "SELECT outcome, reason FROM revisits WHERE url = ?", (A,))
    assert outcomes == [("same", "the same bytes")]


def test_a_crawl_goes_on_and_rescores_what_it_has_kept(tmp_path):
    with serving(MockWeb(WEB)) as web:
        crawl(web, tmp_path, [A], **FIRST | {"pages": TWICE})
        before = rows(tmp_path, QUERY)
        ended = crawl(web, tmp_path, [A], **FIRST, keywords="solar energy, wind")
    assert (ended.code, ended.plain) == (0, True), ended.log
    assert set(before) < set(rows(tmp_path, QUERY))
    assert web.pages_asked().count(A) == 1

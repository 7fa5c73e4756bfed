"""Answers that do not keep to HTTP, taken as browsers take them: the page where there is one, else a reason in one line."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Iterable
from pathlib import Path

import brotli
import pytest

from focused.collection.repository import DISCONNECT, Place
from focused.collection.warc import WarcRepository
from tests.crawls.crawling import crawl, failures, fetched, rows
from tests.crawls.mock_web import MockWeb, Reply, page, redirect, serving

GOOD = "http://good.example"
HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n"
BODY = b'<title>solar</title><p>solar energy <a href="%b">solar</a>'


def body_of(name: str) -> bytes:
    return BODY % f"http://{name}.example/whole".encode() + b"<p>solar" * 20


def answer(name: str, *lines: bytes, body: bytes | None = None) -> bytes:
    return HEAD + b"".join(line + b"\r\n" for line in lines) + b"\r\n" + (body_of(name) if body is None else body)


def chunk(body: bytes) -> bytes:
    return b"%x\r\n%b\r\n" % (len(body), body)


def length(body: bytes, more: int = 0) -> bytes:
    return b"Content-Length: %d" % (len(body) + more)


CHUNKED = b"Transfer-Encoding: chunked"

#: Answers that browsers show as a page, by the name of their host.
PAGES: dict[str, bytes] = {
    "blank": answer("blank", b"X-Foo : bar"),
    "identity": answer("identity", b"Transfer-Encoding: identity"),
    "long-header": answer("long-header", b"X-Long: " + b"x" * 17_000),
    "no-number": answer("no-number", b"Content-Length: many"),
    "no-colon": answer("no-colon", b"nothing"),
    "lower": b"http/1.1  200  ok\nContent-Type : text/html\n\n" + body_of("lower"),
    "said-twice": answer("said-twice", length(body_of("said-twice")), length(body_of("said-twice"))),
}
CUT = {
    "short": answer("short", length(body_of("short"), 10)),
    "no-last-chunk": answer("no-last-chunk", CHUNKED, body=chunk(body_of("no-last-chunk"))),
    "half-a-chunk": answer("half-a-chunk", CHUNKED, body=chunk(body_of("half-a-chunk"))[:-10]),
    "bad-chunk": answer("bad-chunk", CHUNKED, body=chunk(body_of("bad-chunk")) + b"zz\r\nx"),
    "longer": answer("longer", length(body_of("longer"), -10)),
    "half-a-link": answer(
        "half-a-link", b"Content-Length: 9999", body=body_of("half-a-link") + b'<p>solar <a href="/half'
    ),
    "half-packed": answer(
        "half-packed",
        b"Content-Encoding: gzip",
        b"Content-Length: 9999",
        body=gzip.compress(body_of("half-packed") * 99)[:-20],
    ),
}
BROKEN = {
    "no-head": body_of("no-head"),
    "status": b"HTTP/1.1 fine\r\n\r\n" + body_of("status"),
    "two-lengths": answer("two-lengths", b"Content-Length: 10", b"Content-Length: 20"),
    "packed-chunks": answer("packed-chunks", b"Transfer-Encoding: gzip, chunked"),
    "endless-head": answer("endless-head", *[b"X: " + b"y" * 10_000] * 30),
}


def packed(name: str, body: bytes, *codings: bytes) -> bytes:
    return answer(name, *(b"Content-Encoding: " + coding for coding in codings), length(body), body=body)


UNPACKED = {
    "then-identity": packed("then-identity", gzip.compress(body_of("then-identity")), b"gzip, identity"),
    "identity-first": packed("identity-first", gzip.compress(body_of("identity-first")), b"identity", b"GZIP"),
    "two-headers": packed("two-headers", gzip.compress(body_of("two-headers")), b"gzip", b"identity"),
    "x-gzip": packed("x-gzip", gzip.compress(body_of("x-gzip")), b"x-gzip"),
    "raw-deflate": packed("raw-deflate", zlib.compress(body_of("raw-deflate"))[2:-4], b"deflate"),
    "both": packed("both", gzip.compress(brotli.compress(body_of("both"))), b"br", b"gzip"),
    "no-coding": packed("no-coding", body_of("no-coding"), b"utf-8"),
    "just-identity": packed("just-identity", body_of("just-identity"), b"identity"),
}
STAY_PACKED = {
    "unknown": packed("unknown", gzip.compress(body_of("unknown")), b"snappy"),
    "compress": packed("compress", b"\x1f\x9d\x90" + bytes(range(256)), b"compress"),
    "not-gzip": packed("not-gzip", body_of("not-gzip"), b"gzip"),
    "not-br": packed("not-br", body_of("not-br"), b"br"),
    "not-zstd": packed("not-zstd", body_of("not-zstd"), b"zstd"),
    "too-often": packed("too-often", gzip.compress(body_of("too-often")), b", ".join([b"gzip"] * 1000)),
}
OTHERS = {"gone": b"HTTP/1.1 404 Gone\r\nContent-Encoding: gzip\r\n\r\n" + body_of("gone")}
ALL: dict[str, bytes] = PAGES | CUT | BROKEN | UNPACKED | STAY_PACKED | OTHERS


def urls(names: Iterable[str]) -> set[str]:
    return {f"http://{name}.example/" for name in names}


def crawl_all(folder: Path, replies: dict[str, bytes], *settings: str) -> MockWeb:
    answers: dict[str, Reply] = {f"http://{name}.example/": reply for name, reply in replies.items()}
    answers |= {f"{GOOD}/": page("solar energy", *answers)}
    answers |= {f"http://{name}.example/whole": page("solar") for name in replies}
    with serving(MockWeb(answers)) as web:
        settings = ("RETRY_TIMES=2", "CONCURRENT_REQUESTS=32", *settings)
        ended = crawl(web, folder, [f"{GOOD}/"], settings=settings, strategy="breadth_first")
    assert (ended.code, ended.plain) == (0, True), ended.log
    return web


@pytest.fixture(scope="module")
def crawled(tmp_path_factory) -> tuple[Path, MockWeb]:
    folder = tmp_path_factory.mktemp("answers")
    return folder, crawl_all(folder, ALL)


def test_what_browsers_show_is_a_page_whose_links_are_followed(crawled) -> None:
    folder, _ = crawled
    names = [*PAGES, *CUT, *UNPACKED]
    assert urls(names) - set(fetched(folder)) == set()
    assert {f"http://{name}.example/whole" for name in names} - set(fetched(folder)) == set()


def test_a_body_that_is_not_whole_is_marked(crawled) -> None:
    folder, _ = crawled
    marked = {url for (url,) in rows(folder, "SELECT url FROM history WHERE truncated")}
    assert marked == urls(CUT)


def test_its_record_says_so_too(crawled) -> None:
    folder, _ = crawled
    repository = WarcRepository(folder / "test" / "pages")
    places = rows(folder, "SELECT truncated, file, offset, length FROM history WHERE outcome = 'page'")
    assert {(truncated, repository.get(Place(*place)).truncated) for truncated, *place in places} == {
        (0, ""),
        (1, DISCONNECT),
    }


def test_half_a_link_is_not_asked_for(crawled) -> None:
    _, web = crawled
    assert [asked.url for asked in web.asked if "half" in asked.url.rpartition("/")[2]] == []


def test_what_no_browser_takes_is_asked_for_once_and_said_in_a_line(crawled) -> None:
    folder, web = crawled
    failed = failures(folder)
    reasons = {name: failed[f"http://{name}.example/"] for name in BROKEN}
    assert reasons == {
        "no-head": "its answer breaks HTTP: it begins with '<title>solar</title>'",
        "status": "its answer breaks HTTP: a status line 'HTTP/1.1 fine'",
        "two-lengths": "its answer breaks HTTP: several Content-Length: 10 and 20",
        "packed-chunks": "its answer breaks HTTP: Transfer-Encoding gzip, which nobody asked for",
        "endless-head": "its answer breaks HTTP: a head of more than 262,144 bytes",
    }
    asked = web.pages_asked()
    assert {url: asked.count(url) for url in urls(ALL)} == dict.fromkeys(urls(ALL), 1)


def test_a_body_that_cannot_be_unpacked_is_a_failure_with_its_codings(crawled) -> None:
    folder, _ = crawled
    failed = failures(folder)
    reasons = {name: failed[f"http://{name}.example/"] for name in STAY_PACKED}
    assert reasons == {
        name: f"its body cannot be unpacked: {', '.join(['gzip'] * 9)[:50] if name == 'too-often' else name.removeprefix('not-')}"
        for name in STAY_PACKED
    } | {"unknown": "its body cannot be unpacked: snappy"}
    assert failed["http://gone.example/"] == "http 404"


def test_a_person_may_want_whole_bodies_only(tmp_path: Path) -> None:
    web = crawl_all(tmp_path, {"short": CUT["short"]}, "DOWNLOAD_FAIL_ON_DATALOSS=1")
    assert failures(tmp_path)["http://short.example/"] == "response incomplete"
    assert web.pages_asked().count("http://short.example/") == 3


def test_half_a_robots_txt_or_one_that_breaks_http_bars_its_host(tmp_path: Path) -> None:
    robots: dict[str, Reply] = {
        "cut": b"HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\nUser-agent: *\nDisallow: /pri",
        "broken": b"HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nUser-agent: *",
        "circle": redirect("/robots.txt"),
        "tidied": b"HTTP/1.1 200 OK\r\nServer : x\r\nTransfer-Encoding: identity\r\n\r\nUser-agent: *\nDisallow: /private",
    }
    answers: dict[str, Reply] = {f"{GOOD}/": page("solar energy", *(f"http://{name}.example/" for name in robots))}
    for name, reply in robots.items():
        answers[f"http://{name}.example/robots.txt"] = reply
        answers[f"http://{name}.example/"] = page(f"solar {name}", "private")
    with serving(MockWeb(answers)) as web:
        settings = ("FOCUSED_ROBOTS_RETRY_SECONDS=0.01",)
        ended = crawl(web, tmp_path, [f"{GOOD}/"], settings=settings, strategy="breadth_first")
    assert (ended.code, ended.plain) == (0, True), ended.log
    assert web.pages_asked() == [f"{GOOD}/", "http://tidied.example/"]
    assert failures(tmp_path) == {
        "http://cut.example/": "robots.txt unreachable: response incomplete",
        "http://broken.example/": "robots.txt unreachable: its answer breaks HTTP: several Content-Length: 1 and 2",
        "http://circle.example/": "robots.txt unreachable: redirects in a circle",
        "http://tidied.example/private": "robots.txt",
    }
    tries = [asked.url for asked in web.asked if asked.url == "http://circle.example/robots.txt"]
    assert len(tries) == 5


SITEMAPS = {"sources__sitemaps": "true", "sources__after": 1}
LISTS = {
    "sitemap": (b"application/xml", b"<urlset><url><loc>http://%b/1</loc></url><url><loc>http://%b/2-hal"),
    "closed": (b"application/xml", b"<urlset><url><loc>http://%b/1</loc></url><url><loc>http://%b/2-hal</lo"),
    "feed": (b"application/rss+xml", b"<rss><channel><item><link>http://%b/1</link></item><item><link>http://%b/2-hal"),
    "text": (b"text/plain", b"http://%b/1\nhttp://%b/2-hal"),
}


def test_of_a_list_that_breaks_off_no_half_url_is_asked_for(tmp_path: Path) -> None:
    answers: dict[str, Reply] = {f"{GOOD}/": page("solar energy", *(f"http://{name}.example/" for name in LISTS))}
    for name, (kind, body) in LISTS.items():
        host = f"{name}.example".encode()
        answers[f"http://{name}.example/"] = page(f"solar energy {name}")
        answers[f"http://{name}.example/robots.txt"] = b"HTTP/1.1 200 OK\r\n\r\nSitemap: http://%b/list" % host
        head = b"HTTP/1.1 200 OK\r\nContent-Type: %b\r\nContent-Length: 9999\r\n\r\n" % kind
        answers[f"http://{name}.example/list"] = head + body % (host, host)
        answers[f"http://{name}.example/1"] = page("solar")
    with serving(MockWeb(answers)) as web:
        ended = crawl(web, tmp_path, [f"{GOOD}/"], strategy="breadth_first", **SITEMAPS)
    assert (ended.code, ended.plain) == (0, True), ended.log
    asked = {url for url in web.pages_asked() if "hal" in url or url.endswith("/1")}
    assert {f"http://{name}.example/1" for name in ("sitemap", "closed", "feed")} <= asked
    assert not [url for url in asked if "hal" in url]

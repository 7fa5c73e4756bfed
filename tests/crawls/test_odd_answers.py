"""Answers that hardly are any, bodies packed a thousandfold, links to what is no URL: a crawl goes on all the same."""

from __future__ import annotations

import gzip
import zlib
from pathlib import Path

from focused.simulation.recorded_web import Answer
from tests.crawls.crawling import Ended, crawl, failures, fetched
from tests.crawls.mock_web import Endless, MockWeb, Reply, are_apart, page, redirect, serving

GOOD, ODD = "http://good.example", "http://odd.example"
OK = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n"
CHUNKED = OK + b"Transfer-Encoding: chunked\r\n\r\n"
BODY = b"<p>solar energy"
MORE = 300_000  #: bytes, more than these crawls take


def of_length(length: object) -> bytes:
    return OK + f"Content-Length: {length}\r\n\r\n".encode() + BODY


def with_status(line: bytes) -> bytes:
    return b"HTTP/1.1 " + line + b"\r\nContent-Length: 0\r\n\r\n"


ANSWERS: dict[str, Reply] = {
    "slow-head": Endless(b"HTTP/1.1 200 O", b"K", 0.1),
    "slow-headers": Endless(OK, b"X-More: 1\r\n", 0.1),
    "slow-body": Endless(OK + b"\r\n", b"<p>", 0.1),
    "endless-body": Endless(OK + b"\r\n", BODY * 1000),
    "endless-chunks": Endless(CHUNKED, b"1000\r\n" + b"s" * 4096 + b"\r\n"),
    "endless-headers": Endless(OK, b"X-Many: header\r\n" * 100),
    "endless-header": Endless(OK + b"X-Long: ", b"solar" * 4096),
    "endless-continue": Endless(b"", b"HTTP/1.1 100 Continue\r\n\r\n" * 10, 0.01),
    **{f"length-{number}": of_length(length) for number, length in enumerate((10, -1, "many", "9" * 400, 10**12))},
    "two-lengths": OK + b"Content-Length: 10\r\nContent-Length: 20\r\n\r\n" + BODY,
    "length-and-chunks": OK + b"Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n",
    "bad-chunk": CHUNKED + b"zz\r\nsolar\r\n",
    "negative-chunk": CHUNKED + b"-5\r\nsolar\r\n",
    "huge-chunk": CHUNKED + b"f" * 4000 + b"\r\nsolar",
    "no-head": BODY,
    "line-breaks": b"\r\n\r\n",
    "other-protocol": b"SSH-2.0-OpenSSH_9.2\r\n",
    "zeros": bytes(10_000),
    **{
        f"status-{number}": with_status(line)
        for number, line in enumerate((b"000 ", b"999 No", b"OK OK", b"101 Switching", b"206 Part", b"304 Same"))
    },
    "no-colon": OK + b"nothing\r\nContent-Length: 0\r\n\r\n",
    "bytes-header": OK + bytes(range(128, 256)) + b": x\r\nContent-Length: 0\r\n\r\n",
}


def packed(body: bytes, coding: str) -> Answer:
    return Answer(200, (("Content-Type", "text/html"), ("Content-Encoding", coding)), body)


ONCE = gzip.compress(bytes(50_000_000), 1)
BOMBS: dict[str, Reply] = {
    "x-gzip": packed(ONCE, "x-gzip"),
    "gzip-twice": packed(gzip.compress(ONCE), "gzip, gzip"),
    "deflate": packed(zlib.compress(bytes(50_000_000), 1), "deflate"),
}
CODINGS: dict[str, Reply] = {
    "cut-gzip": packed(gzip.compress(BODY * 100)[:-20], "gzip"),
    "no-brotli": packed(BODY, "br"),
}
CODINGS["many-codings"] = packed(BODY, ", ".join(["gzip"] * 1000))


def crawl_all(folder: Path, replies: dict[str, Reply]) -> tuple[MockWeb, Ended]:
    """Crawl a host for each reply, and a page that leads to them all and to a good one at its end."""
    answers: dict[str, Reply] = {f"http://{name}.example/": reply for name, reply in replies.items()}
    answers |= {f"{GOOD}/": page("solar energy", *answers, f"{GOOD}/last"), f"{GOOD}/last": page("solar last")}
    settings = ("DOWNLOAD_TIMEOUT=2", "RETRY_TIMES=0", f"DOWNLOAD_MAXSIZE={MORE}", "CONCURRENT_REQUESTS=32")
    with serving(MockWeb(answers)) as web:
        ended = crawl(web, folder, [f"{GOOD}/"], settings=settings, strategy="breadth_first")
    assert (ended.code, ended.plain) == (0, True), ended.log
    assert {f"{GOOD}/", f"{GOOD}/last"} <= set(fetched(folder))
    return web, ended


def test_no_answer_that_hardly_is_one_holds_a_crawl_up_or_breaks_it(tmp_path: Path) -> None:
    crawl_all(tmp_path, ANSWERS)
    failed = failures(tmp_path)
    known = {*failed, *fetched(tmp_path)}
    assert {f"http://{name}.example/" for name in ANSWERS} <= known
    for name in ("slow-head", "slow-headers", "slow-body", "endless-continue"):
        assert failed[f"http://{name}.example/"] == "timeout"
    for name in ("endless-body", "endless-chunks"):
        assert failed[f"http://{name}.example/"] == "too large"


def test_what_is_packed_a_thousandfold_in_any_way_is_not_unpacked(tmp_path: Path) -> None:
    crawl_all(tmp_path, BOMBS | CODINGS)
    failed = failures(tmp_path)
    assert {failed[f"http://{name}.example/"] for name in BOMBS} == {"too large"}
    assert failed["http://many-codings.example/"].startswith("its body cannot be unpacked: gzip, gzip")


ENTITIES = b"<!DOCTYPE x [%s]><html><body><p>solar energy &end;</p></body></html>"
DECLARED = b'<!ENTITY a0 "solar">' + b"".join(
    b'<!ENTITY a%d "%s">' % (n, b"&a%d;" % (n - 1) * 20) for n in range(1, 12)
)
XHTML = (("Content-Type", "application/xhtml+xml"),)


def test_entities_of_a_page_are_neither_multiplied_nor_read_from_this_machine(tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("sesame")
    declared = {
        "bomb": DECLARED + b'<!ENTITY end "&a11;">',
        "outside": f'<!ENTITY end SYSTEM "{secret.as_uri()}">'.encode(),
    }
    answers = {name: Answer(200, XHTML, ENTITIES % entities) for name, entities in declared.items()}
    answers["outside"] = Answer(200, XHTML, answers["outside"].body + b'<a href="/next?&end;">&end;</a>')
    web, _ = crawl_all(tmp_path, answers)
    assert {f"http://{name}.example/" for name in declared} <= set(fetched(tmp_path))
    assert not any("sesame" in asked.url for asked in web.asked)
    database = (tmp_path / "test" / "crawl.db").read_bytes()
    assert b"sesame" not in database
    assert len(database) < 1_000_000


#: On a page of `ODD`: what is no URL of the Web, or one of its own or of the good host.
HARDLY_URLS = (
    *(
        "",
        " ",
        "#",
        "?",
        "//",
        "///",
        "http:",
        "http://",
        "http://[",
        "http://[::1",
        "http://]",
        "http://:80/",
        ".",
        "..",
    ),
    *(f"{GOOD}:{port}/" for port in ("0", "99999", "-1", "x", "")),
    *("ftp://good.example/", "file:///etc/passwd", "javascript:alert(1)", "data:text/html,solar", "mailto:a@b.example"),
    *("about:blank", "view-source:http://good.example/", "ws://good.example/", "gopher://good.example:70/1", "urn:x"),
    *("http://good.example\\@good.example/", "\\\\good.example\\x", f"{GOOD}/%", f"{GOOD}/%zz", f"{GOOD}/%00"),
    *(f"{GOOD}/\u0001", f"{GOOD}/\u202egnp", f"{GOOD}/\uffff", "HTTP://GOOD.EXAMPLE./", "http:/odd.example/"),
    "https:x",
    *("http://xn--.example/", "http://1.2.3.4.5/", "http://good..example/", "http://.example/", "http://_/"),
    "/\\odd.example",
    *(f"http://{'a' * 300}.example/", f"{GOOD}/{'a' * 100_000}", f"{GOOD}/?{'a=1&' * 5000}", "../" * 500 + "x"),
    "?" * 1000,
)
ASKED = {"good.example", "odd.example", "_"}  #: hosts


def test_links_and_redirects_to_what_is_hardly_a_url_do_no_harm(tmp_path: Path) -> None:
    targets = [target.encode("utf-8", "replace").decode("latin-1") for target in HARDLY_URLS]
    moved = {f"{ODD}/moved/{number}": redirect(target) for number, target in enumerate(targets)}
    refreshing = {
        f"{ODD}/refresh/{number}": page("solar", head=f'<meta http-equiv="refresh" content="0; url={target}">')
        for number, target in enumerate(HARDLY_URLS)
    }
    refreshing[f"{ODD}/refresh/late"] = page("solar", head='<meta http-equiv="refresh" content="1e999; url=/x">')
    answers = {f"{ODD}/": page("solar energy", *HARDLY_URLS, *moved, *refreshing, f"{GOOD}/last")}
    answers |= {f"{GOOD}/last": page("solar last"), **moved, **refreshing}
    with serving(MockWeb(answers)) as web:
        ended = crawl(web, tmp_path, [f"{ODD}/"], settings=("RETRY_TIMES=0",), strategy="breadth_first")
    assert (ended.code, ended.plain) == (0, True), ended.log
    assert {f"{ODD}/", f"{GOOD}/last"} <= set(fetched(tmp_path))
    assert {*moved, *refreshing} <= {*fetched(tmp_path), *failures(tmp_path), *web.pages_asked()}
    assert {asked.host for asked in web.asked} <= ASKED
    assert all(asked.url.startswith("http://") for asked in web.asked)


def test_a_host_that_hangs_up_is_asked_again_only_after_its_delay(tmp_path: Path) -> None:
    """On a connection that is kept, clients ask again at once of their own accord."""
    urls = [f"{GOOD}/{number}" for number in range(4)]
    answers: dict[str, Reply] = {f"{GOOD}/": page("solar energy", *urls), **dict.fromkeys(urls, b"")}
    with serving(MockWeb(answers)) as web:
        settings = ("DOWNLOAD_DELAY=0.3", "RETRY_TIMES=1")
        crawl(web, tmp_path, [f"{GOOD}/"], settings=settings, strategy="breadth_first")
    asked = web.pages_asked()
    assert [asked.count(url) for url in urls] == [2] * 4
    assert are_apart(web.times("good.example"), 0.3)


def test_nobody_is_told_a_cookie_or_where_a_link_was_found(tmp_path: Path) -> None:
    headers = (("Set-Cookie", "session=sesame; Path=/"), ("WWW-Authenticate", "Basic"))
    answers: dict[str, Reply] = {
        f"{GOOD}/": page("solar energy", f"{GOOD}/next", f"{ODD}/", headers=headers),
        f"{GOOD}/next": page("solar next", headers=headers),
        f"{ODD}/": Answer(401, headers, b"who?"),
    }
    with serving(MockWeb(answers)) as web:
        crawl(web, tmp_path, [f"{GOOD}/"], strategy="breadth_first")
    assert {"good.example", "odd.example"} == {asked.host for asked in web.asked}
    assert not [asked for asked in web.asked if {"cookie", "authorization"} & asked.headers.keys()]
    assert {asked.headers.get("referer") for asked in web.asked} <= {None, f"{GOOD}/"}

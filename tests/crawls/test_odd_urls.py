"""Odd URLs live: IPv6 literals with and without a proxy, hosts with a dot at the end, credentials in redirects."""

from __future__ import annotations

import http.server
import socket
import threading

import pytest

from focused.simulation.recorded_web import Answer
from tests.crawls.crawling import crawl, end, failures, fetched, rows, scrapy
from tests.crawls.mock_web import MockWeb, page, redirect, serving

SECRET = "hunter2"
A, B, SIX, SEVEN = "http://a.example", "http://b.example", "http://[::6]:8080", "http://[2001:db8::7]"
WEB = MockWeb(
    {
        f"{A}/": page(
            "solar energy",
            *("http://a.example./dot", f"http://me:{SECRET}@a.example/named", "/to-named", "/to-dot", "/refresh"),
            "/to-ftp",
            *("http://[0:0::6]:8080/", "http://[2001:DB8::7]:80/", "http://0x7f.1:0/", "http://localhost../"),
            "/to-six",
        ),
        f"{A}/dot": page("solar dot"),
        f"{A}/named": page("solar named"),
        f"{A}/to-named": redirect(f"http://me:{SECRET}@b.example/named"),
        f"{A}/to-dot": redirect("http://b.example./dot"),
        f"{A}/to-ftp": redirect(f"ftp://me:{SECRET}@b.example/"),
        f"{A}/refresh": page(
            "", head=f'<meta http-equiv="refresh" content="0; url=http://me:{SECRET}@b.example/refreshed">'
        ),
        f"{A}/to-six": redirect("http://[0:0:0:0:0:0:0:6]:8080/six"),
        f"{B}/named": page("solar named of b"),
        f"{B}/dot": page("solar dot of b"),
        f"{B}/refreshed": page("solar refreshed"),
        f"{SIX}/": page("solar six"),
        f"{SIX}/six": page("solar sixth"),
        f"{SEVEN}/": page("solar seven"),
    }
)


@pytest.fixture(scope="module")
def odd(tmp_path_factory):
    folder = tmp_path_factory.mktemp("odd")
    with serving(WEB):
        options = {"strategy": "breadth_first", "scope__allow_private": "true"}  # its IPv6 addresses are nobody's
        ended = crawl(WEB, folder, [f"{A}/"], settings=("LOG_LEVEL=DEBUG",), **options)
    assert (ended.code, ended.plain) == (0, True), ended.log
    return folder, ended


def test_every_spelling_of_a_host_leads_to_the_one_host(odd):
    folder, _ = odd
    paths = [f"{A}/", f"{A}/dot", f"{A}/named", f"{B}/named", f"{B}/dot", f"{B}/refreshed"]
    assert sorted(fetched(folder)) == sorted([*paths, f"{SIX}/", f"{SIX}/six", f"{SEVEN}/"])
    assert {name for (name,) in rows(folder, "SELECT name FROM hosts")} == {
        *("a.example", "b.example", "[::6]", "[2001:db8::7]")
    }


@pytest.mark.usefixtures("odd")
def test_the_host_that_is_asked_is_the_host_that_is_meant():
    robots = sorted(asked.url for asked in WEB.asked if asked.url.endswith("/robots.txt"))
    assert robots == sorted(f"{host}/robots.txt" for host in (A, B, SIX, SEVEN))
    for asked in WEB.asked:
        assert asked.headers["host"] == asked.url.split("/")[2]


def test_nobody_is_told_a_name_and_a_password_and_nothing_keeps_them(odd):
    folder, ended = odd
    assert [asked for asked in WEB.asked if SECRET in f"{asked}" or "authorization" in asked.headers] == []
    kept = [path for path in folder.rglob("*") if path.is_file()]
    assert kept
    # The page that links so is kept as it came; all else is ours.
    assert [path.name for path in kept if SECRET.encode() in path.read_bytes() and "pages" not in path.parts] == []
    assert failures(folder)[f"{A}/to-ftp"] == "http 301"
    assert SECRET not in ended.log
    assert f"Redirecting (301) to <GET {B}/named>" in ended.log


def test_a_command_that_looks_at_one_page_shows_no_password_either(tmp_path):
    with serving(WEB):
        arguments = ("-a", "keywords=solar", "-L", "DEBUG")
        ended = end(scrapy("parse", f"{A}/to-named", "--spider", "topical", *arguments, port=WEB.port, folder=tmp_path))
    assert f"Redirecting (301) to <GET {B}/named>" in ended.log
    assert SECRET not in ended.log


def test_a_seed_with_a_password_is_refused_in_one_line(tmp_path):
    ended = crawl(0, tmp_path, [f"http://me:{SECRET}@a.example/"])
    assert (ended.code != 0, ended.plain) == (True, True)
    assert "are never sent on" in ended.log + ended.output
    assert SECRET not in ended.log


class Six(http.server.ThreadingHTTPServer):
    address_family = socket.AF_INET6


class Answers(http.server.BaseHTTPRequestHandler):
    """A page that links to another; no robots.txt."""

    def do_GET(self):
        found = self.path in ("/", "/next")
        body = b"<p>solar energy <a href=/next>solar next</a>" if found else b""
        self.send_response(200 if found else 404)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        """Says nothing."""


def test_a_host_that_is_an_ipv6_address_is_reached_without_a_proxy(tmp_path):
    try:
        server = Six(("::1", 0), Answers)
    except OSError as error:
        pytest.skip(f"no IPv6 on this machine: {error}")
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    port = server.server_address[1]
    try:
        ended = crawl(0, tmp_path, [f"http://[0:0:0:0:0:0:0:1]:{port}/"], scope__allow_private="true")
    finally:
        server.shutdown()
        server.server_close()
    assert (ended.code, ended.plain) == (0, True), ended.log
    assert fetched(tmp_path) == [f"http://[::1]:{port}/", f"http://[::1]:{port}/next"]


def test_a_page_that_names_a_codec_which_is_no_encoding_is_read_as_browsers_read_it(tmp_path):
    names = ("hex", "rot13", "punycode", "idna", "undefined", "unicode_escape", "utf-7", "zip", "x" * 5_000)
    answers = {f"{A}/": page("solar energy", *names)}
    for name in names:
        html = f"<meta charset='{name}'><p>solar energy of {name} <a href=/of-{name}>solar</a>".encode()
        answers[f"{A}/{name}"] = Answer(200, (("Content-Type", f"text/html; charset={name}"),), html)
        answers[f"{A}/of-{name}"] = Answer(200, (("Content-Type", "text/html"),), html)
    with serving(MockWeb(answers)) as web:
        ended = crawl(web, tmp_path, [f"{A}/"])
    assert (ended.code, ended.plain) == (0, True), ended.log
    short = names[:-1]  # the last makes a URL that is too long
    assert sorted(fetched(tmp_path)) == sorted([f"{A}/", *(f"{A}/{w}{name}" for name in short for w in ("", "of-"))])
    assert failures(tmp_path) == {}

"""What is fuzzed: each target has cases to begin with, and a check that raises for a case which breaks a promise."""

from __future__ import annotations

import math
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from scrapy import Request, Spider
from scrapy.robotstxt import ProtegoRobotParser
from w3lib.url import safe_url_string

from focused import strategies
from focused.exceptions import TopicError
from focused.live.own_requests import OwnRequests, saved_form
from focused.live.robots.robot import Robot
from focused.page.page import Page
from focused.page.reader import Reader, ReadingOptions
from focused.page.urls import MAX_LENGTH, UrlRules, at_canonical_host, host_of
from focused.topic.topic_file import load_topic

_HTML = b"""<!DOCTYPE html><html lang="en-GB"><head><title>Solar &amp; wind</title><base href="/x/">
<meta charset="utf-8"><meta name=robots content="noindex, follow"><meta http-equiv=refresh content="0; url=y"></head>
<body><h1>Solar power</h1><p>Heat <a href="a.html?utm_source=x&b=2#top" rel="nofollow ugc">pumps <b>and</b> wind</a>
<ul><li><a href=//Other.Example./y>one</a><li><a href="http://me:secret@h/">two</a></ul><img alt="sun" src=s.png>
<table><tr><td><a href='?q=1'><img alt="image in a link"></a></table><iframe src=frame.html>no</iframe>
<map><area href=area alt="an area"></map><script>var a = "</p>";</script><style>p {}</style><!-- a comment -->
<template><a href=t>t</a></template><noscript><a href=n>n</a></noscript><svg><title>t</title></svg></body></html>"""

PAGES = (
    b"text/html; charset=utf-8\n" + _HTML,
    b"\n" + _HTML,
    b"text/html; charset=koi8-r\n<p>\xf3\xcf\xcc\xce\xc3\xc5 <a href=/x>\xd7\xc5\xd4\xc5\xd2</a>",
    b"text/html\n" + "<p>Füße ﬁnden ｆｕｌｌ ½ é é 太阳能 พลังงาน حرارة</p><a href='/ü?ä=ö'>Wärme</a>".encode(),
    b'application/xhtml+xml\n<?xml version="1.0" encoding="latin-1"?><html xmlns="http://www.w3.org/1999/xhtml"><p>\xfc</p></html>',
    b"text/html\n" + "<p>Grüße <a href=x>y</a>".encode("utf-16"),
    b"text/html\n<frameset><frame src=a><frame src=b><noframes><a href=c>c</a></noframes></frameset>",
    b"text/html\n" + b"<div><p><b><a href=x>" * 40 + b"deep" + b"</p></i></div>" * 60,
    b"text/plain\nSolar power\nand <b> wind 1.5 kW; f(x) = y_1",
    b"image/png\n\x89PNG\r\n",
)

URLS = (
    b"http://example.com/a/b.html?q=1&utm_source=x#top",
    b"../c/./d/?x=1&y=2&x=3\nhttp://example.com/a/b.html?q=1",
    b"//Other.ORG:443/x y\nhttps://h/",
    "http://user:p@ss@straße.de.:8080/ä b?ü=%C3%BC+%2B".encode(),
    b"http://[2001:DB8:0::1]:80/x;y=z,w",
    b"http://0x7f.1/\nhttp://1.2.3.4/",
    b"http://xn--strae-oqa.de/%7ejo/%c3%bc/index.html",
    b"?a&b=&&c==d;e\nhttp://h/x?y",
    b"http://h/a;jsessionid=1A2B!x/(S(abc))/.;sid=1/b?sid=0123456789&x=1&PHPSESSID=abcdefgh",
    b"mailto:a@b.c\nhttp://h/",
    b"\\\\h\\x\t\nhttp://h/a\\b",
)

ROBOTS = (
    b"User-agent: *\nDisallow: /private\nAllow: /private/open$\nCrawl-delay: 1.5\n\nUser-agent: focused\nDisallow: /*.pdf$\n"
    b"Crawl-delay: 2\nRequest-rate: 1/10s 0900-1700\nVisit-time: 0600-0845\nSitemap: http://h/sitemap.xml\n",
    b"\xef\xbb\xbfuser-agent:*\r\ndisallow:\r\n# comment\r\n",
    b"<html><body>not found</body></html>",
)

TOPICS = (
    b'[topic]\nkeywords = ["solar cells", "wind"]\ndescription = """power"""\nseeds = ["https://sun.example/", "http://h/"]\n'
    b'[strategy]\nname = "adaptive"\n[budget]\npages = 100\nhours = 1.5\n[scope]\nallowed_hosts = ["example.com"]\n'
    b'deny = ["/login"]\ncontent_types = ["text/html"]\n[reading]\nlanguage = "english"\nlevels_up = 2\nmax_bytes = 1000\n'
    b'[settings]\nDOWNLOAD_DELAY = 0.5\nUSER_AGENT = "me"\n',
    b'[topic]\nkeywords = "solar"\nseeds = ["https://sun.example/"]\nexamples = ["https://sun.example/x", "a.html"]\n'
    b'[relevance]\nmodel = "cosine"\nthreshold = 0.2\n[frontier]\n[storage]\n[rendering]\nmode = "never"\n[backlinks]\n',
)


CPU_SECONDS = 2.0  #: that a case may take, far more than any should: the machine may be busy
LONGEST_DELAY = 60.0


@dataclass(frozen=True, slots=True)
class Target:
    """Something that takes input of strangers."""

    about: str
    cases: tuple[bytes, ...]
    check: Callable[[bytes], None]  #: raises whatever it finds wrong

    def run(self, case: bytes) -> None:
        """Check a case, and that it takes no more than `CPU_SECONDS`."""
        started = time.process_time()
        self.check(case)
        spent = time.process_time() - started
        if spent > CPU_SECONDS:
            raise TooSlowError(f"{len(case)} bytes take {spent:.1f} s of CPU")


class TooSlowError(Exception):
    """A case takes too long."""


def promised(holds: bool, promise: str) -> None:
    """Raise AssertionError unless a promise holds; an assert would be left out by python -O."""
    if not holds:
        raise AssertionError(promise)


RULES = (UrlRules(), UrlRules(fold_index=True, strip_parameters=()))


def check_url(case: bytes) -> None:
    """A link on the first line, and what it is relative to on the second."""
    href, _, base = case.decode("utf-8", "replace").partition("\n")
    for rules in RULES:
        url = rules.canonical(href, base or None)
        if url is None:
            continue
        promised(rules.canonical(url) == url, "a canonical URL stays as it is")
        promised(url.isascii() and len(url) <= MAX_LENGTH, "it is ASCII and not too long")
        promised("@" not in url.split("/", 3)[2], "it has no credentials")
        host = host_of(url)
        promised(bool(host) and not host.endswith("."), "its host is a name")
        promised(-(2**63) <= rules.key(url) < 2**63, "its key is a 64-bit integer")
        promised(at_canonical_host(url) == url, "its host is spelt as it is asked for")
        promised(host_of(Request(url).url) == host, "Scrapy asks the same host")
        requested = rules.canonical(safe_url_string(url))
        same = requested is not None and rules.key(requested) == rules.key(url)
        promised(same or len(safe_url_string(url)) > MAX_LENGTH or "%" in url, "Scrapy asks for the same URL")


@cache
def readers() -> tuple[Reader, ...]:
    return Reader(ReadingOptions()), Reader(ReadingOptions(levels_up=3, fold_index=True, language="german"))


def check_page(case: bytes) -> None:
    """Content-Type on the first line, then the body."""
    header, _, body = case.partition(b"\n")
    for reader in readers():
        page = reader.read("http://h.example/a/b", body, header.decode("latin-1"), header.decode("latin-1"))
        if isinstance(page, Page):
            _check_page(reader, page)


def _check_page(reader: Reader, page: Page) -> None:
    count = len(page.terms)
    promised(all(page.terms), "no term is empty")
    promised(page.norm <= count <= page.norm**2 + 1e-6, "its norm is that of its terms")
    for text in (page.title, page.text, *page.terms[:1000]):
        text.encode()  # it can be stored
    for link in page.links:
        promised(reader.rules.canonical(link.url) == link.url != page.url, "links lead to other canonical URLs")
        promised(0 <= link.anchor_start <= link.anchor_end <= count, "anchors lie within the page")
        promised(0 <= link.context_start <= link.context_end <= count, "contexts lie within the page")
        promised(
            math.isfinite(link.context_norm) and link.context_norm <= page.norm + 1e-6, "norms of parts are smaller"
        )
        link.anchor.encode()


def check_robots(case: bytes) -> None:
    """A robots.txt."""
    rules = ProtegoRobotParser(case, None)
    for path in ("/", "/a/b?c=d", "/" + "a" * 200, "/%C3%BC*$"):
        promised(
            isinstance(rules.allowed(f"http://h.example{path}", "focused/1.0 (x)"), bool), "a path is allowed or not"
        )
    delay = Robot("focused", LONGEST_DELAY).crawl_delay(rules, "h.example")
    promised(0 <= delay <= LONGEST_DELAY, "a Crawl-delay is a time")


def check_topic(case: bytes) -> None:
    """A topic file: a topic, or lines that say what is wrong."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "topic.toml"
        path.write_bytes(case)
        try:
            load_topic("topic", strategies, topics_dir=Path(folder)).as_dict()
        except TopicError as error:
            for line in str(error).splitlines():
                promised(line.startswith(str(path)), "each line names the file")


class AnySpider(Spider):
    """Whose request was saved."""

    name = "any"


def check_row(case: bytes) -> None:
    """A request as the table ``requests`` holds it: rebuilt, or left out, but never an error."""
    spider = AnySpider()
    request = OwnRequests({1: case.decode("utf-8", "replace")}, UrlRules()).take(1, "h.example", spider)
    promised(request is None or isinstance(request, Request), "a row is a request or none")
    if request is not None:
        saved_form(request, spider)


def _saved(request: Request) -> bytes:
    return (saved_form(request, AnySpider()) or "").encode()


TARGETS = {
    "reading": Target("responses become pages", PAGES, check_page),
    "urls": Target("links become canonical URLs", URLS, check_url),
    "robots": Target("robots.txt files", ROBOTS, check_robots),
    "topics": Target("topic files", TOPICS, check_topic),
    "rows": Target(
        "saved requests in a collection",
        (
            _saved(Request("http://h.example/")),
            _saved(
                Request(
                    "http://h.example/x?y", method="POST", body=b"\xff", headers={"A": "b"}, meta={"c": [1.5, None]}
                )
            ),
        ),
        check_row,
    ),
}

"""What real servers send and other crawlers stumbled over, crawled live: each host is one case, and one crawl asks them all."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from focused.simulation.recorded_web import Answer
from tests.crawls.crawling import crawl, end, failures, rows, scrapy
from tests.crawls.mock_web import Asked, Endless, MockWeb, Reply, robots, serving

US = "bugbot/2.0 (+mailto:me@bug-mail.net)"
TEXTS = {
    "cp1251": "Тепловой насос это устройство для переноса тепловой энергии. ",
    "koi8-r": "Солнечная энергия и тепловые насосы в частных домах. ",
    "gbk": "热泵是一种把低温热源的热量转移到高温的设备，压缩机和制冷剂是它的主要部件。",
    "big5": "熱泵是一種把低溫熱源的熱量轉移到高溫的設備，壓縮機和製冷劑是它的主要部件。",
    "shift_jis": "ヒートポンプは低温の物体から熱を奪い高温の物体に与える装置である。",
    "euc-jp": "太陽光発電は太陽の光を電気に変える仕組みであり、屋根の上に置かれる。",
    "euc-kr": "열펌프는 낮은 온도의 열원에서 높은 온도로 열을 옮기는 장치이다. ",
    "cp1253": "Η αντλία θερμότητας είναι μια συσκευή που μεταφέρει θερμότητα. ",
    "cp1255": "משאבת חום היא מכשיר המעביר חום ממקום קר למקום חם יותר. ",
    "cp1256": "المضخة الحرارية جهاز ينقل الحرارة من مكان بارد إلى مكان دافئ. ",
    "cp874": "ปั๊มความร้อนเป็นอุปกรณ์ที่ถ่ายเทความร้อน ",
    "cp1250": "Tepelné čerpadlo je zařízení, které přečerpává teplo z chladnějšího místa. Příliš žluťoučký kůň. ",
    "cp1252": "Die Wärmepumpe heizt große Häuser – “sparsam” und für 100 €. ",
}
SOLAR = "solar energy from panels on the roof of a house "


@dataclass
class Case:
    """One host: what it answers by path, where the crawl starts, and what must be true afterwards.

    asked : paths that are asked for, robots.txt left out; None: not looked at
    text : what the text of the page at the first path must hold; None: not looked at
    """

    kind: str
    answers: dict[str, Reply | Callable[[Asked], Reply]]
    asked: set[str] | None = None
    text: str | None = None
    language: str | None = None
    truncated: bool | None = None
    is_page: bool | None = None
    reason: str | None = None
    start: list[str] = field(default_factory=lambda: ["/"])


def html(body: str | bytes, content_type: str | None = "text/html", *more: tuple[str, str]) -> Answer:
    """A page that says what it says: nothing is added to its bytes."""
    kinds = (("Content-Type", content_type),) if content_type is not None else ()
    return Answer(200, (*kinds, *more), body if isinstance(body, bytes) else body.encode())


def sitemap(*urls: str) -> bytes:
    rows = "".join(f"<url><loc>{url}</loc></url>" for url in urls)
    named = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'
    return f'<?xml version="1.0" encoding="UTF-8"?><urlset {named}>{rows}</urlset>'.encode()


def wire(head: str, body: bytes = b"") -> bytes:
    return head.replace("\n", "\r\n").encode("latin-1") + b"\r\n\r\n" + body


PLAIN = html(f"<p>{SOLAR}")
PAGE = f"<html><body><p>{SOLAR}</p></body></html>".encode()
PNG = b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR" + b"solar energy <p>solar" * 20
PDF = b"%PDF-1.4\n1 0 obj <</solar energy>> endobj <p>solar energy\n" * 9
ZIP = b"PK\x03\x04\x14\x00\x00\x00\x08\x00solar energy" * 9
CASES: dict[str, Case] = {}


def case(name: str, kind: str, answers: dict[str, Reply] | Reply, **expected: object) -> None:
    known = answers if isinstance(answers, dict) else {"/": answers}
    CASES[name] = Case(kind, known, **expected)  # type: ignore[arg-type]


def host(name: str) -> str:
    return f"http://{name}.example"


for codec, words in TEXTS.items():
    markup = (
        f"<html><head><title>{words[:20]}</title></head><body><div class='menu'><a href='/'>home"
        f"</a></div><p>{words * 5}</p></body></html>"
    )
    case(
        f"enc-{codec.replace('_', '-')}",
        "undeclared legacy encoding",
        html(markup.encode(codec, "replace")),
        text=words.strip()[:30],
    )
RUSSIAN = TEXTS["cp1251"]
case("meta16", "UTF-16 said in ASCII bytes", html(f'<meta charset="UTF-16"><p>{RUSSIAN * 3}'), text=RUSSIAN.strip())
case(
    "xml16",
    "UTF-16 said in ASCII bytes",
    {
        "/": html(
            b'<?xml version="1.0" encoding="utf-16"?><urlset><url><loc>http://xml16.example/c</loc></url></urlset>',
            "application/xml",
        ),
        "/c": PLAIN,
    },
    asked={"/", "/c"},
)
case(
    "late",
    "declaration behind 4 KB",
    html(
        b"<html><head><style>"
        + b"p { color: red } " * 400
        + b"</style><meta charset=windows-1251></head><p>"
        + (RUSSIAN * 3).encode("cp1251")
    ),
    text=RUSSIAN.strip(),
)
case(
    "bogus",
    "bogus label",
    html(
        b"<html><head><meta charset=windows-1251></head><p>" + (RUSSIAN * 3).encode("cp1251"),
        "text/html; charset=utf8mb4-nonsense",
    ),
    text=RUSSIAN.strip(),
)
case("onebad", "one bad byte", html((RUSSIAN * 40).encode() + b"\xff" + (RUSSIAN * 10).encode()), text=RUSSIAN.strip())
case(
    "query",
    "query in the page's encoding",
    {
        "/": html('<meta charset=windows-1251><a href="/search?q=насос">x</a>'.encode("cp1251")),
        "/search?q=%ED%E0%F1%EE%F1": PLAIN,
    },
    asked={"/", "/search?q=%ED%E0%F1%EE%F1"},
)
case("langlie", "language", html(f'<html lang="en-US"><body><p>{RUSSIAN * 10}'), language="ru")
case("langtrue", "language", html(f'<html lang="en"><body><p>{SOLAR * 10} насос'), language="en")

for name, kind in (
    ("html", "text/html"),
    ("plain", "text/plain"),
    ("octet", "application/octet-stream"),
    ("none", None),
):
    case(
        f"map-{name}",
        "list by its bytes",
        {"/": html(sitemap(f"{host(f'map-{name}')}/a"), kind), "/a": PLAIN},
        asked={"/", "/a"},
    )
    rss = (
        f"<rss version='2.0'><channel><title>t</title><item><title>x</title>"
        f"<link>{host(f'rss-{name}')}/a</link></item></channel></rss>"
    )
    case(f"rss-{name}", "list by its bytes", {"/": html(rss, kind), "/a": PLAIN}, asked={"/", "/a"})
packed_map = gzip.compress(sitemap(f"{host('map-gz')}/a"))
case(
    "map-gz",
    "list by its bytes",
    {
        "/": html(
            sitemap(f"{host('map-gz')}/m.xml.gz")
            .replace(b"urlset", b"sitemapindex")
            .replace(b"<url>", b"<sitemap>")
            .replace(b"</url>", b"</sitemap>"),
            "text/xml",
        ),
        "/m.xml.gz": html(packed_map, "application/octet-stream"),
        "/a": PLAIN,
    },
    asked={"/", "/m.xml.gz", "/a"},
)
LISTED = "http://{0}.example/s1\r\nhttp://{0}.example/s2\r\n"
for name, change in (("text", lambda b: b), ("textgz", gzip.compress), ("textbom", lambda b: b"\xef\xbb\xbf" + b)):
    case(
        name,
        "text sitemap",
        {"/sitemap.txt": html(change(LISTED.format(name).encode()), "text/plain"), "/s1": PLAIN, "/s2": PLAIN},
        asked={"/sitemap.txt", "/s1", "/s2"},
        start=["/sitemap.txt"],
    )
for name, bytes_ in (("png", PNG), ("pdf", PDF), ("zip", ZIP)):
    for kind in ("text/html", "text/plain"):
        case(f"{name}-{kind[5:]}", "binary under a text type", html(bytes_, kind), text="")
case(
    "xhtml",
    "XHTML as XML",
    {
        "/": html(
            f'<?xml version="1.0"?><!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN" "x">'
            f'<html xmlns="http://www.w3.org/1999/xhtml"><head><title>t</title></head><body><p>{SOLAR}'
            f'<a href="/a">x</a></p></body></html>',
            "application/xml",
        ),
        "/a": PLAIN,
    },
    asked={"/", "/a"},
    text=SOLAR.strip(),
)
case(
    "quoting",
    "page that quotes a list",
    {
        "/": html(
            f"<!doctype html><p>{SOLAR} &lt;urlset&gt; <pre><urlset><loc>http://quoting.example/no"
            f"</loc></urlset></pre><a href='/a'>x</a>"
        ),
        "/a": PLAIN,
    },
    asked={"/", "/a"},
)
case(
    "gzid",
    "still packed",
    html(gzip.compress(PAGE), "text/html", ("Content-Encoding", "gzip, identity")),
    text=SOLAR.strip(),
)
case(
    "gztwo",
    "still packed",
    html(gzip.compress(PAGE), "text/html", ("Content-Encoding", "gzip"), ("Content-Encoding", "identity")),
    text=SOLAR.strip(),
)
case("gzbare", "still packed", html(gzip.compress(PAGE), "text/html"), text=None)
case("strange", "still packed", html(gzip.compress(PAGE)[2:], "text/html", ("Content-Encoding", "sdch")), is_page=False)

case(
    "amp",
    "URL that nobody wrote",
    {"/": html(sitemap("http://amp.example/s?y=2017&mm=07&dd=11"), "application/xml"), "/s?y=2017&mm=07&dd=11": PLAIN},
    asked={"/", "/s?y=2017&mm=07&dd=11"},
)
case(
    "entity",
    "URL that nobody wrote",
    {
        "/": html(sitemap("http://entity.example/1&Acirc;&ordm;-x.html", "http://entity.example/b"), "application/xml"),
        "/b": PLAIN,
        "/1%C3%82%C2%BA-x.html": PLAIN,
    },
    asked={"/", "/b", "/1%C3%82%C2%BA-x.html"},
)
case(
    "cutmap",
    "URL that nobody wrote",
    {
        "/": html(sitemap("http://cutmap.example/a", "http://cutmap.example/long-name")[:-34], "application/xml"),
        "/a": PLAIN,
    },
    asked={"/", "/a"},
)
case(
    "smline",
    "Sitemap lines",
    {
        "/robots.txt": html("User-agent: *\nAllow: /\nSitemap: http://smline.example/sm1.xml # main\n", "text/plain"),
        "/": html(f"<p>{SOLAR}<a href=/b>x</a>"),
        "/b": PLAIN,
        "/sm1.xml": html(sitemap("http://smline.example/c"), "text/xml"),
        "/c": PLAIN,
    },
    asked={"/", "/b", "/sm1.xml", "/c"},
)
case(
    "sitemapline",
    "Sitemap lines",
    {
        "/robots.txt": html("Site-map: http://sitemapline.example/sm1.xml\n", "text/plain"),
        "/": html(f"<p>{SOLAR}of Spain<a href=/b>x</a>"),
        "/b": PLAIN,
        "/sm1.xml": html(sitemap("http://sitemapline.example/c"), "text/xml"),
        "/c": PLAIN,
    },
    asked={"/", "/b", "/sm1.xml", "/c"},
)
FEED = "application/rss+xml"
case(
    "guid",
    "feed links",
    {
        "/": html(
            "<rss><channel><item><guid isPermaLink='true'>http://guid.example/g1</guid></item><item>"
            "<guid>http://guid.example/g2</guid></item><item>"
            "<guid isPermaLink='false'>http://guid.example/no</guid></item></channel></rss>",
            FEED,
        ),
        "/g1": PLAIN,
        "/g2": PLAIN,
    },
    asked={"/", "/g1", "/g2"},
)
case(
    "xmlbase",
    "feed links",
    {
        "/": html(
            '<feed xmlns="http://www.w3.org/2005/Atom" xml:base="http://xmlbase.example/x/">'
            '<entry xml:base="y/"><title>t</title><link href="z"/></entry></feed>',
            "application/atom+xml",
        ),
        "/x/y/z": PLAIN,
    },
    asked={"/", "/x/y/z"},
)
case(
    "template",
    "inside template",
    {
        "/": html(
            f'<template><base href="/w/"><a href=hidden>h</a><link rel=canonical href=/no></template><p>{SOLAR}<a href=x>x</a>'
        ),
        "/x": PLAIN,
    },
    asked={"/", "/x"},
)
case(
    "svg",
    "SVG",
    {
        "/": html(
            f'<body><svg><title>Icon menu</title><a href="/s1"><text>one</text></a><a xlink:href="/s2">'
            f"<text>two</text></a></svg><p>{SOLAR}"
        ),
        "/s1": PLAIN,
        "/s2": PLAIN,
    },
    asked={"/", "/s1", "/s2"},
)
case(
    "session",
    "session identifiers",
    {"/": html(f'<p>{SOLAR}<a href="/p?PHPSESSID=abcdef0123456789">x</a>'), "/p": PLAIN},
    asked={"/", "/p"},
)

BUG = html("User-agent: bug\nAllow: /\n\nUser-agent: net\nAllow: /\n\nUser-agent: *\nDisallow: /p\n", "text/plain")
case(
    "ours1",
    "our group",
    {"/robots.txt": BUG, "/": html(f"<p>{SOLAR}<a href=/p>x</a><a href=/q>x</a>"), "/q": PLAIN},
    asked={"/", "/q"},
)
case(
    "ours2",
    "our group",
    {
        "/robots.txt": html("User-agent: BugBot/1.0\nDisallow: /p\n", "text/plain"),
        "/": html(f"<p>{SOLAR}<a href=/p>x</a><a href=/q>x</a>"),
        "/q": PLAIN,
    },
    asked={"/", "/q"},
)
case(
    "tag",
    "directives to us",
    {"/": html(f"<p>{SOLAR}<a href=/p>x</a>", "text/html", ("X-Robots-Tag", "bugbot: nofollow"))},
    asked={"/"},
)
case(
    "tagother",
    "directives to us",
    {"/": html(f"<p>{SOLAR}<a href=/p>x</a>", "text/html", ("X-Robots-Tag", "otherbot: nofollow")), "/p": PLAIN},
    asked={"/", "/p"},
)
case(
    "metaus",
    "directives to us",
    {"/": html(f"<meta name=BugBot content=nofollow><p>{SOLAR}<a href=/p>x</a>")},
    asked={"/"},
)

for name, content in (("bare", "0;/t"), ("comma", "0,/t"), ("quoted", "0; URL = '/t'")):
    case(
        f"refresh-{name}",
        "refresh",
        {"/": html(f'<meta http-equiv=refresh content="{content}">'), "/t": PLAIN},
        asked={"/", "/t"},
    )
case(
    "refresh-late",
    "refresh",
    {"/": html(f"<script>{'var a = 1;' * 1000}</script><meta http-equiv=Refresh content='0; url=/t'>"), "/t": PLAIN},
    asked={"/", "/t"},
)
case("refresh-head", "refresh", {"/": html("", "text/html", ("Refresh", "0; url=/t")), "/t": PLAIN}, asked={"/", "/t"})
case(
    "loop1",
    "redirect loops",
    {"/": Answer(302, (("Location", "/e"),), b""), "/e": Answer(302, (("Location", "/e"),), b"")},
    is_page=False,
)
case(
    "loop2",
    "redirect loops",
    {"/": Answer(301, (("Location", "/b"),), b""), "/b": Answer(301, (("Location", "/"),), b"")},
    is_page=False,
)
case("loop3", "redirect loops", {"/": Answer(301, (("Location", ""),), b"")}, is_page=False)

OK = "HTTP/1.1 200 OK\nContent-Type: text/html\nConnection: close\n"
case("short", "HTTP as browsers take it", wire(OK + "Content-Length: 9000", PAGE), text=SOLAR.strip(), truncated=True)
case(
    "chunk",
    "HTTP as browsers take it",
    wire(OK + "Transfer-Encoding: chunked", b"%x\r\n%s\r\n" % (len(PAGE), PAGE)),
    text=SOLAR.strip(),
    truncated=True,
)
case("blank", "HTTP as browsers take it", wire(OK + "X-Foo : bar", PAGE))
case("teid", "HTTP as browsers take it", wire(OK + "Transfer-Encoding: identity", PAGE))
case("longhead", "HTTP as browsers take it", wire(OK + f"X-Long: {'a' * 17_000}", PAGE))

PARAGRAPHS = [
    f"Paragraph number {n} tells of {word} and of how a heat pump uses it in winter, which many"
    f" owners did not expect to read here at all."
    for n, word in enumerate(
        ["air", "water", "ice", "brine", "copper", "oil", "steam", "salt", "glass", "wool", "stone", "sand"]
    )
]
parts = "".join(f"<p>{p}</p>" for p in PARAGRAPHS[:8]), "".join(f"<p>{p}</p>" for p in PARAGRAPHS[8:])
MENU = "<nav><ul>" + "".join(f"<li><a href='/m{n}'>Menu entry {n}</a></li>" for n in range(9)) + "</ul></nav>"


@pytest.fixture(scope="module")
def crawled(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[MockWeb, Path, dict[str, dict[str, object]]]]:
    folder = tmp_path_factory.mktemp("real-web")
    answers = {f"{host(name)}{path}": reply for name, one in CASES.items() for path, reply in one.answers.items()}
    for name, one in CASES.items():
        if "/robots.txt" not in one.answers:
            answers[f"{host(name)}/robots.txt"] = robots("Allow: /")
    seeds = [f"{host(name)}{path}" for name, one in CASES.items() for path in one.start]
    on = {
        "sources__sitemaps": "true",
        "sources__after": 1,
        "sources__share": "0",
        "scope__content_types": "",
        "relevance__threshold": "0",
        "strategy": "breadth_first",
        "reading__detect_language": "true",
    }
    with serving(MockWeb(answers)) as web:
        ended = crawl(web, folder, seeds, settings=(f"USER_AGENT={US}", "DOWNLOAD_TIMEOUT=5"), **on)
    assert (ended.code, ended.plain) == (0, True), ended.log
    done = end(scrapy("export", "test", str(folder / "pages.jsonl"), folder=folder))
    assert done.code == 0, done.log
    pages = {page["url"]: page for page in map(json.loads, (folder / "pages.jsonl").read_text().splitlines())}
    yield web, folder, pages


@pytest.mark.parametrize("name", CASES)
def test_a_case_of_the_real_web(name: str, crawled: tuple[MockWeb, Path, dict[str, dict[str, object]]]) -> None:
    web, folder, pages = crawled
    one, origin = CASES[name], host(name)
    asked = [a.url.removeprefix(origin) for a in web.asked if a.url.startswith(f"{origin}/")]
    of_interest = {path for path in asked if path not in ("/robots.txt", "/sitemap.xml", "/sitemap_index.xml")}
    if one.asked is not None:
        assert of_interest == one.asked
    if one.kind == "redirect loops":
        assert len(asked) <= 4, asked
    page = pages.get(f"{origin}{one.start[0]}")
    if one.text == "":
        assert page is None or not page["text"]
    elif one.text is not None:
        assert page is not None, failures(folder).get(f"{origin}/")
        assert one.text in str(page["text"])
    if one.language is not None:
        assert page is not None and page["language"] == one.language
    if one.truncated is not None:
        assert page is not None and page["truncated"] is one.truncated
    if one.is_page is False:
        assert page is None or not page["text"]
    if one.kind == "HTTP as browsers take it" and page is None:
        assert asked.count("/") == 1
        assert failures(folder)[f"{origin}/"].startswith("its answer breaks HTTP")


def test_a_file_without_a_type_is_given_up_at_its_first_bytes(tmp_path: Path) -> None:
    head = b"HTTP/1.1 200 OK\r\nContent-Type: application/octet-stream\r\n\r\n"
    with serving(MockWeb({"http://a.example/": Endless(head, ZIP * 1000), "http://b.example/": PLAIN})) as web:
        ended = crawl(web, tmp_path, ["http://a.example/", "http://b.example/"])
    assert (ended.code, ended.plain) == (0, True), ended.log
    assert failures(tmp_path) == {"http://a.example/": "content type application/zip out of scope"}
    assert rows(tmp_path, "SELECT url FROM history WHERE outcome = 'page'") == [("http://b.example/",)]

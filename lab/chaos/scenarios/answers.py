"""Scenes of answers that are none or hard to read: slow, endless, cut, packed a thousandfold, deep, in codecs that are none."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Iterable
from importlib import import_module
from importlib.util import find_spec

from lab.chaos.replies import HTML, answer, drip, endless, honest_host, page_bytes, raw
from lab.chaos.scene import ODD, Scene, scenario
from lab.chaos.server import Behaviour, Web

OK = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n"
BODY = page_bytes("solar")
CHUNKED = OK + b"Transfer-Encoding: chunked\r\n\r\n"
MILLION = 10**6


def scene_of(behaviours: dict[str, Behaviour], honest_pages: int = 20, **more: object) -> Scene:
    """Each behaviour on a host of its own, behind a good page that leads to them all."""
    web = Web()
    for name, behaviour in behaviours.items():
        web.add(f"{name}.example", behaviour)
    seed, good = honest_host(web, honest_pages, [f"http://{name}.example/solar" for name in behaviours])
    return Scene(web, (seed,), len(behaviours), good, settings={"RETRY_TIMES": 0}, **more)  # type: ignore[arg-type]


def lying(length: object) -> Behaviour:
    return answer(200, BODY, HTML, length=length)


@scenario("slow, endless and cut answers, wrong lengths, huge and odd heads")
def answers() -> Scene:
    return scene_of(
        {
            "slow-head": drip(b"", b"H", 0.3),
            "slow-headers": drip(OK, b"X-More: 1\r\n", 0.3),
            "slow-body": drip(OK + b"\r\n", b"<p>", 0.3),
            "slow-long-body": drip(OK + b"Content-Length: 99999\r\n\r\n", b"<p>solar", 0.3),
            "endless": endless(OK + b"\r\n", b"<p>solar energy " * 4096),
            "endless-length": endless(OK + b"Content-Length: 999999999999\r\n\r\n", b"solar " * 8192),
            "endless-chunks": endless(CHUNKED, b"1000\r\n" + b"s" * 4096 + b"\r\n"),
            "endless-headers": endless(OK, b"X-Many: header\r\n" * 100),
            "endless-header": endless(OK + b"X-Long: ", b"solar" * 4096),
            "endless-100": endless(b"", b"HTTP/1.1 100 Continue\r\n\r\n" * 10),
            "too-short": lying(len(BODY) + 1000),
            "too-long": lying(10),
            "negative": lying(-1),
            "no-number": lying("many"),
            "huge-number": lying("9" * 400),
            "two-lengths": raw(OK + b"Content-Length: 10\r\nContent-Length: 20\r\n\r\n" + BODY),
            "length-and-chunks": raw(
                OK + b"Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n"
            ),
            "bad-chunk": raw(CHUNKED + b"zz\r\nsolar\r\n"),
            "negative-chunk": raw(CHUNKED + b"-5\r\nsolar\r\n"),
            "huge-chunk": raw(CHUNKED + b"f" * 4000 + b"\r\nsolar"),
            "million-byte-header": raw(OK + b"X: " + b"a" * MILLION + b"\r\n\r\n" + BODY),
            "many-headers": raw(OK + b"X: a\r\n" * 100_000 + b"\r\n" + BODY),
            "no-head": raw(BODY),
            "empty": raw(b""),
            "line-break": raw(b"\r\n\r\n"),
            "other-protocol": raw(b"SSH-2.0-OpenSSH_9.2\r\n"),
            "zeros": raw(b"\0" * 10_000),
            "status-0": raw(b"HTTP/1.1 000 \r\nContent-Length: 0\r\n\r\n"),
            "status-999": raw(b"HTTP/1.1 999 No\r\nContent-Length: 0\r\n\r\n"),
            "status-words": raw(b"HTTP/1.1 OK OK\r\n\r\n" + BODY),
            "http-9": raw(b"HTTP/9.9 200 OK\r\n\r\n" + BODY),
            "switching": raw(b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n"),
            "status-206": raw(b"HTTP/1.1 206 Part\r\nContent-Range: bytes 0-1/9\r\nContent-Length: 2\r\n\r\nab"),
            "status-304": raw(b"HTTP/1.1 304 Same\r\n\r\n"),
            "status-204": raw(b"HTTP/1.1 204 None\r\n\r\n"),
            "control-header": raw(OK + b"X-\x1b[31m\x07: \x00\x1b]0;title\x07\r\nContent-Length: 0\r\n\r\n"),
            "control-reason": raw(b"HTTP/1.1 500 \x1b[2J\x1b[31mgone\x07\r\nContent-Length: 0\r\n\r\n"),
            "control-type": raw(b"HTTP/1.1 200 OK\r\nContent-Type: text/\x1b[31mhtml\r\nContent-Length: 1\r\n\r\na"),
            "header-without-colon": raw(OK + b"nothing\r\nContent-Length: 0\r\n\r\n"),
            "folded-header": raw(OK + b"X: a\r\n b\r\nContent-Length: 0\r\n\r\n"),
            "bytes-header": raw(OK + bytes(range(128, 256)) + b": x\r\nContent-Length: 0\r\n\r\n"),
            "cut-gzip": answer(200, gzip.compress(BODY)[:-20], HTML, ("Content-Encoding", "gzip")),
            "no-gzip": answer(200, BODY, HTML, ("Content-Encoding", "gzip")),
            "no-brotli": answer(200, BODY, HTML, ("Content-Encoding", "br")),
            "unknown-coding": answer(200, BODY, HTML, ("Content-Encoding", "secret")),
            "many-codings": answer(200, BODY, HTML, ("Content-Encoding", ", ".join(["gzip"] * 1000))),
            "cookies": answer(200, BODY, HTML, *[("Set-Cookie", f"c{n}=1; Path=/") for n in range(500)]),
        },
        more=no_controls_in_the_log,
    )


def no_controls_in_the_log(outcome: object) -> Iterable[str]:
    """Bytes of a server that a terminal takes for commands must not stand in a log."""
    log: str = outcome.log  # type: ignore[attr-defined]
    places = [place for sign in ("\x1b", "\x07", "\x00") if (place := log.find(sign)) >= 0]
    if places:
        yield f"control characters in the log: {log[max(0, min(places) - 60) : min(places) + 20]!r}"


def _gzipped(size: int) -> bytes:
    """So many bytes of spaces, packed."""
    packer = zlib.compressobj(1, zlib.DEFLATED, 31)
    block = b" " * 2**20
    return b"".join(packer.compress(block) for _ in range(size // len(block))) + packer.flush()


def _packed_by_others(body: bytes) -> dict[str, Behaviour]:
    """By packers that need not be installed; a crawl without them does not unpack what they packed."""
    modules = {"br": ("brotli",), "zstd": ("compression.zstd", "backports.zstd", "zstandard")}
    found = {coding: [name for name in names if _is_there(name)] for coding, names in modules.items()}
    return {
        coding: answer(200, import_module(names[0]).compress(body), HTML, ("Content-Encoding", coding))
        for coding, names in found.items()
        if names
    }


def _is_there(module: str) -> bool:
    try:
        return find_spec(module) is not None
    except ModuleNotFoundError:  # not even the package that it would lie in
        return False


@scenario("bodies packed a thousandfold: gzip, deflate, brotli, zstd, several layers")
def bombs() -> Scene:
    gzipped = _gzipped(200 * 2**20)
    twice = gzip.compress(gzipped)
    tags = gzip.compress(b"<b>" * 600_000)
    return scene_of(
        {
            "gzip": answer(200, gzipped, HTML, ("Content-Encoding", "gzip")),
            "x-gzip": answer(200, gzipped, HTML, ("Content-Encoding", "x-gzip")),
            "gzip-2": answer(200, twice, HTML, ("Content-Encoding", "gzip, gzip")),
            "gzip-3": answer(200, gzip.compress(twice), HTML, ("Content-Encoding", "gzip, gzip, gzip")),
            "deflate": answer(200, zlib.compress(b" " * 2**26), HTML, ("Content-Encoding", "deflate")),
            **_packed_by_others(b" " * 2**26),
            "tags": answer(200, tags, HTML, ("Content-Encoding", "gzip")),
            "gzip-file": answer(200, gzipped, ("Content-Type", "application/gzip")),
            "sitemap": answer(200, gzipped, ("Content-Type", "application/x-gzip")),
        }
    )


MEGABYTE = 2**20
CODECS = (*ODD["codecs"], "a" * 10_000)


def _html(body: bytes) -> Behaviour:
    return answer(200, b"<html><head><title>Solar</title></head><body>" + body + b"</body></html>", HTML)


@scenario("deep and broken markup, a million tags, attributes, entities and links")
def markup() -> Scene:
    return scene_of(
        {
            "deep": _html(b"<div>" * 200_000 + b"solar energy"),
            "deep-fonts": _html(b"<font><b><i>" * 60_000 + b"solar"),
            "deep-tables": _html(b"<table><tr><td>" * 40_000),
            "deep-links": _html(b'<a href="x"><div>' * 50_000),
            "deep-lists": _html(b"<ul><li>" * 80_000),
            "stray-ends": _html(b"</p>" * (MEGABYTE // 4)),
            "stray-ends-deep": _html(b"<div>" * 2000 + b"</b></i></p></x>" * (MEGABYTE // 16)),
            "misnested": _html(b"<b><p></b></p><i><div></i></div>" * 30_000),
            "attributes": _html(b"<p " + b"".join(b"a%d=1 " % n for n in range(100_000)) + b">solar</p>"),
            "same-attributes": _html(b"<p " + b"a=1 " * 250_000 + b">solar</p>"),
            "long-attribute": _html(b'<p title="' + b"a" * MEGABYTE + b'">solar</p>'),
            "no-end-of-tag": _html(b"<p title='" * 100_000),
            "open-comment": _html(b"<!--" * 250_000),
            "open-script": _html(b"<script>" * 100_000),
            "entities": _html(b"&nbsp;&#x1F600;&#0;&#99999999999;&bogus;" * 25_000),
            "entity-bomb": answer(
                200,
                b'<!DOCTYPE x [<!ENTITY a "solar"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">'
                + b"".join(b'<!ENTITY %c "%s">' % (98 + n, b"&%c;" % (97 + n) * 20) for n in range(1, 12))
                + b"]><html><body>&m;</body></html>",
                ("Content-Type", "application/xhtml+xml"),
            ),
            "outside-entity": answer(
                200,
                b'<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]><html><body>&a;</body></html>',
                ("Content-Type", "application/xhtml+xml"),
            ),
            "one-word": _html(b"solar" * (MEGABYTE // 5)),
            "many-words": _html(b" ".join(b"w%d" % n for n in range(150_000))),
            "one-letter-words": _html(b"a b " * (MEGABYTE // 4)),
            "marks": answer(200, page_bytes("a" + "\u0301" * 300_000), HTML),
            "right-to-left": answer(200, page_bytes("\u202e\u2066" * 100_000 + "solar"), HTML),
            "links": _html(
                b"".join(b'<a href="http://good.example/1?n=%d">solar</a>' % (n % 7) for n in range(25_000))
            ),
            "link-texts": _html(b'<a href="http://good.example/1">' + b"solar " * 200_000 + b"</a>"),
            "bases": _html(b'<base href="http://good.example/"><base href="http://[">' * 20_000),
            "titles": _html(b"<title>solar</title>" * 50_000),
            "metas": _html(b'<meta name="robots" content="none, noindex">' * 25_000),
            "selects": _html(b"<select><option>" * 60_000),
            "svg": _html(b"<svg><g>" * 100_000 + b"<foreignObject><p>solar"),
            "math": _html(b"<math><mi><mglyph>" * 50_000),
            "templates": _html(b"<template><template>" * 50_000),
            "frames": _html(b"<frameset><frame src=x><noframes>" * 30_000),
            "nulls": _html(b"so\0lar \0" * 100_000),
            "invalid-utf8": _html(b"\xff\xfe\xfa\xc0\x80\xed\xa0\x80 solar " * 60_000),
        }
    )


@scenario("codecs that are none, and control characters in titles, types and texts")
def codecs() -> Scene:
    body = page_bytes("solar", title="Solar \x1b[31m\x1b]0;owned\x07\x00\r\n=HYPERLINK(1)")
    kinds: dict[str, Behaviour] = {
        f"codec-{number}": answer(200, body, ("Content-Type", f"text/html; charset={name}"))
        for number, name in enumerate(CODECS)
    }
    for number, name in enumerate(CODECS):
        head = f'<meta charset="{name}"><meta http-equiv="content-type" content="text/html; charset={name}">'
        kinds[f"meta-{number}"] = answer(200, page_bytes("solar", head=head), ("Content-Type", "text/html"))
    types = (
        "text/\x1b[31mhtml",
        "text/html" * 1000,
        ";",
        "text",
        "/",
        "text/html; charset=utf-8; charset=hex",
        "TEXT/HTML;=;=",
    )
    for number, name in enumerate(types):
        kinds[f"type-{number}"] = answer(200, body, ("Content-Type", name))
    kinds["robots-tag"] = answer(200, body, HTML, ("X-Robots-Tag", "\x1b[31m" + "none," * 5000))
    kinds["language"] = answer(200, body, HTML, ("Content-Language", "\x1b[31m" * 100))
    return scene_of(kinds, more=no_controls_in_the_log)

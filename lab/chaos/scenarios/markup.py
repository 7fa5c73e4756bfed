"""Pages that are hard to read: deep, endless, broken, in codecs that are none, with control characters."""

from __future__ import annotations

from lab.chaos.replies import HTML, answer, page_bytes
from lab.chaos.scenarios.bodies import no_controls_in_the_log, scene_of
from lab.chaos.scene import Scene, scenario
from lab.chaos.server import Behaviour

MEGABYTE = 2**20
CODECS = (
    *(
        "hex",
        "rot13",
        "punycode",
        "idna",
        "zlib",
        "bz2",
        "base64",
        "uu",
        "quopri",
        "unicode_escape",
        "raw_unicode_escape",
    ),
    *("undefined", "mbcs", "oem", "utf-7", "utf-16", "utf-32", "utf-8-sig", "ebcdic-cp-us", "cp037", "x-user-defined"),
    *(
        "charset",
        "",
        " ",
        "none",
        "a" * 10_000,
        "utf-8\x00",
        "../../etc/passwd",
        "%s",
        "latin-1; charset=hex",
        "string-escape",
    ),
)


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

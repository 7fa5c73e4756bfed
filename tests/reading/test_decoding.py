"""Media types and encodings of responses."""

import codecs

import pytest

from focused.reading.decoding import decode, media_type


@pytest.mark.parametrize(
    ("header", "body", "found"),
    [
        ("Text/HTML; charset=utf-8", b"", "text/html"),
        ("text/html, text/plain", b"", "text/html"),
        ("image/png", b"<html>", "image/png"),
        ("", b"  <!DOCTYPE html><p>", "text/html"),
        ("", b"<center>1996</center><p>", "text/html"),
        ("*/*", b"%PDF-1.4", "application/pdf"),
        ("", b"a < b and c > d", "text/plain"),
        ("", b"\x89PNG\x00\x01", "application/octet-stream"),
        ("", codecs.BOM_UTF16_LE + "<html>".encode("utf-16-le"), "text/html"),
    ],
)
def test_the_header_says_the_type_and_without_it_the_body_does(header: str, body: bytes, found: str) -> None:
    assert media_type(header, body) == found


@pytest.mark.parametrize(
    ("body", "header", "text"),
    [
        (codecs.BOM_UTF8 + "ü".encode(), "text/html; charset=latin-1", "ü"),
        ("ü€".encode("utf-16"), "", "ü€"),
        ("ü€".encode("cp1252"), "text/html; charset=iso-8859-1", "ü€"),
        ('<meta charset="koi8-r">я'.encode("koi8-r"), "text/html", '<meta charset="koi8-r">я'),
        (
            "<?xml version='1.0' encoding='latin-1'?>ü".encode("latin-1"),
            "",
            "<?xml version='1.0' encoding='latin-1'?>ü",
        ),
        ("ü€".encode(), "", "ü€"),
        ("ü€".encode("cp1252"), "", "ü€"),
        ("aü".encode()[:2], "", "a"),
        (b"a\xff", "text/html; charset=utf-8", "a\ufffd"),
        ("ü".encode(), "text/html; charset=no-such-thing", "ü"),
        (b"6869", "text/html; charset=hex", "6869"),
        (b"a-b", "text/html; charset=punycode", "a-b"),
        (b"a", "text/html; charset=undefined", "a"),
    ],
)
def test_characters_are_decoded_as_browsers_do(body: bytes, header: str, text: str) -> None:
    assert decode(body, header) == text

"""Media types and encodings of responses."""

import codecs

import pytest

from focused.page.decoding import ENCODINGS, decode, encoding_of, is_misdeclared
from focused.page.media_types import media_type


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


@pytest.mark.parametrize("header", ["", "text/plain", "text/html; charset=utf-8", "text/calendar"])
def test_a_calendar_is_one_whatever_the_header_says(header: str) -> None:
    assert media_type(header, codecs.BOM_UTF8 + b"BEGIN:VCALENDAR\r\nVERSION:2.0\r\n") == "text/calendar"
    assert media_type(header, b"BEGIN:VCALENDAR is how a calendar begins") != "text/calendar" or "calendar" in header


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


NO_ENCODINGS = (
    *("hex", "rot13", "punycode", "idna", "base64", "zip", "bz2", "uu", "quopri", "unicode_escape"),
    "raw_unicode_escape",
    *("undefined", "utf-7", "utf-32", "mbcs", "cp037", "palmos", "utf-8-sig", "x" * 10_000, "../../etc/passwd", "\x00"),
)


@pytest.mark.parametrize("name", NO_ENCODINGS)
def test_what_is_no_encoding_of_the_web_is_never_run(name: str) -> None:
    body = "é 6869".encode("koi8-r", "ignore") + "ü".encode()
    for declared in (f'<meta charset="{name}">', f'<?xml version="1.0" encoding="{name}"?>', ""):
        page = declared.encode() + body
        assert decode(page, f"text/html; charset={name}") == decode(page) == page.decode()


def test_the_document_is_heard_where_the_header_says_nonsense() -> None:
    page = '<meta charset="koi8-r">я'.encode("koi8-r")
    assert decode(page, "text/html; charset=hex") == '<meta charset="koi8-r">я'
    assert encoding_of(page, "text/html; charset=hex") == "koi8-r"
    assert encoding_of(b"\xe4 b") == "cp1252"


def test_only_a_response_that_says_nonsense_is_misdeclared() -> None:
    assert is_misdeclared(b"", "text/html; charset=punycode")
    assert is_misdeclared(b"<meta charset=hex>")
    assert not is_misdeclared(b"<meta charset=hex>", "text/html; charset=utf-8")
    assert not is_misdeclared(b"<p>", "text/html; charset=no-such-thing")


@pytest.mark.parametrize(
    ("name", "encoding"),
    [("iso-8859-8-i", "iso8859-8"), ("x-gbk", "gb18030"), ("unicode", "utf-16-le"), ("windows-949", "cp949")],
)
def test_names_that_only_the_web_has_are_known(name: str, encoding: str) -> None:
    assert encoding_of(b"", f"text/html; charset={name}") == encoding


def test_every_encoding_has_the_name_that_python_gives_it() -> None:
    assert [name for name in ENCODINGS if codecs.lookup(name).name != name] == []

"""What a response is: its bytes say first, then its header."""

import gzip
import random

import pytest

from focused.page.media_types import declared_type, media_type

SITEMAP = b'<?xml version="1.0"?>\n<!-- made by hand -->\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"></urlset>'
RSS = b"<rss version='2.0'><channel></channel></rss>"
ATOM = b'<feed xmlns="http://www.w3.org/2005/Atom"></feed>'
XHTML = b'<?xml version="1.0"?><!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN" "x"><html xmlns="http://www.w3.org/1999/xhtml">'
TEXTS = ("text/html", "text/plain", "text/html; charset=utf-8", "")
FILES = {
    "image/png": b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR",
    "image/jpeg": b"\xff\xd8\xff\xe0\0\x10JFIF",
    "image/gif": b"GIF89a\1\0",
    "image/webp": b"RIFF\x10\0\0\0WEBPVP8 ",
    "application/pdf": b"%PDF-1.7\n%\xe2",
    "application/zip": b"PK\x03\x04\x14\0",
    "application/gzip": gzip.compress(b"<p>text"),
    "video/mp4": b"\0\0\0\x18ftypmp42",
    "font/woff": b"wOF2\0\1",
    "application/x-7z-compressed": b"7z\xbc\xaf\x27\x1c",
}


@pytest.mark.parametrize("header", [*TEXTS, "application/octet-stream", "text/xml"])
@pytest.mark.parametrize("kind", FILES)
def test_a_file_is_none_of_the_texts_that_its_header_says(header: str, kind: str) -> None:
    assert media_type(header, FILES[kind] + b"<p>solar energy" * 9) == kind


@pytest.mark.parametrize(
    "header", [*TEXTS, "application/octet-stream", "binary/octet-stream", "application/x-download"]
)
@pytest.mark.parametrize(
    ("body", "kind"), [(SITEMAP, "application/xml"), (RSS, "application/rss+xml"), (ATOM, "application/atom+xml")]
)
def test_a_list_is_one_whatever_text_its_header_says(header: str, body: bytes, kind: str) -> None:
    wide = body.decode().encode("utf-16")
    assert [media_type(header, one) for one in (body, b"\xef\xbb\xbf\n " + body, wide)] == [kind] * 3


def test_the_header_of_an_xml_document_says_enough() -> None:
    assert media_type("text/xml", SITEMAP) == "text/xml"
    assert media_type("application/rdf+xml", RSS) == "application/rdf+xml"


@pytest.mark.parametrize("header", ["application/xml", "text/xml", "application/rss+xml"])
def test_xml_whose_first_element_is_that_of_a_page_is_a_page(header: str) -> None:
    assert media_type(header, XHTML) == "application/xhtml+xml"
    assert media_type(header, b"<svg xmlns='http://www.w3.org/2000/svg'><html/></svg>") == header


@pytest.mark.parametrize(
    "body",
    [
        b"<!doctype html><p>A sitemap begins with <urlset>",
        b"<html><body><pre><rss><channel></channel></rss></pre>",
        b"<!-- <rss> --><p>news",
        b"<feed><p>our cats",  # no feed without its namespace
        b"<urlsets>",
        b"rss <rss>",
    ],
)
def test_a_page_that_shows_a_list_is_a_page(body: bytes) -> None:
    assert media_type("text/html", body) == "text/html"


@pytest.mark.parametrize(
    "header", ["image/png", "text/css; charset=utf-8", "application/javascript", "application/json"]
)
def test_what_is_no_text_by_its_header_does_not_become_a_page(header: str) -> None:
    assert media_type(header, b"<!doctype html><p>solar") == declared_type(header)


def test_a_plain_text_with_bytes_that_no_text_has_is_none() -> None:
    assert media_type("text/plain", b"solar\0\1\2") == "application/octet-stream"
    assert media_type("text/plain", "\ufeffsolar".encode("utf-16-le")) == "text/plain"
    assert media_type("text/html", b"solar\0") == "text/html"


def test_any_bytes_are_something() -> None:
    noise = random.Random(1)
    for size in (0, 1, 2, 3, 7, 50, 5_000):
        for _ in range(50):
            body = noise.randbytes(size)
            assert all(media_type(header, body) for header in TEXTS)
    assert media_type("text/html", b"<!--" * 2_000_000) == "text/html"
    assert media_type("", b"<?" * 2_000_000)

"""The text of a stored page, as it is shown and searched."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from focused.reading.page import Page
from focused.reading.page_text import PageText, page_text
from focused.reading.reader import Reader, ReadingOptions

OPTIONS = ReadingOptions(max_bytes=100)


def searched(body: bytes, content_type: str) -> str:
    return page_text(body, content_type, OPTIONS).searched


def test_of_html_it_is_what_is_seen() -> None:
    assert (
        searched("<title>T</title><script>x</script><p>Käse ist da".encode("latin-1"), "text/html; charset=latin1")
        == "Käse ist da"
    )


def test_plain_text_keeps_its_lines_where_it_is_shown() -> None:
    assert page_text(b"one\n  two", "text/plain", OPTIONS).shown == "one\n  two"


def test_no_more_is_read_than_the_crawl_has_read() -> None:
    assert searched(b"<p>" + b"sun " * 1000, "text/html").count("sun") == 24


@pytest.mark.parametrize("kind", ["image/png", "application/pdf", "application/json", ""])
def test_what_has_no_text_gives_none(kind: str) -> None:
    assert page_text(b"\x89PNG\x00\x01", kind, OPTIONS) == PageText()


@given(st.binary(min_size=1), st.sampled_from(["text/html", "text/html; charset=utf-16", "text/plain", "", "x"]))
def test_it_is_the_text_that_the_crawl_has_read_whatever_the_bytes_are(body: bytes, content_type: str) -> None:
    page = Reader(OPTIONS).read("http://a.example/", body, content_type)
    assert isinstance(page, Page)
    assert " ".join(searched(body, content_type).split()) == page.text

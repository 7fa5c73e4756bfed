"""Texts of servers: nothing in them is a command to a terminal, or a formula to a spreadsheet."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from focused.page.media_types import declared_type
from focused.page.plain_text import JOINERS, LONGEST_TITLE, cell, plain, printable, uncelled
from focused.page.reader import Reader, ReadingOptions

HOSTILE = (
    "\x1b]52;c;ZXZpbA==\x07 \x9b31m \x1b]8;;http://evil\x1b\\x \u202egnp.exe \u2066a\u2069 \x00 \x7f \ud800 \r\n[red]x"
)


@given(st.text())
def test_a_plain_text_is_one_line_without_control_characters(text: str) -> None:
    found = plain(text)
    assert all(unicodedata.category(one) not in ("Cc", "Cs", "Co", "Zl", "Zp") for one in found)
    assert all(one.isprintable() or one in JOINERS for one in found)


@given(st.text(), st.integers(1, 30))
def test_it_is_no_longer_than_it_may_be(text: str, most: int) -> None:
    assert len(plain(text, most)) <= most


def test_what_is_printable_stays() -> None:
    assert plain("Größe: 1 \u200cمی\u200cخواهم 日本 🙂") == "Größe: 1 \u200cمی\u200cخواهم 日本 🙂"
    assert printable("a\n\tb", JOINERS + "\n\t") == "a\n\tb"


@given(st.text())
def test_no_cell_begins_as_a_formula_and_all_come_back(text: str) -> None:
    assert not cell(text).startswith(tuple("=+-@\t\r\n＝＋－＠"))
    assert uncelled(cell(text)) == text or text.startswith("'")


@pytest.mark.parametrize("text", ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "＝1"])
def test_a_formula_is_quoted_and_read_back(text: str) -> None:
    assert cell(text) == "'" + text
    assert uncelled(cell(text)) == text


def test_titles_and_types_of_pages_are_plain_when_they_are_read() -> None:
    body = f"<title>a{HOSTILE}b</title><p>sun</p>".encode(errors="surrogatepass")
    page = Reader(ReadingOptions()).read("http://a.example/", body, "text/html; charset=utf-8")
    assert page.title.isprintable() and page.title.startswith("a")
    long = Reader(ReadingOptions()).read("http://a.example/", b"<title>" + b"x " * 10_000 + b"</title>", "text/html")
    assert len(long.title) <= LONGEST_TITLE


@pytest.mark.parametrize(
    ("header", "found"),
    [
        ("Text/HTML; charset=x", "text/html"),
        ("application/vnd.ms-excel", "application/vnd.ms-excel"),
        ("text/\x1b[31mhtml", ""),
        ("html", ""),
        ("a/" + "b" * 200, ""),
    ],
)
def test_a_type_is_two_tokens(header: str, found: str) -> None:
    assert declared_type(header) == found

"""Abstracts and references of papers, and texts that look like papers."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from focused.desk.portal.entry import LONGEST, MOST_REFERENCES, PortalEntry, paper_abstract, paper_references
from focused.desk.portal.site_pages import SitePages, categories_of
from focused.page.page_text import TextRequest, page_content
from focused.page.reader import ReadingOptions
from tests.page.test_documents import pdf

ABSTRACT = "Topical crawlers follow links that look worth it. We compare several of them by their harvest rate."
FIRST = "S. Chakrabarti et al. Focused crawling: a new approach. WWW 1999."
SECOND = "F. Menczer, as in [1] above. Complementing search engines. 2003."
PAPER = f"A Title Some Author Abstract. {ABSTRACT} 1 Introduction We cite [1] and [2] here. References [1] {FIRST} [2] {SECOND}"


def test_an_abstract_ends_where_the_introduction_begins() -> None:
    assert paper_abstract(PAPER) == ABSTRACT
    assert paper_abstract(PAPER.replace("1 Introduction", "Keywords")) == ABSTRACT


@pytest.mark.parametrize(
    "text", ["", "Abstract", "Abstract art is old.", f"Abstract {ABSTRACT} and so on", "Keywords Abstract"]
)
def test_what_is_no_abstract_is_none(text: str) -> None:
    assert paper_abstract(text) == ""


def test_references_are_told_apart_by_their_numbers() -> None:
    assert paper_references(PAPER) == [FIRST, SECOND]


@pytest.mark.parametrize(
    "text", ["", "References", "References Smith 2003. Jones 2004.", f"[1] {FIRST}", f"References [7] {FIRST}"]
)
def test_what_has_no_list_has_no_references(text: str) -> None:
    assert paper_references(text) == []


@given(
    st.lists(
        st.sampled_from(["Abstract ", "References ", "1 Introduction ", "[1] ", "[2] ", "[3] ", "word " * 9, "\x00"])
    )
)
def test_any_text_gives_short_lists_of_lines(parts: list[str]) -> None:
    text = "".join(parts)
    found = paper_references(text)
    assert len(found) <= MOST_REFERENCES
    assert all(one.isprintable() and len(one) <= LONGEST for one in [*found, paper_abstract(text)[:LONGEST]])


def test_a_list_without_end_takes_no_time() -> None:
    text = "References " + "".join(f"[{n % 999 + 1}] " for n in range(200_000))
    assert paper_references(text) == []


def test_an_author_comes_from_the_metadata_of_a_document() -> None:
    body = pdf("Solar cells", title="Cells", author="A. Author <script>")
    options = ReadingOptions(documents=True)
    content = page_content(body, "application/pdf", "http://a.example/x.pdf", options, TextRequest(facts=True))
    assert content.facts is not None
    assert (content.facts.author, content.text) == ("A. Author <script>", "Solar cells")
    assert page_content(body, "application/pdf", "", options, TextRequest()).facts is None


def test_what_a_paper_says_is_shown_as_text() -> None:
    hostile = '"><script>x()</script>'
    entry = PortalEntry(
        *(0, "http://a.example/x.pdf", 1, "a.example", hostile, hostile, "", "2026-01-01T00:00:00+00:00"),
        *(hostile, "en", 0.5),
        words="[]",
        citations=json.dumps([f"{hostile} [2] {SECOND}"]),
        category=hostile,
    )
    for name, content in SitePages(hostile, accepted_only=True).files(categories_of([entry]), "0"):
        if name.endswith(".html"):
            assert b"<script>x" not in content
            assert b'"><' not in content.replace(b'"><a', b"").replace(b'"></', b"").replace(b'"><in', b"")
        if name.startswith("p/"):
            assert b"References (1), read by a machine" in content

"""The text of a stored page, as it is shown, searched and exported."""

import sys
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from focused.page.page import Page
from focused.page.page_text import FORMS, TextRequest, as_markdown, page_content, page_text
from focused.page.reader import Reader, ReadingOptions

OPTIONS = ReadingOptions(max_bytes=2000)
SENTENCE = "Solar panels turn the light of the sun into electricity, and their owners rarely think of them again. "
PAGE = f"""<html><title>T</title><body>
<nav><ul><li><a href=/a>Home</a><li><a href=/b>Prices</a></ul></nav>
<main><h1>Panels</h1><p>{SENTENCE * 3}<ul><li>one<li>two</ul></main>
<footer>All rights reserved</footer>"""


def test_the_main_text_has_no_menus_and_no_footers() -> None:
    text = page_text(PAGE.encode(), "text/html", OPTIONS)
    assert text is not None
    assert "Solar panels" in text
    assert "Prices" not in text and "rights" not in text


def test_markdown_keeps_headings_and_lists() -> None:
    text = page_text(PAGE.encode(), "text/html", OPTIONS, "markdown")
    assert text is not None
    assert text.startswith("# Panels\n\nSolar panels") and "- one\n- two" in text


def test_all_is_all_that_is_seen() -> None:
    text = page_text(PAGE.encode(), "text/html", OPTIONS, "all")
    assert text is not None
    assert text.startswith("Home Prices Panels Solar") and text.endswith("All rights reserved")


def test_a_page_of_links_alone_gives_them() -> None:
    links = "<nav>" + "".join(f"<a href=/{word}>{word}</a> " for word in ("one", "two", "three")) + "</nav>"
    assert page_text(links.encode(), "text/html", OPTIONS) == "one two three"


def test_plain_text_keeps_its_lines() -> None:
    assert page_text(b"one\n  two", "text/plain", OPTIONS) == "one\n  two"


def test_plain_text_as_markdown_shows_what_looks_like_html_and_does_not_run_it() -> None:
    assert as_markdown("1 < 2 & 3 <script>alert(1)</script> &lt; AT&T") == (
        "1 < 2 & 3 &lt;script>alert(1)&lt;/script> &amp;lt; AT&amp;T"
    )
    assert page_text(b"<script>", "text/plain", OPTIONS, "markdown") == "&lt;script>"


@pytest.mark.parametrize("form", FORMS)
def test_no_more_is_read_than_the_crawl_has_read(form: str) -> None:
    text = page_text(b"<p>" + b"sun " * 1000, "text/html", OPTIONS, form)  # type: ignore[arg-type]
    assert text is not None and text.count("sun") == 499


@pytest.mark.parametrize("kind", ["image/png", "application/pdf", "application/json", ""])
def test_what_has_no_text_gives_none(kind: str) -> None:
    assert page_text(b"\x89PNG\x00\x01", kind, OPTIONS) == ""


@given(st.binary(min_size=1), st.sampled_from(["text/html", "text/html; charset=utf-16", "text/plain", "", "x"]))
def test_all_of_it_is_the_text_that_the_crawl_has_read_whatever_the_bytes_are(body: bytes, content_type: str) -> None:
    page = Reader(OPTIONS).read("http://a.example/", body, content_type)
    text = page_text(body, content_type, OPTIONS, "all")
    assert isinstance(page, Page) and text is not None
    assert " ".join(text.split()) == page.text.encode("utf-8", "replace").decode()


@given(st.text(max_size=300), st.sampled_from(FORMS))
def test_no_text_is_unfit_for_a_file(markup: str, form: str) -> None:
    text = page_text(markup.encode("utf-8", "surrogatepass"), "text/html; charset=utf-8", OPTIONS, form)  # type: ignore[arg-type]
    assert text is not None
    text.encode()


HEAD = """<meta name=author content="Ada L."><meta property="article:published_time" content="2026-11-01T10:00">
<meta name=description content="About panels"><meta property="og:site_name" content="Sun"><link rel=canonical href="/p">"""


@pytest.mark.parametrize("form", FORMS)
def test_facts_and_structured_data_come_where_they_are_wanted(form: str) -> None:
    body = (HEAD + PAGE).encode()
    content = page_content(
        body, "text/html", "http://a.example/", OPTIONS, TextRequest(form, facts=True, structured=True)
    )  # type: ignore[arg-type]
    assert content.text == page_text(body, "text/html", OPTIONS, form)  # type: ignore[arg-type]
    facts = content.facts
    assert facts is not None
    assert (facts.author, facts.date, facts.description, facts.site_name, facts.canonical) == (
        "Ada L.", "2026-11-01", "About panels", "Sun", "http://a.example/p",
    )  # fmt: skip
    assert content.structured is not None and "article:published_time" in content.structured
    plain = page_content(body, "text/html", "", OPTIONS, TextRequest(form))  # type: ignore[arg-type]
    assert (plain.facts, plain.structured) == (None, None)


def test_what_is_no_html_says_nothing_about_itself() -> None:
    content = page_content(b"text", "text/plain", "", OPTIONS, TextRequest(facts=True, structured=True))
    assert (content.text, content.facts, content.structured) == ("text", None, None)


def test_while_a_crawl_waits_trafilatura_is_not_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    page = f"<meta property=og:type content=article>{PAGE}".encode()
    monkeypatch.setitem(sys.modules, "trafilatura", SimpleNamespace(extract=lambda *_, **__: SENTENCE * 3))
    assert page_text(page, "text/html", OPTIONS) == f"Panels\n\n{SENTENCE * 3}".strip()
    assert page_text(page, "text/html", OPTIONS, quick=True) == page_text(
        PAGE.encode(), "text/html", OPTIONS, quick=True
    )


def test_the_day_that_only_people_are_told_is_found() -> None:
    page = f"<article><h1>Balsa</h1><p>Published on 12 March 2021 by Ann<p>{'A light wood. ' * 40}</article>"
    content = page_content(
        page.encode(), "text/html", "https://a.example/balsa", OPTIONS, TextRequest("main", facts=True)
    )
    assert content.facts is not None
    assert content.facts.date == "2021-03-12"

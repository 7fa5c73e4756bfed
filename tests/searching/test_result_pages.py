"""Answers in all the forms that searches have, and in forms that mean harm."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from focused.exceptions import SearchError
from focused.reading import xml_documents
from focused.reading.reader import Reader, ReadingOptions
from focused.reading.xml_documents import MOST_PARTS, text_of
from focused.searching.result_pages import LONGEST_SNIPPET, MOST, results_in_json, results_of

READER = Reader(ReadingOptions())
HERE = "http://search.example/find?q=solar"
A, B = "http://a.example/1", "http://b.example/2"
ATOM = f"""<?xml version="1.0"?><feed xmlns="http://www.w3.org/2005/Atom" xmlns:os="http://a9.com/-/spec/opensearch/1.1/">
<title>Results</title><os:totalResults>2</os:totalResults><link rel="self" href="{HERE}"/>
<entry><title>First</title><link rel="self" href="http://search.example/e1"/><link href="{A}"/>
<summary>About <b>a</b></summary></entry>
<entry><title>Second</title><link rel="alternate" href="{B}"/></entry></feed>"""
RSS = f"""<rss version="2.0"><channel><title>Results</title><link>http://search.example/</link>
<item><title>First</title><link>{A}</link><description>About a</description></item><item><link>{B}</link></item></channel></rss>"""
HTML = f"""<html><body><a href="/settings">Settings</a><a href="{A}">First</a>
<a href="/url?q=http%3A%2F%2Fb.example%2F2&amp;sa=U">Second</a><a href="javascript:alert(1)">x</a>
<a href="http://www.search.example/help">Help</a></body></html>"""


def urls(body: str | bytes, kind: str = "") -> list[str]:
    data = body.encode() if isinstance(body, str) else body
    return [found.url for found in results_of(data, kind, HERE, READER)]


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        (ATOM, "application/atom+xml"),
        (RSS, "application/rss+xml"),
        (RSS, "text/xml; charset=utf-8"),
        (HTML, "text/html"),
        (json.dumps({"results": [{"url": A}, {"url": B}]}), "application/json"),
        (json.dumps({"web": {"results": [{"link": A, "title": 3}, {"link": B}]}}), "application/json"),
        (json.dumps(["solar", ["First", "Second"], ["", ""], [A, B]]), "application/x-suggestions+json"),
        (json.dumps([{"href": A}, {"href": B}]), ""),
        (json.dumps({"items": [{"url": A}, {"no": 1}, 7, None, {"url": B}]}), "application/feed+json"),
    ],
)
def test_the_pages_come_in_the_order_of_the_answer(body: str, kind: str) -> None:
    assert urls(body, kind) == [A, B]


def test_an_entry_has_its_title_its_text_and_its_rank() -> None:
    first, second = results_of(ATOM.encode(), "application/atom+xml", HERE, READER)
    assert (first.title, first.snippet, first.rank) == ("First", "About a", 1)
    assert (second.title, second.snippet, second.rank) == ("Second", "", 2)


def test_of_a_hundred_thousand_results_only_some_are_taken() -> None:
    many = json.dumps({"results": [{"url": f"http://a.example/{n}"} for n in range(100_000)]})
    assert len(urls(many, "application/json")) == MOST


def test_texts_are_plain_and_short() -> None:
    (found,) = results_in_json(json.dumps({"results": [{"url": A, "title": "\x1b[31m" + "t" * 9999}]}).encode())
    assert "\x1b" not in found.title
    assert len(found.title) <= 1000


@pytest.mark.parametrize(
    ("body", "kind", "told"),
    [
        (b"", "", "empty"),
        (b"<html><body>Please log in", "application/json", "not JSON, but a page"),
        (b'{"results": ', "application/json", "not JSON"),
        (b"[" * 100_000, "application/json", "not JSON"),
        (b'{"error": "quota"}', "application/json", "no list of results"),
        (b"\x89PNG\r\n\x1a\n", "image/png", "image/png"),
        (b"<?xml version='1.0'?><note>hi</note>", "text/xml", "neither Atom nor RSS"),
    ],
)
def test_what_is_no_answer_is_told_in_one_line(body: bytes, kind: str, told: str) -> None:
    with pytest.raises(SearchError, match=told) as error:
        results_of(body, kind, HERE, READER)
    assert "\n" not in str(error.value)


def test_an_address_in_a_link_that_is_none_costs_that_link_only() -> None:
    links = "".join(f'<a href="/go?u={where}">x</a>' for where in ("http://[bad", "http://", A))
    assert urls(f"<html><body>{links}</body></html>", "text/html") == [A]


def test_entities_are_neither_replaced_nor_fetched() -> None:
    declared = '<!DOCTYPE rss [<!ENTITY a "replaced"><!ENTITY f SYSTEM "file:///etc/passwd">]>'
    body = f"<?xml version='1.0'?>{declared}<rss><item><title>x &a; &f;</title><link>{A}</link></item></rss>"
    (found,) = results_of(body.encode(), "application/rss+xml", HERE, READER)
    assert found.url == A
    assert "replaced" not in found.title
    assert "root" not in found.title


def test_a_bomb_of_entities_does_not_go_off() -> None:
    bomb = "".join(f'<!ENTITY a{n} "{f"&a{n - 1};" * 10 if n else "ha"}">' for n in range(12))
    body = f"<?xml version='1.0'?><!DOCTYPE rss [{bomb}]><rss><item><title>&a11;</title><link>{A}</link></item></rss>"
    assert all(len(found.title) < 100 for found in results_of(body.encode(), "application/rss+xml", HERE, READER))


def test_deep_nesting_ends_somewhere() -> None:
    body = b"<rss>" + f"<item><link>{A}</link></item>".encode() + b"<x>" * 200_000
    assert urls(body, "application/rss+xml") == [A]


def test_texts_are_not_read_beyond_what_is_kept() -> None:
    inside = etree.fromstring(f"<title>A<b>B<i>C</i>D</b>E&#160;F {'word ' * 9000}<b>end</b></title>")
    assert text_of(inside, LONGEST_SNIPPET).startswith("ABCDE F word")
    assert len(text_of(inside, LONGEST_SNIPPET)) < 2 * LONGEST_SNIPPET
    assert text_of(etree.fromstring(f"<title>{'<b/>' * 9000}end</title>"), LONGEST_SNIPPET) == ""


def test_a_long_url_of_an_entry_is_whole() -> None:
    long = f"http://a.example/{'x' * 2000}"
    assert urls(f"<rss><item><link>{long}</link></item></rss>", "application/rss+xml") == [long]
    assert urls(f"<rss><item><link>{long}{long}</link></item></rss>", "application/rss+xml") == []


def test_entries_that_lie_in_each_other_are_read_in_steps_that_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    steps = 0
    texts = xml_documents._texts

    def counted(element: object) -> Iterator[str]:
        nonlocal steps
        steps += 1
        return texts(element)

    monkeypatch.setattr(xml_documents, "_texts", counted)
    nested = f"<item><link>{A}</link><description>" * 100 + "<b>w</b><b/> " * 100_000
    assert urls(f"<rss>{nested}", "application/rss+xml") == [A] * 100
    assert steps < 200 * MOST_PARTS


@given(
    st.binary(max_size=400),
    st.sampled_from(["", "application/json", "text/html", "application/atom+xml", "text/plain"]),
)
def test_no_answer_raises_anything_but_a_search_error(body: bytes, kind: str) -> None:
    try:
        results_of(body, kind, HERE, READER)
    except SearchError as error:
        assert str(error)

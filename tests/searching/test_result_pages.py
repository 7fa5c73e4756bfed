"""Answers of SearXNG and entries of feeds, also those that mean harm."""

import json
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from focused.exceptions import SearchError
from focused.page import link_lists
from focused.page.link_lists import MOST_PARTS, text_of
from focused.seeds.searching.search_providers import LONGEST_SNIPPET, MOST, SearchResult, results_in_json
from focused.seeds.searching.seed_sources import read_list

A, B = "http://a.example/1", "http://b.example/2"


def answer(*rows: object) -> bytes:
    return json.dumps({"results": rows}).encode()


def entries(feed: str) -> list[SearchResult]:
    return read_list(feed.encode()).found


def urls(feed: str) -> list[str]:
    return [found.url for found in entries(feed)]


def test_the_pages_come_in_the_order_of_the_answer_with_their_ranks() -> None:
    found = results_in_json(
        answer({"url": A, "title": "First", "content": "About a"}, {"no": 1}, 7, None, {"url": B, "title": 3})
    )
    assert found == [SearchResult(A, "First", "About a", 1), SearchResult(B, "", "", 2)]


def test_of_a_hundred_thousand_results_only_some_are_taken() -> None:
    assert len(results_in_json(answer(*({"url": f"http://a.example/{n}"} for n in range(100_000))))) == MOST


def test_texts_are_plain_and_short() -> None:
    (found,) = results_in_json(answer({"url": A, "title": "\x1b[31m" + "t" * 9999}))
    assert "\x1b" not in found.title
    assert len(found.title) <= 1000


@pytest.mark.parametrize(
    ("body", "told"),
    [
        (b"", "not JSON, but something else"),
        (b"<html><body>Please log in", "not JSON, but a page"),
        (b'{"results": ', "not JSON"),
        (b"[" * 100_000, "not JSON"),
        (b'{"error": "quota"}', "no list of results"),
        (b'{"results": {"url": "http://a.example/"}}', "no list of results"),
    ],
)
def test_what_is_no_answer_is_told_in_one_line(body: bytes, told: str) -> None:
    with pytest.raises(SearchError, match=told) as error:
        results_in_json(body)
    assert "\n" not in str(error.value)


@given(st.binary(max_size=400))
def test_no_answer_raises_anything_but_a_search_error(body: bytes) -> None:
    try:
        results_in_json(body)
    except SearchError as error:
        assert str(error)


def test_entities_are_neither_replaced_nor_fetched() -> None:
    declared = '<!DOCTYPE rss [<!ENTITY a "replaced"><!ENTITY f SYSTEM "file:///etc/passwd">]>'
    body = f"<?xml version='1.0'?>{declared}<rss><item><title>x &a; &f;</title><link>{A}</link></item></rss>"
    (found,) = entries(body)
    assert found.url == A
    assert "replaced" not in found.title
    assert "root" not in found.title


def test_a_bomb_of_entities_does_not_go_off() -> None:
    bomb = "".join(f'<!ENTITY a{n} "{f"&a{n - 1};" * 10 if n else "ha"}">' for n in range(12))
    body = f"<?xml version='1.0'?><!DOCTYPE rss [{bomb}]><rss><item><title>&a11;</title><link>{A}</link></item></rss>"
    (entry,) = entries(body)
    assert (entry.url, "ha" in entry.title) == (A, False)


def test_deep_nesting_ends_somewhere() -> None:
    body = f"<rss><item><link>{A}</link></item>" + "<x>" * 200_000
    assert urls(body) == [A]


def test_texts_are_not_read_beyond_what_is_kept() -> None:
    inside = etree.fromstring(f"<title>A<b>B<i>C</i>D</b>E&#160;F {'word ' * 9000}<b>end</b></title>")
    assert text_of(inside, LONGEST_SNIPPET).startswith("ABCDE F word")
    assert len(text_of(inside, LONGEST_SNIPPET)) < 2 * LONGEST_SNIPPET
    assert text_of(etree.fromstring(f"<title>{'<b/>' * 9000}end</title>"), LONGEST_SNIPPET) == ""


def test_a_long_url_of_an_entry_is_whole() -> None:
    long = f"http://a.example/{'x' * 2000}"
    assert urls(f"<rss><item><link>{long}</link></item></rss>") == [long]
    assert urls(f"<rss><item><link>{long}{long}</link></item><item><link>{A}</link></item></rss>") == [A]


def test_entries_that_lie_in_each_other_are_read_in_steps_that_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    steps = 0
    texts = link_lists._texts

    def counted(element: object) -> Iterator[str]:
        nonlocal steps
        steps += 1
        return texts(element)

    monkeypatch.setattr(link_lists, "_texts", counted)
    nested = f"<item><link>{A}</link><description>" * 100 + "<b>w</b><b/> " * 100_000
    assert urls(f"<rss>{nested}") == [A] * 100
    assert steps < 200 * MOST_PARTS

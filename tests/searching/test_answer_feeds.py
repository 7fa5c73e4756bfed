"""Answers as feeds: what they keep, and what nobody should follow."""

from hypothesis import given
from hypothesis import strategies as st

from focused.live.questions import Question, question_at
from focused.page.link_lists import FEED, read_link_list
from focused.page.media_types import ATOM
from focused.page.page import Page
from focused.page.reader import Reader, ReadingOptions
from focused.page.urls import UrlRules
from focused.seeds.searching.questioning import feed_of, usable
from focused.seeds.searching.search_providers import SearchResult

QUESTION = Question("searxng 127.0.0.1:8888", "solar & energy")


def kept(*urls: str, most: int = 20, per_site: int = 3, private: bool = False) -> list[str]:
    found = [SearchResult(url, rank=rank) for rank, url in enumerate(urls, 1)]
    return [one.url for one in usable(found, UrlRules(), most, per_site, private=private)]


def test_hostile_results_are_left_out() -> None:
    assert kept(
        "http://good.example/a#part",
        "http://good.example/a",
        "javascript:alert(1)",
        "ftp://good.example/",
        "file:///etc/passwd",
        "http://127.0.0.1/",
        "http://10.0.0.1/",
        "http://[::1]/",
        "http://localhost/",
        "http://search.invalid/stand-in/q=more",
        "http://",
        "x" * 5000,
    ) == ["http://good.example/a"]
    assert kept("http://127.0.0.1/", private=True) == ["http://127.0.0.1/"]


def test_no_answer_and_no_site_floods_the_frontier() -> None:
    many = [f"http://h{n}.farm.org/" for n in range(10_000)]
    assert kept(*many) == many[:3]
    others = [f"http://h{n}.example/" for n in range(10_000)]
    assert kept(*others) == others[:20]


def test_a_feed_is_read_as_it_was_written() -> None:
    found = [SearchResult("http://a.example/?x=1&y=2", "<script>alert(1)</script>", "a \x1b[31m\x00\ufffe summary")]
    listed = read_link_list(feed_of(QUESTION, found))
    assert listed is not None
    assert (listed.kind, listed.title) == (FEED, "solar & energy")
    assert [one.url for one in listed.entries] == ["http://a.example/?x=1&y=2"]
    page = Reader(ReadingOptions()).read(QUESTION.address.url, feed_of(QUESTION, found), ATOM)
    assert isinstance(page, Page)
    assert [link.anchor for link in page.links] == ["<script>alert(1)</script>"]


def test_an_answer_without_results_is_one() -> None:
    listed = read_link_list(feed_of(QUESTION, []))
    assert listed is not None
    assert listed.entries == []


@given(st.text(min_size=1, max_size=100), st.text(min_size=1, max_size=20))
def test_a_question_is_read_back_from_its_address(words: str, provider: str) -> None:
    question = Question(provider, words)
    feed_of(question, [SearchResult("http://a.example/", words, words)])
    if len(question.address.url) < 2000 and words.isprintable() and provider.isprintable():
        assert question_at(question.address.url) == question
        rules = UrlRules(fold_index=True, strip_parameters=("*",))
        assert rules.canonical(question.address.url) == question.address.url


def test_other_addresses_are_no_questions() -> None:
    assert question_at("http://a.example/q=x") is None
    assert question_at("http://search.invalid/") is None

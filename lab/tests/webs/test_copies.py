"""The web of copies: what it calls a copy is one."""

from __future__ import annotations

import pytest

from focused.crawl.novelty import phrases_of
from focused.reading.page import Page
from focused.reading.reader import Reader, ReadingOptions
from lab.benchmarks.copies import similarity
from lab.webs.copies import FORMS, NO_COPIES, SEED, CopyWeb

WEB = CopyWeb(articles=3)
READER = Reader(ReadingOptions())


def page(url: str) -> Page:
    answer = WEB.answer(url)
    assert answer is not None
    read = READER.read(url, answer.body, answer.header("Content-Type"))
    assert isinstance(read, Page)
    return read


def test_all_of_it_hangs_on_the_seed() -> None:
    found, waiting = {SEED}, [SEED]
    while waiting:
        links = {link.url for link in page(waiting.pop()).links} - found
        found |= links
        waiting += links
    assert found == set(WEB.urls())


def test_it_is_the_same_whenever_it_is_asked_for() -> None:
    again = CopyWeb(articles=3)
    assert again.pages == WEB.pages
    assert CopyWeb(articles=3, seed=2).pages != WEB.pages


@pytest.mark.parametrize("kind", [kind for kind in FORMS if not kind.startswith("edits")])
def test_a_copy_says_what_its_article_says(kind: str) -> None:
    for url, one in WEB.pages.items():
        if one.kind == kind:
            shorter, longer = sorted((page(url), page(one.original)), key=lambda page: len(page.terms))
            ours = set(phrases_of(shorter.terms).tolist())
            assert len(ours & set(phrases_of(longer.terms).tolist())) > 0.9 * len(ours)


@pytest.mark.parametrize("kind", NO_COPIES)
def test_what_is_no_copy_has_a_text_of_its_own(kind: str) -> None:
    ours = [page(url) for url, one in WEB.pages.items() if one.kind == kind]
    assert all(not WEB.pages[page.url].original for page in ours)
    others = [page(url) for url, one in WEB.pages.items() if one.kind == "article"]
    for one in ours:
        known = {phrase for other in others for phrase in phrases_of(other.terms).tolist()}
        assert len(set(phrases_of(one.terms).tolist()) - known) > 20


def test_edits_make_texts_less_alike_the_more_there_are() -> None:
    likeness = {
        one.kind: similarity(page(url), page(one.original))
        for url, one in WEB.pages.items()
        if one.kind.startswith("edits")
    }
    values = [likeness[f"edits of {share} %"] for share in (5, 10, 20, 30)]
    assert values == sorted(values, reverse=True)
    assert values[0] > 0.6 > values[-1]


def test_a_page_that_is_not_there_is_not_found_and_another_host_is_outside() -> None:
    missing = WEB.answer("http://amp.com/none")
    assert missing is not None and missing.status == 404
    assert WEB.answer("http://elsewhere.org/") is None

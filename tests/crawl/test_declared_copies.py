"""Pages that say they are versions of another page (rel=canonical)."""

from __future__ import annotations

import pytest

from focused.crawl.events import PageArrived, Started
from focused.crawl.novelty import NEAR, NEW
from tests.crawl.trap_pages import defended, page, text
from tests.crawl.web import address, run

SEED, ORIGINAL = "http://seed.example/", "http://site.com/article"


def verdict_of(version: str, declared: str, says: str) -> str:
    """Of a page that is fetched after the article and says at which URL it lies."""
    web = {
        SEED: page(SEED, links=[ORIGINAL, version]),
        ORIGINAL: page(ORIGINAL, text("article")),
        version: page(version, says, canonical=declared),
    }
    crawl, found = defended(), []
    judge = crawl.traps.judge
    crawl.traps.judge = lambda *given: found.append(judge(*given)) or found[-1]  # type: ignore[method-assign]
    crawl.apply(Started([address(SEED)]))
    run(crawl, web)
    return found[-1].verdict


HALF = f"{text('article', 70)} {text('around', 50)}"  # as much of the article as of something else


def test_one_that_says_so_is_a_copy_where_half_of_it_was_known() -> None:
    assert verdict_of("http://site.com/print", ORIGINAL, HALF) == NEAR
    assert verdict_of("http://site.com/print", "", HALF) == NEW


def test_one_that_says_something_else_is_none_whatever_it_declares() -> None:
    assert verdict_of("http://site.com/other", ORIGINAL, text("other")) == NEW


def test_a_page_of_another_domain_is_not_believed() -> None:
    assert verdict_of("http://thief.com/print", ORIGINAL, HALF) == NEW


@pytest.mark.parametrize("declared", ["http://site.com/unknown", "http://site.com/print"])
def test_a_page_that_nobody_has_fetched_is_no_original(declared: str) -> None:
    assert verdict_of("http://site.com/print", declared, HALF) == NEW


def test_a_url_that_only_redirects_is_no_original_of_where_it_leads() -> None:
    plain, secure = "http://site.com/page", "https://site.com/page"
    crawl = defended()
    crawl.apply(Started([address(SEED)]))
    run(crawl, {SEED: page(SEED, links=[ORIGINAL, plain]), ORIGINAL: page(ORIGINAL, text("article"))}, most=2)
    pick = crawl.next()
    assert pick is not None
    arrival = crawl.apply(PageArrived(pick.id, page(secure, HALF, canonical=plain), 1)).arrived
    assert (arrival.visit.verdict, arrival.duplicate_of) == (NEW, None)

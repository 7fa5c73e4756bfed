"""Reordering: every N pages all that waits is ordered anew, and what is found in between waits behind it."""

from __future__ import annotations

from focused.crawl.crawl import Crawl
from focused.crawl.events import Started
from tests.crawl.web import address, make_crawl, make_page, run

SEED, A, B, C, D, POPULAR, LATE = (
    f"http://{name}.example/" for name in ["seed", "a", "b", "c", "d", "popular", "late"]
)
LINKS = {SEED: [A, B, C, D, POPULAR], A: [POPULAR], B: [], C: [LATE], D: [], POPULAR: [LATE], LATE: []}
WEB = {url: make_page(url, "words", [(link, "anchor") for link in links]) for url, links in LINKS.items()}


def begun(reorder_every: int) -> Crawl:
    """A crawl that orders by the number of backlinks."""
    crawl = make_crawl(strategy="backlink_count", reorder_every=reorder_every)
    crawl.apply(Started([address(SEED)]))
    return crawl


def test_the_best_comes_first_as_soon_as_it_is_time_and_not_before() -> None:
    assert run(begun(2), WEB) == [SEED, A, POPULAR, B, C, D, LATE]
    assert run(begun(3), WEB) == [SEED, A, B, POPULAR, C, D, LATE]
    assert run(begun(50), WEB) == [SEED, A, B, C, D, POPULAR, LATE]


def test_what_is_found_in_between_waits_behind_what_was_ordered_however_good_it_is() -> None:
    crawl = begun(3)
    run(crawl, WEB, most=5)
    # D has one backlink, as at the last reordering; LATE, found since then by POPULAR and C, has two.
    assert crawl.frontier.view().scores.tolist() == [1, -1]
    assert run(crawl, WEB) == [D, LATE]

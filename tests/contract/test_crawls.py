"""The contract of every strategy inside a crawl: over a small web, whatever it rescores, chooses, drops or learns."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest

from focused.crawl.crawl import Crawl
from focused.crawl.events import Failed, PageArrived, Started
from focused.testing.toy_world import host_of, key_of, toy_web
from tests.contract.crawlers import NAMES, crawler, world_for
from tests.crawl.web import address, make_crawl, make_topic, restart

WEB = toy_web()
SEEDS = [address(url) for url in list(WEB)[:3]]
TEXTS = {key_of(url): url for page in WEB.values() for url in [page.url, *(link.url for link in page.links)]}
HALF = 15  #: pages fetched before a crawl is interrupted


@pytest.fixture(params=NAMES)
def crawl(request: pytest.FixtureRequest) -> Callable[[], Crawl]:
    """Makes fresh crawls by one strategy or yardstick, of which rescorings fall into the toy web."""

    def make() -> Crawl:
        kind = crawler(request.param)
        made = make_crawl(make_topic(), kind, world_for(kind))
        if made.strategy.rescore_every:
            # With a longer lag, one rescoring would follow the other and no moment be left for a snapshot.
            made.strategy.rescore_every, made.strategy.rescore_lag = 5, min(2, made.strategy.rescore_lag)
        return made

    return make


def text(crawl: Crawl, url: int) -> str:
    return next(text for key, text in TEXTS.items() if crawl.urls.find(key) == url)


def go_on(crawl: Crawl, pages: int) -> list[str]:
    """Fetch so many pages, one at a time; every fifth URL fails."""
    order: list[str] = []
    while len(order) < pages and (pick := crawl.next()) is not None:
        url = text(crawl, pick.id)
        order.append(url)
        if len(order) % 5:
            crawl.apply(PageArrived(pick.id, WEB[url], 1))
        else:
            crawl.apply(Failed(pick.id))
    return order


def begun(crawl: Crawl) -> Crawl:
    crawl.apply(Started(SEEDS))
    return crawl


def test_a_restored_crawl_goes_on_as_if_nothing_had_happened(crawl: Callable[[], Crawl]) -> None:
    undisturbed = begun(crawl())
    go_on(undisturbed, HALF)
    while undisturbed.rescorings.under_way:
        go_on(undisturbed, 1)
    restored = restart(undisturbed, crawl(), TEXTS.values())
    assert go_on(restored, 1000) == go_on(undisturbed, 1000)


def test_it_fetches_no_url_twice_and_another_thread_changes_nothing_in_the_order(crawl: Callable[[], Crawl]) -> None:
    order = go_on(begun(crawl()), 1000)
    assert len(SEEDS) <= len(set(order)) == len(order) <= len(WEB)
    with ThreadPoolExecutor(1) as threads:
        with_thread = crawl()
        with_thread.rescorings.submit = lambda job: threads.submit(job).result
        assert go_on(begun(with_thread), 1000) == order


def test_a_busy_host_is_left_alone(crawl: Callable[[], Crawl]) -> None:
    crawling = begun(crawl())
    busy = crawling.hosts.intern("host0.example")
    crawling.frontier.hold(busy)
    assert "host0.example" not in map(host_of, go_on(crawling, 1000))


def test_a_small_frontier_is_enough(crawl: Callable[[], Crawl]) -> None:
    crawling = begun(crawl())
    crawling.frontier.cap = 4
    order = go_on(crawling, 1000)
    assert len(set(order)) == len(order) > len(SEEDS)

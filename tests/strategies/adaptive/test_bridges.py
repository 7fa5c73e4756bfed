"""Bridges: which host may tell of new sites, and which of its URLs is taken."""

import numpy as np
import pytest

from focused.crawl.crawl import Crawl
from focused.crawl.events import PageArrived, Picked, Started
from focused.crawl.frontier import LOWEST
from focused.strategies.adaptive import Adaptive
from tests.crawl.web import address, make_crawl, make_page, restart

MENU = ("http://a.com/menu/all", "http://a.com/menu")
TEXTS = [
    f"http://{host}.com/{path}" for host in ("a", "b", "c", "www.a") for path in ("", "1", "2", "menu", "menu/all")
]


def crawled(*pages: tuple[str, tuple[str, ...]]) -> Crawl:
    """A crawl that has fetched these pages, each with its links, of hosts from which three pages were picked."""
    crawl = make_crawl(strategy="adaptive")
    for url, links in pages:
        crawl.apply(Started([address(url)]))
        pick = crawl.apply(Picked(crawl.urls.find(address(url).key))).picked
        crawl.apply(PageArrived(pick.id, make_page(url, "law", [(link, "tax") for link in links]), 1))
    crawl.hosts.picked[: len(crawl.hosts)] = 3
    return crawl


def strategy_of(crawl: Crawl) -> Adaptive:
    assert isinstance(crawl.strategy, Adaptive)
    return crawl.strategy


def best(crawl: Crawl) -> str | None:
    found = strategy_of(crawl).bridges.best(crawl.frontier, strategy_of(crawl).history)
    return {crawl.urls.find(address(text).key): text for text in TEXTS}[found] if found is not None else None


def test_a_host_whose_pages_told_of_other_sites_comes_first() -> None:
    crawl = crawled(("http://a.com/", ("http://a.com/1",)), ("http://b.com/", ("http://b.com/1", "http://c.com/")))
    assert best(crawl) == "http://b.com/1"
    crawl.hosts.picked[crawl.hosts.find("b.com")] = 10  # 2 / 13, of a: 1 / 6
    assert best(crawl) == "http://a.com/1"


@pytest.mark.parametrize("told", ["http://www.a.com/", "http://b.com/2"])
def test_neither_its_own_domain_nor_a_host_that_was_known_is_a_new_site(told: str) -> None:
    crawl = crawled(("http://b.com/", ("http://b.com/1",)), ("http://a.com/", ("http://a.com/1", told)))
    assert best(crawl) == "http://b.com/1"


def test_a_page_that_names_many_sites_counts_once() -> None:
    crawl = crawled(("http://a.com/", ("http://a.com/1", *(f"http://{number}.com/" for number in range(50)))))
    assert strategy_of(crawl).bridges._told[: len(crawl.hosts)].sum() == 1


def test_of_a_host_the_link_of_most_pages_comes_first_and_of_these_the_shallowest() -> None:
    crawl = crawled(("http://a.com/1", ("http://a.com/", *MENU)), ("http://a.com/2", MENU), ("http://b.com/", ()))
    assert best(crawl) == "http://a.com/menu"


def test_a_host_is_given_up_whose_pages_told_of_nothing() -> None:
    crawl = crawled(("http://a.com/", ("http://a.com/1",)))
    crawl.hosts.picked[0] = 7
    assert best(crawl) == "http://a.com/1"
    crawl.hosts.picked[0] = 8
    assert best(crawl) is None


def test_it_takes_nothing_of_a_busy_host_or_below_the_floor() -> None:
    crawl = crawled(("http://a.com/1", MENU), ("http://a.com/2", (*MENU, "http://a.com/")))
    score = crawl.frontier.score(crawl.urls.find(address(MENU[1]).key))
    crawl.frontier.offer(
        crawl.urls.find(address("http://a.com/").key), 0, score + 1, np.zeros(len(Adaptive.parts)), replace=True
    )
    crawl.frontier.floor = score + 0.5
    assert best(crawl) == "http://a.com/"
    crawl.frontier.floor = LOWEST
    crawl.frontier.hold(0)
    assert best(crawl) is None


def test_what_hosts_told_of_outlives_a_restart() -> None:
    crawl = crawled(("http://a.com/", ("http://a.com/1",)), ("http://b.com/", ("http://b.com/1", "http://c.com/")))
    assert best(restart(crawl, make_crawl(strategy="adaptive"), TEXTS)) == "http://b.com/1"

"""Newcomers: hosts of which hardly a page has come have a share of all pages together."""

from __future__ import annotations

import numpy as np
import pytest

from focused.crawl.crawl import Crawl
from focused.crawl.events import Started
from focused.crawl.hosts import Hosts
from focused.crawl.newcomers import ENOUGH, FREE, SHARE, Newcomers
from focused.crawl.turns import Turns
from focused.page.page import Page
from tests.crawl.test_turns import SEED, seed_page, site
from tests.crawl.trap_pages import defended, page, text
from tests.crawl.web import address, restart, run

MANY = 40


def newcomers(count: int = MANY) -> tuple[Hosts, Newcomers]:
    hosts = Hosts()
    found = Newcomers(hosts)
    for number in range(count):
        hosts.intern(f"host{number}.com")
    return hosts, found


def those_that_wait(found: Newcomers, taken: int = 0) -> list[int]:
    waits = found.wait(taken)
    return [] if waits is None else np.flatnonzero(waits).tolist()


def test_the_first_are_let_in_and_the_others_wait() -> None:
    _, found = newcomers()
    for host in range(FREE):
        assert those_that_wait(found) == []
        found.showed(host)
    assert those_that_wait(found) == list(range(FREE, MANY))
    assert [found.waits(host, 0) for host in (0, FREE)] == [False, True]


def test_the_longer_a_crawl_the_more_are_let_in() -> None:
    _, found = newcomers()
    for host in range(FREE):
        found.showed(host)
    assert those_that_wait(found, taken=int(2 / SHARE)) == []


def test_one_that_shows_more_is_none_any_more() -> None:
    _, found = newcomers()
    for host in range(FREE):
        found.showed(host)
    for _ in range(ENOUGH - 1):
        found.showed(0)
    assert not found.has(0)
    assert found.has(1)
    assert those_that_wait(found) == []


@pytest.mark.parametrize(("givers", "waits"), [((1,), True), ((1, 1), True), ((1, 2), False)])
def test_those_that_two_domains_link_to_do_not_wait_for_strangers(givers: tuple[int, ...], waits: bool) -> None:
    _, found = newcomers()
    for domain in givers:
        found.vouch(domain, np.array([MANY - 1]))
    for host in range(FREE):
        found.showed(host)
    assert (MANY - 1 in those_that_wait(found)) == waits


def test_but_for_each_other() -> None:
    """Comments on many good sites cost an attacker little."""
    _, found = newcomers()
    for domain in (1, 2):
        found.vouch(domain, np.arange(MANY))
    for host in range(FREE):
        found.showed(host)
    assert those_that_wait(found) == list(range(FREE, MANY))


def test_one_that_had_shown_a_page_before_it_was_linked_to_counts_among_its_like() -> None:
    _, found = newcomers()
    for host in range(FREE):
        found.showed(host)
    for domain in (1, 2):
        found.vouch(domain, np.array([0]))
    assert those_that_wait(found) == []


def test_it_goes_on_from_its_state() -> None:
    (hosts, found), (others, restored) = newcomers(), newcomers()
    found.vouch(7, np.array([1, 2]))
    for host in range(FREE + 1):
        found.showed(host)
    others.columns.restore(hosts.columns.snapshot(MANY))
    restored.restore(found.snapshot())
    for one in (found, restored):
        one.vouch(8, np.array([2, 3]))
    assert those_that_wait(restored) == those_that_wait(found) != []


def web(strangers: int = 60) -> dict[str, Page]:
    """A seed that leads to a site and to hosts of one page each, about the topic."""
    throwaways = {
        url: page(url, f"solar solar {text(url)}") for n in range(strangers) if (url := f"http://new{n}.com/")
    }
    return seed_page(["http://site.com/0", *throwaways]) | site("site.com", 60, rich=True) | throwaways


def started() -> Crawl:
    crawl = defended("best_first")
    crawl.apply(Started([address(SEED)]))
    return crawl


def test_a_site_goes_before_hosts_of_one_page() -> None:
    order = run(started(), web(), most=60)
    assert sum("new" in url for url in order) <= FREE + SHARE * 60 + 1
    assert sum("site" in url for url in order) >= 40


def test_where_nothing_else_is_left_they_are_fetched() -> None:
    assert sum("new" in url for url in run(started(), web())) == 60


def test_where_turns_are_off_nobody_waits() -> None:
    crawl = defended("breadth_first", turns=False)
    crawl.apply(Started([address(SEED)]))
    assert sum("new" in url for url in run(crawl, web(), most=60)) > 50


def test_a_crawl_that_goes_on_lets_the_same_wait() -> None:
    pages = web()
    whole = run(started(), pages, most=100)
    crawl = started()
    begun = run(crawl, pages, most=30)
    again = restart(crawl, defended("best_first"), [*pages, "http://site.com/60"])
    assert begun + run(again, pages, most=70) == whole


def test_hosts_below_the_domain_of_a_seed_never_wait() -> None:
    hosts = Hosts()
    turns = Turns(hosts, on=True)
    turns.begin([hosts.intern("seed.com")])
    none = np.empty(0, np.int64), np.empty(0, np.bool_)
    for number in range(MANY):
        host = hosts.intern(f"new{number}.com")
        turns.took(host)
        turns.led(host, host, *none, host)
    assert [turns.is_over(hosts.intern(name)) for name in ("another.com", "wiki.seed.com")] == [True, False]

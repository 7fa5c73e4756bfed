"""What a person asks goes before what the strategy wants, within the scope, and survives a restart."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from focused.crawl.arrays import FloatArray
from focused.crawl.crawl import Crawl
from focused.crawl.events import Failed, OrderGiven, PageArrived, Requested, Started
from focused.crawl.standing_orders import PAGES_OF_HOST, Order, as_text, limits_in
from focused.crawl.strategy import Strategy, Visit
from focused.topic.topic import LARGEST_COUNT, Budget, FrontierOptions, Scope
from tests.crawl.web import address, key, make_crawl, make_page, make_topic, restart

SEED, BEST, WORST, OTHER = (f"http://{name}.example/" for name in ("seed", "best", "worst", "other"))
PAGE = make_page(SEED, "solar words", [(BEST, "solar solar"), (WORST, "football"), (OTHER, "solar football")])


class ByAnchor(Strategy):
    """Links with more of the topic in their anchors come first."""

    name = "by_anchor"
    parts = ("anchor",)

    def score(self, visit: Visit) -> tuple[FloatArray, FloatArray]:
        scores = np.array([float(link.anchor.count("solar")) for link in visit.links])
        return scores, scores[:, np.newaxis]


def make(**tables: object) -> Crawl:
    return make_crawl(make_topic(**tables), ByAnchor)


def begun(**tables: object) -> Crawl:
    """A crawl that has fetched its seed, so that three URLs wait."""
    crawl = make(**tables)
    crawl.apply(Started([address(SEED)]))
    crawl.apply(PageArrived(crawl.next().id, PAGE, 1))
    return crawl


def url(crawl: Crawl, text: str) -> int:
    return crawl.urls.find(key(text))


def order(kind: str, about: str = "", value: str = "") -> Order:
    return Order(kind, address(about), value=value) if "://" in about else Order(kind, argument=about, value=value)


def steer(crawl: Crawl, kind: str, about: str = "", value: str = "") -> list[tuple[int, str]]:
    asked = order(kind, about, value)
    assert crawl.steering.against(asked) == ""
    return crawl.apply(OrderGiven(asked)).drops


def picks(crawl: Crawl, most: int = 10) -> list[int]:
    """Take URLs until none is left; none gives a page."""
    found = []
    while len(found) < most and (pick := crawl.next()) is not None:
        found.append(pick.id)
        crawl.apply(Failed(pick.id))
    return found


def test_the_best_comes_first_where_nobody_asks_for_anything() -> None:
    crawl = begun()
    assert picks(crawl) == [url(crawl, BEST), url(crawl, OTHER), url(crawl, WORST)]


def test_raised_urls_come_first_in_the_order_in_which_they_were_raised() -> None:
    crawl = begun()
    new = "http://new.example/page"
    assert steer(crawl, "raise_url", new) == []
    steer(crawl, "raise_url", WORST)
    assert picks(crawl) == [url(crawl, new), url(crawl, WORST), url(crawl, BEST), url(crawl, OTHER)]


def test_a_raised_url_waits_for_its_host_and_others_go_on_meanwhile() -> None:
    crawl = begun()
    steer(crawl, "raise_url", WORST)
    crawl.hold("worst.example")
    assert crawl.next().id == url(crawl, BEST)
    crawl.release("worst.example")
    assert crawl.next().id == url(crawl, WORST)


def test_a_raised_url_outlives_a_small_frontier_and_a_strategy_that_does_not_want_it() -> None:
    crawl = begun(frontier=FrontierOptions(cap=2))
    steer(crawl, "raise_url", WORST)
    crowd = [(f"http://{i}.example/", "solar solar") for i in range(300)]
    pick = crawl.next(lambda host: host == "best.example")
    assert pick.id == url(crawl, BEST)
    crawl.apply(PageArrived(pick.id, make_page(BEST, "solar", crowd), 1))
    crawl.release("worst.example")
    assert crawl.next().id == url(crawl, WORST)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("http://denied.example/", "the topic's scope bars it: host denied"),
        ("http://other.example/a.zip", "the topic's scope bars it: file type"),
        (SEED, "it was asked for already"),
        (BEST, "it is being fetched now"),
    ],
)
def test_what_cannot_be_raised_is_refused_with_the_reason_and_changes_nothing(text: str, why: str) -> None:
    crawl = begun(scope=Scope(denied_hosts=("denied.example",)))
    crawl.next()
    known = len(crawl.urls)
    assert crawl.steering.against(order("raise_url", text)) == why
    assert crawl.apply(OrderGiven(order("raise_url", text))).drops == []  # as in a replay under another scope
    assert (len(crawl.urls), list(crawl.steering.raised)) == (known, [])


def test_a_host_that_has_had_its_pages_gets_no_more_for_being_raised() -> None:
    crawl = begun(scope=Scope(pages_per_host=1))
    assert crawl.steering.against(order("raise_url", f"{SEED}more")) == "page limit of its host"
    assert crawl.steering.against(order("raise_host", "seed.example")) == "page limit of its host"


def test_a_dropped_url_is_never_fetched_unless_it_is_raised() -> None:
    crawl = begun()
    assert steer(crawl, "drop_url", BEST) == [(url(crawl, BEST), "dropped by a person")]
    steer(crawl, "drop_url", "http://never.example/seen")
    pick = crawl.next()
    crawl.apply(
        PageArrived(pick.id, make_page(OTHER, "solar", [(BEST, "solar"), ("http://never.example/seen", "solar")]), 1)
    )
    assert picks(crawl) == [url(crawl, WORST)]
    assert crawl.admission.against_address(address(BEST)) == "dropped by a person"
    steer(crawl, "raise_url", BEST)
    assert picks(crawl) == [url(crawl, BEST)]


def test_a_denied_host_and_its_subdomains_have_nothing_that_waits_until_they_are_allowed() -> None:
    crawl = begun()
    below = "http://www.best.example/"
    assert steer(crawl, "deny_host", "best.example") == [(url(crawl, BEST), "host denied by a person")]
    pick = crawl.next()
    arrival = crawl.apply(PageArrived(pick.id, make_page(OTHER, "solar", [(below, "solar"), (BEST, "solar")]), 1))
    assert arrival.drops == [(url(crawl, below), "host denied by a person")]
    crawl.apply(Requested(address(below), 1.0)).urls[0]  # nobody else may either
    crawl.apply(Started([address(f"{BEST}seed")]))
    assert crawl.admission.against_address(address(below)) == "host denied by a person"
    assert crawl.steering.against(order("raise_url", below)) == "host denied by a person: allow best.example first"
    assert crawl.steering.against(order("raise_host", "best.example")) == "host denied by a person"
    assert "best.example: allow that" in crawl.steering.against(order("allow_host", "www.best.example"))
    pick = crawl.next()
    assert pick.id == url(crawl, WORST)
    steer(crawl, "allow_host", "best.example")
    crawl.apply(PageArrived(pick.id, make_page(WORST, "solar", [(BEST, "solar"), (below, "solar")]), 1))
    assert picks(crawl) == [url(crawl, BEST), url(crawl, below)]


def test_a_raised_host_goes_first_for_so_many_pages_and_then_no_more() -> None:
    crawl = begun()
    links = [(f"{WORST}{i}", "football") for i in range(PAGES_OF_HOST + 10)]
    crawl.apply(PageArrived(crawl.next().id, make_page(BEST, "solar", links), 1))
    steer(crawl, "raise_host", "worst.example")
    found = picks(crawl, 100)
    assert found.index(url(crawl, OTHER)) == PAGES_OF_HOST
    assert len(found) == PAGES_OF_HOST + 12
    assert crawl.steering.preferred == {}
    assert crawl.steering.against(order("raise_host", "unknown.example")) == "no URL of this host is known"


def test_a_budget_holds_until_the_topic_says_something_else() -> None:
    crawl = begun(budget=Budget(pages=1))
    assert crawl.next() is None
    assert crawl.stop(0).slug == "page_budget"
    crawl.apply(OrderGiven(Order("budget", argument="pages=1 hours=0.0", value="pages=2 hours=1.5")))
    assert (crawl.budget.pages, crawl.budget.hours) == (2, 1.5)
    assert crawl.world.page_budget == 2  # what a strategy sees
    assert restart(crawl, make(budget=Budget(pages=1)), (SEED, BEST, OTHER, WORST)).world.page_budget == 2
    assert crawl.stop(0) is None
    assert crawl.stop(5400).slug == "time_budget"
    restarted = make(budget=Budget(pages=7))
    restarted.steering.restore(crawl.steering.snapshot())
    assert (restarted.budget.pages, restarted.budget.hours) == (7, 1.5)


@pytest.mark.parametrize("text", ["", "pages", "pages=", "pages=x", "pages=-1", "hours=nan", "hours=1e99", "shell=1"])
def test_a_budget_that_makes_no_sense_is_refused(text: str) -> None:
    assert "is none of pages=500 and hours=2" in begun().steering.against(order("budget", value=text))
    assert limits_in(text) == {}


def test_limits_are_written_as_they_are_read() -> None:
    for text in ("pages=500", "hours=2.5", "pages=0 hours=0.25"):
        assert as_text(limits_in(text)) == text


def test_what_was_asked_survives_a_restart() -> None:
    crawl = begun(budget=Budget(pages=3))
    steer(crawl, "drop_url", BEST)
    steer(crawl, "deny_host", "denied.example")
    steer(crawl, "raise_url", "http://new.example/page")
    steer(crawl, "raise_host", "worst.example")
    crawl.apply(OrderGiven(Order("budget", argument="pages=3 hours=0.0", value="pages=9")))
    texts = [SEED, BEST, WORST, OTHER, "http://new.example/page"]
    again = restart(crawl, make(budget=Budget(pages=3)), texts)
    assert again.steering.snapshot() == crawl.steering.snapshot()
    assert again.budget.pages == 9
    expected = [url(crawl, "http://new.example/page"), url(crawl, WORST), url(crawl, OTHER)]
    assert picks(again) == picks(crawl) == expected


def test_a_probe_of_a_denied_host_is_not_sent() -> None:
    crawl = begun()
    ids, _ = crawl.naming.meet([address("http://best.example/nothing")])
    crawl.traps.probes.add(int(ids[0]), crawl.hosts.find("best.example"))
    steer(crawl, "deny_host", "best.example")
    assert int(ids[0]) not in picks(crawl)


def test_a_page_that_others_lead_to_is_raised_no_more_once_it_came_that_way() -> None:
    crawl = begun()
    steer(crawl, "raise_url", WORST)
    crawl.hold("worst.example")
    pick = crawl.next()
    crawl.apply(PageArrived(pick.id, make_page(WORST, "solar", []), 1))  # it redirects there
    crawl.release("worst.example")
    assert picks(crawl) == [url(crawl, OTHER)]


@given(pages=st.integers(0, LARGEST_COUNT), hours=st.floats(0, 1e6))
def test_a_budget_is_read_back_as_it_was_written(pages: int, hours: float) -> None:
    limits = {"pages": pages, "hours": hours}
    assert limits_in(as_text(limits)) == limits

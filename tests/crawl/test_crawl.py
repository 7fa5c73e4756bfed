"""The core: what is fetched, in which order, what is dropped, and that a crawl goes on as if it had never stopped."""

from __future__ import annotations

import pytest

from focused.crawl.budget import reached
from focused.crawl.events import Aliased, Failed, PageArrived, Requested, Started
from focused.crawl.url_table import NO_SOURCE, State
from focused.topic.topic import Budget, FrontierOptions, Scope
from tests.crawl.web import address, make_crawl, make_page, make_topic, restart, run

SEED = "http://seed.example/"
A, B, C = "http://a.example/1", "http://b.example/1", "http://c.example/1"

WEB = {
    SEED: make_page(SEED, "portal", [(A, "football"), (B, "solar panels"), (SEED + "more", "more")]),
    A: make_page(A, "football club", [(C, "solar")]),
    B: make_page(B, "solar energy", [(A, "solar solar"), (C, "wind")]),
    C: make_page(C, "wind", [(A, "back"), (SEED, "home")]),
}


def started(crawl):
    crawl.apply(Started([address(SEED)]))
    return crawl


def test_every_reachable_page_is_fetched_once_and_failures_are_not_tried_again():
    crawl = started(make_crawl())
    order = run(crawl, WEB)
    assert sorted(order) == sorted([*WEB, SEED + "more"])
    assert (crawl.totals.pages, crawl.totals.failures, crawl.exhausted) == (4, 1, True)


def test_better_links_come_first():
    assert run(started(make_crawl(strategy="dom")), WEB)[:2] == [SEED, B]


def test_a_waiting_link_is_raised_by_a_better_context_and_remembers_where_it_was_found():
    crawl = started(make_crawl(strategy="dom"))
    crawl.apply(PageArrived(crawl.next().id, WEB[SEED], 1))
    url = crawl.urls.find(address(A).key)
    before = crawl.frontier.score(url)
    crawl.apply(PageArrived(crawl.next().id, WEB[B], 1))
    pick = crawl.next()
    assert (pick.id, pick.source) == (url, crawl.urls.find(address(B).key))
    assert pick.score > before


def test_a_seed_has_no_source_and_links_count_their_depth_on_the_shortest_path():
    crawl = started(make_crawl(strategy="breadth_first"))
    seed = crawl.next()
    crawl.apply(PageArrived(seed.id, WEB[SEED], 1))
    link = crawl.next()
    assert (seed.source, seed.depth, link.source, link.depth) == (NO_SOURCE, 0, seed.id, 1)


def test_an_exact_duplicate_does_not_count_as_relevant_again():
    web = {
        SEED: make_page(SEED, "solar", [(A, "one"), (B, "two")]),
        A: make_page(A, "solar power", [], body="same"),
        B: make_page(B, "solar power", [], body="same"),
    }
    crawl = started(make_crawl())
    run(crawl, web)
    assert (crawl.totals.pages, crawl.totals.relevant, crawl.totals.duplicates) == (3, 2, 1)


@pytest.mark.parametrize(
    ("scope", "why"),
    [
        (Scope(deny=("a.example",)), "URL denied"),
        (Scope(allow=("seed|b|c",)), "URL not allowed"),
        (Scope(allowed_hosts=("seed.example", "b.example", "c.example")), "host not in scope"),
        (Scope(denied_hosts=("a.example",)), "host denied"),
    ],
)
def test_a_link_out_of_scope_is_dropped_with_its_reason(scope, why):
    crawl = started(make_crawl(make_topic(scope=scope)))
    arrival = crawl.apply(PageArrived(crawl.next().id, WEB[SEED], 1))
    assert (crawl.urls.find(address(A).key), why) in arrival.drops
    assert A not in run(crawl, WEB)


def test_depth_is_limited_but_a_shorter_path_still_counts():
    far = make_page(SEED, "", [(A, "far")])
    crawl = started(make_crawl(make_topic(scope=Scope(max_depth=1))))
    arrival = crawl.apply(PageArrived(crawl.next().id, far, 1))
    assert arrival.drops == []
    arrival = crawl.apply(PageArrived(crawl.next().id, WEB[A], 1))
    assert arrival.drops == [(crawl.urls.find(address(C).key), "depth")]
    assert crawl.next() is None
    crawl.apply(Started([address(B)]))
    assert run(crawl, WEB) == [B, C]


def test_a_host_gets_no_more_than_its_pages():
    links = [(f"http://a.example/{i}", "solar") for i in range(5)]
    web = {SEED: make_page(SEED, "", links)} | {url: make_page(url, "solar", []) for url, _ in links}
    crawl = started(make_crawl(make_topic(scope=Scope(pages_per_host=2))))
    order = run(crawl, web)
    assert len(order) == 1 + 2
    assert crawl.exhausted


def test_nofollow_links_are_not_followed_unless_the_topic_says_so():
    page = make_page(SEED, "", [("nofollow:" + A, "solar"), (B, "solar")])
    follows = {
        policy: len(run(started(make_crawl(make_topic(scope=Scope(nofollow=policy)))), {SEED: page}))
        for policy in ("page", "links", "ignore")
    }
    assert follows == {"page": 3, "links": 2, "ignore": 3}


def test_no_link_of_a_page_that_says_nofollow_is_followed():
    page = make_page(SEED, "", [(A, "solar")], nofollow=True)
    assert run(started(make_crawl()), {SEED: page}) == [SEED]
    assert run(started(make_crawl(make_topic(scope=Scope(nofollow="ignore")))), {SEED: page}) == [SEED, A]


def test_pages_in_another_language_give_no_links_and_are_not_relevant():
    page = make_page(SEED, "solar", [(A, "solar")], language="fr")
    crawl = started(make_crawl(make_topic(scope=Scope(languages=("en",)))))
    assert run(crawl, {SEED: page}) == [SEED]
    assert crawl.totals.relevant == 0


def test_the_page_budget_counts_what_is_under_way():
    crawl = started(make_crawl(make_topic(budget=Budget(pages=3))))
    crawl.apply(PageArrived(crawl.next().id, WEB[SEED], 1))
    first, second = crawl.next(), crawl.next()
    assert crawl.next() is None
    crawl.apply(Failed(first.id))
    assert crawl.next() is not None
    assert second is not None


def test_a_full_frontier_evicts_the_worst_and_says_so():
    links = [(f"http://a.example/{i}", "solar " * (i % 7) + "x") for i in range(300)]
    crawl = started(make_crawl(make_topic(frontier=FrontierOptions(cap=100)), strategy="dom"))
    arrival = crawl.apply(PageArrived(crawl.next().id, make_page(SEED, "", links), 1))
    assert len(crawl.frontier) == 100
    assert len(arrival.drops) == 200
    assert {why for _, why in arrival.drops} == {"the frontier is full"}
    dropped = arrival.drops[0][0]
    assert crawl.urls.state[dropped] == State.FREE


def test_breadth_first_takes_no_more_links_than_its_cap():
    links = [(f"http://a.example/{i}", "x") for i in range(300)]
    crawl = started(make_crawl(make_topic(frontier=FrontierOptions(cap=100)), strategy="breadth_first"))
    crawl.apply(PageArrived(crawl.next().id, make_page(SEED, "", links), 1))
    assert len(crawl.frontier) == 100
    assert crawl.next().id == crawl.urls.find(address("http://a.example/0").key)


def test_a_redirect_to_a_waiting_url_is_an_alias_and_lends_its_score():
    crawl = started(make_crawl(strategy="dom"))
    crawl.apply(PageArrived(crawl.next().id, WEB[SEED], 1))
    best = crawl.next()
    target = crawl.apply(Aliased(best.id, address(A))).urls[0]
    assert target == crawl.urls.find(address(A).key)
    assert crawl.frontier.score(target) == best.score
    assert crawl.next().id == target


def test_the_end_of_a_redirect_is_not_fetched_again():
    crawl = started(make_crawl())
    crawl.apply(PageArrived(crawl.next().id, WEB[A], 1))  # the seed redirects to A, which links to C
    assert run(crawl, WEB) == [C]


def test_a_request_of_the_users_own_waits_like_a_link_whatever_the_scope():
    crawl = started(make_crawl(make_topic(scope=Scope(deny=("c.example",)))))
    url = crawl.apply(Requested(address(C), 5.0)).urls[0]
    assert crawl.next().id == url


@pytest.mark.parametrize("strategy", ["dom", "backlink_count"])  # all others: tests/contract/test_crawls.py
@pytest.mark.parametrize("events", range(6))
def test_a_crawl_goes_on_from_a_snapshot_as_if_it_had_not_stopped(strategy, events):
    whole = started(make_crawl(strategy=strategy))
    expected = run(whole, WEB)
    cut = started(make_crawl(strategy=strategy))
    done = run(cut, WEB, most=events)
    going_on = restart(cut, make_crawl(strategy=strategy), [*WEB, SEED + "more"])
    assert done + run(going_on, WEB) == expected
    assert going_on.totals == whole.totals


def test_what_was_under_way_at_a_snapshot_is_known_after_it():
    crawl = started(make_crawl())
    pick = crawl.next()
    going_on = restart(crawl, make_crawl(), WEB)
    assert going_on.in_flight == {pick.id: pick}
    going_on.apply(PageArrived(pick.id, WEB[SEED], 1))
    assert len(run(going_on, WEB)) == 4


@pytest.mark.parametrize(
    ("budget", "seconds", "word"),
    [
        (Budget(pages=4), 0, "page budget"),
        (Budget(relevant_pages=1), 0, "relevant"),
        (Budget(hours=1), 3600, "time"),
        (Budget(pages=0, harvest_floor=0.9, harvest_window=4), 0, "harvest"),
    ],
)
def test_a_budget_says_which_limit_is_reached(budget, seconds, word):
    crawl = started(make_crawl())
    assert reached(budget, crawl.totals, 0) is None
    run(crawl, WEB)
    found = reached(budget, crawl.totals, seconds)
    assert found is not None and word in found.sentence


def with_links(*urls: str, **options):
    """A crawl that has fetched a page with these links; nothing else waits."""
    crawl = started(make_crawl(strategy="breadth_first", **options))
    crawl.apply(PageArrived(crawl.next().id, make_page(SEED, "portal", [(url, "solar") for url in urls]), 1))
    return crawl


def test_the_driver_has_the_last_word_on_a_host_and_what_it_denies_is_held():
    crawl = with_links(A, B, C)
    assert crawl.next(may_ask=lambda host: host == "c.example").id == crawl.urls.find(address(C).key)
    assert crawl.next() is None
    crawl.release("a.example")
    assert crawl.next().id == crawl.urls.find(address(A).key)


def test_a_host_that_never_answered_is_given_up_after_three_urls_and_new_links_to_it_are_dropped():
    crawl = with_links(*(f"http://a.example/{n}" for n in range(6)), B)
    for _ in range(2):
        assert crawl.apply(Failed(crawl.next().id, silent=True)).drops == []
    drops = crawl.apply(Failed(crawl.next().id, silent=True)).drops
    assert [why for _, why in drops] == ["host does not answer"] * 3
    links = [("http://a.example/new", "solar"), (C, "solar")]
    outcome = crawl.apply(PageArrived(crawl.next().id, make_page(B, "solar", links), 1))
    assert [why for _, why in outcome.drops] == ["host does not answer"]
    assert len(crawl.frontier) == 1


def test_a_host_that_answered_before_has_more_patience_and_an_answer_makes_good():
    crawl = with_links(*(f"http://a.example/{n}" for n in range(30)))
    crawl.apply(Failed(crawl.next().id))  # not found, say
    for _ in range(9):
        assert crawl.apply(Failed(crawl.next().id, silent=True)).drops == []
    crawl.apply(Failed(crawl.next().id))
    for _ in range(9):
        assert crawl.apply(Failed(crawl.next().id, silent=True)).drops == []
    assert len(crawl.apply(Failed(crawl.next().id, silent=True)).drops) == 9
    assert crawl.exhausted


def test_what_is_put_off_leaves_its_place_in_the_budget_to_others():
    crawl = with_links(A, B, C, topic=make_topic(budget=Budget(pages=2)))
    pick = crawl.next()
    assert crawl.next() is None
    crawl.put_off.add(pick.id)
    assert crawl.next() is not None
    assert crawl.next() is None
    crawl.apply(Failed(pick.id))
    assert crawl.put_off == set()

"""The simulator crawls as the live crawl does: same order, same politeness, same words; and its feedback comes as late."""

import gc
import random
from collections import defaultdict
from dataclasses import replace
from itertools import pairwise

import pytest

from focused.exceptions import FocusedError
from focused.live.session import Session
from focused.page.page import Page
from focused.page.urls import host_of
from focused.simulation.recorded_web import Answer, html_answer
from focused.simulation.simulator import Network
from focused.topic.topic import Budget, Scope
from tests import small_web
from tests.crawls.crawling import crawl
from tests.crawls.mock_web import MockWeb, page, redirect, serving
from tests.crawls.test_order import HOST, offline, random_web
from tests.simulation.simulated import ANSWERS, SmallWeb, simulate, simulator_of, topic_of

SEED = "http://a.example/"
LIVE = Network()


def many_hosts(pages: int = 120, hosts: int = 24) -> dict[str, Answer]:
    """Pages on many hosts, each with links to six others, some of them about the topic."""
    rng = random.Random(5)
    urls = [f"http://h{number % hosts}.example/{number}" for number in range(pages)]
    words = ("solar energy", "solar panel", "football", "cooking")
    return {url: page(" ".join(rng.choices(words, k=2)), *rng.sample(urls, 6)) for url in urls}


MANY = many_hosts()
MANY_SEEDS = tuple(list(MANY)[:3])


@pytest.mark.parametrize("strategy", ["breadth_first", "hub_seeking"])
def test_one_request_at_a_time_gives_exactly_the_order_of_the_core_alone(strategy):
    answers = random_web(seed=7)
    topic = topic_of(f"{HOST}/0", f"{HOST}/9", strategy=strategy)
    assert [fetch.url for fetch in simulate(answers, topic, hide_outside=False)] == offline(answers, topic)


def test_one_request_at_a_time_gives_exactly_the_order_of_the_live_scheduler(tmp_path):
    answers = random_web(seed=8)
    topic = topic_of(f"{HOST}/0", f"{HOST}/9")
    with serving(MockWeb(answers)) as web:
        assert crawl(web, tmp_path, topic.seeds, strategy="dom").code == 0
    assert [fetch.url for fetch in simulate(answers, topic, hide_outside=False)] == web.pages_asked()


def test_totals_and_the_reason_to_stop_are_those_of_a_session(tmp_path):
    topic = small_web.topic_of()
    session = Session(topic, tmp_path)
    order = small_web.crawl(session)
    simulator = simulator_of(ANSWERS, topic, hide_outside=False)
    assert [fetch.url for fetch in simulator.fetches()] == order
    assert simulator.crawl.totals == session.crawl.totals
    assert simulator.ended == session.stop().sentence == "dead end: no URL is left to fetch"
    session.close()


def test_the_same_web_and_seed_give_the_same_result():
    drawn = replace(LIVE, seed=1)
    first = simulate(MANY, topic_of(*MANY_SEEDS), drawn)
    assert first == simulate(MANY, topic_of(*MANY_SEEDS), drawn)
    assert [f.url for f in first] != [f.url for f in simulate(MANY, topic_of(*MANY_SEEDS), replace(LIVE, seed=2))]


def test_many_requests_at_a_time_choose_with_less_knowledge():
    topic = topic_of(*MANY_SEEDS)
    alone = simulate(MANY, topic, Network(in_flight=1, delay=0))
    together = simulate(MANY, topic, Network(in_flight=16, delay=0))
    assert sorted(f.url for f in alone) == sorted(f.url for f in together)
    assert [f.url for f in alone] != [f.url for f in together]
    assert together[-1].arrived < alone[-1].arrived


def test_a_link_is_followed_only_after_a_page_with_it_has_arrived():
    fetches = simulate(MANY, topic_of(*MANY_SEEDS), LIVE)
    arrived = {fetch.url: fetch.arrived for fetch in fetches}
    for fetch in fetches:
        parents = [url for url, answer in MANY.items() if f'"{fetch.url}"'.encode() in answer.body]
        assert fetch.depth == 0 or fetch.sent >= min(arrived[url] for url in parents if url in arrived)


@pytest.mark.parametrize("per_host", [1, 3])
def test_every_host_gets_its_delay_and_no_more_requests_at_a_time_than_it_may(per_host):
    network = Network(in_flight=16, per_host=per_host, delay=0.25, latency=0.7, seed=3)
    by_host = defaultdict(list)
    for fetch in simulate(many_hosts(hosts=4), topic_of(*many_hosts(hosts=4)), network):
        by_host[host_of(fetch.url)].append(fetch)
    most = 0
    for fetches in by_host.values():
        fetches.sort(key=lambda fetch: fetch.sent)
        assert all(later.sent - fetch.sent >= 0.25 - 1e-9 for fetch, later in pairwise(fetches))
        at_once = [sum(other.sent <= fetch.sent < other.arrived for other in fetches) for fetch in fetches]
        most = max(most, *at_once)
    assert len(by_host) == 4
    assert most == per_host


def test_no_more_requests_are_under_way_than_there_may_be():
    fetches = simulate(MANY, topic_of(*MANY_SEEDS), Network(in_flight=5, delay=0, seed=1))
    at_once = [sum(other.sent <= fetch.sent < other.arrived for other in fetches) for fetch in fetches]
    assert max(at_once) == 5


def test_a_budget_of_pages_is_kept_with_many_requests_at_a_time():
    simulator = simulator_of(MANY, topic_of(*MANY_SEEDS, budget=Budget(pages=50)), Network(in_flight=16, delay=0))
    assert len(list(simulator.fetches())) == 50
    assert simulator.ended == "page budget reached: 50 of 50 pages"


def test_hours_of_a_budget_are_virtual():
    topic = topic_of(*MANY_SEEDS, budget=Budget(pages=0, hours=10 / 3600))
    simulator = simulator_of(MANY, topic, Network(in_flight=1, delay=0, latency=1))
    assert len(list(simulator.fetches())) == 10
    assert simulator.now == 10
    assert simulator.ended.startswith("time budget reached")


class TestRedirects:
    def test_a_page_behind_redirects_is_fetched_once_under_its_own_url(self):
        web = {SEED: redirect("/b"), f"{SEED}b": redirect("http://c.example/"), "http://c.example/": page("solar")}
        (fetch,) = simulate(web, topic_of(SEED), Network(latency=1))
        assert (fetch.url, fetch.final_url, fetch.outcome) == (SEED, "http://c.example/", "page")
        assert fetch.arrived == 3  # three requests, one after the other; the delay of a host is over meanwhile

    def test_a_redirect_waits_for_the_delay_of_its_host(self):
        (fetch,) = simulate({SEED: redirect("/b"), f"{SEED}b": page("solar")}, topic_of(SEED), Network(delay=5))
        assert fetch.sent == 5

    @pytest.mark.parametrize(
        ("web", "expected"),
        [
            ({SEED: page("solar", "/b"), f"{SEED}b": redirect(SEED)}, ("alias", SEED, "redirects to a known URL")),
            (
                {SEED: page("", head="<meta http-equiv=refresh content='0; url=/b'>"), f"{SEED}b": page("solar")},
                ("page", f"{SEED}b", ""),
            ),
            (
                {SEED: page("solar", head="<meta http-equiv=refresh content='0; url=/'>")},
                ("page", SEED, ""),
            ),
            ({SEED: redirect("/b"), f"{SEED}b": redirect("/")}, ("failed", f"{SEED}b", "redirects in a circle")),
            (
                {SEED: redirect("mailto:me@a.example")},
                ("failed", SEED, "redirects to mailto:me@a.example: not an http(s) URL"),
            ),
            (
                {SEED: redirect("http://b.example/"), "http://b.example/": page("solar")},
                ("failed", SEED, "redirects out of scope: host not in scope"),
            ),
        ],
        ids=[
            "to a known page",
            "by meta refresh",
            "to itself by a refresh",
            "in circles",
            "to no http URL",
            "out of scope",
        ],
    )
    def test_it_ends_as_in_a_live_crawl(self, web: dict[str, Answer], expected: tuple[str, str, str]) -> None:
        last = simulate(web, topic_of(SEED, scope=Scope(allowed_hosts=("a.example",))))[-1]
        assert (last.outcome, last.final_url, last.reason) == expected


def test_failures_have_the_words_and_the_status_of_a_live_crawl():
    web = {
        SEED: page("solar", "/gone", "/empty", "/picture", "http://unknown.example/"),
        f"{SEED}empty": html_answer(b""),
        f"{SEED}picture": Answer(200, (("Content-Type", "image/png"),), b"png"),
    }
    fetches = simulate(web, topic_of(SEED), hide_outside=False)
    assert {fetch.url: (fetch.reason, fetch.status) for fetch in fetches[1:]} == {
        f"{SEED}gone": ("http 404", 404),
        f"{SEED}empty": ("empty body", 200),
        f"{SEED}picture": ("content type image/png out of scope", 200),
        "http://unknown.example/": ("not recorded", None),
    }


def test_the_second_copy_of_a_page_is_a_duplicate_and_not_relevant():
    text = b"<title>solar energy</title>solar energy"
    web = {SEED: page("solar energy", "/b", "/c"), f"{SEED}b": html_answer(text), f"{SEED}c": html_answer(text)}
    fetches = simulate(web, topic_of(SEED))
    found = [(fetch.relevant, fetch.duplicate_of) for fetch in fetches]
    assert found == [(True, None), (True, None), (False, f"{SEED}b")]


def test_pages_are_not_kept_in_memory():
    def pages() -> int:
        return sum(isinstance(thing, Page) for thing in gc.get_objects())

    gc.collect()
    before = pages()
    fetches = simulator_of(SmallWeb(MANY), topic_of(*MANY_SEEDS), LIVE).fetches()
    alive = [pages() - before for number, _ in enumerate(fetches) if number % 20 == 0]
    assert max(alive) <= 2


@pytest.mark.parametrize("values", [{"in_flight": 0}, {"per_host": 0}, {"delay": -1}, {"latency": float("nan")}])
def test_a_network_that_cannot_be_is_refused(values):
    with pytest.raises(FocusedError, match=next(iter(values))):
        Network(**values)

"""The oracle goes the way that a person would choose who sees the whole map."""

from __future__ import annotations

from focused.reading.reader import Reader, ReadingOptions
from focused.simulation.analysed_web import AnalysedWeb
from focused.simulation.labels import Judgements
from focused.simulation.recorded_web import Answer
from focused.simulation.simulator import Network, Simulator
from lab.crawlers.entrants import yardstick_crawl
from tests.live.mock_web import page, redirect
from tests.simulation.simulated import STEP_BY_STEP, SmallWeb, topic_of

HOST = "http://a.example/"


def web_of(links: dict[str, str]) -> dict[str, Answer]:
    """Pages by one-word names, each with the names that it links to; every one that is named exists."""
    names = dict.fromkeys(" ".join([*links, *links.values()]).split())
    return {url(name): page(name, *(f"/{target}" for target in links.get(name, "").split())) for name in names}


def url(name: str) -> str:
    return f"{HOST}{name}"


def simulator(web: dict[str, Answer], targets: str, network: Network = STEP_BY_STEP, **tables: object) -> Simulator:
    analysed = AnalysedWeb(SmallWeb(web), Reader(ReadingOptions()))
    judgements = Judgements("test", frozenset(map(url, targets.split())))
    crawl = yardstick_crawl("oracle", topic_of(url("seed"), **tables), analysed, judgements)
    return Simulator(crawl, analysed, network)


def order(web: dict[str, Answer], targets: str, **tables: object) -> str:
    """Names of the pages in the order fetched."""
    fetches = simulator(web, targets, **tables).fetches()
    return " ".join(fetch.url.removeprefix(HOST) for fetch in fetches)


def test_it_goes_to_the_nearest_target_and_prefers_those_with_more_targets_behind():
    web = web_of({"seed": "a nothing hub", "a": "a2", "a2": "t1", "hub": "t3 t2", "t2": "t4"})
    # a is two links away from t1, hub one from t2 and t3; t2 has another target behind it, t3 has none.
    assert order(web, "t1 t2 t3 t4") == "seed hub t2 t3 t4 a a2 t1 nothing"


def test_of_two_pages_as_near_the_one_with_more_targets_comes_first():
    assert order(web_of({"seed": "one two", "one": "t1", "two": "t2 t3"}), "t1 t2 t3") == "seed two t2 t3 one t1"


def test_a_page_is_worth_less_when_the_target_behind_it_has_been_fetched():
    web = web_of({"seed": "t y z", "y": "t", "z": "z1", "z1": "u"})
    assert order(web, "t u") == "seed t z z1 u y"


def test_no_way_leads_through_pages_already_fetched():
    # back leads to u only by way of the seed, which is fetched; z is as far away, and worth it.
    web = web_of({"seed": "back z", "back": "seed", "z": "z1", "z1": "u"})
    assert order(web, "u") == "seed z z1 u back"


def test_a_redirect_is_as_near_as_the_page_that_it_leads_to():
    web = web_of({"seed": "other moved", "other": "t2", "t2": ""}) | {url("moved"): redirect("/t")}
    web |= web_of({"t": ""})
    assert order(web, "t t2") == "seed moved other t2"


def test_it_does_not_hope_for_links_that_the_crawl_may_not_follow():
    web = web_of({"seed": "secret long", "secret": "t", "long": "longer", "longer": "t"})
    tables = {"scope": {"deny": ["secret"]}}
    assert order(web, "t", **tables) == "seed long longer t"


def test_its_score_is_made_of_the_distance_and_the_targets_next_to_it():
    run = simulator(web_of({"seed": "hub far nothing", "hub": "t1 t2", "far": "hub2", "hub2": "t1"}), "t1 t2")
    next(run.fetches())  # the seed
    crawl, key = run.crawl, Reader(ReadingOptions()).rules.key
    found = {name: crawl.urls.find(key(url(name))) for name in ("hub", "far", "nothing")}
    assert {name: (crawl.frontier.score(known), *crawl.frontier.parts(known)) for name, known in found.items()} == {
        "hub": (2 / 3 - 1, 1, 2),
        "far": (-2, 2, 0),
        "nothing": (-7, 7, 0),  # no way: as many as there are URLs
    }


def test_many_requests_at_a_time_lose_nothing():
    web = web_of({"seed": "a b c d", "a": "t1 t2", "b": "t3 t4", "c": "t1", "d": "x", "x": "y"})
    fetches = list(simulator(web, "t1 t2 t3 t4", Network(in_flight=3, delay=0, seed=1)).fetches())
    assert sorted(fetch.url for fetch in fetches) == sorted(web)

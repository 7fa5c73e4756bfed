"""The oracle goes to the nearest target; distances to targets stay right while pages are taken away."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from focused.page.reader import Reader, ReadingOptions
from focused.simulation.analysed_web import AnalysedWeb
from focused.simulation.labels import Judgements
from focused.simulation.recorded_web import Answer
from focused.simulation.simulator import Network, Simulator
from lab.crawlers.entrants import yardstick_crawl
from lab.crawlers.web_links import WebLinks
from lab.crawlers.yardsticks.oracle import FAR, TargetDistances
from tests.crawls.mock_web import page
from tests.simulation.simulated import STEP_BY_STEP, SmallWeb, topic_of

Edges = Sequence[tuple[int, int]]
nodes = st.integers(0, 11)


def graph(size: int, edges: Edges) -> WebLinks:
    keys = np.arange(size, dtype=np.int64)
    links = [np.array([head for tail, head in edges if tail == node], np.int32) for node in range(size)]
    return WebLinks.joined(keys, keys.astype(np.int32), links)


def array(values: Any) -> np.ndarray:
    return np.array(sorted(values), np.int32)


def distances_by_hand(size: int, edges: Edges, targets: set[int], taken: set[int]) -> list[int]:
    """The longest way round: shorten distances along links until nothing changes."""
    found = [0 if node in targets - taken else FAR for node in range(size)]
    for _ in range(size):
        for tail, head in edges:
            if tail not in taken and head not in taken:
                found[tail] = min(found[tail], found[head] + 1)
    return found


@given(st.lists(st.tuples(nodes, nodes), max_size=40), st.sets(nodes, max_size=6), st.permutations(range(12)))
def test_taking_pages_away_one_by_one_is_as_good_as_starting_anew(edges, targets, order):
    links = graph(12, edges)
    distances = TargetDistances(links, array(targets))
    for number, removed in enumerate(order):
        before = distances.distance.copy(), distances.near.copy()
        changed = distances.take(removed)
        taken = set(order[: number + 1])
        assert distances.distance.tolist() == distances_by_hand(12, edges, targets, taken)
        alive = targets - taken
        assert distances.near.tolist() == [
            len({h for t, h in edges if t == node and h != t} & alive) for node in range(12)
        ]
        differs = (before[0] != distances.distance) | (before[1] != distances.near)
        differs[removed] = False  # whoever took it knows
        assert set(np.flatnonzero(differs).tolist()) <= set(changed.tolist())


def test_a_page_is_cut_off_when_the_last_way_to_a_target_is_gone():
    distances = TargetDistances(graph(4, [(0, 1), (1, 2), (0, 3), (3, 2)]), array({2}))
    assert distances.distance.tolist() == [2, 1, 0, 1]
    assert distances.take(1).tolist() == []  # page 0 has another way of the same length
    assert distances.take(3).tolist() == [0]
    assert distances.distance[0] == FAR


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


def test_no_way_leads_through_pages_already_fetched():
    # back leads to u only by way of the seed, which is fetched; z is as far away, and worth it.
    web = web_of({"seed": "back z", "back": "seed", "z": "z1", "z1": "u"})
    assert order(web, "u") == "seed z z1 u back"


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

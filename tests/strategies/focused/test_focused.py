"""Focused: R(p) for every link, hard focus drops links, and the distiller brings the links of good hubs to the front."""

from typing import Any

import numpy as np
import pytest

from focused.crawl.arrays import FloatArray
from focused.crawl.crawl import Crawl
from focused.crawl.events import PageArrived, Picked, Started
from focused.crawl.strategy import Rescoring
from focused.crawl.world import World
from focused.exceptions import TopicError
from focused.papers.models.taxonomy import Taxonomy
from focused.papers.strategies.focused import Focused, _with_good, distil
from focused.testing.toy_world import make_page, visit_of
from focused.topic.topic import Relevance
from tests.crawl.web import address, fetch_next, make_crawl, make_topic, restart, run
from tests.crawl.web import make_page as page_with

# solar: 2 terms, tax: 2 terms, |V| = 2. P(solar | sun) = 3/4, P(solar | law) = 1/4.
TAXONOMY = Taxonomy.fit([["solar"] * 2, ["tax"] * 2], [("energy", "sun"), ("law",)], [("energy", "sun")])

SUNNY = make_page("http://a.example/", ("solar solar", ["http://b.example/"]), ("", ["http://c.example/"]))
LEGAL = make_page("http://a.example/2", ("tax", ["http://d.example/"]))


def strategy(model: Any = TAXONOMY, **options: Any) -> Focused:
    return Focused(Focused.Options(**options), World({"solar": 1}, model=model))


class TestScores:
    def test_every_link_has_the_relevance_of_its_page(self) -> None:
        scores, parts = strategy().score(visit_of(SUNNY))  # 9/16 against 1/16
        assert scores == pytest.approx([0.9, 0.9])
        assert parts == pytest.approx(np.array([[0.9, 0.0]] * 2))
        assert strategy().score(visit_of(LEGAL))[0] == pytest.approx([0.25])

    def test_hard_focus_follows_only_pages_whose_best_class_is_good(self) -> None:
        hard = strategy(mode="hard")
        assert hard.score(visit_of(SUNNY))[0] == pytest.approx([0.9, 0.9])
        scores, parts = hard.score(visit_of(LEGAL))
        assert np.isnan(scores).all()
        assert np.isfinite(parts).all()

    def test_other_nodes_may_be_good(self) -> None:
        assert strategy(good=("law",)).score(visit_of(LEGAL))[0] == pytest.approx([0.75])
        assert strategy(good=("energy",), mode="hard").score(visit_of(SUNNY))[0] == pytest.approx([0.9, 0.9])

    @pytest.mark.parametrize(
        ("good", "message"),
        [
            (("sun",), "'sun' is no class of the model; classes: energy, law, energy/sun"),
            (("energy", "energy/sun"), "'energy/sun' lies below 'energy'"),
        ],
    )
    def test_good_nodes_that_are_unknown_or_nested_are_refused(self, good: tuple[str, ...], message: str) -> None:
        with pytest.raises(TopicError, match=message):
            strategy(good=good)

    def test_without_a_model_the_crawl_s_page_model_decides(self) -> None:
        visit = visit_of(SUNNY)
        visit.relevance, visit.relevant = 0.3, False
        assert strategy(None).score(visit)[0] == pytest.approx([0.3, 0.3])
        assert np.isnan(strategy(None, mode="hard").score(visit)[0]).all()


def distilled(relevance: dict[int, float], edges: list[tuple[int, int]], hubs: int = 10) -> Rescoring:
    """On URLs 0 to 9, each on a host of its own but 8 and 9, which are on that of 0."""
    sources, targets = np.array(edges, np.int64).reshape(-1, 2).T
    hosts = np.array([*range(8), 0, 0], np.int32)
    values = np.array([relevance.get(url, np.nan) for url in range(10)])
    return distil(sources, targets, hosts=hosts, relevance=values, may_be_authority=values >= 0.5, hubs=hubs)


def answer(found: Rescoring) -> dict[int, FloatArray]:
    changes = found.changes
    return dict(
        zip(changes.ids.tolist(), zip(changes.scores.tolist(), changes.parts.tolist(), strict=True), strict=True)
    )


# Pages 0 and 1 are hubs of the authorities 2 and 3, page 4 is off topic; 5, 6, 7, 9 are not fetched.
RELEVANCE = {0: 0.8, 1: 0.4, 2: 1.0, 3: 0.5, 4: 0.1}
EDGES = [(0, 2), (0, 3), (0, 5), (1, 2), (1, 4), (1, 6), (4, 7)]


def authorities(strategy: Focused, *relevances: float) -> list[int]:
    """Which of some pages may be authorities; those from .3 on are relevant to the crawl itself."""
    for number, relevance in enumerate(relevances):
        visit = visit_of(SUNNY if relevance > 0.5 else LEGAL)
        visit.id, visit.relevance, visit.relevant = number, relevance, relevance >= 0.3
        strategy.score(visit)
    found: list[int] = np.flatnonzero(strategy.world.urls.columns["strategy.may_be_authority"].values).tolist()
    return found


def test_authorities_have_a_high_relevance_or_without_a_model_are_relevant_to_the_crawl() -> None:
    assert authorities(strategy(), 0.9, 0.4, 0.2) == [0]  # R = .9, .25, .25
    assert authorities(strategy(authority=0.25), 0.9, 0.4, 0.2) == [0, 1, 2]
    assert authorities(strategy(None), 0.9, 0.4, 0.2) == [0, 1]


def test_a_link_that_is_new_on_one_of_the_best_hubs_comes_to_the_front() -> None:
    focused, visit = strategy(mode="hard"), visit_of(LEGAL)
    focused.adopt(distilled({visit.id: 0.2, 2: 1.0}, [(visit.id, 2)]).learned)
    assert np.isnan(focused.score(visit)[0]).all()
    visit.again = True
    scores, parts = focused.score(visit)
    assert (scores, parts) == (pytest.approx([2.0]), pytest.approx(np.array([[0.25, 1.0]])))
    focused.adopt({visit.id + 1: 1.0})
    assert np.isnan(focused.score(visit)[0]).all()


def test_the_best_hubs_survive_a_restart() -> None:
    one, other = strategy(), strategy()
    one.adopt({3: 1.0, 5: 0.25})
    other.restore(one.state())
    assert other.hubs == {3: 1.0, 5: 0.25}


class TestDistiller:
    def test_unvisited_links_of_hubs_go_before_all_others_the_best_hub_first(self) -> None:
        # authorities 2 (R = 1, from 0 and 1), 3 (R = .5, from 0); let x = hub(1) / hub(0):
        # a2 = 1 + x, a3 = .5, x = .4 a2 / (.8 (a2 + a3)) = .5 (1 + x) / (1.5 + x): x² + x - .5 = 0, x = .3660254
        found = answer(distilled(RELEVANCE, EDGES))
        assert set(found) == {5, 6}
        assert found[5] == (pytest.approx(2.0), pytest.approx([0.8, 1.0]))
        assert found[6] == (pytest.approx(1.3660254), pytest.approx([0.4, 0.3660254]))

    def test_only_the_best_hubs_count(self) -> None:
        assert set(answer(distilled(RELEVANCE, EDGES, hubs=1))) == {5}

    def test_a_page_that_may_be_no_authority_makes_no_hub(self) -> None:
        assert set(answer(distilled({0: 1.0, 2: 0.49}, [(0, 2), (0, 5)]))) == set()
        assert set(answer(distilled({0: 1.0, 2: 0.5}, [(0, 2), (0, 5)]))) == {5}

    def test_links_within_a_host_make_no_hub_but_those_of_a_hub_are_raised(self) -> None:
        assert set(answer(distilled({0: 1.0, 8: 1.0}, [(0, 8), (0, 5)]))) == set()
        assert set(answer(distilled({0: 1.0, 2: 1.0}, [(0, 2), (0, 9)]))) == {9}

    def test_nothing_to_distil_is_no_mistake(self) -> None:
        assert answer(distilled({}, [])) == {}
        assert answer(distilled({0: 0.0, 1: 0.0}, [(0, 1), (1, 0), (0, 5)])) == {}


def test_a_link_that_hard_focus_dropped_comes_back_when_its_page_turns_out_to_be_a_hub() -> None:
    options = Focused.Options(mode="hard", distill_every=3, hubs=1)
    topic = make_topic(relevance=Relevance(threshold=0.45))
    crawl = Crawl(topic, Focused, options, World({"solar": 1}), lambda page: 0.4 + 0.6 * ("solar" in page.terms))
    hub, good, other = "http://hub.example/", "http://good.example/", "http://other.example/"
    crawl.apply(Started([address(hub), address(good), address(other)]))
    pages = [
        page_with(hub, "tax", [(good, "x"), ("http://new.example/", "y")]),
        page_with(good, "solar", []),
        page_with(other, "tax", []),
    ]
    for page in pages:
        fetch_next(crawl, page)
    pick = crawl.next()
    assert pick is not None
    assert pick.id == crawl.urls.find(address("http://new.example/").key)
    assert (pick.score, pick.parts) == (2.0, pytest.approx((0.4, 1.0)))


def test_other_good_classes_leave_the_length_of_the_model_as_it_is() -> None:
    model = Taxonomy(TAXONOMY.children, TAXONOMY.classifiers, TAXONOMY.good, length=1)
    chosen = _with_good(model, ("law",))
    assert (chosen.good, chosen.length) == (frozenset({("law",)}), 1)


def test_the_links_of_so_many_hubs_as_asked_for_go_to_the_front() -> None:
    options = Focused.Options(distill_every=4, hubs=1)
    crawl = Crawl(make_topic(), Focused, options, World({"solar": 1}), lambda _: 0.9)
    crawl.strategy.rescore_lag = 0
    one, two, good, best = (f"http://{name}.example/" for name in ("one", "two", "good", "best"))
    crawl.apply(Started([address(url) for url in (one, two, good, best)]))
    links = {one: [good, best, "http://n.example/"], two: [good, "http://m.example/"], good: [], best: []}
    for url, targets in links.items():
        chosen = crawl.apply(Picked(crawl.urls.find(address(url).key))).picked
        crawl.apply(PageArrived(chosen.id, page_with(url, "solar", [(target, "x") for target in targets]), 1))
    picks = [pick for _ in range(2) if (pick := crawl.next())]
    assert [pick.id for pick in picks] == [crawl.urls.find(address(f"http://{n}.example/").key) for n in "nm"]
    assert [pick.score for pick in picks] == [2.0, 0.9]


def test_a_block_fetches_all_children_of_a_page_before_those_of_the_next_and_goes_on_after_a_restart() -> None:
    seed = "http://seed.example/"
    solar, law = (f"{seed}{name}" for name in ("solar", "law"))
    pages = {
        seed: page_with(seed, "solar tax", [(solar, "x"), (law, "x")]),
        solar: page_with(solar, "solar", [(f"{solar}{n}", "x") for n in range(2)]),
        law: page_with(law, "tax", [(f"{law}{n}", "x") for n in range(2)]),
        **{f"{url}{n}": page_with(f"{url}{n}", "solar", []) for url in (solar, law) for n in range(2)},
    }
    for block, expected in (
        (False, ["solar", "solar0", "solar1", "law"]),
        (True, ["solar", "law", "solar0", "solar1"]),
    ):
        crawl, restored = (make_crawl(None, "focused", block=block) for _ in range(2))
        for one in (crawl, restored):
            one.apply(Started([address(seed)]))
        order = run(crawl, pages, most=3)
        restart(crawl, restored, pages)
        order += run(restored, pages)
        assert [url.removeprefix(seed) for url in order[1:5]] == expected

"""The choice of the aggregation node: the parent at first, then the node that foretells best."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from focused.crawl.arrays import FloatArray
from focused.crawl.crawl import Crawl
from focused.crawl.strategy import Waiting
from focused.storage.snapshot import decode, encode
from lab.benchmarks.learned_node import LINK, NODES, PAGE, PARENT, WARM_UP, LearnedNode, NodeChoice
from tests.contract.world import Visits, arrive, crawled, make_page, rescored, toy_web, toy_world
from tests.crawl.web import address, make_crawl, restart, run

SIMILARITIES = np.linspace(0, 0.5, WARM_UP)
NOISE = np.array([0.3, 0.1] * (WARM_UP // 2))


def taught(link: FloatArray, parent: FloatArray, page: FloatArray, behind: FloatArray = SIMILARITIES) -> NodeChoice:
    """A choice that has seen so many links: their scores by each node, and the similarities of the pages behind them."""
    choice = NodeChoice()
    for scores, similarity in zip(np.column_stack((link, parent, page)), behind, strict=True):
        choice.learn(scores, similarity)
    return choice


@pytest.mark.parametrize("node", NODES)
def test_the_node_whose_scores_go_with_what_lies_behind_is_chosen(node: int) -> None:
    scores = [NOISE, NOISE, NOISE]
    scores[node] = 0.2 + 0.1 * SIMILARITIES  # however small they are
    choice = taught(*scores)
    assert choice.choose() == (node != PARENT)
    assert choice.node == node


def test_it_is_the_parent_until_so_many_pages_are_seen() -> None:
    choice = taught(*(column[:-1] for column in (SIMILARITIES, NOISE, NOISE)), SIMILARITIES[:-1])
    assert not choice.choose()
    assert choice.node == PARENT


def test_of_equals_the_one_in_use_remains_and_nothing_is_learned_where_nothing_varies() -> None:
    assert not taught(SIMILARITIES, SIMILARITIES, SIMILARITIES).choose()
    same = np.full(WARM_UP, 0.3)
    assert not taught(same, same, same).choose()
    assert not taught(SIMILARITIES, NOISE, NOISE, behind=same).choose()


def test_it_changes_its_mind() -> None:
    choice = taught(SIMILARITIES, NOISE, NOISE)
    assert choice.choose()
    for _ in range(3):
        for number, similarity in enumerate(SIMILARITIES):
            choice.learn(np.array([NOISE[number], NOISE[number], similarity]), similarity)
    assert choice.choose()
    assert choice.node == PAGE


@given(arrays(np.float64, (20, 4), elements=st.floats(0, 1)))
def test_correlations_are_pearson_s(seen: FloatArray) -> None:
    found = taught(*seen.T).correlations()
    for node in NODES:
        if min(seen[:, node].std(), seen[:, 3].std()) > 1e-3:
            assert found[node] == pytest.approx(np.corrcoef(seen[:, node], seen[:, 3])[0, 1], abs=1e-6)


def test_it_goes_on_after_a_restart() -> None:
    choice, other = taught(SIMILARITIES, NOISE, NOISE), NodeChoice()
    choice.choose()
    other.restore(decode(encode(choice.state())))
    assert other.node == choice.node == LINK
    assert other.correlations().tolist() == choice.correlations().tolist()


# Of each pair of links the first has the keyword in its anchor, the other has it beside the anchor, and more of it.
PAIRS = 16
HUB = make_page(
    "http://hub.example/",
    *(("solar hat box box law tax", [f"http://good{i}.example/"]) for i in range(PAIRS)),
    *(("hat box solar solar solar", [f"http://bad{i}.example/"]) for i in range(PAIRS)),
)
BEHIND = [
    make_page(f"http://{kind}{i}.example/", (text, []))
    for i in range(8)
    for kind, text in (("good", "solar"), ("bad", "tax"))
]


def test_what_waits_is_rescored_by_the_node_that_foretells_best_but_for_seeds() -> None:
    visits, strategy = Visits(), LearnedNode(LearnedNode.Options(), toy_world({"solar": 1}))
    first = arrive(strategy, visits.of(HUB), visits)
    good, bad = first.scores[0], first.scores[PAIRS]
    assert good < bad  # by the parent
    crawled(strategy, visits, *BEHIND)
    ids = np.append(first.ids, visits.id("http://seed.example/"))
    visits.show(strategy.world)
    waiting = Waiting(ids, np.append(first.scores, 1.0), np.concatenate((first.parts, np.zeros((1, 2)))))
    changes = rescored(strategy, waiting).changes
    assert changes.ids.tolist() == first.ids.tolist()
    page, anchor = changes.parts[0]
    assert anchor == pytest.approx(0.5**0.5)  # cos(solar, solar hat)
    assert changes.scores[0] == pytest.approx(0.25 * page + 0.75 * anchor)
    assert changes.scores[0] > changes.scores[PAIRS]
    assert strategy.rescore(waiting) is None  # the node remains


def test_a_crawl_goes_on_after_a_restart_as_if_nothing_had_happened(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(LearnedNode, "rescore_every", 5)
    web = toy_web(200)

    def begun() -> Crawl:
        return make_crawl(strategy=LearnedNode)

    undisturbed, stopped = begun(), begun()
    for crawl in undisturbed, stopped:
        crawl.start([address(url) for url in list(web)[:5]])
    order = run(undisturbed, web)
    first = run(stopped, web, most=40)
    assert first + run(restart(stopped, begun(), web), web) == order

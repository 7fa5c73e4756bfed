"""DOM: the page and the text around each link, weighed by alpha; the node around the link, given or learned."""

from __future__ import annotations

import numpy as np
import pytest

from focused.crawl.strategy import Waiting
from focused.reading.page import Page
from focused.storage.snapshot import decode, encode
from focused.strategies.dom import Dom
from focused.strategies.hub_seeking import HubSeeking
from tests.contract.world import (
    Visits,
    arrive,
    crawled,
    hand_over,
    make_page,
    rescored,
    toy_world,
    visit_of,
)

WORLD = toy_world({"solar": 2, "cell": 1})
VISIT = visit_of(
    make_page("http://a.example/", ("solar cell solar", ["http://b.example/"]), ("tax law", ["http://c.example/"]))
)
# cos(q, page) = 5 / sqrt 35 = 0.8451543; cos(q, context) = 5 / 5 = 1 for the first link, 0 for the second


@pytest.mark.parametrize(
    ("alpha", "scores"),
    [
        (0.25, [0.9612886, 0.2112886]),  # 0.25 * 0.8451543 + 0.75 * 1, and + 0.75 * 0: the paper's weights
        (0.5, [0.9225771, 0.4225771]),
        (0.0, [1.0, 0.0]),  # the context alone
        (1.0, [0.8451543, 0.8451543]),  # naive best-first, as the paper notes
    ],
)
def test_alpha_weighs_the_page_against_the_context(alpha: float, scores: list[float]) -> None:
    found, parts = Dom(Dom.Options(alpha=alpha), WORLD).score(VISIT)
    assert found == pytest.approx(scores)
    assert parts == pytest.approx(np.array([[0.8451543, 1.0], [0.8451543, 0.0]]))  # page and context
    assert Dom.Options().alpha == 0.25


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


@pytest.fixture
def visits() -> Visits:
    return Visits()


def learned(visits: Visits, kind: type[Dom] = Dom, *behind: Page) -> tuple[Dom, Waiting]:
    """A strategy that has seen the hub and pages behind some of its links, and what waits: those links and a seed."""
    strategy = kind(kind.Options(aggregation="learned"), toy_world({"solar": 1}))
    first = arrive(strategy, visits.of(HUB), visits)
    crawled(strategy, visits, *behind)
    seed = np.zeros((1, len(strategy.parts)))
    ids = np.append(first.ids, visits.id("http://seed.example/"))
    visits.show(strategy.world)
    return strategy, Waiting(ids, np.append(first.scores, 1.0), np.concatenate((first.parts, seed)))


@pytest.mark.parametrize("kind", [Dom, HubSeeking])
def test_the_aggregation_node_that_foretells_best_is_learned_and_what_waits_is_rescored(
    visits: Visits, kind: type[Dom]
) -> None:
    strategy, waiting = learned(visits, kind, *BEHIND)
    good, bad = waiting.scores[0], waiting.scores[PAIRS]
    assert good < bad  # by the parent
    changes = rescored(strategy, waiting).changes
    assert changes.ids.tolist() == waiting.ids[:-1].tolist()  # the seed keeps its score
    page, anchor = changes.parts[0, -2:]
    assert anchor == pytest.approx(0.5**0.5)  # cos(solar, solar hat)
    assert changes.scores[0] == pytest.approx(0.25 * page + 0.75 * anchor)
    assert changes.scores[0] > changes.scores[PAIRS]
    later, parts = strategy.score(visits.of(HUB))
    assert later[0] == pytest.approx(changes.scores[0])
    assert parts[0] == pytest.approx(changes.parts[0])


def test_nothing_is_rescored_where_the_node_remains(visits: Visits) -> None:
    strategy, waiting = learned(visits)
    assert strategy.rescore(waiting) is None
    assert Dom(Dom.Options(), WORLD).rescore(waiting) is None
    assert Dom(Dom.Options(), WORLD).rescore_every == 0


def test_what_was_learned_outlives_a_restart(visits: Visits) -> None:
    strategy, waiting = learned(visits, Dom, *BEHIND)
    other = Dom(Dom.Options(aggregation="learned"), toy_world({"solar": 1}))
    hand_over(strategy.world, other.world)
    other.restore(decode(encode(strategy.state())))
    expected = rescored(strategy, waiting).changes
    assert rescored(other, waiting).changes.scores.tolist() == expected.scores.tolist()

"""A comparison crawls one web with each strategy, alike but for the strategy, and counts what each finds."""

import numpy as np
import pytest

from focused.exceptions import FocusedError
from focused.live.assemble import assemble
from focused.simulation import comparison
from focused.simulation.analysed_web import AnalysedWeb
from focused.simulation.comparison import ComparedStrategy, compare
from focused.simulation.simulator import Network
from focused.topic.topic import Budget, Topic, Traps
from tests.simulation.simulated import ANSWERS, STEP_BY_STEP, SmallWeb, topic_of
from tests.small_web import url_of

TOPIC = topic_of(url_of(0), url_of(7), budget=Budget(pages=30))


@pytest.fixture(scope="module")
def web() -> AnalysedWeb:
    return AnalysedWeb(SmallWeb(ANSWERS), assemble(TOPIC)[0])


def test_each_strategy_has_its_curve_of_relevant_pages(web: AnalysedWeb) -> None:
    dom, first = compare(TOPIC, ["dom", "breadth_first"], web, STEP_BY_STEP)
    assert (dom.strategy, first.strategy) == ("dom", "breadth_first")
    for found in (dom, first):
        assert found.curves.shape == (1, 30)
        assert (np.diff(found.curves) >= 0).all()
        assert found.pages == [30]
    assert dom.after(10)[0] > first.after(10)[0]


def test_labels_count_instead_of_the_page_model(web: AnalysedWeb) -> None:
    (found,) = compare(TOPIC, ["dom"], web, STEP_BY_STEP, relevant={url_of(0), url_of(7), "http://elsewhere.example/"})
    assert found.mean[-1] == 2


def test_the_topics_own_strategy_keeps_its_options(web: AnalysedWeb) -> None:
    mine = TOPIC.model_copy(update={"strategy": "dom", "strategy_options": {"alpha": 1.0}})
    (dom, best) = compare(mine, ["dom", "best_first"], web, STEP_BY_STEP)
    assert dom.curves.tolist() == best.curves.tolist()  # dom with alpha = 1 is best_first


def test_systems_of_papers_have_no_defence_against_traps_but_ours_and_that_of_the_topic(
    web: AnalysedWeb, monkeypatch: pytest.MonkeyPatch
) -> None:
    crawled: dict[str, bool] = {}

    def crawl(topic: Topic, *_: object) -> list[bool]:
        crawled[topic.strategy] = topic.traps.on
        return [True]

    monkeypatch.setattr(comparison, "_crawl", crawl)
    compare(
        TOPIC.model_copy(update={"strategy": "dom", "traps": Traps()}),
        ["dom", "best_first", "adaptive"],
        web,
        STEP_BY_STEP,
    )
    assert crawled == {"dom": True, "best_first": False, "adaptive": True}


def test_answers_come_in_another_order_each_time(web: AnalysedWeb) -> None:
    network = Network(in_flight=8, delay=0.0)
    (found,) = compare(TOPIC, ["breadth_first"], web, network, orders=3)
    curves = found.curves.tolist()
    assert len({tuple(curve) for curve in curves}) == 3
    assert compare(TOPIC, ["breadth_first"], web, network, orders=3)[0].curves.tolist() == curves


def test_a_web_without_the_seeds_is_told(web: AnalysedWeb) -> None:
    with pytest.raises(FocusedError, match="is a seed of the topic recorded"):
        compare(topic_of("http://gone.example/"), ["dom"], web, STEP_BY_STEP)


def test_a_crawl_that_ended_early_keeps_its_last_count() -> None:
    found = ComparedStrategy("dom", np.array([[1.0, 2.0, 2.0]]), [2])
    assert found.after(100) == (2.0, 0.0)

"""Thresholds of layers are learned from what pages turned out to lead to."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from focused.strategies.context_graph.layer_classifier import Document
from lab.benchmarks.learned_thresholds import FEWEST, LearnedThresholds, learned_thresholds, worths
from tests.strategies.context_graph.test_beginning import begun, crawled
from tests.strategies.context_graph.test_layer_classifier import CLASSIFIER, document


def test_a_page_is_worth_the_share_of_targets_among_the_fetched_pages_it_links_to() -> None:
    # 0 -> 1, 2, 3; 1 -> 2; targets are 2 and 3
    found = worths([2, 3], np.array([0, 0, 0, 1]), np.array([1, 2, 3, 2]), 4)
    assert found[:2] == pytest.approx([2 / 3, 1.0])
    assert np.isnan(found[2:]).all()


# All in layer 0, from the most likely to the least: log P(sun | 0) = log 3/8, log P(wind | 0) = log 2/8; and one in layer 1.
SUN, BOTH, WIND, CELL = document("sun"), document("sun wind"), document("wind"), document("cell")


def thresholds(*known: tuple[Document, float, int]) -> list[float]:
    """Of layers 0 and 1, where so many of each document are worth so much."""
    documents = [one for one, _, count in known for _ in range(count)]
    worth = np.array([value for _, value, count in known for _ in range(count)])
    return list(learned_thresholds(CLASSIFIER, documents, worth).tolist())


def test_what_is_worth_more_than_the_mean_is_let_in() -> None:
    found = thresholds((SUN, 0.9, FEWEST), (BOTH, 0.6, FEWEST), (WIND, 0.1, FEWEST), (CELL, 0.2, FEWEST))
    assert found[0] == pytest.approx((np.log(3 / 8) + np.log(2 / 8)) / 2)  # the mean is .45


def test_a_bad_page_may_stand_among_good_ones_if_these_make_up_for_it() -> None:
    found = thresholds((SUN, 0.0, 1), (BOTH, 0.9, FEWEST), (WIND, 0.0, FEWEST))
    assert found[0] == pytest.approx((np.log(3 / 8) + np.log(2 / 8)) / 2)


def test_a_layer_that_leads_to_less_than_others_lets_in_nothing() -> None:
    found = thresholds((SUN, 0.1, FEWEST), (CELL, 0.9, FEWEST))
    assert found == [np.inf, pytest.approx(np.log(2 / 4))]
    closed = replace(CLASSIFIER, thresholds=np.array(found))
    assert closed.classify([SUN, CELL])[0].tolist() == [closed.other, 1]


def test_a_layer_of_few_pages_keeps_its_threshold() -> None:
    assert thresholds((SUN, 0.9, FEWEST - 1), (CELL, 0.1, FEWEST))[0] == CLASSIFIER.thresholds[0]


def test_pages_of_which_nothing_is_known_do_not_count() -> None:
    both = (SUN, 0.9, FEWEST), (BOTH, 0.1, FEWEST)
    assert thresholds(*both, (WIND, np.nan, 99), (document("menu"), 0.9, 99)) == thresholds(*both)


def test_a_crawl_learns_thresholds_for_the_layers_it_began_with() -> None:
    crawl = begun(strategy=LearnedThresholds, depth=2, vocabulary_layers=2, refit_every=10, least_targets=2)
    crawled(crawl, most=5)
    before = crawl.strategy.state()["base"]["thresholds"]
    crawled(crawl)
    state = crawl.strategy.state()
    assert state["base"]["thresholds"].tolist() == before.tolist()
    assert state["classifier"]["counts"].tolist() == state["base"]["counts"].tolist()
    assert state["classifier"]["thresholds"].tolist() != before.tolist()

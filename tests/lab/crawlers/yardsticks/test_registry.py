"""Yardsticks are found by their files, and by the evaluation alone."""

from __future__ import annotations

import pytest

from focused import strategies
from focused.exceptions import EvaluationError, TopicError
from focused.topic.topic_arguments import topic_from_arguments
from lab.crawlers import yardsticks
from lab.crawlers.yardsticks.oracle import Oracle

SEEING = {"oracle", "oracle_labels"}


def test_a_yardstick_is_found_by_its_name():
    assert yardsticks.get_yardstick("oracle") is Oracle


def test_only_the_oracles_see_labels():
    assert {name for name in yardsticks.names() if yardsticks.get_yardstick(name).sees_labels} == SEEING


def test_an_unknown_name_is_refused_the_nearest_named_and_all_listed():
    with pytest.raises(EvaluationError) as refusal:
        yardsticks.get_yardstick("orakle")
    assert str(refusal.value) == (
        f"yardstick 'orakle' is unknown; did you mean oracle? Yardsticks: {', '.join(yardsticks.names())}"
    )


def test_no_name_means_a_strategy_and_a_yardstick():
    assert not set(yardsticks.names()) & set(strategies.names())


@pytest.mark.parametrize("name", yardsticks.names())
def test_a_topic_that_names_a_yardstick_is_refused(name):
    with pytest.raises(TopicError) as refusal:
        topic_from_arguments({"topic": "demo", "strategy": name}, strategies)
    assert str(refusal.value).startswith(f"-a strategy: '{name}' is unknown")
    assert "\n" not in str(refusal.value)

"""Runs and judgements that contradict themselves are refused in one line."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from focused.exceptions import FocusedError
from focused.simulation.labels import Judgements
from lab.judging.run import Run

A, B, C = "http://a.example/", "http://b.example/", "http://c.example/"


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"urls": [A, B, C, B]}, f"'{B}' is fetched 2 times; a run lists each URL once"),
        ({"urls": [A], "duplicates": {B: A}}, f"'{B}' is among the duplicates, but was not fetched"),
        ({"urls": [A], "duplicates": {A: C}}, f"'{C}' is among the duplicates, but was not fetched"),
        ({"urls": [A], "cpu_seconds": float("nan")}, "CPU seconds must be a number from 0 on, not nan"),
        ({"urls": [A], "cpu_seconds": -1.0}, "CPU seconds must be a number from 0 on, not -1.0"),
    ],
)
def test_an_impossible_run_is_refused(values: Mapping[str, Any], message: str) -> None:
    with pytest.raises(FocusedError) as refusal:
        Run("dom", "solar", 7, **values)
    assert str(refusal.value) == f"run of dom on topic solar, seed 7: {message}"


@pytest.mark.parametrize(
    ("sets", "message"),
    [
        ({"targets": ""}, "there are no targets; name at least one URL"),
        ({"targets": A, "also": A}, f"'{A}' is in targets and in also; leave it in one"),
        ({"targets": A, "neutral": A}, f"'{A}' is in targets and in neutral; leave it in one"),
        ({"targets": A, "also": B, "neutral": B}, f"'{B}' is in also and in neutral; leave it in one"),
        ({"targets": A, "reachable": C}, f"'{C}' is in reachable, but not in targets"),
    ],
)
def test_judgements_that_contradict_themselves_are_refused(sets: Mapping[str, str], message: str) -> None:
    with pytest.raises(FocusedError) as refusal:
        Judgements("solar", **{name: frozenset(urls.split()) for name, urls in sets.items()})
    assert str(refusal.value) == f"judgements of topic solar: {message}"


def test_what_is_relevant_are_targets_and_also() -> None:
    assert Judgements("solar", frozenset({A}), also=frozenset({B}), neutral=frozenset({C})).relevant == {A, B}


def test_all_targets_count_as_reachable_until_it_is_known_which_are() -> None:
    assert Judgements("solar", frozenset({A, B})).reachable_targets == {A, B}
    assert Judgements("solar", frozenset({A, B}), reachable=frozenset({B})).reachable_targets == {B}
    assert Judgements("solar", frozenset({A, B}), reachable=frozenset()).reachable_targets == frozenset()

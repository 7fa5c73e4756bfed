"""How often pages change is learned from looks at them, and at others of their host."""

from __future__ import annotations

import numpy as np
import pytest

from focused.live.revisits import USUAL, chance_of_change, rates_of_change, use_that_lasts


def rates(*pages: tuple[int, int, float, int]) -> list[float]:
    """Of pages as times looked at, changes seen, days between the first look and the last, and host."""
    times, changes, days, hosts = zip(*pages, strict=True)
    return rates_of_change(np.array(times), np.array(changes), np.array(days, float), np.array(hosts)).tolist()


def test_of_a_page_that_nobody_looked_at_again_the_usual_is_believed():
    assert rates((0, 0, 0.0, 0)) == pytest.approx([USUAL])


def test_a_page_that_had_changed_each_time_changes_more_often_than_one_that_never_had():
    often, never = rates((10, 10, 100.0, 0), (10, 0, 100.0, 1))
    assert often > 10 * never


def test_the_estimate_nears_the_truth_the_more_often_was_looked():
    chance = np.random.default_rng(1)
    daily = 0.05
    errors = []
    for looks in (5, 50, 500):
        changed = chance.random((200, looks)) < 1 - np.exp(-daily * 7)
        found = rates(*((looks, int(row.sum()), looks * 7.0, page) for page, row in enumerate(changed)))
        errors.append(float(np.abs(np.array(found) - daily).mean()))
    assert errors[0] > errors[1] > errors[2]
    assert errors[2] < 0.1 * daily


def test_an_unknown_page_is_taken_for_one_of_its_host():
    *_, of_busy, of_still = rates(*[(9, 9, 90.0, 0)] * 5, *[(9, 0, 90.0, 1)] * 5, (0, 0, 0.0, 0), (0, 0, 0.0, 1))
    assert of_busy > 10 * of_still


def test_the_chance_of_a_change_grows_with_time_and_never_passes_one():
    chances = chance_of_change(np.full(4, 0.1), np.array([0.0, 1.0, 10.0, 1e6]))
    assert chances.tolist() == pytest.approx([0.0, 0.0952, 0.632, 1.0], abs=1e-3)


def test_a_page_that_is_another_one_each_time_takes_no_place_from_one_that_changes_now_and_then():
    never, now_and_then, always = use_that_lasts(np.array([1e-5, 1 / 30, 10.0]), np.full(3, 14.0)).tolist()
    assert now_and_then > 3 * always > 0
    assert now_and_then > 3 * never > 0

"""A linear Q function goes towards what it is shown."""

from __future__ import annotations

import numpy as np
import pytest

from lab.crawlers.yardsticks.deepdeep_like import BEFORE_LEARNING, RATE, LinearQ

NONE, ONE, FOUR = (np.array(features, np.int32) for features in ([], [3], [0, 1, 2, 3]))


def test_before_learning_all_links_are_worth_the_same():
    assert LinearQ().values([NONE, FOUR]).tolist() == [BEFORE_LEARNING] * 2
    assert LinearQ().values([]).tolist() == []


def test_a_step_moves_each_weight_by_its_share_of_the_error():
    q = LinearQ()
    q.learn([FOUR], [1.0], 5)
    assert q.weights.tolist() == [RATE / 2] * 4 + [0.0, RATE]  # each of four features has 1 / √4
    assert q.values([FOUR, ONE, NONE]).tolist() == pytest.approx([2 * RATE, 1.5 * RATE, RATE])


def test_it_learns_what_it_is_shown_often():
    q = LinearQ()
    q.learn([ONE, FOUR] * 500, [1.0, -0.5] * 500, 5)
    assert q.values([ONE, FOUR]).tolist() == pytest.approx([1.0, -0.5], abs=1e-3)


def test_a_copy_learns_nothing_more():
    q = LinearQ()
    copy_of_nothing = q.copy()
    q.learn([ONE], [1.0], 5)
    copied = q.copy()
    q.learn([ONE], [1.0], 5)
    assert copy_of_nothing.values([ONE]).tolist() == [BEFORE_LEARNING]
    assert copied.values([ONE])[0] < q.values([ONE])[0]

"""Means of groups, pulled towards what is expected."""

import numpy as np
import pytest

from focused.scorers.link_classifier import ShrunkMeans


def means() -> ShrunkMeans:
    made = ShrunkMeans(10, strength=2.0)
    made.add(3, 1.0)
    made.add(3, 0.5)
    made.add(7, 0.0)
    return made


def test_a_mean_lies_between_the_values_and_the_prior() -> None:
    # (1 + 0.5 + 2 * 0.1) / (2 + 2) = 0.425; (0 + 2 * 0.1) / (1 + 2) = 0.0666667
    assert means().of(np.array([3, 7]), 0.1) == pytest.approx([0.425, 0.0666667])


def test_a_group_without_values_has_the_prior() -> None:
    assert means().of(np.array([0, 9]), 0.1) == pytest.approx([0.1, 0.1])


def test_each_group_may_have_a_prior_of_its_own() -> None:
    # (1.5 + 2 * 0.5) / 4 = 0.625
    assert means().of(np.array([3, 0]), np.array([0.5, 0.9])) == pytest.approx([0.625, 0.9])


def test_means_go_on_from_their_state() -> None:
    restored = ShrunkMeans(10, strength=2.0)
    restored.restore(means().state())
    assert means().state()["groups"].tolist() == [3, 7]  # also the one whose only value is 0
    assert (restored.of(np.arange(10), 0.1) == means().of(np.arange(10), 0.1)).all()

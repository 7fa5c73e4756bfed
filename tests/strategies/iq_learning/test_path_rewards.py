"""Rewards along paths: relevance is fed back to ancestors, discounted."""

import numpy as np
import pytest

from focused.crawl.arrays import FloatArray
from focused.papers.strategies.iq_learning import Children, path_rewards

# 0 -> 1 -> 2 and 0 -> 3
SOURCES, TARGETS = np.array([0, 0, 1]), np.array([1, 3, 2])
REWARDS = np.array([0.0, 0.0, 1.0, 0.2])


def q(gamma: float = 0.5, depth: int = 6, children: Children = "mean") -> FloatArray:
    return path_rewards(REWARDS, SOURCES, TARGETS, gamma=gamma, depth=depth, children=children)


@pytest.mark.parametrize(
    ("children", "root"),
    [
        ("mean", 0.175),  # .5 · (.5 + .2) / 2
        ("max", 0.25),  # .5 · .5
        ("sum", 0.35),  # .5 · (.5 + .2)
    ],
)
def test_a_page_is_worth_itself_and_a_part_of_what_it_leads_to(children: Children, root: float) -> None:
    assert q(children=children) == pytest.approx([root, 0.5, 1.0, 0.2])


def test_nothing_is_fed_back_further_than_the_depth() -> None:
    assert q(depth=1) == pytest.approx([0.05, 0.5, 1.0, 0.2])  # .5 · (0 + .2) / 2


def test_without_a_future_a_page_is_worth_itself() -> None:
    assert q(gamma=0.0) == pytest.approx(REWARDS)


def test_a_circle_comes_to_an_end() -> None:
    # depth 1: 1, .5; depth 2: 1 + .5 · .5, .5 · 1; depth 3: 1 + .5 · .5, .5 · 1.25
    circle = np.array([0, 1]), np.array([1, 0])
    assert path_rewards(np.array([1.0, 0.0]), *circle, gamma=0.5, depth=3) == pytest.approx([1.25, 0.625])


@pytest.mark.parametrize("children", ["mean", "max", "sum"])
def test_pages_without_links_are_worth_themselves(children: Children) -> None:
    none = np.empty(0, np.int64)
    assert path_rewards(REWARDS, none, none, gamma=0.5, depth=2, children=children) == pytest.approx(REWARDS)
    assert len(path_rewards(np.empty(0), none, none, gamma=0.5, depth=2, children=children)) == 0


def test_the_mean_of_the_children_counts_where_nothing_else_is_said() -> None:
    assert path_rewards(REWARDS, SOURCES, TARGETS, gamma=0.5, depth=6) == pytest.approx(q(children="mean"))

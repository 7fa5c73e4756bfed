"""Equation 1 over the pages that are remembered: only links between them count, whatever their ids and their order."""

import numpy as np
import pytest

from focused.papers.strategies.iq_learning import IqLearning
from focused.testing.toy_world import world_of_urls


def worth(links: dict[int, list[int]], pages: list[int], relevance: list[float]) -> list[float]:
    """Q of pages by id (-1 for a text that is no page), with gamma = 0.5."""
    world = world_of_urls(10)
    for page, targets in links.items():
        world.graph.add(page, np.array(targets, np.int64))
    found: list[float] = (
        IqLearning(IqLearning.Options(gamma=0.5), world)._worth()(np.array(pages), np.array(relevance)).tolist()
    )
    return found


def test_links_to_what_was_not_fetched_and_of_what_is_forgotten_do_not_count() -> None:
    # 0 -> 1 -> 3; 0 links to 2, which was not fetched, and 4 to 3, which is forgotten; the third is no page
    links = {0: [1, 2], 1: [3], 3: [], 4: [3, 1]}
    assert worth(links, [1, 0, -1, 3], [0.0, 0.0, 0.9, 1.0]) == pytest.approx([0.5, 0.25, 0.9, 1.0])


def test_without_links_a_page_is_worth_its_relevance() -> None:
    assert worth({0: []}, [0], [0.3]) == [0.3]

"""Hub score: a URL is worth what the other links of the pages that link to it were worth."""

from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from focused.scorers.hub_score import LINKS_IN, PRIOR, HubScore
from focused.scorers.link_scorer import LinkHistory
from focused.testing.toy_world import world_of_urls

EXPECTED = 0.1


def ids(*urls: int) -> np.ndarray:
    return np.array(urls, np.int64)


def new_scorer() -> HubScore:
    world = world_of_urls()
    history = LinkHistory(world)
    history.mean = EXPECTED
    return HubScore(world, history)


def add_page(scorer: HubScore, page: int, targets: np.ndarray) -> None:
    """A page that links to these URLs, and to no seed."""
    visit = SimpleNamespace(id=page, page=SimpleNamespace(links=[], host=""))
    scorer.add_links(SimpleNamespace(urls=targets, visit=visit))  # type: ignore[arg-type]


def test_only_the_last_pages_that_link_to_a_url_are_looked_at() -> None:
    scorer = new_scorer()
    scorer.add_outcome(1, 1.0, is_seed=False)
    add_page(scorer, 2, ids(0, 1))
    for page in range(3, 3 + LINKS_IN):
        add_page(scorer, page, ids(0))
    best, mean, _ = scorer.columns(ids(0))
    assert (best[0], mean[0]) == pytest.approx((EXPECTED, EXPECTED))


@given(st.lists(st.tuples(st.integers(0, 9), st.lists(st.integers(0, 9), unique=True), st.floats(0, 1)), max_size=20))
def test_best_and_mean_are_over_all_pages_that_link_to_a_url_but_itself(
    pages: list[tuple[int, list[int], float]],
) -> None:
    scorer = new_scorer()
    links: dict[int, list[int]] = {}
    outcomes: dict[int, float] = {}
    for page, targets, relevance in pages:
        scorer.add_outcome(page, relevance, is_seed=False)  # only the first of a URL counts
        if page not in outcomes:
            add_page(scorer, page, ids(*targets))
            outcomes[page], links[page] = relevance, [target for target in targets if target != page]
    best, mean, _ = scorer.columns(np.arange(10))
    for url in range(10):
        means = [
            (sum(outcomes[t] for t in targets if t in outcomes) + EXPECTED * PRIOR)
            / (sum(t in outcomes for t in targets) + PRIOR)
            for targets in links.values()
            if url in targets
        ]
        naive = (max(means), sum(means) / len(means)) if means else (0.0, 0.0)
        assert (best[url], mean[url]) == pytest.approx(naive, abs=1e-5)

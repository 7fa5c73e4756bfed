"""Hub evidence: a URL is worth what the other links of the pages that link to it were worth."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from focused.storage.snapshot import decode, encode
from focused.strategies.adaptive.hub_evidence import LINKS_IN, PRIOR, HubEvidence
from tests.contract.world import hand_over, world_of_urls

EXPECTED = 0.1


def ids(*urls: int) -> np.ndarray:
    return np.array(urls, np.int64)


def of(evidence: HubEvidence, url: int) -> tuple[float, float]:
    """The best and the mean hub of one URL."""
    best, mean = evidence.of(ids(url), EXPECTED)
    return float(best[0]), float(mean[0])


def test_nothing_is_known_of_a_url_without_links_to_it() -> None:
    assert of(HubEvidence(world_of_urls()), 7) == (0.0, 0.0)


def test_a_page_of_which_nothing_was_fetched_is_worth_what_is_expected() -> None:
    evidence = HubEvidence(world_of_urls())
    evidence.add_page(0, ids(1, 2))
    assert of(evidence, 2) == pytest.approx((EXPECTED, EXPECTED))


def test_what_one_link_led_to_counts_for_those_beside_it() -> None:
    evidence = HubEvidence(world_of_urls())
    evidence.add_page(0, ids(1, 2, 3))
    evidence.add_outcome(1, 1.0)
    evidence.add_outcome(2, 0.5)
    expected = (1.5 + EXPECTED * PRIOR) / (2 + PRIOR)
    assert of(evidence, 3) == pytest.approx((expected, expected))


def test_a_page_that_links_to_what_was_fetched_before_is_known_at_once() -> None:
    evidence = HubEvidence(world_of_urls())
    evidence.add_outcome(1, 1.0)
    evidence.add_page(0, ids(1, 2))
    assert of(evidence, 2)[0] == pytest.approx((1 + EXPECTED * PRIOR) / (1 + PRIOR))


def test_best_and_mean_are_over_all_pages_that_link_to_it() -> None:
    evidence = HubEvidence(world_of_urls())
    evidence.add_page(0, ids(1, 9))
    evidence.add_page(5, ids(2, 9))
    evidence.add_outcome(1, 1.0)
    evidence.add_outcome(2, 0.0)
    good, bad = ((value + EXPECTED * PRIOR) / (1 + PRIOR) for value in (1.0, 0.0))
    assert of(evidence, 9) == pytest.approx((good, (good + bad) / 2))


def test_only_the_last_pages_that_link_to_a_url_are_looked_at() -> None:
    evidence = HubEvidence(world_of_urls())
    evidence.add_outcome(1, 1.0)
    evidence.add_page(2, ids(0, 1))
    for page in range(3, 3 + LINKS_IN):
        evidence.add_page(page, ids(0))
    assert of(evidence, 0) == pytest.approx((EXPECTED, EXPECTED))


def test_a_page_is_no_evidence_for_itself() -> None:
    evidence = HubEvidence(world_of_urls())
    evidence.add_page(0, ids(0, 1))
    assert of(evidence, 0) == (0.0, 0.0)


def test_a_second_outcome_of_a_url_does_not_count_again() -> None:
    evidence = HubEvidence(world_of_urls())
    evidence.add_page(0, ids(1, 2))
    evidence.add_outcome(1, 1.0)
    before = of(evidence, 2)
    evidence.add_outcome(1, 1.0)
    assert of(evidence, 2) == before


@given(st.lists(st.tuples(st.integers(0, 40), st.lists(st.integers(0, 40), unique=True), st.floats(0, 1)), max_size=30))
def test_it_equals_the_sum_over_all_links_and_survives_a_restart(pages: list[tuple[int, list[int], float]]) -> None:
    world, other = world_of_urls(), world_of_urls()
    evidence, links, outcomes = HubEvidence(world), {}, {}
    for page, targets, relevance in pages:
        if page in outcomes:
            continue
        evidence.add_outcome(page, relevance)
        evidence.add_page(page, ids(*targets))
        outcomes[page] = relevance
        links[page] = [target for target in targets if target != page]
    restored = HubEvidence(other)
    hand_over(world, other)
    restored.restore(decode(encode(evidence.state())))
    for url in range(41):
        means = [
            (sum(outcomes[t] for t in targets if t in outcomes) + EXPECTED * PRIOR)
            / (sum(t in outcomes for t in targets) + PRIOR)
            for targets in links.values()
            if url in targets
        ][-LINKS_IN:]
        naive = (max(means), sum(means) / len(means)) if means else (0.0, 0.0)
        assert of(evidence, url) == pytest.approx(naive, abs=1e-5)
        assert of(restored, url) == of(evidence, url)
        assert of(restored, url) == of(evidence, url)

"""Trust flows from the domains of seeds along links, and nobody can make more of it."""

from __future__ import annotations

import numpy as np
import pytest

from focused.crawl.trust_rank import DAMPING, TrustRank


def trust_of(domains: int, links: list[tuple[int, list[int]]], seeds: tuple[int, ...] = (0,)) -> TrustRank:
    """Pages, each of a domain and with links to others, in order."""
    trust = TrustRank()
    trust.reach(domains)
    for seed in seeds:
        trust.add_seed(seed)
    for domain, targets in links:
        trust.add_page(domain, np.array(targets, np.int32))
    return trust


def test_without_links_the_seeds_have_it_all() -> None:
    assert trust_of(3, [], seeds=(0, 2)).ranked().tolist() == [0.5, 0, 0.5]


def test_without_seeds_nobody_has_any() -> None:
    assert trust_of(2, [(0, [1])], seeds=()).ranked().tolist() == [0, 0]


def test_there_is_no_more_than_the_seeds_had_whatever_links_there_are() -> None:
    ranked = trust_of(4, [(0, [1, 2]), (1, [2]), (2, [1, 0]), (3, [0, 1, 2])]).ranked()
    assert 0.5 < ranked.sum() <= 1
    assert ranked[3] == 0


def test_one_giver_alone_earns_a_domain_nothing_however_many_of_its_pages_link_there() -> None:
    alone, with_another = (trust_of(3, [*[(0, [2])] * 9, (0, [1]), *more]) for more in ([], [(1, [2])]))
    assert alone.ranked()[2] == 0 < with_another.ranked()[2]


SEEDS = (0, 1)  #: two domains that both link to what a test is about


def test_a_domain_that_more_pages_link_to_has_more() -> None:
    ranked = trust_of(4, [(seed, [2]) for seed in SEEDS * 2] + [(seed, [2, 3]) for seed in SEEDS], SEEDS).ranked()
    assert ranked[2] > 2 * ranked[3] > 0


def test_a_link_is_worth_less_on_a_domain_of_many_pages() -> None:
    few, many = (
        trust_of(3, [(seed, [2]) for seed in SEEDS] + [(seed, []) for seed in SEEDS] * count, SEEDS) for count in (0, 9)
    )
    assert few.ranked()[2] > 4 * many.ranked()[2]


@pytest.mark.parametrize("size", [1, 2, 5, 40])
def test_a_farm_has_no_more_than_it_was_given_however_large_it_is(size: int) -> None:
    farm = list(range(2, 2 + size))
    into = [(0, [1, 2]), (0, [1]), *[(0, [])] * 7]
    inside = [(domain, [other for other in farm if other != domain]) for domain in farm] * 20
    ranked = trust_of(2 + size, into + inside).ranked()
    given = ranked[0] * DAMPING / (9 + 3)  # nine pages, three links, one of them into the farm
    assert ranked[2:].sum() <= given / (1 - DAMPING) + 1e-9


def test_it_goes_on_from_its_state() -> None:
    links = [(0, [1, 2]), (1, [2]), (2, [1, 0])]
    trust, restored = trust_of(3, links), trust_of(3, [], seeds=())
    restored.restore(trust.snapshot())
    for one in (trust, restored):
        one.add_page(1, np.array([0], np.int32))
    assert np.array_equal(trust.ranked(), restored.ranked())


def test_domains_that_are_known_already_when_it_goes_on_change_nothing() -> None:
    links = [(0, [1, 2]), (1, [2]), (2, [1, 0])]
    trust, restored = trust_of(3, links), trust_of(50, [], seeds=())
    restored.restore(trust.snapshot())
    restored.reach(50)
    assert restored.ranked()[:3].tolist() == trust.ranked().tolist()

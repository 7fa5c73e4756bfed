"""The sample: equal shares of the strata, the same for the same call, and never far from an earlier one."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from focused.desk.judging.sheet import draw
from focused.exceptions import AuditError

relevances = st.lists(st.sampled_from([0.0, 0.1, 0.25, 0.3, 0.9, 1.0]), min_size=1, max_size=60).map(np.array)


def drawn(relevance: np.ndarray, size: int, seed: int = 0) -> set[int]:
    return {int(place) for stratum in draw(relevance, size, seed) for place in stratum.places}


def test_strata_are_quantiles_and_the_remainder_comes_from_the_largest() -> None:
    strata = draw(np.linspace(0, 1, 23), 12)  # 5, 5, 5, 4 and 4 pages
    assert [stratum.pages for stratum in strata] == [5, 5, 5, 4, 4]
    assert [len(stratum.places) for stratum in strata] == [3, 3, 2, 2, 2]
    bounds = np.cumsum([0, 5, 5, 5, 4, 4])
    for stratum, low, high in zip(strata, bounds[:-1], bounds[1:], strict=True):
        assert all(low <= place < high for place in stratum.places)


@given(relevances, st.integers(1, 80))
def test_every_page_belongs_to_one_stratum_and_the_sample_has_its_size(relevance: np.ndarray, size: int) -> None:
    strata = draw(relevance, size)
    assert sum(stratum.pages for stratum in strata) == len(relevance)
    assert len(drawn(relevance, size)) == sum(len(stratum.places) for stratum in strata) == min(size, len(relevance))
    assert all(len(stratum.places) for stratum in strata)


@given(relevances, st.integers(5, 40), st.integers(0, 40))
def test_a_larger_sample_holds_the_smaller_one(relevance: np.ndarray, size: int, more: int) -> None:
    if len(relevance) >= 5:
        assert drawn(relevance, size) <= drawn(relevance, size + more)


def test_a_page_keeps_its_number_when_the_crawl_goes_on() -> None:
    relevance = np.tile([0.0, 0.2, 0.4, 0.6, 0.8], 200)
    before, after = drawn(relevance[:500], 100), drawn(relevance, 100)
    assert len(before & after) > 30  # half of it, as the pages have doubled; two samples on their own share 10
    assert before <= drawn(relevance, 400)


def test_the_same_call_draws_the_same_and_another_seed_others() -> None:
    relevance = np.linspace(0, 1, 500)
    assert drawn(relevance, 50, seed=3) == drawn(relevance, 50, seed=3) != drawn(relevance, 50, seed=4)


@pytest.mark.parametrize(("pages", "size", "message"), [(0, 5, "no page was fetched yet"), (5, 0, "draw at least 1")])
def test_a_sample_of_nothing_is_refused(pages: int, size: int, message: str) -> None:
    with pytest.raises(AuditError, match=message):
        draw(np.zeros(pages), size)

"""Every measure is found by its name (how names are found and refused is tested with the strategies)."""

from __future__ import annotations

import pytest

from focused.exceptions import EvaluationError
from lab.measures import get_measure, names


@pytest.mark.parametrize("name", names())
def test_every_measure_says_what_it_is(name: str) -> None:
    measure = get_measure(name)
    assert measure.__name__ == name
    assert measure.__doc__


def test_an_unknown_name_is_refused_with_the_nearest() -> None:
    with pytest.raises(EvaluationError, match="measure 'harvest' is unknown; did you mean harvest_rate"):
        get_measure("harvest")

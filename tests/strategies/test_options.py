"""Options: values that make no sense are refused, whatever the strategy."""

from math import nan
from typing import Any

import pytest
from pydantic import ValidationError

from focused.strategies import get_strategy, names

OUT_OF_RANGE: list[tuple[str, str, tuple[Any, ...]]] = [
    ("adaptive", "prior", (-1.0,)),
    ("adaptive", "feedback", (0, 101)),
    ("adaptive", "explore", (-0.1, 1.1)),
    ("adaptive", "patience", (1.1,)),
    ("best_first", "batch", (0,)),
    ("combined", "weights", ({"words": 1001.0}, {"words": float("inf")}, {"words": "much"})),
    ("dom", "alpha", (-0.1, 1.1)),
    ("fish_search", "depth", (-1, 101)),
    ("fish_search", "threshold", (-0.1, 1.0)),
    ("pagerank", "reorder_every", (0, 100_001)),
    *(("shark_search", weight, (-0.1, 1.1)) for weight in ("gamma", "delta", "beta")),
    ("ss1", "decay", (0.0, 1.0)),
    ("ss1", "generations", (-1, 101)),
    ("ss1", "combination", ("mean",)),
]


@pytest.mark.parametrize(("strategy", "option", "values"), OUT_OF_RANGE)
def test_a_value_out_of_range_is_refused(strategy: str, option: str, values: tuple[Any, ...]) -> None:
    for value in values:
        with pytest.raises(ValidationError, match=option):
            get_strategy(strategy).Options(**{option: value})


@pytest.mark.parametrize("strategy", names())
def test_every_number_has_a_least_and_a_most_value(strategy: str) -> None:
    options = get_strategy(strategy).Options
    for option, about in options.model_fields.items():
        for value in (-1e9, 1e9, nan) if about.annotation in (int, float) else ():
            with pytest.raises(ValidationError, match=option):
                options(**{option: value})

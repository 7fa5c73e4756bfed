"""Arrays by id of URL, which grow as URLs are heard of."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

FIRST = 1024  #: rows that an array has at least


def grown(array: NDArray[Any], count: int, filler: float = 0) -> NDArray[Any]:
    """The array, with at least `count` rows; if it needs more, it gets a quarter more, so that growing is seldom."""
    missing = max(count, FIRST) - len(array)
    if missing <= 0:
        return array
    more = np.full((max(missing, len(array) // 4), *array.shape[1:]), filler, array.dtype)
    return np.concatenate((array, more))

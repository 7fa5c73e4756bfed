"""Vectors of length 1."""

from __future__ import annotations

import numpy as np

from focused.crawl.arrays import FloatArray


def unit(vector: FloatArray) -> FloatArray:
    """The vector with length 1; one of length 0 stays."""
    length = float(np.sqrt((vector * vector).sum()))  # not by BLAS: its threads take longer than the sum
    return vector / length if length else vector

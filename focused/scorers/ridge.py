"""Ridge regression over rows of which each has a few ones: conjugate gradients, which touch nothing but these."""

from __future__ import annotations

import numpy as np

from focused.crawl.arrays import FloatArray, IntArray
from focused.scoring.single_thread import single_thread

ITERATIONS = 30  #: at most
ENOUGH = 1e-6  #: the gradient has become so small a share of what it was


def ridge_weights(
    rows: IntArray, columns: IntArray, shares: FloatArray, aim: FloatArray, ridge: float, size: int
) -> FloatArray:
    """(size,) weights w of columns that make Σ (aim_i - shares_i · Σ_j w_j)² + ridge · |w|² least.

    rows, columns : (n,) of each one in the matrix; the j of row i are its columns
    shares, aim : (m,) factor of each row, and what its weights shall add up to, times that factor

    Source: CGLS, conjugate gradients for least squares (Björck 1996, "Numerical Methods for Least Squares Problems", 7.4).
    """
    values = shares[rows]
    weights, left = np.zeros(size), aim.copy()
    with single_thread():
        gradient: FloatArray = np.bincount(columns, values * left[rows], size).astype(np.float64)
        direction, steepness = gradient, float(gradient @ gradient)
        enough = ENOUGH**2 * steepness
        for _ in range(ITERATIONS):
            if steepness <= enough:
                break
            change = np.bincount(rows, values * direction[columns], len(aim))
            step = steepness / (change @ change + ridge * (direction @ direction))
            weights += step * direction
            left -= step * change
            gradient = np.bincount(columns, values * left[rows], size) - ridge * weights
            before, steepness = steepness, float(gradient @ gradient)
            direction = gradient + steepness / before * direction
    return weights

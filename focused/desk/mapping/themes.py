"""Themes of a map: where pages lie close together, as hills of their density."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from focused.crawl.arrays import FloatArray, IntArray
from focused.desk.mapping.word_matrix import Floats

GRID = 96  #: cells of the density in each direction
MOST_THEMES = 24
LEAST_PAGES = 4  #: of a theme in a small collection; in a large one half the square root of all pages
FIRST_BLUR, BLUR_GROWS = 1.4, 1.15  #: standard deviation in cells; it grows until there are few enough hills
MOST_BLUR = GRID / 3


def themes_of(places: Floats) -> IntArray:
    """(n,) the theme of each page, from 0 on, the largest first; every page has one.

    places : (n, 2)
    """
    if not len(places):
        return np.empty(0, np.int64)
    cells, counts = _counted(places)
    least = max(LEAST_PAGES, round(len(places) ** 0.5 / 2))
    blur = FIRST_BLUR
    while True:
        hill = _hills(_blurred(counts, blur))[cells]
        names, sizes = np.unique(hill, return_counts=True)
        if (sizes >= least).sum() <= MOST_THEMES or blur > MOST_BLUR:
            break
        blur *= BLUR_GROWS
    large = names[np.argsort(-sizes, kind="stable")][:MOST_THEMES]
    large = large[: max(1, int((sizes >= least).sum()))]
    return _nearest_hill(places, hill, large)


def _nearest_hill(places: Floats, hill: IntArray, large: IntArray) -> IntArray:
    """The number of each page's hill among the large ones; pages of small hills belong to the large one that is nearest."""
    middles = np.stack([np.median(places[hill == one], axis=0) for one in large])
    distance = ((places[:, None, :] - middles[None, :, :]) ** 2).sum(axis=2)
    own = hill[:, None] == large[None, :]
    distance[own] = -1
    theme = distance.argmin(axis=1)
    order = np.argsort(-np.bincount(theme, minlength=len(large)), kind="stable")
    number = np.empty(len(large), np.int64)
    number[order] = np.arange(len(large))
    numbered: IntArray = number[theme]
    return numbered


def middle_of(places: Floats) -> int:
    """Position of the page in the middle of some: the one nearest to their median."""
    return int(((places - np.median(places, axis=0)) ** 2).sum(axis=1).argmin())


def _counted(places: Floats) -> tuple[IntArray, FloatArray]:
    """The cell of each page, and how many pages each cell has: (n,) and (GRID, GRID)."""
    low, high = places.min(axis=0), places.max(axis=0)
    width = max(float((high - low).max()), 1e-6)
    at = ((places - (low + high) / 2) / width * (GRID * 0.9) + GRID / 2).astype(np.int64).clip(0, GRID - 1)
    cells = at[:, 1] * GRID + at[:, 0]
    return cells, np.bincount(cells, minlength=GRID * GRID).reshape(GRID, GRID).astype(np.float64)


def _blurred(counts: FloatArray, blur: float) -> FloatArray:
    reach = np.arange(GRID)
    kernel = np.exp(-0.5 * ((reach[:, None] - reach[None, :]) / blur) ** 2)
    smooth: FloatArray = kernel @ counts @ kernel
    return smooth


def _hills(density: FloatArray) -> IntArray:
    """(GRID * GRID,) for each cell the cell of the top that one reaches by always going up."""
    padded = np.pad(density, 1, constant_values=-1)
    cells = np.arange(GRID * GRID).reshape(GRID, GRID)
    best, highest = cells.copy(), density.copy()
    for down in (-1, 0, 1):
        for right in (-1, 0, 1):
            part: NDArray[np.float64] = padded[1 + down : 1 + down + GRID, 1 + right : 1 + right + GRID]
            higher = part > highest
            best[higher] = (cells + down * GRID + right)[higher]
            highest[higher] = part[higher]
    top: IntArray = best.ravel()
    while (above := top[top]).tolist() != top.tolist():
        top = above
    return top

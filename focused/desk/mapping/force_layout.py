"""Places for nodes of a graph: linked ones pull each other, all push each other apart (Fruchterman and Reingold, 1991)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from focused.crawl.arrays import FloatArray, IntArray
from focused.desk.mapping.word_matrix import Floats

STEPS, STEPS_AGAIN = 300, 60
EXACT = 300  #: nodes up to which each pair pushes; of more the push is that of a grid's cells
GRID = 128
GRAVITY = 0.05  #: towards the middle, so that what has no links does not fly away
WARMTH, WARMTH_AGAIN = (
    0.1,
    0.02,
)  #: how far a node may go in the first step, as a share of the width; less and less later


def laid_out(links: IntArray, weights: FloatArray, start: Floats, *, again: bool = False) -> Floats:
    """(n, 2) places of n nodes in an area of about sqrt(n) in width, so that the mean distance of neighbours is about 1.

    Parameters
    ----------
    links : (m, 2) positions of nodes
    weights : (m,) how strongly each link pulls, > 0
    start : (n, 2) places to start from
    again : whether these are places of an earlier picture, which is to change as little as need be
    """
    count = len(start)
    if count < 2:
        return np.zeros((count, 2), np.float32)
    places = start.astype(np.float64)
    places += 1e-3 * _spiral(count)  # nobody pushes what lies in the same place
    strength = np.bincount(links.ravel(), np.repeat(weights, 2), count)
    pull = weights / np.sqrt(strength[links[:, 0]] * strength[links[:, 1]])  # a hub does not draw all the world to it
    degree = np.bincount(links.ravel(), minlength=count)
    pull = pull * np.sqrt(np.minimum(degree[links[:, 0]], degree[links[:, 1]]))
    steps, warmth = (STEPS_AGAIN, WARMTH_AGAIN) if again else (STEPS, WARMTH)
    for step in range(steps):
        moves = _pushes(places) - GRAVITY * places
        apart = places[links[:, 1]] - places[links[:, 0]]
        drawn = pull[:, None] * apart
        for side in (0, 1):
            moves[:, side] += np.bincount(links[:, 0], drawn[:, side], count)
            moves[:, side] -= np.bincount(links[:, 1], drawn[:, side], count)
        length = np.linalg.norm(moves, axis=1, keepdims=True)
        most = warmth * np.sqrt(count) * (1 - step / steps) + 1e-3
        places += moves / np.maximum(length, 1e-9) * np.minimum(length, most)
    return places.astype(np.float32)


def first_places(count: int) -> Floats:
    """(n, 2) on a spiral from the middle, which holds n nodes at equal distances."""
    places: Floats = (_spiral(count) * np.sqrt(count) / 2).astype(np.float32)
    return places


def _spiral(count: int) -> FloatArray:
    """(n, 2) points of the unit disc, evenly spread, the first in the middle."""
    turn, radius = np.arange(count) * np.pi * (3 - np.sqrt(5)), np.sqrt((np.arange(count) + 0.5) / max(1, count))
    return np.stack([radius * np.cos(turn), radius * np.sin(turn)], axis=1)


def _pushes(places: FloatArray) -> FloatArray:
    """(n, 2) how all others push each node: by one over the distance."""
    if len(places) > EXACT:
        return _grid_pushes(places)
    apart = places[:, None, :] - places[None, :, :]
    square = (apart**2).sum(axis=2)
    np.fill_diagonal(square, 1)
    pushes: FloatArray = (apart / np.maximum(square, 1e-4)[:, :, None]).sum(axis=1)
    return pushes


def _grid_pushes(places: FloatArray) -> FloatArray:
    """The same by a grid: nodes are spread over the four cells around them, and cells push cells, which is a convolution."""
    low, width = places.min(axis=0), float(np.ptp(places, axis=0).max()) + 1e-9
    at = (places - low) / width * (GRID - 2)
    cell = at.astype(np.int64)
    part = at - cell
    corners = [
        (cell[:, 0] + i, cell[:, 1] + j, (part[:, 0] if i else 1 - part[:, 0]) * (part[:, 1] if j else 1 - part[:, 1]))
        for i in (0, 1)
        for j in (0, 1)
    ]
    mass = np.zeros((2 * GRID, 2 * GRID))
    for x, y, share in corners:
        mass += np.bincount(x * 2 * GRID + y, share, 4 * GRID * GRID).reshape(mass.shape)
    spread = np.fft.rfft2(mass)
    scale = (GRID - 2) / width
    pushes = np.zeros_like(places)
    for side, kernel in enumerate(_kernels()):
        field = np.fft.irfft2(spread * kernel, mass.shape) * scale
        for x, y, share in corners:
            pushes[:, side] += share * field[x, y]
    return pushes


def _kernels() -> tuple[NDArray[np.complex128], NDArray[np.complex128]]:
    reach = np.fft.fftfreq(2 * GRID, 1 / (2 * GRID))
    x, y = np.meshgrid(reach, reach, indexing="ij")
    square = np.maximum(x**2 + y**2, 0.5)
    return np.fft.rfft2(x / square), np.fft.rfft2(y / square)

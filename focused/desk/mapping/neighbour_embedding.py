"""Points of many dimensions on a plane, so that neighbours stay neighbours: t-SNE (van der Maaten and Hinton, 2008), exact.

Each step takes time and memory in the square of the number of points: 7 ms for 800.
"""

from __future__ import annotations

import numpy as np

from focused.desk.mapping.word_matrix import Floats

PERPLEXITY = 30.0  #: neighbours that a point cares for
STEPS, EARLY_STEPS = 400, 100
STEPS_AGAIN = 150  #: from places that were good already
EXAGGERATION = 12.0  #: of attraction in the early steps
MOMENTUM = (0.5, 0.8)  #: in the early steps, and later
SEARCH_STEPS = 40  #: for the width of a point's neighbourhood
TINY = 1e-12


def embedded(points: Floats, start: Floats, *, again: bool = False) -> Floats:
    """(n, 2) a place for each of n points, centred at 0; the same for the same input.

    Parameters
    ----------
    points : (n, d)
    start : (n, 2) places to start from
    again : whether these are places of an earlier embedding, which are to be moved as little as need be
    """
    count = len(points)
    if count < 3:
        return start - start.mean(axis=0) if count else start
    attraction = _affinities(points)
    places, speed = start.astype(np.float32).copy(), np.zeros((count, 2), np.float32)
    gains = np.ones_like(places)
    rate = np.float32(max(count / EXAGGERATION, 50.0))
    for step in range(STEPS_AGAIN if again else STEPS):
        early = not again and step < EARLY_STEPS
        gradient = _gradient(attraction * np.float32(EXAGGERATION) if early else attraction, places)
        gains = np.where(np.sign(gradient) != np.sign(speed), gains + 0.2, gains * 0.8).clip(0.01)
        speed = np.float32(MOMENTUM[0] if early else MOMENTUM[1]) * speed - rate * gains * gradient
        places += speed
        places -= places.mean(axis=0)
    return places.astype(np.float32)


def _gradient(attraction: Floats, places: Floats) -> Floats:
    near = 1 / (1 + _squares(places))
    np.fill_diagonal(near, 0)
    pull = (attraction - near / max(float(near.sum()), TINY)) * near
    gradient: Floats = 4 * (pull.sum(axis=1)[:, None] * places - pull @ places)
    return gradient


def _affinities(points: Floats) -> Floats:
    """(n, n) how much each pair belongs together, summing up to 1: by neighbourhoods that are as wide as they need to be."""
    count = len(points)
    squares = _squares(points)
    np.fill_diagonal(squares, np.inf)
    squares -= squares.min(axis=1, keepdims=True)  # so that the nearest never vanishes
    wanted = np.log(min(PERPLEXITY, (count - 1) / 3))
    low, high = np.zeros(count), np.full(count, np.inf)
    narrow = np.ones(count)
    finite = np.where(np.isfinite(squares), squares, 0)
    for _ in range(SEARCH_STEPS):
        shares = np.exp(-squares * narrow[:, None])
        total = shares.sum(axis=1)
        entropy = np.log(total) + narrow * (finite * shares).sum(axis=1) / total
        wide = entropy > wanted
        low, high = np.where(wide, narrow, low), np.where(wide, high, narrow)
        narrow = np.where(np.isinf(high), narrow * 2, (low + np.where(np.isinf(high), 0, high)) / 2)
        if np.abs(entropy - wanted).max() < 1e-4:
            break
    shares /= total[:, None]
    together = shares + shares.T
    shared: Floats = (together / together.sum()).astype(np.float32).clip(TINY)
    return shared


def _squares(points: Floats) -> Floats:
    """(n, n) squared distances."""
    lengths = (points**2).sum(axis=1)
    squares: Floats = (lengths[:, None] + lengths[None, :] - 2 * points @ points.T).clip(0)
    return squares

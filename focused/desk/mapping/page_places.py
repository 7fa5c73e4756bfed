"""Where each page lies on the map: landmarks by t-SNE, every other page beside the landmarks that it resembles.

A map that grows starts from the places that pages had before, so that a person finds again what was where.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from focused.crawl.arrays import IntArray
from focused.desk.mapping.crawled_pages import Flags
from focused.desk.mapping.neighbour_embedding import embedded
from focused.desk.mapping.projection import projected
from focused.desk.mapping.word_matrix import Floats, WordMatrix
from focused.relevance.vectors import single_thread

LANDMARKS = 800  #: pages whose places are computed; time grows with the square
NEAREST = 5  #: landmarks that a page lies between
SHARPNESS = 20.0  #: how much more the most alike landmark counts than the next
JITTER = 0.35  #: radius around a page's place, in distances of its landmarks, so that pages do not hide each other
CHUNK = 2_000
KNOWN_ENOUGH = 0.5  #: share of landmarks that were on the map before, for it to grow and not to be made anew
WIDTH = 60.0  #: of the plane where nothing else says it


@dataclass(frozen=True, slots=True)
class Earlier:
    """A map as it was."""

    url: IntArray  #: (m,) ids of pages, ascending
    places: Floats  #: (m, 2)

    def of(self, url: IntArray) -> Floats:
        """(n, 2) places of pages; NaN of those that were not on it."""
        found = np.full((len(url), 2), np.nan, np.float32)
        if len(self.url):
            at = np.searchsorted(self.url, url).clip(max=len(self.url) - 1)
            known = self.url[at] == url
            found[known] = self.places[at[known]]
        return found


NOTHING = Earlier(np.empty(0, np.int64), np.empty((0, 2), np.float32))


def page_places(matrix: WordMatrix, url: IntArray, relevant: Flags, earlier: Earlier = NOTHING) -> Floats:
    """(n, 2) a place for each page, the same for the same pages and the same earlier map.

    url : (n,) ids, each once
    """
    with single_thread():
        has_words = np.diff(matrix.start) > 0
        landmarks = landmarks_of(url, relevant, has_words)
        vectors = projected(matrix, landmarks)
        placed = _landmark_places(vectors[landmarks], url[landmarks], earlier)
        places = _beside(vectors, vectors[landmarks], placed, url)
    places[landmarks] = placed
    places[~has_words] = _apart(placed, url[~has_words])
    return places


def landmarks_of(url: IntArray, relevant: Flags, usable: Flags) -> IntArray:
    """Positions of the landmarks, ascending; only pages that are usable."""
    order = drawn(url, relevant)
    return np.sort(order[usable[order]][:LANDMARKS])


def drawn(url: IntArray, relevant: Flags) -> IntArray:
    """Positions of all pages in the order in which they become landmarks: relevant ones and others by turns, while there are both.

    Drawn by a hash of the id, so that most stay landmarks while a collection grows.
    """
    order = np.argsort(_hash(url), kind="stable")
    turn = np.empty(len(url))
    for kind, half in ((relevant, 0.0), (~relevant, 0.5)):
        turn[order[kind[order]]] = np.arange(kind.sum()) + half
    return np.argsort(turn, kind="stable")


def _landmark_places(vectors: Floats, url: IntArray, earlier: Earlier) -> Floats:
    if not len(url):
        return np.empty((0, 2), np.float32)
    before = earlier.of(url)
    known = ~np.isnan(before[:, 0])
    if known.mean() < KNOWN_ENOUGH:
        return embedded(vectors, _first_places(vectors, url))
    middle = before[known].mean(axis=0)
    start = before - middle
    if not known.all():
        start[~known] = _beside(vectors[~known], vectors[known], start[known], url[~known])
    laid: Floats = _laid_upon(embedded(vectors, start, again=True), start, known) + middle
    return laid


def _first_places(vectors: Floats, url: IntArray) -> Floats:
    """The two strongest directions, a little shaken, small enough for t-SNE to move everything."""
    start = np.zeros((len(url), 2), np.float32)
    start[:, : min(2, vectors.shape[1])] = vectors[:, :2]
    start += 0.05 * _shaken(url)
    return (0.01 * start / max(float(start.std()), 1e-6)).astype(np.float32)


def _laid_upon(places: Floats, start: Floats, known: Flags) -> Floats:
    """Places turned, mirrored and moved so that those that were known before lie where they lay, as well as that goes."""
    now, then = places[known].astype(np.float64), start[known].astype(np.float64)
    left, _, right = np.linalg.svd((now - now.mean(axis=0)).T @ (then - then.mean(axis=0)))
    laid: Floats = ((places - now.mean(axis=0)) @ (left @ right) + then.mean(axis=0)).astype(np.float32)
    return laid


def _beside(vectors: Floats, marks: Floats, marks_at: Floats, url: IntArray) -> Floats:
    """(n, 2) a place for each vector between the landmarks that it resembles most."""
    places = np.zeros((len(vectors), 2), np.float32)
    if not len(marks):
        return places
    most = min(NEAREST, len(marks))
    for begin in range(0, len(vectors), CHUNK):
        part = slice(begin, begin + CHUNK)
        alike = vectors[part] @ marks.T
        nearest = np.argpartition(-alike, most - 1, axis=1)[:, :most]
        likeness = np.take_along_axis(alike, nearest, axis=1)
        weights = np.exp(SHARPNESS * (likeness - likeness.max(axis=1, keepdims=True)))
        weights /= weights.sum(axis=1, keepdims=True)
        around = marks_at[nearest]
        middle = (around * weights[:, :, None]).sum(axis=1)
        spread = np.sqrt(((around - middle[:, None]) ** 2).sum(axis=2).min(axis=1, keepdims=True))
        places[part] = middle + JITTER * np.maximum(spread, WIDTH / 200) * _shaken(url[part])
    return places


def _apart(placed: Floats, url: IntArray) -> Floats:
    """Pages without a word lie together, below all others."""
    low = placed.min(axis=0) if len(placed) else np.zeros(2, np.float32)
    width = max(float(np.ptp(placed[:, 0])), WIDTH / 10) if len(placed) else WIDTH
    apart: Floats = (low + np.array([width / 2, -width / 8]) + width / 40 * _shaken(url)).astype(np.float32)
    return apart


def _shaken(url: IntArray) -> Floats:
    """(n, 2) for each page a point of the unit disc, always the same."""
    drawn = _hash(url)
    angle = (drawn & 0xFFFFFF) / 0x1000000 * 2 * np.pi
    radius = np.sqrt(((drawn >> np.uint64(24)) & 0xFFFFFF) / 0x1000000)
    return np.stack([radius * np.cos(angle), radius * np.sin(angle)], axis=1).astype(np.float32)


def _hash(numbers: IntArray) -> NDArray[np.uint64]:
    """Numbers that look like random ones (splitmix64)."""
    mixed = numbers.astype(np.uint64) + np.uint64(0x9E3779B97F4A7C15)
    mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return mixed ^ (mixed >> np.uint64(31))

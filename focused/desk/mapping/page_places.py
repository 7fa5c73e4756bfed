"""Where each page lies on the map: landmarks by t-SNE, every other page beside the landmarks that it resembles.

Pages are weighted words: rare ones weigh more, and those that a host puts on all its pages hardly anything. A map that grows starts
from the places that pages had before, so that a person finds again what was where.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from focused.crawl.arrays import BoolArray, FloatArray, IntArray
from focused.desk.mapping.page_reading import PageWordCounts, added
from focused.page.text import TextAnalyser
from focused.scorers.vectors import single_thread

#: Pages of a host that count as if they did not have a word: one page does not tell what its host repeats.
SHRINKING = 5
FEWEST = 2  #: pages that must have a word, where there are `MANY`
MANY = 50

Floats = NDArray[np.float32]
DIMENSIONS = 50
MOST_WORDS = 6_000  #: of the landmarks, by which the space is made
CHUNK = 2_000  #: pages at a time
LEAST = 1e-6  #: share of the largest variance, under which a direction is noise
PERPLEXITY = 30.0  #: neighbours that a point cares for
STEPS, EARLY_STEPS = 400, 100
STEPS_AGAIN = 150  #: from places that were good already
EXAGGERATION = 12.0  #: of attraction in the early steps
MOMENTUM = (0.5, 0.8)  #: in the early steps, and later
SEARCH_STEPS = 40  #: for the width of a point's neighbourhood
TINY = 1e-12
LANDMARKS = 800  #: pages whose places are computed; time grows with the square
NEAREST = 5  #: landmarks that a page lies between
SHARPNESS = 20.0  #: how much more the most alike landmark counts than the next
JITTER = 0.35  #: radius around a page's place, in distances of its landmarks, so that pages do not hide each other
KNOWN_ENOUGH = 0.5  #: share of landmarks that were on the map before, for it to grow and not to be made anew
WIDTH = 60.0  #: of the plane where nothing else says it


@dataclass(frozen=True, slots=True)
class WordMatrix:
    """n pages, v words: the row of a page lies in ``words`` and ``weights`` from ``start[i]`` to ``start[i + 1]``."""

    start: IntArray  #: (n + 1,)
    words: IntArray  #: positions in `vocabulary`
    weights: Floats  #: > 0; the squares of a row sum up to 1, if it has any word
    vocabulary: list[str]  #: v words as most pages write them; words of one stem are one word

    def __len__(self) -> int:
        return len(self.start) - 1

    @property
    def rows(self) -> IntArray:
        """The page of each entry."""
        return np.repeat(np.arange(len(self)), np.diff(self.start))


def word_matrix(pages: Sequence[PageWordCounts], hosts: IntArray, language: str) -> WordMatrix:
    """The words of pages, weighted.

    hosts : (n,) id of the host of each page
    language : by which words are reduced to stems
    """
    analyser, having = TextAnalyser(language), Counter(word for said in pages for word in said)
    stems = {word: "".join(analyser.terms(word)) or word for word in having}
    written = dict.fromkeys(stems.values(), "")
    for word in sorted(having, key=lambda word: (having[word], word)):
        written[stems[word]] = word  # the last one is what most pages write
    numbers = {stem: number for number, stem in enumerate(written)}
    rows = np.repeat(np.arange(len(pages)), np.array([len(said) for said in pages], np.int64))
    words = np.array([numbers[stems[word]] for said in pages for word in said], np.int64)
    counts = np.array([count for said in pages for count in said.values()], np.int64)
    rows, words, counts = added(np.column_stack([rows, words, counts])).T
    weights = (1 + np.log(counts)) * _rarity(words, len(written), len(pages)) * own_share(rows, words, hosts)
    kept = weights > 0
    rows, words, weights = rows[kept], words[kept], weights[kept]
    lengths = np.sqrt(np.bincount(rows, weights**2, len(pages)))
    weights = weights / lengths[rows]
    start = np.concatenate([[0], np.cumsum(np.bincount(rows, minlength=len(pages)))])
    return WordMatrix(start, words, weights.astype(np.float32), list(written.values()))


def own_share(rows: IntArray, words: IntArray, hosts: IntArray) -> FloatArray:
    """For each entry how much its word is the page's own: near 0 where nearly all pages of the host have it, 1 where no other has.

    Entries are pairs of a page and a word, each once.
    """
    if not len(rows):
        return np.empty(0)
    _, which, having = np.unique(hosts[rows] * (words.max() + 1) + words, return_inverse=True, return_counts=True)
    of_host = np.bincount(hosts)
    share: FloatArray = 1 - (having[which] - 1) / (of_host[hosts[rows]] + SHRINKING)
    return share


def _rarity(words: IntArray, size: int, pages: int) -> FloatArray:
    """Of each entry the inverse document frequency of its word; 0 of one that too few pages have to tell anything."""
    frequency = np.bincount(words, minlength=size)
    rarity = np.log((1 + pages) / np.maximum(frequency, 1))
    rarity[frequency < (FEWEST if pages >= MANY else 1)] = 0
    return rarity[words]


def projected(matrix: WordMatrix, landmarks: IntArray) -> Floats:
    """(n, d) all n pages in the space that the landmarks span, d at most `DIMENSIONS`; rows have length 1, or 0 without a word.

    landmarks : positions of pages, whose words make the space
    """
    directions = _directions(matrix, landmarks)
    if directions.shape[1] == 0:
        return np.zeros((len(matrix), 1), np.float32)
    parts = [_part(matrix, directions, begin) for begin in range(0, len(matrix), CHUNK)]
    points = np.concatenate(parts)
    lengths = np.linalg.norm(points, axis=1, keepdims=True)
    unit: Floats = np.divide(points, lengths, out=np.zeros_like(points), where=lengths > LEAST)
    return unit


def _part(matrix: WordMatrix, directions: Floats, begin: int) -> Floats:
    """Points of the pages from ``begin`` on, `CHUNK` at most."""
    start = matrix.start[begin : begin + CHUNK + 1]
    entries = slice(start[0], start[-1])
    weighted = directions[matrix.words[entries]] * matrix.weights[entries, None]
    points = np.zeros((len(start) - 1, directions.shape[1]), np.float32)
    filled = np.diff(start) > 0
    if filled.any():
        points[filled] = np.add.reduceat(weighted, (start[:-1] - start[0])[filled])
    return points


def _directions(matrix: WordMatrix, landmarks: IntArray) -> Floats:
    """(v, d) for each word where it points to, by the singular vectors of the landmarks' words."""
    size = len(matrix.vocabulary)
    parts = [slice(matrix.start[page], matrix.start[page + 1]) for page in landmarks.tolist()]
    rows = [(matrix.words[part], matrix.weights[part]) for part in parts]
    total = np.zeros(size)
    for words, weights in rows:
        total[words] += weights**2
    used = np.sort(np.argsort(-total, kind="stable")[:MOST_WORDS])
    used = used[total[used] > 0]
    column = np.full(size, -1)
    column[used] = np.arange(len(used))
    dense = np.zeros((len(rows), len(used)), np.float32)
    for i, (words, weights) in enumerate(rows):
        known = column[words] >= 0
        dense[i, column[words[known]]] = weights[known]
    variances, vectors = np.linalg.eigh((dense @ dense.T).astype(np.float64))
    strongest = np.argsort(-variances, kind="stable")[:DIMENSIONS]
    strongest = strongest[variances[strongest] > LEAST * max(LEAST, float(variances.max(initial=0.0)))]
    vectors = vectors[:, strongest] / np.sqrt(variances[strongest])
    if vectors.size:  # the sign of a singular vector is nobody's choice: the strongest landmark is on the positive side
        vectors *= np.where(vectors[np.abs(vectors).argmax(axis=0), np.arange(vectors.shape[1])] < 0, -1, 1)
    directions = np.zeros((size, vectors.shape[1]), np.float32)
    directions[used] = dense.T @ vectors.astype(np.float32)
    return directions


def embedded(points: Floats, start: Floats, *, again: bool = False) -> Floats:
    """(n, 2) a place for each of n points, centred at 0; the same for the same input.

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


#: A map as it was: ids of pages, and (m, 2) their places.
Earlier = tuple[IntArray, Floats]
NOTHING: Earlier = (np.empty(0, np.int64), np.empty((0, 2), np.float32))


def _places_before(earlier: Earlier, url: IntArray) -> Floats:
    """(n, 2) places of pages on an earlier map; NaN of those that were not on it."""
    _, at, at_before = np.intersect1d(url, earlier[0], assume_unique=True, return_indices=True)
    found = np.full((len(url), 2), np.nan, np.float32)
    found[at] = earlier[1][at_before]
    return found


def page_places(matrix: WordMatrix, url: IntArray, relevant: BoolArray, earlier: Earlier = NOTHING) -> Floats:
    """(n, 2) a place for each page, the same for the same pages and the same earlier map.

    url : (n,) ids, each once
    """
    with single_thread():
        has_words = np.diff(matrix.start) > 0
        order = drawn(url, relevant)
        landmarks = np.sort(order[has_words[order]][:LANDMARKS])
        vectors = projected(matrix, landmarks)
        placed = _landmark_places(vectors[landmarks], url[landmarks], earlier)
        places = _beside(vectors, vectors[landmarks], placed, url)
    places[landmarks] = placed
    places[~has_words] = _apart(placed, url[~has_words])
    return places


def drawn(url: IntArray, relevant: BoolArray) -> IntArray:
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
    before = _places_before(earlier, url)
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


def _laid_upon(places: Floats, start: Floats, known: BoolArray) -> Floats:
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

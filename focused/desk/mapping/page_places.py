"""Where things lie on a map: landmarks by t-SNE, every other one beside the landmarks that it resembles, all by scikit-learn.

Pages are weighted words: rare ones weigh more, and those that a host puts on all its pages hardly anything. A map that grows starts
from the places that pages had before, so that a person finds again what was where.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from focused.crawl.arrays import BoolArray, FloatArray, IntArray
from focused.desk.mapping.page_reading import PageWordCounts
from focused.page.text import TextAnalyser

if TYPE_CHECKING:
    from scipy.sparse import csr_array

#: Pages of a host that count as if they did not have a word: one page does not tell what its host repeats.
SHRINKING = 5
FEWEST = 2  #: pages that must have a word, where there are `MANY`
MANY = 50

Floats = NDArray[np.float32]
DIMENSIONS = 50
PERPLEXITY = 30.0  #: neighbours that a point cares for
STEPS, STEPS_AGAIN = (
    500,
    250,
)  #: the latter the fewest that scikit-learn takes; 1,000 take twice as long and look no better
RATE_AGAIN = 10.0  #: how fast places move that were good already
LANDMARKS = 800  #: what t-SNE places; the others lie between them
NEAREST = 5  #: landmarks that a page lies between
SHARPNESS = 10.0  #: how much more the most alike landmark counts than the next
JITTER = 0.5  #: radius around a place, in distances of landmarks, so that pages do not hide each other
KNOWN_ENOUGH = 0.5  #: share of landmarks that were on the map before, for it to grow and not to be made anew
WIDTH = 20.0  #: of the plane where nothing else says it


def one_thread() -> AbstractContextManager[object]:
    """Hold BLAS and OpenMP to one thread: with more, sums vary by their order, and a busy machine waits most of the time."""
    import sklearn.manifold  # noqa: F401  # whose libraries are to be held
    from threadpoolctl import threadpool_limits

    limited: AbstractContextManager[object] = threadpool_limits(1)
    return limited


def word_matrix(pages: Sequence[PageWordCounts], hosts: IntArray, language: str) -> csr_array:
    """(n, v) the words of pages, weighted; the squares of a row sum up to 1, if it has any word. Words of one stem are one word.

    hosts : (n,) id of the host of each page
    language : by which words are reduced to stems
    """
    from scipy.sparse import csr_array

    analyser = TextAnalyser(language)
    stems = {word: "".join(analyser.terms(word)) or word for word in {word for said in pages for word in said}}
    numbers = {stem: number for number, stem in enumerate(sorted({*stems.values()}))}
    number = {word: numbers[stem] for word, stem in stems.items()}
    starts = np.cumsum([0, *(len(said) for said in pages)])
    words = np.array([number[word] for said in pages for word in said], np.int32)
    counts = np.array([count for said in pages for count in said.values()], np.float64)
    matrix = csr_array((counts, words, starts), shape=(len(pages), max(2, len(numbers))))
    matrix.sum_duplicates()
    return weighted(matrix, hosts)


def weighted(counts: csr_array, hosts: IntArray) -> csr_array:
    """tf-idf of counts, less for what a host repeats; 0 for what too few rows have to tell anything."""
    from sklearn.feature_extraction.text import TfidfTransformer
    from sklearn.preprocessing import normalize

    if len(hosts) >= MANY:
        counts.data *= np.bincount(counts.indices, minlength=counts.shape[1])[counts.indices] >= FEWEST
        counts.eliminate_zeros()
    if not counts.nnz:
        return counts
    matrix = TfidfTransformer(norm=None, sublinear_tf=True).fit_transform(counts)
    matrix.data *= own_share(matrix, hosts)
    return normalize(matrix)


def own_share(matrix: csr_array, hosts: IntArray) -> FloatArray:
    """Of each entry how much its word is the page's own: near 0 where all pages of its host have it, 1 where no other has."""
    of_host, host = np.bincount(hosts), np.repeat(hosts, np.diff(matrix.indptr))
    pairs = host * matrix.shape[1] + matrix.indices
    _, which, having = np.unique(pairs, return_inverse=True, return_counts=True)
    share: FloatArray = 1 - (having[which] - 1) / (of_host[host] + SHRINKING)
    return share


#: A map as it was: ids of pages, and (m, 2) their places.
Earlier = tuple[IntArray, Floats]
NOTHING: Earlier = (np.empty(0, np.int64), np.empty((0, 2), np.float32))


def places_of(matrix: csr_array, url: IntArray, order: IntArray, earlier: Earlier = NOTHING) -> Floats:
    """(n, 2) a place for each row, the same for the same rows and the same earlier map.

    url : (n,) ids, each once
    order : (n,) positions of rows in the order in which they become landmarks
    """
    has_words = np.diff(matrix.indptr) > 0
    landmarks = np.sort(order[has_words[order]][:LANDMARKS])
    places = np.zeros((len(url), 2), np.float32)
    if len(landmarks):
        vectors = _vectors(matrix, landmarks)
        placed = _landmark_places(vectors[landmarks], url[landmarks], earlier)
        places[:] = _beside(vectors, vectors[landmarks], placed, url)
        places[landmarks] = placed
    places[~has_words] = _below(places[has_words], url[~has_words])
    return places


def drawn(url: IntArray, relevant: BoolArray) -> IntArray:
    """Positions of all pages in the order in which they become landmarks: relevant ones and others by turns, while there are both.

    Drawn by a hash of the id, so that most stay landmarks while a collection grows.
    """
    order = np.argsort(_drawn_numbers(url, 0), kind="stable")
    turn = np.empty(len(url))
    for kind, half in ((relevant, 0.0), (~relevant, 0.5)):
        turn[order[kind[order]]] = np.arange(kind.sum()) + half
    return np.argsort(turn, kind="stable")


def _vectors(matrix: csr_array, landmarks: IntArray) -> Floats:
    """(n, d) rows in the space of the landmarks' strongest directions; of length 1, or 0 of one that shares no word with them."""
    from sklearn.decomposition import TruncatedSVD
    from sklearn.preprocessing import normalize

    space = TruncatedSVD(min(DIMENSIONS, len(landmarks), matrix.shape[1]), random_state=0)
    with np.errstate(all="ignore"):  # it divides by a variance that is 0 where all pages are alike
        space.fit(matrix[landmarks])
    vectors: Floats = normalize(space.transform(matrix)).astype(np.float32)
    return vectors


def _landmark_places(vectors: Floats, url: IntArray, earlier: Earlier) -> Floats:
    """Those of an earlier map, moved as little as need be, where it had enough of the landmarks; else new ones."""
    start = np.full((len(url), 2), np.nan, np.float32)
    _, at, at_before = np.intersect1d(url, earlier[0], assume_unique=True, return_indices=True)
    start[at] = earlier[1][at_before]
    known = ~np.isnan(start[:, 0])
    if known.mean() < KNOWN_ENOUGH:
        start = _shaken(url)
        start[:, : min(2, vectors.shape[1])] += 10 * vectors[:, :2]
        return _embedded(vectors, start * np.float32(1e-3))
    if not known.all():
        start[~known] = _beside(vectors[~known], vectors[known], start[known], url[~known])
    places = _embedded(vectors, start, again=True)
    now, then = places[known].mean(axis=0), start[known].mean(axis=0)
    left, _, right = np.linalg.svd((places[known] - now).T @ (start[known] - then))
    laid: Floats = (places - now) @ (left @ right) + then  # turned so that what was known lies where it lay
    return laid


def _embedded(vectors: Floats, start: Floats, *, again: bool = False) -> Floats:
    """(n, 2) places by t-SNE from those to start from; ``again`` : which are good already."""
    from sklearn.manifold import TSNE

    if len(vectors) < 4:
        return start
    made = TSNE(init=start, perplexity=min(PERPLEXITY, (len(vectors) - 1) / 3), angle=0.7, random_state=0, n_jobs=1)
    steps = (
        {"early_exaggeration": 1.0, "learning_rate": RATE_AGAIN, "max_iter": STEPS_AGAIN}
        if again
        else {"max_iter": STEPS}
    )
    places: Floats = made.set_params(**steps).fit_transform(vectors)
    return places


def _beside(vectors: Floats, marks: Floats, marks_at: Floats, url: IntArray) -> Floats:
    """(n, 2) a place for each vector between the landmarks that it resembles most."""
    from sklearn.neighbors import KNeighborsRegressor, NearestNeighbors

    def alike(distances: FloatArray) -> FloatArray:
        weights: FloatArray = np.exp(-SHARPNESS * (distances**2 - distances[:, :1] ** 2))
        return weights

    most, apart = min(NEAREST, len(marks)), WIDTH / 200
    if len(marks) > 1:
        apart = max(apart, float(np.median(NearestNeighbors(n_neighbors=1).fit(marks_at).kneighbors()[0])))
    between = KNeighborsRegressor(most, weights=alike, algorithm="brute", n_jobs=1).fit(marks, marks_at)
    places: Floats = (between.predict(vectors) + JITTER * apart * _shaken(url)).astype(np.float32)
    return places


def _below(placed: Floats, url: IntArray) -> Floats:
    """Pages without a word lie together, below all others."""
    low = placed.min(axis=0) if len(placed) else np.zeros(2, np.float32)
    width = max(float(np.ptp(placed[:, 0])), WIDTH / 10) if len(placed) else WIDTH
    below: Floats = (low + np.array([width / 2, -width / 8]) + width / 40 * _shaken(url)).astype(np.float32)
    return below


def _shaken(url: IntArray) -> Floats:
    """(n, 2) for each page a point of the unit disc, always the same."""
    angle, radius = 2 * np.pi * _drawn_numbers(url, 1), np.sqrt(_drawn_numbers(url, 2))
    return np.stack([radius * np.cos(angle), radius * np.sin(angle)], axis=1).astype(np.float32)


def _drawn_numbers(url: IntArray, seed: int) -> FloatArray:
    """(n,) numbers in [0, 1) that look like random ones, always the same for an id."""
    from sklearn.utils import murmurhash3_32

    numbers: FloatArray = murmurhash3_32(url.astype(np.int32), seed=seed, positive=True) / 2.0**32
    return numbers

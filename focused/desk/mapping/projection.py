"""Pages as points in a space of few dimensions, where words that occur together point the same way (latent semantic analysis)."""

from __future__ import annotations

import numpy as np

from focused.crawl.arrays import IntArray
from focused.desk.mapping.word_matrix import Floats, WordMatrix, rows_of

DIMENSIONS = 50
MOST_WORDS = 6_000  #: of the landmarks, by which the space is made
CHUNK = 2_000  #: pages at a time
LEAST = 1e-6  #: share of the largest variance, under which a direction is noise


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
    rows = list(rows_of(matrix, landmarks.tolist()))
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

"""Latent semantic indexing: a truncated singular value decomposition, and the cosine of a query with documents in its space.

Source: Almpanidis, Kotropoulos & Pitas 2007, "Combining text and link analysis for focused crawling - An application for
vertical search engines", sections 2.1.2 and 4; SVD updating: Zha & Simon 1999, "On updating problems in latent semantic
indexing".
"""

from __future__ import annotations

import numpy as np
from scipy.sparse import csr_array, diags_array, hstack
from scipy.sparse.linalg import ArpackError, svds

from focused.crawl.arrays import FloatArray
from focused.relevance.vectors import single_thread

Space = tuple[FloatArray, FloatArray]  #: left singular vectors U_k (m, k) and singular values S_k (k,), strongest first

DENSE = 400  #: up to this many rows or columns, a dense decomposition is quicker than Lanczos iterations
OVERSAMPLED, POWERS = 10, 4  #: of random projections: directions beyond those asked for, steps that sharpen them
RANK_TOLERANCE = 1e-8  #: singular values below this share of the largest are those of a matrix of lower rank
OUTSIDE = 1e-6  #: a unit vector of which less lies in the space is outside; the direction of what is left is rounding


def unit_columns(matrix: csr_array) -> csr_array:
    """The matrix with its columns brought to Euclidean length 1; columns of zeros stay."""
    lengths = np.sqrt(matrix.multiply(matrix).sum(axis=0))
    return (matrix @ diags_array(np.where(lengths > 0, 1 / np.where(lengths > 0, lengths, 1), 0))).tocsr()


def singular_space(matrix: csr_array, factors: int, seed: int) -> Space:
    """The k strongest left singular vectors of a matrix (m, n): U_k (m, k) and S_k (k,), strongest first.

    k is ``factors``, or the rank of the matrix where that is lower. ``seed`` draws the vector that Lanczos iterations (ARPACK)
    start from. Where these do not converge, random projections, drawn by ``seed`` as well, find nearly the same space in a fixed
    number of steps (Halko, Martinsson & Tropp 2011, "Finding structure with randomness", section 4).
    """
    if not matrix.nnz:
        return np.zeros((matrix.shape[0], 0)), np.zeros(0)
    with single_thread():
        if min(matrix.shape) <= max(DENSE, 2 * factors):
            vectors, values, _ = np.linalg.svd(matrix.toarray(), full_matrices=False)
        else:
            start = np.random.default_rng(seed).standard_normal(min(matrix.shape))
            try:
                vectors, values, _ = svds(matrix, factors, v0=start, return_singular_vectors="u", rng=seed)
            except ArpackError:  # rare: strongest values that lie close together, or a start without a share in them
                vectors, values = _projected_space(matrix, factors, seed)
    order = np.argsort(-values, kind="stable")[:factors]
    order = order[values[order] > RANK_TOLERANCE * values.max()]
    return vectors[:, order], values[order]


def _projected_space(matrix: csr_array, factors: int, seed: int) -> Space:
    """Nearly the space of `singular_space`, by random projections: Halko, Martinsson & Tropp 2011, algorithms 4.4 and 5.1."""
    sketch = matrix @ np.random.default_rng(seed).standard_normal((matrix.shape[1], factors + OVERSAMPLED))
    for _ in range(POWERS):
        sketch = matrix @ np.linalg.qr(matrix.T @ np.linalg.qr(sketch)[0])[0]
    basis = np.linalg.qr(sketch)[0]
    vectors, values, _ = np.linalg.svd(basis.T @ matrix, full_matrices=False)
    return basis @ vectors, values


def updated_space(space: Space, appended: csr_array, factors: int, seed: int) -> Space:
    """The space of (B_k | D), given that of B and documents D (m, d) appended to it; as `singular_space` returns it.

    Zha and Simon decompose the small matrix [[S_k, U_k'D], [0, R]], where QR = D - U_k U_k'D is the residual: the part of D
    outside the old space. As V_k is orthonormal, U and S of (B_k | D) are also those of (U_k S_k | D), which is sparse but for
    k columns, and is decomposed here. The result is the same, the residual is never formed.
    """
    vectors, values = space
    reduced = csr_array(vectors * values)
    return singular_space(hstack([reduced, appended], format="csr"), factors, seed)


def query_cosines(space: FloatArray, documents: csr_array, query: FloatArray) -> FloatArray:
    """(d,) cosines in [-1, 1] of a query (m,) and documents (m, d) of unit length in the space U_k (m, k) (equations 6 and 19).

    The documents are columns of the matrix that the space is of, so that U_k'd is what the paper writes S V'e. The
    query's length is that of the whole query. 0 for a document outside the space, and for an empty query.
    """
    projected = documents.T @ space
    lengths = np.linalg.norm(projected, axis=1)
    length = float(np.linalg.norm(query))
    inside = (lengths > OUTSIDE) & (length > 0)
    cosines = np.zeros(len(lengths))
    np.divide(projected @ (space.T @ query), lengths * length, out=cosines, where=inside)
    return np.clip(cosines, -1.0, 1.0)

"""Hypertext content latent analysis: latent semantic indexing of texts and links tells how near to the keywords a link lies.

Latent semantic indexing: a truncated singular value decomposition, and the cosine of a query with documents in its space.

Source: Almpanidis, Kotropoulos & Pitas 2007, "Combining text and link analysis for focused crawling - An application for
vertical search engines", sections 2.1.2 and 4 and figure 4; SVD updating: Zha & Simon 1999, "On updating problems in latent
semantic indexing".
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np
from pydantic import Field
from scipy.sparse import block_array, csr_array, diags_array, hstack
from scipy.sparse.linalg import ArpackError, svds

from focused.crawl.arrays import FloatArray
from focused.crawl.strategy import Changes, Rescoring, StrategyOptions, Visit, Waiting
from focused.crawl.world import World
from focused.papers.models.reordering import Reordering, ReorderingOptions
from focused.papers.models.term_documents import (
    Background,
    BackgroundCorpus,
    Direction,
    TermDocuments,
    edges_of,
    link_matrix,
    links_between,
)
from focused.scorers.vectors import single_thread

LatentSpace = tuple[
    FloatArray, FloatArray
]  #: left singular vectors U_k (m, k) and singular values S_k (k,), strongest first

DENSE = 400  #: up to this many rows or columns, a dense decomposition is quicker than Lanczos iterations
OVERSAMPLED, POWERS = 10, 4  #: of random projections: directions beyond those asked for, steps that sharpen them
RANK_TOLERANCE = 1e-8  #: singular values below this share of the largest are those of a matrix of lower rank
OUTSIDE = 1e-6  #: a unit vector of which less lies in the space is outside; the direction of what is left is rounding


def unit_columns(matrix: csr_array) -> csr_array:
    """The matrix with its columns brought to Euclidean length 1; columns of zeros stay."""
    lengths = np.sqrt(matrix.multiply(matrix).sum(axis=0))
    return (matrix @ diags_array(np.where(lengths > 0, 1 / np.where(lengths > 0, lengths, 1), 0))).tocsr()


def singular_space(matrix: csr_array, factors: int, seed: int) -> LatentSpace:
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


def _projected_space(matrix: csr_array, factors: int, seed: int) -> LatentSpace:
    """Nearly the space of `singular_space`, by random projections: Halko, Martinsson & Tropp 2011, algorithms 4.4 and 5.1."""
    sketch = matrix @ np.random.default_rng(seed).standard_normal((matrix.shape[1], factors + OVERSAMPLED))
    for _ in range(POWERS):
        sketch = matrix @ np.linalg.qr(matrix.T @ np.linalg.qr(sketch)[0])[0]
    basis = np.linalg.qr(sketch)[0]
    vectors, values, _ = np.linalg.svd(basis.T @ matrix, full_matrices=False)
    return basis @ vectors, values


def updated_space(space: LatentSpace, appended: csr_array, factors: int, seed: int) -> LatentSpace:
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


@dataclass(slots=True, frozen=True)
class Hypertext:
    """The blocks of C = [[A, L, O], [0, G, R]] of m terms, n background texts, a fetched pages and b frontier links."""

    background: csr_array  #: A (m, n), counts of terms
    texts: csr_array  #: L (m, a), counts of terms
    anchors: csr_array  #: O (m, b), counts of terms of anchor texts; zeros in the paper
    links: csr_array  #: G (a, a), the column of a page says which fetched pages are linked with it
    frontier_links: csr_array  #: R (a, b), the column of a link says which fetched pages link to it

    def matrix(self) -> csr_array:
        """C (m + a, n + a + b), its columns of unit length where they are not zero."""
        blocks = [[self.background, self.texts, self.anchors], [None, self.links, self.frontier_links]]
        return unit_columns(csr_array(block_array(blocks)))


def space_of(matrix: csr_array, known: LatentSpace | None, background: int, factors: int, seed: int) -> LatentSpace:
    """U_k (m + a, k) and S_k of C, decomposed as a whole, or updated from the space of its ``background`` first columns."""
    if known is None:
        return singular_space(matrix, factors, seed)
    vectors, values = known
    below = np.zeros((matrix.shape[0] - len(vectors), len(values)))
    return updated_space((np.vstack([vectors, below]), values), matrix[:, background:], factors, seed)


def frontier_cosines(
    hypertext: Hypertext, query: FloatArray, factors: int, seed: int, known: LatentSpace | None = None
) -> FloatArray:
    """(b,) cosines in [-1, 1] of a query (m,), padded by zeros, and the frontier links, in the space of C (equation 19).

    known : U_k and S_k of A alone, its columns of unit length, if the space of C is to be an update of it; None to decompose C

    Equations 17 and 18, as printed, keep of the appended columns only what lies in span(U_B), which has zeros in all rows of
    pages; so each frontier column becomes zero. Here nothing is lost: see `updated_space`.
    """
    matrix = hypertext.matrix()
    background, pages = hypertext.background.shape[1], hypertext.links.shape[0]
    vectors, _ = space_of(matrix, known, background, factors, seed)
    return query_cosines(vectors, matrix[:, background + pages :], np.concatenate([query, np.zeros(pages)]))


DECIMALS = 6  #: links with the same column differ by rounding only; kept equal, the first found comes first


class Hcla(Reordering):
    """Order all that waits by its cosine with the keywords in the latent space of texts and links.

        score = (1 + cosine) / 2
        C = [[A, L, O], [0, G, R]] = U S V',  cosine = (U_k' c) · (U_k' q) / (|U_k' c| |q|),  c = column of the link

    A: terms of a background corpus; L: of the fetched pages; O: zeros, or anchor texts; G and R: which fetched pages link to a
    page, and to a link. Columns have unit length; q: the keywords, padded by zeros.

    Parts
        cosine: cosine of keywords and link, from -1 to 1; 0 where the latent space knows nothing of the link
        parents: number of fetched pages in the matrix that link to it

    Source: Almpanidis, Kotropoulos & Pitas 2007, "Combining text and link analysis for focused crawling", section 4.
    """

    name = "hcla"
    parts: ClassVar[tuple[str, ...]] = ("cosine", "parents")
    uses_graph = True
    rescore_lag = 10  # picks; a decomposition takes seconds
    trained = "corpus"
    model_class = BackgroundCorpus

    class Options(ReorderingOptions):
        factors: int = Field(50, ge=1, le=1000, description="dimensions of the latent space (k)")
        terms: int = Field(1000, ge=1, le=100_000, description="number of terms: the most frequent stems (m)")
        update: Literal["svd", "zha_simon"] = Field(
            "svd", description="decompose the whole matrix, or update the space of the background corpus"
        )
        anchors: bool = Field(False, description="put the anchor texts of links into the block of zeros")
        links: Direction = Field("in", description="what describes a page: links to it, its own, or both")
        own: bool = Field(False, description="a page describes itself too, so that its links have a share in its terms")
        corpus: int = Field(
            500,
            ge=1,
            le=100_000,
            description="the first pages, up to this many, are the background corpus if none is trained",
        )
        pages: int = Field(3000, ge=1, le=100_000, description="number of latest pages in the matrix")
        model: str = Field("", description="name of a trained background corpus")

    def __init__(self, options: StrategyOptions, world: World) -> None:
        super().__init__(options, world)
        self._background = Background(world.keywords, world.texts, self.options.corpus, world.model)
        self._pages = TermDocuments(self._background.vocabulary)
        self._anchors = TermDocuments(self._background.vocabulary)
        self._space: LatentSpace | None = None  # of the background corpus, when that is complete

    def score(self, visit: Visit) -> tuple[FloatArray, FloatArray]:
        terms = visit.page.terms
        self._background.add(terms)
        self._pages.add(visit.id, terms)
        if self.options.anchors:
            for target, link in zip(visit.targets.tolist(), visit.links, strict=True):
                self._anchors.add(target, terms[link.anchor_start : link.anchor_end])
        return super().score(visit)

    def rescore(self, waiting: Waiting) -> Callable[[], Rescoring] | None:
        if not self.world.keywords or not len(waiting.ids):
            return None
        options, seed, space = self.options, self.world.seed, self._space
        pages = self.world.graph.pages[-options.pages :]
        self._pages.keep(pages)
        self._anchors.keep(waiting.ids)
        background, complete = self._background.counts(), self._background.complete
        terms = self._background.terms(background, options.terms)
        query = self._background.query(terms)
        texts, anchors = self._pages.matrix(pages), self._anchors.matrix(waiting.ids)
        edges = edges_of(self.world.graph, pages)

        def job() -> Rescoring:
            frontier = link_matrix(edges, pages, waiting.ids)
            described = frontier.sum(axis=0) > 0  # the others were found on pages of long ago, and keep their scores
            parents = frontier.sum(axis=0)[described]
            hypertext = Hypertext(
                background=csr_array(background[:, terms].T),
                texts=csr_array(texts[:, terms].T),
                anchors=csr_array(anchors[described][:, terms].T),
                links=links_between(edges, pages, options.links, own=options.own),
                frontier_links=frontier[:, described],
            )
            known = None
            if options.update == "zha_simon":
                known = space or singular_space(unit_columns(hypertext.background), options.factors, seed)
            cosines = frontier_cosines(hypertext, query, options.factors, seed, known).round(DECIMALS)
            changes = Changes(waiting.ids[described], (1 + cosines) / 2, np.column_stack((cosines, parents)))
            return Rescoring(changes, learned=known if complete else None)

        return job

    def adopt(self, learned: Any) -> None:
        self._space = learned

    def state(self) -> dict[str, Any]:
        return {
            "background": self._background.snapshot(),
            "pages": self._pages.snapshot(),
            "anchors": self._anchors.snapshot(),
        }

    def restore(self, state: Mapping[str, Any]) -> None:
        self._background.restore(state["background"])
        self._pages.restore(state["pages"])
        self._anchors.restore(state["anchors"])

"""Hypertext content latent analysis: latent semantic indexing of texts and links in one matrix.

Source: Almpanidis, Kotropoulos & Pitas 2007, "Combining text and link analysis for focused crawling - An application for
vertical search engines", section 4 and figure 4.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.sparse import block_array, csr_array

from focused.crawl.arrays import FloatArray
from focused.papers.strategies.hcla.lsi import Space, query_cosines, singular_space, unit_columns, updated_space


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


def background_space(background: csr_array, factors: int, seed: int) -> Space:
    """U_k (m, k) and S_k of A alone, its columns brought to unit length: what `space_of` updates."""
    return singular_space(unit_columns(background), factors, seed)


def space_of(matrix: csr_array, known: Space | None, background: int, factors: int, seed: int) -> Space:
    """U_k (m + a, k) and S_k of C, decomposed as a whole, or updated from the space of its ``background`` first columns."""
    if known is None:
        return singular_space(matrix, factors, seed)
    vectors, values = known
    below = np.zeros((matrix.shape[0] - len(vectors), len(values)))
    return updated_space((np.vstack([vectors, below]), values), matrix[:, background:], factors, seed)


def frontier_cosines(
    hypertext: Hypertext, query: FloatArray, factors: int, seed: int, known: Space | None = None
) -> FloatArray:
    """(b,) cosines in [-1, 1] of a query (m,), padded by zeros, and the frontier links, in the space of C (equation 19).

    known : `background_space` of A, if the space of C is to be an update of it; None to decompose the whole of C

    Equations 17 and 18, as printed, keep of the appended columns only what lies in span(U_B), which has zeros in all rows of
    pages; so each frontier column becomes zero. Here nothing is lost: see `lsi.updated_space`.
    """
    matrix = hypertext.matrix()
    background, pages = hypertext.background.shape[1], hypertext.links.shape[0]
    vectors, _ = space_of(matrix, known, background, factors, seed)
    return query_cosines(vectors, matrix[:, background + pages :], np.concatenate([query, np.zeros(pages)]))

"""HCLA: the matrix of texts and links, its space, and what the paper's equations 17 and 18 would do to the frontier."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.sparse import csr_array

from focused.strategies.hcla.hypertext import Hypertext, background_space, frontier_cosines

# Terms: solar, cell, tax, law. Background: "solar cell", "tax law", "solar solar cell". Fetched: a ("solar"), which is linked
# to by b; b ("tax law law"), which is linked to by a. Waiting: c, linked to by b like a, d, linked to by a like b, e by both.
BLOCKS = {
    "background": [[1, 0, 2], [1, 0, 1], [0, 1, 0], [0, 1, 0]],
    "texts": [[1, 0], [0, 0], [0, 1], [0, 2]],
    "anchors": [[0, 0, 0]] * 4,
    "links": [[0, 1], [1, 0]],
    "frontier_links": [[0, 1, 1], [1, 0, 1]],
}
SOLAR = np.array([1.0, 0, 0, 0])


def hypertext(**blocks: list[list[int]]) -> Hypertext:
    return Hypertext(**{name: csr_array(np.array(block, float)) for name, block in (BLOCKS | blocks).items()})


def dense_cosines(matrix: np.ndarray, query: np.ndarray, factors: int) -> np.ndarray:
    """Equation 19 for the last three columns, by numpy's decomposition."""
    left, values, right = np.linalg.svd(matrix, full_matrices=False)
    scaled = values[:factors, np.newaxis] * right[:factors, -3:]
    return left[:, :factors].T @ query @ scaled / np.linalg.norm(scaled, axis=0) / np.linalg.norm(query)


def test_the_matrix_has_its_blocks_where_figure_4_has_them_and_columns_of_length_one() -> None:
    third, half = 1 / np.sqrt(6), np.sqrt(0.5)
    assert hypertext().matrix().toarray() == pytest.approx(
        np.array(
            [
                [half, 0, 2 / np.sqrt(5), half, 0, 0, 0, 0],
                [half, 0, 1 / np.sqrt(5), 0, 0, 0, 0, 0],
                [0, half, 0, 0, third, 0, 0, 0],
                [0, half, 0, 0, 2 * third, 0, 0, 0],
                [0, 0, 0, 0, third, 0, 1, half],
                [0, 0, 0, half, 0, 1, 0, half],
            ]
        )
    )


def test_frontier_links_have_the_cosines_of_a_dense_decomposition() -> None:
    cosines = frontier_cosines(hypertext(), SOLAR, 3, seed=0)
    assert cosines == pytest.approx(dense_cosines(hypertext().matrix().toarray(), np.r_[SOLAR, 0, 0], 3))


def test_a_link_that_stands_beside_one_to_a_page_on_the_topic_comes_first() -> None:
    # c has the same parent as a ("solar"), d the same as b ("tax law law"), e both
    by_b, by_a, by_both = frontier_cosines(hypertext(), SOLAR, 3, seed=0)
    assert by_b > by_both > by_a


def test_anchor_texts_fill_the_block_of_zeros() -> None:
    anchors = [[0, 3, 0], [0, 0, 0], [0, 0, 0], [0, 0, 0]]
    without, with_anchor = (frontier_cosines(hypertext(**b), SOLAR, 3, seed=0)[1] for b in ({}, {"anchors": anchors}))
    assert with_anchor > without + 0.3


def test_an_update_of_the_background_s_space_is_the_decomposition_if_that_space_has_all_factors() -> None:
    # the background's rank is 3
    known = background_space(hypertext().background, 3, seed=0)
    updated = frontier_cosines(hypertext(), SOLAR, 3, seed=0, known=known)
    assert updated == pytest.approx(frontier_cosines(hypertext(), SOLAR, 3, seed=0))


def test_an_update_of_a_truncated_space_keeps_what_the_new_columns_have_outside_it() -> None:
    # C with the background's best approximation by one factor instead of the background
    vectors, values, right = np.linalg.svd(hypertext().matrix().toarray()[:4, :3])
    approximation = np.vstack([vectors[:, :1] * values[0] @ right[:1], np.zeros((2, 3))])
    expected = dense_cosines(np.hstack([approximation, hypertext().matrix().toarray()[:, 3:]]), np.r_[SOLAR, 0, 0], 3)
    known = background_space(hypertext().background, 1, seed=0)
    assert frontier_cosines(hypertext(), SOLAR, 3, seed=0, known=known) == pytest.approx(expected)
    assert np.abs(expected).min() > 0.03


def test_equations_17_and_18_as_printed_leave_nothing_of_the_frontier() -> None:
    # U_B = (U_k; 0), F = (S_k | U_B' D): the frontier's columns of D have zeros where U_B has not, so those of F are zero,
    # and cosines of eq. 19 would be 0 / 0. That is why the whole matrix is decomposed, or the residual kept.
    matrix = hypertext().matrix().toarray()
    vectors, _ = background_space(hypertext().background, 2, seed=0)
    u_b = np.vstack([vectors, np.zeros((2, 2))])
    projected = u_b.T @ matrix[:, 3:]
    assert np.abs(projected[:, :2]).max() > 0.1
    assert not projected[:, 2:].any()


def test_without_truncation_nothing_is_latent_and_links_have_no_terms() -> None:
    assert frontier_cosines(hypertext(), SOLAR, 6, seed=0) == pytest.approx(0, abs=1e-12)


def test_empty_blocks_are_no_mistake() -> None:
    no_text = {name: [[0] * len(row) for row in BLOCKS[name]] for name in ("background", "texts")}
    assert frontier_cosines(hypertext(**no_text), SOLAR, 3, seed=0) == pytest.approx(0, abs=1e-12)
    nothing = Hypertext(csr_array((4, 0)), csr_array((4, 1)), csr_array((4, 0)), csr_array((1, 1)), csr_array((1, 0)))
    assert frontier_cosines(nothing, SOLAR, 3, seed=0).tolist() == []

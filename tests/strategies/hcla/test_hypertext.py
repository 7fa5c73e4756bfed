"""HCLA: the matrix of texts and links, its space, and what the paper's equations 17 and 18 would do to the frontier."""

import numpy as np
import pytest
from scipy.sparse import csr_array

from focused.papers.strategies.hcla import Hypertext, frontier_cosines, singular_space, unit_columns

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


def test_an_update_of_a_truncated_space_keeps_what_the_new_columns_have_outside_it() -> None:
    # C with the background's best approximation by one factor instead of the background
    vectors, values, right = np.linalg.svd(hypertext().matrix().toarray()[:4, :3])
    approximation = np.vstack([vectors[:, :1] * values[0] @ right[:1], np.zeros((2, 3))])
    expected = dense_cosines(np.hstack([approximation, hypertext().matrix().toarray()[:, 3:]]), np.r_[SOLAR, 0, 0], 3)
    known = singular_space(unit_columns(hypertext().background), 1, seed=0)
    assert frontier_cosines(hypertext(), SOLAR, 3, seed=0, known=known) == pytest.approx(expected)
    assert np.abs(expected).min() > 0.03


def test_empty_blocks_are_no_mistake() -> None:
    no_text = {name: [[0] * len(row) for row in BLOCKS[name]] for name in ("background", "texts")}
    assert frontier_cosines(hypertext(**no_text), SOLAR, 3, seed=0) == pytest.approx(0, abs=1e-12)
    nothing = Hypertext(csr_array((4, 0)), csr_array((4, 1)), csr_array((4, 0)), csr_array((1, 1)), csr_array((1, 0)))
    assert frontier_cosines(nothing, SOLAR, 3, seed=0).tolist() == []

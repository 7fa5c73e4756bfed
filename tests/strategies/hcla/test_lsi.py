"""Latent semantic indexing: the space is that of a dense decomposition, an update loses nothing, cosines are those of eq. 6."""

from functools import partial

import numpy as np
import pytest
from scipy.sparse import csr_array
from scipy.sparse.linalg import ArpackNoConvergence, svds

from focused.papers.strategies import hcla
from focused.papers.strategies.hcla import query_cosines, singular_space, unit_columns, updated_space

# Terms car, motor, law, tax; documents: car motor, motor law, law tax. Two factors explain most of it.
MATRIX = csr_array(np.array([[1.0, 0, 0], [1, 1, 0], [0, 1, 1], [0, 0, 1]]))


@pytest.fixture
def lanczos(monkeypatch: pytest.MonkeyPatch) -> csr_array:
    """A sparse matrix of rank 60, beyond the size that is decomposed densely."""
    monkeypatch.setattr(hcla, "DENSE", 10)
    chance = np.random.default_rng(0)
    matrix = chance.random((60, 80))
    return csr_array(matrix * (matrix < 0.2))


def projector(vectors: np.ndarray) -> np.ndarray:
    """What tells spaces apart: the same for any basis of a space."""
    return vectors @ vectors.T


def test_columns_get_length_one_and_columns_of_zeros_stay() -> None:
    lengths = unit_columns(csr_array([[3.0, 0, 1], [4, 0, 0]])).toarray()
    assert lengths.tolist() == [[pytest.approx(0.6), 0, 1], [pytest.approx(0.8), 0, 0]]


def test_singular_values_of_a_small_matrix_are_those_by_hand() -> None:
    # A'A = [[2, 1, 0], [1, 2, 1], [0, 1, 2]] has the eigenvalues 2 + √2, 2, 2 - √2
    vectors, values = singular_space(MATRIX, 2, seed=0)
    assert values**2 == pytest.approx([2 + np.sqrt(2), 2])
    assert vectors.T @ vectors == pytest.approx(np.eye(2))


def test_there_are_no_more_factors_than_the_matrix_has_rank() -> None:
    twice = csr_array(np.hstack([MATRIX.toarray(), MATRIX.toarray()]))
    assert singular_space(twice, 50, seed=0)[0].shape == (4, 3)
    assert singular_space(csr_array((4, 3)), 50, seed=0)[0].shape == (4, 0)
    assert singular_space(csr_array((4, 0)), 50, seed=0)[0].shape == (4, 0)


def test_lanczos_iterations_find_no_more_factors_than_there_are(lanczos: csr_array) -> None:
    low = csr_array(lanczos[:, :3] @ lanczos[:3])
    vectors, values = singular_space(low, 20, seed=0)
    assert values == pytest.approx(np.linalg.svd(low.toarray())[1][:3])
    assert vectors.T @ vectors == pytest.approx(np.eye(3))


def test_lanczos_iterations_find_the_space_of_the_dense_decomposition(lanczos: csr_array) -> None:
    vectors, values, _ = np.linalg.svd(lanczos.toarray())
    space = singular_space(lanczos, 10, seed=1)
    assert space[1] == pytest.approx(values[:10])
    assert projector(space[0]) == pytest.approx(projector(vectors[:, :10]), abs=1e-9)


def test_iterations_that_do_not_converge_leave_the_space_to_random_projections(
    lanczos: csr_array, monkeypatch: pytest.MonkeyPatch
) -> None:
    low = csr_array(lanczos[:, :3] @ lanczos[:3])
    monkeypatch.setattr(hcla, "svds", partial(svds, maxiter=1))
    with pytest.raises(ArpackNoConvergence):
        hcla.svds(lanczos, 20)
    vectors, values = singular_space(low, 20, seed=0)
    exact, strengths, _ = np.linalg.svd(low.toarray())
    assert values == pytest.approx(strengths[:3])
    assert projector(vectors) == pytest.approx(projector(exact[:, :3]))
    assert singular_space(lanczos, 20, seed=0)[1] == pytest.approx(np.linalg.svd(lanczos.toarray())[1][:20], rel=0.05)


def test_an_updated_space_is_that_of_the_truncated_old_matrix_and_the_new_columns() -> None:
    # (B_k | D), decomposed densely, residual and all
    appended = csr_array(np.array([[0.0, 1], [0, 0], [0, 0], [2, 1]]))
    vectors, values, right = np.linalg.svd(MATRIX.toarray())
    truncated = vectors[:, :2] * values[:2] @ right[:2]
    expected, strengths, _ = np.linalg.svd(np.hstack([truncated, appended.toarray()]))
    space = updated_space(singular_space(MATRIX, 2, seed=0), appended, 2, seed=0)
    assert space[1] == pytest.approx(strengths[:2])
    assert projector(space[0]) == pytest.approx(projector(expected[:, :2]))


def test_cosines_are_those_of_equation_6() -> None:
    # e_j' V S U'q / (|S V' e_j| |q|), with all factors of numpy
    matrix, query = unit_columns(MATRIX), np.array([1.0, 0, 0, 2])
    vectors, values, right = np.linalg.svd(matrix.toarray(), full_matrices=False)
    documents = values[:2, np.newaxis] * right[:2]
    expected = documents.T @ (vectors[:, :2].T @ query) / np.linalg.norm(documents, axis=0) / np.linalg.norm(query)
    assert query_cosines(singular_space(matrix, 2, seed=0)[0], matrix, query) == pytest.approx(expected)


def test_a_document_outside_the_space_has_cosine_zero_and_so_has_everything_for_an_empty_query() -> None:
    space = np.array([[1.0], [0]])
    outside = csr_array(np.array([[hcla.OUTSIDE / 2, 1], [1, 0]]))
    assert query_cosines(space, outside, np.array([1.0, 0])).tolist() == [0, 1]
    assert query_cosines(space, outside, np.zeros(2)).tolist() == [0, 0]


def test_a_column_shorter_than_1_is_lengthened() -> None:
    assert unit_columns(csr_array([[0.25], [0.0]])).toarray().tolist() == [[1], [0]]


def test_a_matrix_of_zeros_has_a_space_without_dimensions() -> None:
    vectors, values = singular_space(csr_array((3, 2)), 5, 1)
    assert (vectors.shape, values.shape) == ((3, 0), (0,))


def test_a_seed_makes_the_same_space_to_the_last_bit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hcla, "DENSE", 2)  # so that small matrices are decomposed by iterations, which begin at random
    matrix, appended = (csr_array(np.random.default_rng(seed).random((30, 30))) for seed in (1, 2))
    once, again = (
        (*hcla._projected_space(matrix, 3, 7), *updated_space(singular_space(matrix, 3, 7), appended, 3, 7))
        for _ in range(2)
    )
    assert all(np.array_equal(one, other) for one, other in zip(once, again, strict=True))


def test_cosines_lie_between_minus_1_and_1_whatever_rounding_does() -> None:
    documents = unit_columns(csr_array(np.random.default_rng(1).random((20, 50))))
    for column in range(50):
        query = documents.toarray()[:, column]
        for sign in (1, -1):
            cosines = query_cosines(np.eye(20), documents, sign * query)
            assert cosines[column] == pytest.approx(sign)
            assert cosines.min() >= -1 and cosines.max() <= 1


def test_random_projections_are_drawn_by_the_seed(lanczos: csr_array, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hcla, "svds", partial(svds, maxiter=1))
    once, again = (singular_space(lanczos, 20, seed=7) for _ in range(2))
    assert np.array_equal(once[0], again[0]) and np.array_equal(once[1], again[1])


def test_the_rank_of_a_matrix_does_not_depend_on_its_scale() -> None:
    for scale in (1e-6, 1.0, 1e6):
        assert len(singular_space(MATRIX * scale, 9, seed=0)[1]) == 3

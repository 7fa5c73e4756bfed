"""Linear algebra is held to one thread, and only as long as it is asked to be."""

import numpy as np
from threadpoolctl import threadpool_info, threadpool_limits

from focused.scorers.vectors import single_thread


def blas_threads() -> set[int]:
    np.dot(np.ones(2), np.ones(2))  # so that BLAS is loaded
    return {pool["num_threads"] for pool in threadpool_info() if pool["user_api"] == "blas"}


def test_blas_has_one_thread_within_the_block_and_as_many_as_before_after_it() -> None:
    with threadpool_limits(3, user_api="blas"):
        before = blas_threads()
        with single_thread():
            assert blas_threads() == {1}
        assert blas_threads() == before != {1}

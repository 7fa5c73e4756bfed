"""Arrays that take memory as they fill say what plain ones would."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from focused.crawl.sparse_array import SparseArray

LENGTH = 5000
WRITTEN = st.lists(st.tuples(st.lists(st.integers(0, LENGTH - 1), max_size=200), st.integers(0, 255)), max_size=8)


@given(WRITTEN, st.sampled_from([np.uint8, np.uint16, np.float32, np.float64]))
def test_it_holds_what_a_plain_array_holds(written, dtype):
    sparse, plain = SparseArray(LENGTH, dtype), np.zeros(LENGTH, dtype)
    for indexes, value in written:
        sparse.put(np.array(indexes, np.int64), value)
        plain[indexes] = value
    everywhere = np.arange(LENGTH).reshape(50, -1)
    assert (sparse.take(everywhere) == plain[everywhere]).all()
    assert sparse.take(everywhere).dtype == dtype
    assert sparse.nonzero().tolist() == np.flatnonzero(plain).tolist()


def test_each_index_may_get_a_number_of_its_own():
    sparse = SparseArray(LENGTH, np.uint16)
    sparse.put(np.array([4999, 0, 64]), np.array([1, 2, 3]))
    assert sparse.take(np.array([0, 1, 64, 4999])).tolist() == [2, 0, 3, 1]


def test_reading_takes_no_memory():
    sparse = SparseArray(1 << 20, np.uint16)
    before = sparse.bytes
    assert not sparse.take(np.arange(1 << 20)).any()
    assert sparse.bytes == before


def test_it_takes_little_while_little_is_written_and_a_sixteenth_more_than_a_plain_one_in_the_end():
    sparse = SparseArray(1 << 20, np.uint16)
    some = np.random.default_rng(1).integers(0, 1 << 20, 1000)
    sparse.put(some, 1)
    assert sparse.bytes < 1000 * 64 * 1.5 + (1 << 20) / 8 + 64 * 64
    sparse.put(np.arange(1 << 20), 1)
    assert sparse.bytes < (1 << 21) * 17 / 16 + 1000


def test_an_index_beyond_its_end_is_refused():
    with pytest.raises(IndexError):
        SparseArray(LENGTH, np.uint8).take(np.array([LENGTH + 64]))

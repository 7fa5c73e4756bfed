"""Columns grow together, keep what was written, and come back after a restart."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from focused.crawl.columns import FIRST, Columns


@given(st.lists(st.tuples(st.integers(0, 20_000), st.integers(1, 100)), max_size=20))
def test_what_was_written_stays_and_the_rest_is_filled(writes: list[tuple[int, int]]) -> None:
    columns = Columns()
    numbers, pairs = columns.add("numbers", np.int32, -1), columns.add("pairs", np.float32, 0.5, shape=(2,))
    known: dict[int, int] = {}
    for row, value in writes:
        columns.reach(row + 1)
        numbers[row], known[row] = value, value
    rows = np.arange(max(known, default=0) + 1)
    assert numbers[rows].tolist() == [known.get(row, -1) for row in rows.tolist()]
    assert (pairs[rows] == 0.5).all()
    assert len(numbers.values) == len(pairs.values) >= FIRST


def test_a_column_that_comes_later_has_as_many_rows() -> None:
    columns = Columns()
    columns.reach(10 * FIRST)
    assert columns.add("late", np.bool_)[10 * FIRST - 1] is np.False_


def test_a_restart_brings_back_what_is_saved() -> None:
    columns, again = Columns(), Columns()
    for one in (columns, again):
        one.add("kept", np.int64)
        one.add("derived", np.int64, saved=False)
    columns.reach(3 * FIRST)
    columns["kept"][2 * FIRST] = columns["derived"][2 * FIRST] = 7
    again.restore(columns.snapshot(2 * FIRST + 1))
    assert (again["kept"][2 * FIRST], again["derived"][2 * FIRST]) == (7, 0)


def test_a_name_is_taken_once() -> None:
    columns = Columns()
    columns.add("kept", np.int64)
    with pytest.raises(ValueError, match="'kept' already"):
        columns.add("kept", np.int8)

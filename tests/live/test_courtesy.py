"""What hosts asked of us survives the end of a run; no clock that was set and no hostile answer makes a crawl wait for ever."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from focused.collection.store import Store
from focused.live.courtesy import Courtesy, seconds_to_wait


class Clocks:
    """The clock of a machine, and one that never goes back and starts anew with every process."""

    def __init__(self) -> None:
        self.world, self.machine = 1_800_000_000.0, 500.0

    def restart(self, seconds: float) -> None:
        self.world += seconds
        self.machine = 3.0


@pytest.fixture
def clocks() -> Clocks:
    return Clocks()


@pytest.fixture
def store(tmp_path):
    store = Store(tmp_path / "crawl.db")
    yield store
    store.close()


def opened(store: Store, clocks: Clocks, *, cut_off: bool = False) -> Courtesy:
    return Courtesy(
        store,
        longest_delay=60,
        longest_wait=3600,
        cut_off=cut_off,
        clock=lambda: clocks.machine,
        now=lambda: clocks.world,
    )


def commit(store: Store, courtesy: Courtesy) -> None:
    for statement, row in courtesy.statements():
        store.execute(statement, row)


def test_when_a_host_was_asked_and_its_delay_are_known_to_the_next_run(store, clocks):
    first = opened(store, clocks)
    first.note({"a.example": clocks.machine - 2, "b.example": clocks.machine})
    assert first.slow_down("b.example", 4.0) == 8.0
    commit(store, first)
    clocks.restart(5)
    second = opened(store, clocks)
    assert second.last_asked("a.example") == pytest.approx(clocks.machine - 7)
    assert second.last_asked("b.example") == pytest.approx(clocks.machine - 5)
    assert second.last_asked("c.example") == -math.inf
    assert second.delays() == {"b.example": 8.0}


def test_a_host_is_left_alone_by_the_next_run_also_without_a_commit(store, clocks):
    opened(store, clocks).leave_alone("a.example", 100)
    clocks.restart(30)
    second = opened(store, clocks)
    assert second.is_left_alone("a.example")
    assert second.not_before("a.example") == pytest.approx(clocks.machine + 70)
    assert second.left_alone() == [pytest.approx(70)]
    clocks.machine += 71
    assert not second.is_left_alone("a.example")
    assert second.left_alone() == []


def test_after_a_kill_every_host_may_have_been_asked_just_now(store, clocks):
    assert opened(store, clocks, cut_off=True).last_asked("any.example") == clocks.machine


@pytest.mark.parametrize("years", [-3, 3])
def test_a_clock_that_was_set_makes_nobody_wait_for_ever(store, clocks, years):
    first = opened(store, clocks)
    first.leave_alone("a.example", 100)
    first.note({"a.example": clocks.machine})
    commit(store, first)
    clocks.restart(years * 3e7)
    second = opened(store, clocks)
    assert second.not_before("a.example") <= clocks.machine + 3600
    assert second.last_asked("a.example") <= clocks.machine


@pytest.mark.parametrize("nonsense", ["", "yesterday", "9999-12-31T23:59:59+00:00", "0001-01-01", None, "x" * 9999])
def test_nonsense_in_the_table_harms_nothing(store, clocks, nonsense):
    store.execute("INSERT INTO manners VALUES ('a.example', ?, -5, ?)", (nonsense, nonsense))
    courtesy = opened(store, clocks)
    assert courtesy.delay("a.example") == 0
    assert courtesy.not_before("a.example") <= clocks.machine + 3600
    assert courtesy.last_asked("a.example") <= clocks.machine


@pytest.mark.parametrize(
    "row",
    [
        "x'00ff', x'00', x'01', x'02'",
        "'a.example', x'ff', 'soon', x'00'",
        "'a.example', 9e99, 'nan', 1e300",
        "7, 7, 7, 7",
    ],
)
def test_a_damaged_row_says_nothing_and_ends_no_run(store, clocks, row):
    store.execute(f"INSERT INTO manners (host, asked, delay, not_before) VALUES ({row})")
    courtesy = opened(store, clocks)
    assert courtesy.delay("a.example") == 0.0
    assert not courtesy.is_left_alone("a.example")


def test_delays_grow_up_to_the_longest_and_never_shrink(store, clocks):
    courtesy = opened(store, clocks)
    assert [courtesy.slow_down("a.example", delay) for delay in (0.0, 1.0, 20.0, 50.0, 0.0)] == [1, 2, 40, 60, 60]


@pytest.mark.parametrize(
    ("header", "seconds"),
    [
        (b"120", 120.0),
        (b" 1.5 ", 1.5),
        (b"0", 0.0),
        (b"9" * 400, math.inf),
        (b"Fri, 15 Jan 2027 08:10:00 GMT", 600.0),
        (b"Fri, 15 Jan 2027 07:00:00 GMT", 0.0),
        (b"Fri, 31 Dec 9999 23:59:59 GMT", 251602300799.0),
        *(
            (nonsense, None)
            for nonsense in (None, b"", b"-1", b"nan", b"inf", b"1e9", b"soon", "²".encode(), b"x" * 99999)
        ),
        (b"Fri, 99 Foo 99999 99:99:99", None),
        (b"0x10", None),
    ],
)
def test_what_a_retry_after_says(header, seconds):
    assert seconds_to_wait(header, 1_800_000_000.0) == seconds


@given(st.binary(max_size=80))
def test_no_retry_after_does_any_harm(header):
    seconds = seconds_to_wait(header, 1_800_000_000.0)
    assert seconds is None or seconds >= 0

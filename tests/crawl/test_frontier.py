"""The frontier against a naive sorted list, and what that comes to too seldom, or not at all, one by one."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from focused.collection.snapshot import decode, encode
from focused.crawl.columns import Columns
from focused.crawl.frontier import GAPS, Frontier, HostQueue
from tests.crawl.naive_frontier import NaiveFrontier

HOSTS = 5
urls = st.integers(0, 59)
hosts = st.integers(0, HOSTS - 1)
#: Few values, so that ties are common, and some that are neither small nor round.
scores = st.sampled_from([-1.0, -0.0, 0.0, 0.5, 1.0, 1e-300, -1e300, 1e300]) | st.floats(-1, 1, width=16)


def host_of(url: int) -> int:
    return url * url % HOSTS


def parts_of(score: float) -> list[float]:
    """Parts that tell which offer they came with, exact in 32 bits."""
    return [math.copysign(1, score), float(np.float16(abs(score) % 1000))]


def filled(offers: Iterable[tuple[int, float]], **options: Any) -> Frontier:
    """A frontier with one URL after another, given as (host, score)."""
    frontier = Frontier(Columns(), 0, **options)
    for url, (host, score) in enumerate(offers):
        frontier.offer(url, host, score, np.empty(0))
    return frontier


def picks(frontier: Frontier, most: int = 1000) -> list[int]:
    """What is taken one after another until nothing may be taken any more."""
    taken: list[int] = []
    while len(taken) < most and (url := frontier.best()) is not None:
        frontier.take(url)
        taken.append(url)
    return taken


class FrontierAgainstNaiveList(RuleBasedStateMachine):
    """Any sequence of calls leaves the frontier and the naive list with the same answers."""

    @initialize(
        cap=st.sampled_from([0, 0, 1, 7, 20]),
        batch=st.sampled_from([1, 1, 2, 5]),
        distinct=st.sampled_from([0, 0, 2, 3]),
    )
    def begin(self, cap: int, batch: int, distinct: int) -> None:
        self.options = {"cap": cap, "batch": batch, "distinct_hosts": distinct}
        self.frontier = Frontier(Columns(), 2, **self.options)
        self.naive = NaiveFrontier(**self.options)

    @rule(url=urls, score=scores, replace=st.booleans())
    def offer(self, url: int, score: float, *, replace: bool = False) -> None:
        changed = self.frontier.offer(url, host_of(url), score, np.array(parts_of(score)), replace=replace)
        assert changed == self.naive.offer(url, host_of(url), score, parts_of(score), replace=replace)

    @precondition(lambda self: self.naive.entries)
    @rule(data=st.data())
    def drop(self, data: st.DataObject) -> None:
        waiting = st.sampled_from([entry.url for entry in self.naive.entries])
        gone = data.draw(st.lists(waiting, unique=True))
        self.frontier.drop(gone)
        for url in gone:
            self.naive.remove(url)

    @precondition(lambda self: self.naive.entries)
    @rule(data=st.data())
    def rescore(self, data: st.DataObject) -> None:
        waiting = st.sampled_from([entry.url for entry in self.naive.entries])
        new = data.draw(st.dictionaries(waiting, scores))
        parts = [parts_of(score) for score in new.values()]
        self.frontier.rescore(
            np.array(list(new), np.int64), np.array(list(new.values())), np.array(parts).reshape(-1, 2)
        )
        self.naive.rescore(new, parts)

    @rule(offers=st.lists(st.tuples(urls, scores), min_size=10, max_size=40))
    def offer_many(self, offers: list[tuple[int, float]]) -> None:
        for url, score in offers:
            self.offer(url, score)

    @rule(most=st.integers(1, 20))
    def take_the_best(self, most: int) -> None:
        for _ in range(most):
            url = self.naive.best()
            assert self.frontier.best() == url
            if url is None:
                break
            self.frontier.take(url)
            self.naive.take(url)

    @precondition(lambda self: self.naive.entries)
    @rule(data=st.data())
    def take_another_as_a_replayed_journal_does(self, data: st.DataObject) -> None:
        url = data.draw(st.sampled_from([entry.url for entry in self.naive.entries]))
        self.frontier.take(url)
        self.naive.take(url)

    @precondition(lambda self: self.naive.entries)
    @rule(data=st.data())
    def remove(self, data: st.DataObject) -> None:
        url = data.draw(st.sampled_from([entry.url for entry in self.naive.entries]))
        self.frontier.remove(url)
        self.naive.remove(url)

    @rule(host=hosts)
    def hold(self, host: int) -> None:
        self.frontier.hold(host)
        self.naive.held.add(host)

    @rule(host=hosts)
    def release(self, host: int) -> None:
        self.frontier.release(host)
        self.naive.held.discard(host)

    @rule(host=st.integers(0, HOSTS + 200))
    def drop_host(self, host: int) -> None:
        assert self.frontier.drop_host(host) == self.naive.drop_host(host)

    @rule()
    def evict(self) -> None:
        assert self.frontier.evict() == self.naive.evict()

    @rule()
    def restart(self) -> None:
        """A frontier restored from a snapshot on disk goes on as the old one would have."""
        state = decode(encode(self.frontier.snapshot()))
        self.frontier = Frontier(Columns(), 2, **self.options)
        self.frontier.restore(state)
        for host in self.naive.held:
            self.frontier.hold(host)

    @invariant()
    def same_answers(self) -> None:
        ranking = self.naive.ranking()
        ids, scores = self.frontier.waiting()
        assert ids.tolist() == [entry.url for entry in ranking]
        assert scores.tolist() == [entry.score for entry in ranking]
        assert self.frontier.best() == self.naive.best()
        assert self.frontier.next_score == (ranking[0].score if ranking else None)
        on_held_hosts = [entry.score for entry in ranking if entry.host in self.naive.held]
        assert self.frontier.held_score == max(on_held_hosts, default=None)
        assert len(self.frontier) == len(ranking)
        assert self.frontier.hosts_waiting == len({entry.host for entry in ranking})
        assert self.frontier.full == (0 < self.naive.cap <= len(ranking))
        assert {url for url in range(-2, 2000) if url in self.frontier} == set(ids.tolist())
        for entry in ranking:
            assert self.frontier.score(entry.url) == entry.score
            assert self.frontier.parts(entry.url) == entry.parts


TestFrontierAgainstNaiveList = FrontierAgainstNaiveList.TestCase
TestFrontierAgainstNaiveList.settings = settings(max_examples=2 * settings.default.max_examples, stateful_step_count=25)


@pytest.mark.parametrize("score", [math.nan, math.inf, -math.inf, np.float64("nan")])
def test_a_score_that_is_not_finite_is_refused_and_changes_nothing(score: float) -> None:
    frontier = filled([(0, 0.5)])
    for url in (0, 1):
        with pytest.raises(ValueError, match=f"score of URL {url} is .*, not a finite number"):
            frontier.offer(url, 0, score, np.empty(0))
    assert picks(frontier) == [0]


def test_parts_of_a_wrong_length_are_refused_and_change_nothing() -> None:
    frontier = Frontier(Columns(), 3)
    with pytest.raises(ValueError, match="broadcast"):
        frontier.offer(0, 0, 1.0, np.zeros(2))
    assert len(frontier) == 0
    assert 0 not in frontier
    assert frontier.best() is None


def test_what_does_not_wait_has_no_score_and_cannot_be_taken() -> None:
    frontier = filled([(0, 0.5), (0, 0.4)])
    frontier.take(0)
    for call in (frontier.score, frontier.take, frontier.remove):
        for url in (0, -1, 10**6):
            with pytest.raises(KeyError, match=f"URL {url} does not wait"):
                call(url)
    assert picks(frontier) == [1]


def test_what_is_ready_is_all_of_hosts_that_are_not_held() -> None:
    frontier = filled([(0, 0.5), (1, 0.9), (0, 0.7), (2, 0.1)])
    frontier.hold(1)
    assert frontier.ready_hosts().tolist() == [0, 2]
    assert frontier.best_of(0) == 2
    assert frontier.best_scores(np.array([2, 0])).tolist() == [0.1, 0.7]
    ready = frontier.ready()
    assert (ready.ids.tolist(), ready.scores.tolist()) == ([0, 2, 3], [0.5, 0.7, 0.1])
    assert frontier.view().ids.tolist() == [0, 2, 1, 3]


@pytest.mark.parametrize("host", [1, 1000])
def test_a_host_without_urls_has_no_best(host: int) -> None:
    with pytest.raises(KeyError, match="nothing waits"):
        filled([(0, 0.5)]).best_of(host)


def test_a_rescoring_with_a_score_that_is_no_number_is_refused_and_changes_nothing() -> None:
    frontier = filled([(0, 0.5), (1, 0.9)])
    with pytest.raises(ValueError, match="not a finite number"):
        frontier.rescore(np.array([0, 1]), np.array([1.0, math.nan]), np.empty((2, 0)))
    assert picks(frontier) == [1, 0]


def test_a_held_host_gives_nothing_until_it_is_released() -> None:
    frontier = filled([(0, 0.9), (1, 0.5), (0, 0.8)])
    frontier.hold(0)
    frontier.hold(700)
    frontier.offer(3, 0, 1.0, np.empty(0))
    assert picks(frontier) == [1]
    assert frontier.next_score == 1.0
    frontier.release(0)
    frontier.release(900)
    assert picks(frontier) == [3, 0, 2]


def test_order_survives_the_compaction_of_a_queue() -> None:
    count = 10 * GAPS
    frontier = filled([(0, float(url % 7)) for url in range(count)])
    for url in range(count):
        if url % 9:
            frontier.remove(url)
    left = range(0, count, 9)
    assert picks(frontier) == sorted(left, key=lambda url: (-(url % 7), url))


def test_nothing_is_evicted_until_the_cap_is_exceeded_by_a_64th() -> None:
    frontier = filled([(0, 0.5)] * 130, cap=128)
    assert frontier.evict() == []
    frontier.offer(130, 0, 0.6, np.empty(0))
    assert frontier.evict() == [129, 128, 127]


@pytest.fixture
def looked_through(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Lengths of the queues that were looked through for their best."""
    lengths: list[int] = []
    argmax = HostQueue._argmax

    def counted(queue: HostQueue) -> int:
        lengths.append(len(queue.ids))
        return argmax(queue)

    monkeypatch.setattr(HostQueue, "_argmax", counted)
    return lengths


def test_what_is_taken_out_together_costs_no_more_than_its_number(looked_through: list[int]) -> None:
    """Equal scores: whichever is the best, the next one is looked for."""
    frontier = filled([(0, 1.0)] * 5000)
    frontier.drop(range(4000))
    assert (picks(frontier, 3), len(frontier)) == ([4000, 4001, 4002], 997)
    assert sum(looked_through) < 4 * 5000


def test_what_is_evicted_costs_no_more_than_its_number(looked_through: list[int]) -> None:
    frontier = filled([(0, 1.0)] * 5000, cap=2500)
    assert frontier.evict() == [*range(4999, 2499, -1)]
    assert sum(looked_through) < 4 * 5000


def test_new_scores_of_some_look_through_a_queue_once_at_most(looked_through: list[int]) -> None:
    frontier = filled([(0, 1.0)] * 5000)
    ids = np.arange(3000)
    frontier.rescore(ids, np.linspace(0.9, 0.1, 3000), np.empty((3000, 0)))
    frontier.rescore(ids[10:20], np.full(10, 0.95), np.empty((10, 0)))
    assert frontier.best() == 3000
    frontier.rescore(ids[10:20], np.full(10, 1.0), np.empty((10, 0)))
    assert frontier.best() == 10
    assert looked_through == [5000]


def test_what_is_removed_leaves_its_batch() -> None:
    frontier = filled([(url, 1.0 - url / 10) for url in range(6)], batch=4)
    assert picks(frontier, 1) == [0]
    frontier.remove(1)
    frontier.drop_host(2)
    assert picks(frontier) == [3, 4, 5]


@given(st.lists(hosts, max_size=60), st.integers(2, 7), st.integers(1, 4))
def test_k_consecutive_picks_come_from_k_hosts_as_far_as_so_many_wait(of: list[int], k: int, batch: int) -> None:
    frontier = filled([(host, 1.0 / (url + 1)) for url, host in enumerate(of)], distinct_hosts=k)
    waiting = list(range(len(of)))
    last: list[int] = []
    while (url := frontier.best()) is not None:
        recent = set(last[-(k - 1) :])
        if {of[other] for other in waiting} - recent:
            assert of[url] not in recent
        frontier.take(url)
        waiting.remove(url)
        last.append(of[url])
    assert not waiting
    assert len(picks(filled([(host, 0.5) for host in of], distinct_hosts=k, batch=batch))) == len(of)


def test_where_fewer_hosts_wait_than_should_differ_they_take_turns() -> None:
    frontier = filled([(0, 0.9), (0, 0.8), (0, 0.7), (1, 0.3), (1, 0.2), (1, 0.1)], distinct_hosts=5)
    assert picks(frontier) == [0, 3, 1, 4, 2, 5]


def test_two_picks_of_one_host_count_as_one_host_that_may_not_follow() -> None:
    frontier = filled([(0, 0.9), (0, 0.8), (0, 0.7), (1, 0.2), (2, 0.4), (2, 0.3)], distinct_hosts=4)
    for url in (4, 0, 1):
        frontier.take(url)
    assert frontier.best() == 3


def test_a_host_that_should_differ_is_waited_for_while_it_is_held_unless_there_are_enough_others() -> None:
    two, three = [(0, 0.9), (0, 0.8), (1, 1.0), (1, 0.1)], [(0, 0.9), (0, 0.8), (1, 1.0), (1, 0.1), (2, 0.5)]
    for waiting, second in ((two, None), (three, 4)):
        frontier = filled(waiting, distinct_hosts=2)
        frontier.take(2)
        frontier.hold(1)
        frontier.take(0)
        assert frontier.best() == second
        frontier.release(1)
        assert frontier.best() == (second or 3)


def test_a_snapshot_is_a_copy() -> None:
    frontier = filled([(0, 0.9), (0, 0.8), (1, 0.1)], batch=3, distinct_hosts=2)
    assert picks(frontier, 1) == [0]
    state = frontier.snapshot()
    rest = picks(frontier)
    again = Frontier(Columns(), 0, batch=3, distinct_hosts=2)
    again.restore(state)
    assert picks(again) == rest == [2, 1]


def test_a_restored_frontier_knows_recent_hosts_that_no_longer_wait() -> None:
    frontier = filled([(0, 0.9), (0, 0.8), (500, 1.0)], distinct_hosts=3)
    assert picks(frontier, 1) == [2]
    again = Frontier(Columns(), 0, distinct_hosts=3)
    again.restore(frontier.snapshot())
    assert picks(again) == [0, 1]


def test_nobody_waits_for_a_host_that_is_away_for_long():
    frontier = filled([(0, 0.9), (1, 0.5), (2, 0.1)])
    frontier.hold(0, away=True)
    frontier.hold(1)
    assert frontier.held_score == 0.5
    frontier.release(0)
    frontier.hold(0)
    assert frontier.held_score == 0.9

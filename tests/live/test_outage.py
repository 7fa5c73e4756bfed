"""A network that is down is told from hosts that are, and burns nothing that waits."""

from __future__ import annotations

import sqlite3

import pytest

from focused.live.courtesy import Courtesy
from focused.live.outage import MANY, Doubts
from focused.live.session import Session
from focused.topic.topic import Budget
from tests.small_web import WEB, crawl, fetch, topic_of, url_of


def doubts_of(count: int, hosts: int, interrupted: range = range(0)) -> Doubts:
    doubts = Doubts(interrupted)
    for url in range(count):
        doubts.add(url, f"host{url % hosts}", "timeout")
    return doubts


def test_many_fetches_of_several_hosts_without_an_answer_are_an_outage():
    assert doubts_of(MANY - 1, 5).outage(10, collected=True, nothing_else=False) is None
    assert "no host answers" in doubts_of(MANY, 5).outage(10, collected=True, nothing_else=False)


def test_one_dead_host_is_no_outage_while_others_wait():
    assert doubts_of(10 * MANY, 1).outage(5, collected=True, nothing_else=False) is None
    assert doubts_of(MANY, 1).outage(1, collected=True, nothing_else=False) is not None


def test_what_an_earlier_run_left_does_not_count_again():
    assert doubts_of(MANY, 5, range(MANY)).outage(10, collected=True, nothing_else=False) is None


def test_an_answer_settles_what_was_in_doubt():
    doubts = doubts_of(2, 2)
    assert doubts.answered() == [(0, "timeout"), (1, "timeout")]
    assert len(doubts) == 0


@pytest.mark.parametrize(
    ("doubts", "answered", "collected", "outage"),
    [
        (doubts_of(2, 2), False, False, True),  # the first fetches of all
        (doubts_of(2, 2, range(2)), False, False, True),  # and again: the seeds are never given up
        (doubts_of(2, 2), False, True, True),  # a run without a single answer
        (doubts_of(2, 2, range(2)), False, True, False),  # the same URLs a second time, and nothing else
        (doubts_of(2, 2), True, True, False),  # two dead hosts at the end of a crawl
        (doubts_of(5, 5), True, True, True),  # five at once
    ],
)
def test_when_nothing_else_is_left_a_decision_is_made(doubts, answered, collected, outage):
    doubts._answered = answered
    assert (doubts.outage(0, collected=collected, nothing_else=True) is not None) == outage


def failures(folder):
    db = sqlite3.connect(folder / "crawl.db")
    try:
        return db.execute("SELECT reason, count(*) FROM failures GROUP BY reason").fetchall()
    finally:
        db.close()


def test_an_outage_at_the_start_burns_no_seed(tmp_path):
    session = Session(topic_of(), tmp_path)
    while (pick := session.next()) is not None:
        session.failed(pick.id, "host name not found")
    assert "no host answers" in session.stop().sentence
    session.close()
    assert failures(tmp_path) == []
    session = Session(topic_of(), tmp_path)
    assert set(crawl(session)) >= set(WEB)
    session.close()


def test_an_outage_in_the_middle_loses_nothing(tmp_path):
    session = Session(topic_of(), tmp_path)
    done = crawl(session, 8)
    while not session.error and (pick := session.next()) is not None:
        session.failed(pick.id, "timeout")
    session.outage.settle()
    session.close()
    session = Session(topic_of(), tmp_path)
    assert {*done, *crawl(session)} >= set(WEB)
    session.close()


def test_a_dead_host_fails_when_others_answer(tmp_path):
    session = Session(topic_of(), tmp_path)
    dead = session.next()
    session.failed(dead.id, "host name not found")
    assert fetch(session) is not None
    session.close()
    assert failures(tmp_path) == [("host name not found", 1)]


def test_what_is_in_doubt_gives_its_place_in_the_budget_back(tmp_path):
    session = Session(topic_of(budget=Budget(pages=2)), tmp_path)
    assert fetch(session) == url_of(0)
    session.failed(session.next().id, "timeout")
    assert fetch(session) is not None
    assert "page budget reached" in session.stop().sentence
    session.close()


@pytest.fixture
def asked():
    """What witnesses were asked for."""
    return []


class Silent:
    """A driver that notes what witnesses it is to ask."""

    def __init__(self, session: Session, asked: list[str]) -> None:
        self.courtesy = Courtesy(session.store, longest_delay=60, longest_wait=3600)
        self.ask_witnesses = asked.extend

    def may_ask(self, host: str) -> bool:
        return True

    def leave(self, url: int) -> None:
        """Nothing was asked of anybody."""


def session_with_witnesses(folder, asked) -> Session:
    session = Session(topic_of(), folder)
    session.drive_with(Silent(session, asked))
    return session


def fail_until_suspicion(session: Session, reason: str = "timeout") -> int:
    count = 0
    while not session.error and (pick := session.next()) is not None:
        session.failed(pick.id, reason)
        count += 1
    return count


def test_a_host_that_answered_before_is_asked_before_an_outage_is_believed(tmp_path, asked):
    session = session_with_witnesses(tmp_path, asked)
    crawl(session, 4)
    assert fail_until_suspicion(session) > 0
    assert session.error is None
    assert len(asked) > 0
    assert all(url.endswith(".example/robots.txt") for url in asked)
    session.outage.witnesses_said(answered=False)
    assert "no host answers" in session.stop().sentence
    session.close()
    assert failures(tmp_path) == []


def test_if_it_answers_the_silent_ones_have_failed_and_the_crawl_goes_on(tmp_path, asked):
    session = session_with_witnesses(tmp_path, asked)
    crawl(session, 4)
    count = fail_until_suspicion(session)
    session.outage.witnesses_said(answered=True)
    assert session.error is None
    assert session.next() is not None
    session.close()
    assert failures(tmp_path) == [("timeout", count)]


def test_hosts_that_answered_in_an_earlier_run_are_asked(tmp_path, asked):
    session = Session(topic_of(), tmp_path)
    crawl(session, 4)
    session.close()
    session = session_with_witnesses(tmp_path, asked)
    assert fail_until_suspicion(session) > 0
    assert (session.error, 0 < len(asked) <= 3) == (None, True)
    session.close()


def test_an_answer_that_comes_meanwhile_is_as_good_as_one_of_a_witness(tmp_path, asked):
    session = session_with_witnesses(tmp_path, asked)
    crawl(session, 4)
    last = session.next()
    fail_until_suspicion(session)
    session.failed(last.id, "http 404", 404)
    assert session.next() is not None
    session.outage.witnesses_said(answered=False)  # too late
    assert session.error is None
    session.close()


def test_what_a_silent_host_has_waiting_is_dropped_and_the_next_run_knows(tmp_path):
    """Whether it comes from the snapshot or from the journal."""
    session = Session(topic_of(seeds=tuple(url_of(number) for number in range(0, 30, 5))), tmp_path)
    while len(session.crawl.in_flight) < 3:
        session.next()
    for url in list(session.crawl.in_flight):
        session.failed(url, "timeout")
    session.outage.heard("http://any.example/")
    assert len(session.crawl.frontier) == 0
    session.commit()
    session.collection.close()  # killed: no snapshot is taken
    for _ in range(2):
        session = Session(topic_of(), tmp_path)
        assert session.crawl.hosts.is_given_up(session.crawl.hosts.find("host0.example"))
        session.close()
    db = sqlite3.connect(tmp_path / "crawl.db")
    assert db.execute("SELECT reason, count(*) FROM dropped GROUP BY 1").fetchall() == [("host does not answer", 3)]
    db.close()


def test_a_host_that_a_url_led_to_is_silent_not_the_one_that_led_there(tmp_path):
    session = Session(topic_of(), tmp_path)
    for _ in range(2):
        pick = session.next()
        session.failed(pick.id, "timeout", host="elsewhere.example")
    session.outage.heard("http://any.example/")
    assert session.crawl.hosts.silent[pick.host] == 0
    session.close()
    assert failures(tmp_path) == [("redirects to a host that does not answer: timeout", 2)]


def test_a_host_that_wants_to_be_left_alone_is_no_witness(tmp_path, asked):
    session = session_with_witnesses(tmp_path, asked)
    crawl(session, 4)
    for host in session.crawl.hosts.names:
        session.courtesy.leave_alone(host, 100)
    fail_until_suspicion(session)
    assert asked == []
    assert "no host answers" in session.stop().sentence
    session.close()

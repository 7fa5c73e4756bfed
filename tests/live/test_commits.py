"""What is sent between two commits is bounded in number and in time, also where the process is busy or the database locked."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from focused.collection.repository import Stored
from focused.live.commits import RETRY, Commits
from focused.live.journal import PATIENCE
from focused.live.session import Session
from tests.small_web import WEB, crawl, topic_of

SECONDS, REQUESTS = 1.0, 5


@dataclass
class Disk:
    """A database that takes what comes, or is locked."""

    time: float = 0.0
    locked: bool = False
    tries: list[float] = field(default_factory=list)
    commits: list[float] = field(default_factory=list)

    def commit(self) -> bool:
        self.tries.append(self.time)
        if not self.locked:
            self.commits.append(self.time)
        return not self.locked

    def clock(self) -> float:
        return self.time


def begun() -> tuple[Disk, Commits]:
    disk = Disk()
    return disk, Commits(disk.commit, SECONDS, REQUESTS, disk.clock)


def test_a_commit_comes_before_one_request_too_many() -> None:
    disk, commits = begun()
    for _ in range(REQUESTS):
        assert commits.may_send()
        commits.sent()
    assert disk.commits == []
    assert commits.may_send()
    assert disk.commits == [0.0]


def test_a_process_that_was_busy_commits_before_it_sends_anything() -> None:
    disk, commits = begun()
    commits.sent()
    disk.time = 3.8  # and no timer has had its turn
    assert commits.may_send()
    assert disk.commits == [3.8]


def test_nothing_is_sent_while_the_database_is_locked_and_it_is_not_tried_all_the_time() -> None:
    disk, commits = begun()
    disk.time, disk.locked = 2.0, True
    for _ in range(100):
        assert not commits.may_send()
        disk.time += RETRY / 50
    assert len(disk.tries) <= 3
    disk.locked = False
    disk.time += RETRY
    assert commits.may_send()


@given(st.lists(st.tuples(st.sampled_from(["send", "tick", "lock", "free"]), st.floats(0, 2))))
def test_whatever_happens_what_a_kill_would_cost_stays_bounded(steps: list[tuple[str, float]]) -> None:
    disk, commits = begun()
    sent: list[float] = []
    for step, pause in steps:
        disk.time += pause
        before = len(disk.commits)
        if step == "send" and commits.may_send():
            sent = sent if len(disk.commits) == before else []
            commits.sent()
            sent.append(disk.time)
        elif step == "tick":
            commits.in_passing()
            sent = sent if len(disk.commits) == before else []
        disk.locked = step == "lock" or (disk.locked and step != "free")
        assert len(sent) <= REQUESTS
        assert not sent or sent[-1] - (disk.commits or [0.0])[-1] < SECONDS


def test_a_page_that_a_pipeline_holds_back_is_committed_in_time_without_it(tmp_path: Path) -> None:
    session, clock = Session(topic_of(), tmp_path), [0.0]
    session.journal.clock = lambda: clock[0]
    crawl(session, 3)
    session.commit()
    pick = session.next()
    assert pick is not None
    url = session.store.url(pick.id)
    session.fetched(pick.id, Stored(url, 200, (), WEB[url].encode()), "text/html")  # and nobody writes it
    crawl(session, 5)
    for clock[0] in (1.0, 1.0, 0.9 + PATIENCE):  # however many commits there are meanwhile
        session.commit()
        assert session.store.committed < session.crawl.events
    clock[0] = 1.0 + PATIENCE
    session.commit()
    assert session.store.committed == session.crawl.events
    session.close()

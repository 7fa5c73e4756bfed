"""The diary is its owner's alone, whole whatever kills the agent, and forgets for good."""

import os
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from focused.desk.agent.diary import MOST_VISITS, SAME_VISIT, Diary
from focused.desk.agent.interest import Matter
from focused.exceptions import StorageError

MATTER = Matter({"solar": 3}, {"solar": "Solar"})
WRITER = """
import itertools, sys, time
from pathlib import Path
from focused.desk.agent.diary import Diary
from focused.desk.agent.interest import Matter
diary = Diary(Path(sys.argv[1]), time.time)
for number in itertools.count():
    diary.visit(f"http://a.example/{number}", "a.example", "x" * 5000, Matter({"solar": 1}))
    diary.spend(f"http://a.example/{number}", 5)
    if number == 20:
        print("going", flush=True)
"""


class Clock:
    time = 1e9

    def __call__(self) -> float:
        return self.time


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def diary(tmp_path: Path, clock: Clock) -> Iterator[Diary]:
    with closing(Diary(tmp_path, clock)) as diary:
        yield diary


def visit(diary: Diary, url: str) -> None:
    diary.visit(url, url.split("/")[2], "title", MATTER)


def urls(diary: Diary) -> list[str]:
    return [visit.url for visit in diary.visits()]


def test_only_its_owner_may_read_it(tmp_path: Path, clock: Clock) -> None:
    before = os.umask(0)
    try:
        (tmp_path / "agent.db").touch(0o666)
        with closing(Diary(tmp_path, clock)) as diary:
            assert diary.path.stat().st_mode & 0o777 == 0o600
    finally:
        os.umask(before)


def test_a_link_to_elsewhere_is_not_followed(tmp_path: Path, clock: Clock) -> None:
    (tmp_path / "agent.db").symlink_to(tmp_path / "other")
    with pytest.raises(StorageError):
        Diary(tmp_path, clock)
    assert not (tmp_path / "other").exists()


def test_a_visit_goes_on_and_a_later_one_is_another(diary: Diary, clock: Clock) -> None:
    visit(diary, "http://a.example/")
    diary.spend("http://a.example/", 20)
    clock.time += 60
    visit(diary, "http://a.example/")
    diary.spend("http://a.example/", 20)
    assert [one.seconds for one in diary.visits()] == [40]
    clock.time += SAME_VISIT + 100
    visit(diary, "http://a.example/")
    assert [one.seconds for one in diary.visits()] == [40, 0]
    assert diary.visits()[0].matter == MATTER


def test_time_that_nobody_can_have_spent_counts_for_what_one_can(diary: Diary) -> None:
    visit(diary, "http://a.example/")
    diary.spend("http://a.example/", 1e12)
    diary.spend("http://a.example/", -1e12)
    assert [one.seconds for one in diary.visits()] == [600]


def test_it_does_not_grow_for_ever(diary: Diary, clock: Clock) -> None:
    for number in range(MOST_VISITS + 5):
        clock.time += 1
        visit(diary, f"http://a.example/{number}")
    assert len(urls(diary)) == MOST_VISITS
    assert not diary.knows("http://a.example/0")


def test_a_site_is_forgotten_with_what_lies_below_it(diary: Diary) -> None:
    for host in ("a.example", "www.a.example", "aa.example", "b.example", "a_example"):
        visit(diary, f"http://{host}/")
    diary.forget_site("a.example")
    assert urls(diary) == ["http://aa.example/", "http://b.example/", "http://a_example/"]


def test_a_host_that_looks_like_a_pattern_forgets_nothing_else(diary: Diary) -> None:
    visit(diary, "http://a.example/")
    for host in ("%", "_.example", "*", "' OR 1 --"):
        diary.forget_site(host)
    assert urls(diary) == ["http://a.example/"]


def test_the_last_hour_is_forgotten_and_what_went_on_into_it(diary: Diary, clock: Clock) -> None:
    for minutes, url in ((0, "old"), (55, "into"), (90, "new")):
        clock.time = 1e9 + 60 * minutes
        visit(diary, f"http://a.example/{url}")
        diary.spend(f"http://a.example/{url}", 600)
    diary.forget_since(1e9 + 60 * 60)
    assert urls(diary) == ["http://a.example/old"]


def test_what_is_forgotten_is_not_in_the_file_any_more(diary: Diary) -> None:
    visit(diary, "http://secret.example/diagnosis")
    assert b"diagnosis" in diary.path.read_bytes()
    diary.forget_all()
    left = b"".join(path.read_bytes() for path in diary.path.parent.iterdir())
    assert b"diagnosis" not in left
    assert b"solar" not in left


def test_hosts_that_were_asked_are_forgotten_too(diary: Diary) -> None:
    for host in ("a.example", "www.a.example", "b.example"):
        diary.execute("INSERT INTO manners VALUES (?, '2026-01-01T00:00:00+00:00', 5, NULL)", (host,))
    diary.forget_site("a.example")
    assert diary.execute("SELECT host FROM manners").fetchall() == [("b.example",)]
    diary.forget_since(1e9)
    assert diary.execute("SELECT host FROM manners").fetchall() == []


def test_a_kill_half_way_leaves_it_whole(tmp_path: Path) -> None:
    process = subprocess.Popen([sys.executable, "-c", WRITER, str(tmp_path)], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stdout.readline() == "going\n"
    process.send_signal(signal.SIGKILL)
    process.wait()
    process.stdout.close()
    with closing(Diary(tmp_path, Clock())) as diary:
        assert len(diary.visits()) > 20
        assert diary.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert all(one.matter.words == {"solar": 1} for one in diary.visits())


def test_a_damaged_file_costs_one_line_that_says_what_to_do(tmp_path: Path, clock: Clock) -> None:
    (tmp_path / "agent.db").write_bytes(b"no database" * 500)
    with pytest.raises(StorageError, match=r"delete agent\.db"):
        Diary(tmp_path, clock)


def test_one_of_a_newer_release_is_left_alone(tmp_path: Path, clock: Clock) -> None:
    with closing(sqlite3.connect(tmp_path / "agent.db")) as db:
        db.execute("PRAGMA user_version = 99")
    with pytest.raises(StorageError, match="newer release"):
        Diary(tmp_path, clock)


def test_words_that_were_damaged_are_none(diary: Diary) -> None:
    visit(diary, "http://a.example/")
    for damage in ("[1]", "{", '{"a": 1}', '{"a": ["x", "y"]}', "null"):
        diary.execute("UPDATE visits SET words = ?", (damage,))
        assert diary.visits()[0].matter.words == {}

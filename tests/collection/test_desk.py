"""What people say at a desk is kept whoever else writes, and a desk that is missing or damaged is one clear line."""

import os
import sqlite3
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from focused.collection.desk import DESK, DONE, KINDS, REFUSED, Desk, SavedSearch
from focused.exceptions import StorageError

A, B = "http://a.example/", "http://b.example/"


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path)


def test_reading_where_nobody_said_anything_makes_no_file(desk: Desk) -> None:
    assert (desk.verdicts(), desk.tags(), desk.notes(), desk.names(), desk.searches()) == ([], {}, {}, {}, [])
    assert (desk.commands(), desk.waiting(), desk.verdicts_after(0, "teach"), desk.stamp()) == ([], [], [], None)
    assert not desk.path.exists()


def test_the_last_verdict_counts_and_the_piles_do_not_mix(desk: Desk) -> None:
    desk.judge([(A, "teach", True), (B, "teach", True), (A, "audit", True)])
    desk.judge([(A, "teach", False), (B, "teach", None)])
    assert [(one.url, one.pile, one.relevant) for one in desk.verdicts()] == [(A, "audit", True), (A, "teach", False)]
    assert [one.url for one in desk.verdicts("audit")] == [A]


def test_whoever_reads_on_learns_of_changes_and_of_what_was_taken_back(desk: Desk) -> None:
    desk.judge([(A, "teach", True), (B, "teach", True), (A, "audit", False)])
    seen = desk.verdicts_after(0, "teach")
    assert [said[1:] for said in seen] == [(A, True), (B, True)]
    desk.judge([(A, "teach", None)])
    assert [said[1:] for said in desk.verdicts_after(seen[-1][0], "teach")] == [(A, None)]


def test_numbers_grow_also_over_a_desk_that_was_deleted(desk: Desk) -> None:
    desk.judge([(A, "teach", True)])
    before, command = desk.verdicts()[0].seq, desk.ask("pause")
    assert desk.ask("resume") > command
    desk.path.unlink()
    desk.judge([(A, "teach", True)])
    assert desk.verdicts()[0].seq > before
    assert desk.ask("pause") > command


def test_tags_notes_names_and_searches_are_kept_and_taken_back(desk: Desk) -> None:
    desk.tag(A, "to read")
    desk.tag(A, "to read")
    desk.tag(A, "\x1b[31mred\n")
    desk.note(B, "one\r\ntwo\x07")
    desk.name("theme 1", "Solar cells")
    desk.save_search("mine", "q=solar&host=a")
    assert desk.tags() == {A: ["[31mred", "to read"]}
    assert desk.notes() == {B: "one\ntwo"}
    assert desk.names() == {"theme 1": "Solar cells"}
    assert desk.searches() == [SavedSearch("mine", "q=solar&host=a")]
    desk.untag(A, "to read")
    desk.untag(A, "\x1b[31mred\n")
    desk.note(B, "  ")
    desk.name("theme 1", "")
    desk.forget_search("mine")
    assert (desk.tags(), desk.notes(), desk.names(), desk.searches()) == ({}, {}, {}, [])


def test_a_command_waits_until_the_crawl_has_answered_it(desk: Desk) -> None:
    first, second = desk.ask("raise_url", A), desk.ask("budget", value="pages=5")
    assert [one.id for one in desk.waiting()] == [first, second]
    desk.taken({first: (DONE, ""), second: (REFUSED, "why\nnot")})
    assert desk.waiting() == []
    assert [(one.kind, one.state, one.answer) for one in desk.commands()] == [
        ("budget", "refused", "why not"),
        ("raise_url", "done", ""),
    ]
    assert len(desk.commands(most=1)) == 1


@pytest.mark.parametrize("wrong", ["", "shell", "raise"])
def test_nothing_can_be_asked_but_what_is_known(desk: Desk, wrong: str) -> None:
    with pytest.raises(StorageError, match=f"there is no command '{wrong}': {KINDS[0]}"):
        desk.ask(wrong)
    with pytest.raises(StorageError, match="it is audit or teach"):
        desk.judge([(A, wrong, True)])
    with pytest.raises(StorageError, match="a tag needs a name"):
        desk.tag(A, " \n")
    assert not desk.path.exists() or not desk.commands()


@settings(max_examples=2 * settings.default.max_examples, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(text=st.text(st.characters(), max_size=50))
def test_no_text_is_too_odd_to_be_kept(desk: Desk, text: str) -> None:
    desk.note(f"http://a.example/{text}", f"x{text}")
    desk.judge([(text, "teach", True)])
    number = desk.ask("raise_url", text, text)
    desk.taken({number: (DONE, text)})
    assert desk.commands(1)[0].id == number


def test_the_stamp_changes_with_each_write_however_quick(desk: Desk) -> None:
    stamps = []
    for i in range(20):
        desk.note(A, str(i % 2) + "x")
        stamps.append(desk.stamp())
    assert len(set(stamps)) == 20


def test_the_stamp_of_a_desk_at_rest_stays(desk: Desk) -> None:
    desk.note(A, "x")
    os.utime(desk.path, (1e9, 1e9))
    assert desk.stamp() == desk.stamp()


def test_ten_thousand_verdicts_are_read_and_written_at_once(desk: Desk) -> None:
    desk.judge([(f"http://a.example/{i}", "teach", i % 3 == 0) for i in range(10_000)])
    found = desk.verdicts("teach")
    assert len(found) == 10_000
    assert [one.url for one in found[:2]] == ["http://a.example/0", "http://a.example/1"]
    assert desk.verdicts_after(found[-2].seq, "teach") == [(found[-1].seq, "http://a.example/9999", True)]


def test_two_who_write_at_the_same_time_lose_nothing(tmp_path: Path) -> None:
    def write(who: int) -> None:
        for i in range(25):
            Desk(tmp_path).judge([(f"http://{who}.example/{i}", "teach", True)])

    with ThreadPoolExecutor(4) as threads:
        list(threads.map(write, range(4)))
    assert len(Desk(tmp_path).verdicts()) == 100


def test_a_desk_that_is_locked_says_so(desk: Desk) -> None:
    desk.note(A, "x")
    other = sqlite3.connect(desk.path, isolation_level=None)
    other.execute("BEGIN EXCLUSIVE")
    hurried = Desk(desk.path.parent, lock_seconds=0.05)
    with pytest.raises(StorageError, match="another process is using it"):
        hurried.notes()
    with pytest.raises(StorageError, match="another process is using it"):
        hurried.note(A, "y")
    other.close()
    assert hurried.notes() == {A: "x"}


@pytest.mark.parametrize("content", [b"no database" * 200, b"SQLite format 3\x00" + b"\xff" * 4096])
def test_a_damaged_desk_is_told_in_one_line(desk: Desk, content: bytes) -> None:
    desk.path.write_bytes(content)
    for use in (desk.verdicts, desk.waiting, lambda: desk.note(A, "x")):
        with pytest.raises(StorageError, match=f"{DESK}.*: it is damaged|{DESK}.* cannot be used") as error:
            use()
        assert "\n" not in str(error.value)


def test_an_empty_file_is_a_desk_where_nobody_said_anything(desk: Desk) -> None:
    desk.path.touch()
    assert desk.verdicts() == []
    desk.note(A, "x")
    assert desk.notes() == {A: "x"}


def test_a_desk_of_a_newer_release_is_left_alone(desk: Desk) -> None:
    desk.note(A, "x")
    with sqlite3.connect(desk.path) as db:
        db.execute("PRAGMA user_version = 99")
    with pytest.raises(StorageError, match="newer release"):
        desk.notes()
    with pytest.raises(StorageError, match="newer release"):
        desk.note(A, "y")


@pytest.fixture
def read_only() -> Iterator[Desk]:
    """A desk with a note, where whoever runs this may not write."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        desk = Desk(folder)
        desk.note(A, "x")
        desk.path.chmod(0o444)
        folder.chmod(0o555)
        is_root = os.geteuid() == 0
        if is_root:
            os.seteuid(65534)
        yield desk
        if is_root:
            os.seteuid(0)
        folder.chmod(0o755)


def test_a_folder_where_nobody_may_write_can_be_read_and_refuses_the_rest(
    read_only: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "access", lambda *_: False)  # it asks for the real user, who is root in some places
    assert read_only.notes() == {A: "x"}
    with pytest.raises(StorageError, match=r"cannot be (written|opened); check") as error:
        read_only.note(A, "y")
    assert "\n" not in str(error.value)
    with pytest.raises(StorageError, match="cannot make the folder"):
        Desk(read_only.path.parent / "other").note(A, "y")

"""`scrapy report --new`: each piece of news is told once, and none is lost, whatever becomes of the command that tells it."""

import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path
from shutil import copytree
from xml.etree import ElementTree

import pytest

from focused.collection.collection import mark_of, opened
from focused.desk.news.letter import NAMESPACE, LastLook, ReadMarks, atom_feed, difference, letter, news_of
from focused.desk.news.reporting_news import READER
from focused.inspection.commands.report import Command
from focused.live.session import Session
from focused.page.urls import host_of
from tests.commands.running import refusal, run_command
from tests.news.later_crawl import TOPIC, first_crawl, later_crawl
from tests.small_web import url_of

ATOM = f"{{{NAMESPACE}}}"


@pytest.fixture(scope="module")
def first(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("first")
    first_crawl(folder / "test")
    return folder


@pytest.fixture
def data(first: Path, tmp_path: Path) -> Path:
    return copytree(first, tmp_path / "data")


def watch(data: Path, *argv: str) -> int:
    return run_command(Command(), "test", "--new", *argv, data_dir=data)


def told(data: Path) -> set[tuple[str, str]]:
    return {(kind, one.url) for kind, some in news_of(data / "test", READER).pages.items() for one in some}


def relevant(data: Path, condition: str) -> set[str]:
    return versions(data, f"relevant = 1 AND {condition}")


def versions(data: Path, condition: str) -> set[str]:
    with closing(sqlite3.connect(data / "test" / "crawl.db")) as db:
        return {url for (url,) in db.execute(f"SELECT final_url FROM versions WHERE {condition}")}


def script(tmp_path: Path, text: str) -> str:
    """A command that runs a program of Python."""
    path = tmp_path / "tell.py"
    path.write_text(text)
    return f"{sys.executable} {path}"


class TestWhatIsNew:
    def test_the_first_look_tells_all_relevant_pages(self, data: Path) -> None:
        assert told(data) == {("new", url) for url in relevant(data, "outcome = 'page'")}

    def test_a_look_after_a_second_crawl_tells_what_has_come_of_pages(self, data: Path) -> None:
        assert watch(data) == 0
        before = relevant(data, "1")
        later_crawl(data / "test")
        found = told(data)
        assert {url for kind, url in found if kind == "new"} == relevant(data, "outcome = 'page'") - before
        assert {url for kind, url in found if kind == "changed"} == {
            url for url in relevant(data, "1") if url in versions(data, "outcome = 'changed'")
        }
        assert ("gone", url_of(33)) in found
        assert ("new", url_of(100)) in found

    def test_a_change_is_told_in_a_line(self, data: Path, capsys: pytest.CaptureFixture[str]) -> None:
        watch(data)
        capsys.readouterr()
        later_crawl(data / "test")
        assert watch(data) == 0
        text = capsys.readouterr().out
        assert "now says “solar energy again" in text
        assert "test: " in text.splitlines()[0]

    def test_a_site_is_new_once(self, data: Path) -> None:
        watch(data)
        before = {host_of(url) for url in relevant(data, "1")}
        later_crawl(data / "test")
        after = {host_of(url) for url in relevant(data, "1")}
        assert set(news_of(data / "test", READER).sites) == after - before != set()
        assert set(news_of(data / "test", "another reader").sites) == after

    def test_since_looks_back_and_notes_nothing(self, data: Path, capsys: pytest.CaptureFixture[str]) -> None:
        later_crawl(data / "test")
        assert watch(data, "--since", "7d") == 0
        assert url_of(100) in capsys.readouterr().out
        assert ReadMarks(data / "test").last(READER, "").time == ""

    def test_a_crawl_that_was_started_anew_is_all_new(self, data: Path) -> None:
        watch(data)
        assert told(data) == set()
        session = Session(TOPIC, data / "test", fresh=True)
        session.close()
        first_crawl(data / "test")
        assert told(data) == {("new", url) for url in relevant(data, "1")}

    @pytest.mark.parametrize(
        ("before", "after", "line"),
        [
            (
                "One two three. Four.",
                "One two three. Five six seven.",
                "now says “Five six seven.”; no longer says “Four.”",
            ),
            ("A b c.", "A b c.", "says the same in another order, or has other links"),
            ("", "7. A new line here.", "now says “A new line here.”"),
        ],
    )
    def test_differences(self, before: str, after: str, line: str) -> None:
        assert difference(before, after) == line

    def test_a_page_without_end_takes_no_time(self) -> None:
        assert difference("a. " * 10**6, "b " * 10**6).startswith("now says “b b b")


class TestTelling:
    def test_nothing_new_says_and_runs_nothing(
        self, data: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path
    ) -> None:
        watch(data)
        capsys.readouterr()
        out = tmp_path / "ran"
        assert watch(data, "--command", script(tmp_path, f"open({str(out)!r}, 'w')")) == 0
        assert capsys.readouterr() == ("", "")
        assert not out.exists()

    def test_the_command_gets_the_news(self, data: Path, tmp_path: Path) -> None:
        out = tmp_path / "letter"
        command = script(tmp_path, f"import sys; open({str(out)!r}, 'a').write(sys.stdin.read())")
        expected = letter(news_of(data / "test", READER))
        assert watch(data, "--command", command) == 0
        assert watch(data, "--command", command) == 0
        assert out.read_text() == expected

    @pytest.mark.parametrize(
        ("command", "words"),
        [
            ("/nowhere/mail me", "cannot be run: No such file or directory; the news are kept"),
            ("false", "false: ended with 1; the news are kept"),
            ("sh -c 'echo no route to host >&2; exit 75'", "sh: ended with 75: no route to host; the news are kept"),
            ("mail 'me", "No closing quotation"),
            ("", "nothing is named"),
        ],
    )
    def test_a_command_that_fails_is_one_line_and_loses_nothing(
        self, data: Path, capsys: pytest.CaptureFixture[str], command: str, words: str
    ) -> None:
        before = told(data)
        assert words in refusal(watch(data, "--command", command), capsys)
        assert told(data) == before != set()

    def test_no_shell_reads_the_command(self, data: Path, tmp_path: Path) -> None:
        assert watch(data, "--command", f"echo $(touch {tmp_path}/hit) > {tmp_path}/hit; `touch {tmp_path}/hit`") == 0
        assert not (tmp_path / "hit").exists()

    def test_another_that_tells_just_now_is_waited_for_by_nobody(
        self, data: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        with closing(sqlite3.connect(data / "test" / "watch.lock", isolation_level=None)) as lock:
            lock.execute("BEGIN EXCLUSIVE")
            assert "another scrapy report is telling" in refusal(watch(data, "--command", "cat"), capsys)
        assert told(data) != set()

    def test_who_is_killed_half_way_neither_loses_news_nor_tells_them_twice(self, data: Path, tmp_path: Path) -> None:
        out, begun = tmp_path / "letters", tmp_path / "begun"
        text = f"import sys, time\nopen({str(begun)!r}, 'w')\ntime.sleep(1)\nopen({str(out)!r}, 'a').write(sys.stdin.read())\n"
        command, expected = script(tmp_path, text), letter(news_of(data / "test", READER))
        program = (
            "from pathlib import Path; from tests.commands.running import run_command; "
            "from focused.inspection.commands.report import Command;"
            f"run_command(Command(), 'test', '--new', '--command', {command!r}, data_dir=Path({str(data)!r}))"
        )
        process = subprocess.Popen([sys.executable, "-c", program], cwd=Path(__file__).parent.parent.parent)
        while not begun.exists():
            assert process.poll() is None
            time.sleep(0.02)
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
        while told(data):  # the process that tells goes on
            time.sleep(0.05)
        assert watch(data, "--command", command) == 0
        assert out.read_text() == expected

    def test_an_order_that_is_not_whole_tells_nothing(self, data: Path, tmp_path: Path) -> None:
        order = json.dumps({"command": ["touch", str(tmp_path / "hit")]})[:-5]
        done = subprocess.run(
            [sys.executable, "-m", "focused.desk.news.telling", str(data / "test")], input=order.encode()
        )
        assert done.returncode == 0
        assert not (tmp_path / "hit").exists()

    def test_what_was_noted_meanwhile_is_not_noted_again(self, data: Path) -> None:
        with opened(data / "test") as store:
            look = ReadMarks(data / "test").last(READER, mark_of(store))
        assert ReadMarks(data / "test").note(READER, look, 5)
        assert not ReadMarks(data / "test").note(READER, look, 7)
        assert ReadMarks(data / "test").last(READER, look.mark) == LastLook(
            look.mark, 5, 1, ReadMarks(data / "test").last(READER, look.mark).time
        )

    @pytest.mark.parametrize(
        ("argv", "words"),
        [
            (["--since", "yesterday"], "write a date such as"),
            (["--since", "9999d", "--command", "cat"], "only looks"),
            (["--feed", "."], "there is a folder of this name"),
        ],
    )
    def test_mistakes_are_one_line(
        self, data: Path, capsys: pytest.CaptureFixture[str], argv: list[str], words: str
    ) -> None:
        assert words in refusal(watch(data, *argv), capsys)


class TestFeed:
    def test_entries_keep_their_ids(self, data: Path) -> None:
        def ids() -> list[str]:
            root = ElementTree.fromstring(atom_feed(data / "test"))
            return [str(one.text) for one in root.iterfind(f"{ATOM}entry/{ATOM}id")]

        before = ids()
        assert len(before) == len(relevant(data, "1"))
        later_crawl(data / "test")
        assert set(before) < set(ids())
        assert len(ids()) == len(set(ids()))

    def test_a_page_is_new_in_one_run_and_changed_in_the_next(self, data: Path) -> None:
        later_crawl(data / "test")
        titles = [str(one.text) for one in ElementTree.fromstring(atom_feed(data / "test")).iter(f"{ATOM}title")]
        assert "Changed: 0" in titles
        assert "0" in titles
        assert "Gone: 33" in titles

    def test_what_a_page_says_is_text(self, data: Path) -> None:
        title = "<script>x</script> & \u202e \x00 \ufffe \ud800".encode("utf-8", "replace").decode()
        with closing(sqlite3.connect(data / "test" / "crawl.db")) as db, db:
            db.execute("UPDATE fetches SET title = ? WHERE relevant = 1", (title,))
            db.execute("UPDATE urls SET url = 'javascript:alert(1)' WHERE url = ?", (url_of(0),))
        root = ElementTree.fromstring(atom_feed(data / "test", "http://127.0.0.1/feed"))
        found = [str(one.text) for one in root.iterfind(f"{ATOM}entry/{ATOM}title")]
        assert all(one.startswith("<script>x</script> &") and "\u202e" not in one for one in found)
        assert all(str(one.get("href")).startswith("http://") for one in root.iter(f"{ATOM}link"))

    def test_the_file_is_written_where_there_is_none_or_something_new(self, data: Path, tmp_path: Path) -> None:
        path = tmp_path / "feeds" / "solar.atom"
        for _ in range(2):
            assert watch(data, "--feed", str(path)) == 0
        assert path.read_bytes() == atom_feed(data / "test")
        path.unlink()
        assert watch(data, "--feed", str(path)) == 0
        assert path.exists()

"""`scrapy dashboard` and the setting DASHBOARD: a person's mistakes cost one line, and no process is left behind."""

from __future__ import annotations

import re
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
from scrapy.exceptions import UsageError

from focused.collection.collection import hold
from focused.desk.commands.dashboard import Command
from focused.desk.dashboard.launcher import Launcher
from focused.exceptions import FocusedError
from tests.commands.running import refusal, run_command

ROOT = Path(__file__).parent.parent.parent
PATIENCE = 60.0  #: seconds for a process to start on a busy machine


@contextmanager
def running(*arguments: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """A dashboard in a process of its own, and the line that it prints."""
    command = [sys.executable, "-m", "scrapy", "dashboard", *arguments]
    process = subprocess.Popen(
        command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    try:
        assert process.stdout is not None
        yield process, process.stdout.readline()
    finally:
        process.kill()
        process.wait()
        for stream in (process.stdin, process.stdout, process.stderr):
            assert stream is not None
            stream.close()


def address(line: str) -> str:
    found = re.search(r"http://\S+", line)
    assert found is not None, line
    return found[0]


def test_it_prints_where_it_is_and_serves_there_until_it_is_told_to_end(data: Path) -> None:
    with running("-s", f"FOCUSED_DATA_DIR={data}", "--until-eof") as (process, line):
        assert line.startswith("1 collection: ")
        with urllib.request.urlopen(address(line), timeout=PATIENCE) as answer:
            assert b"test" in answer.read()
        assert process.stdin is not None
        process.stdin.close()
        assert process.wait(PATIENCE) is not None


def test_two_at_once_take_two_ports(data: Path) -> None:
    given = ("-s", f"FOCUSED_DATA_DIR={data}")
    with running(*given) as (_, first), running(*given) as (_, second):
        assert address(first) != address(second)


def test_a_port_that_is_taken_is_told_in_one_line(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        code = run_command(Command(), "--port", str(port), data_dir=data)
    assert "in use" in refusal(code, capsys)


def test_a_name_that_no_host_can_have_is_told_in_one_line(
    data: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DASHBOARD_PASSWORD", "x")
    code = run_command(Command(), "--host", "bücher..example", data_dir=data)
    assert "of bücher..example: encoding of hostname failed" in refusal(code, capsys)


def test_a_collection_that_is_not_there_is_told_in_one_line(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "no such collection" in refusal(run_command(Command(), "nowhere", data_dir=data), capsys)


@pytest.mark.parametrize("name", ["~nosuchuser", "x" * 300, "a\\0b"])
def test_a_name_that_no_folder_can_have_is_told_in_one_line(
    data: Path, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert "no such collection" in refusal(run_command(Command(), name, data_dir=data), capsys)


@pytest.mark.parametrize("port", ["0", "-1", "70000"])
def test_a_port_that_is_none_is_refused(data: Path, port: str) -> None:
    with pytest.raises(UsageError, match="from 1 to 65535"):
        run_command(Command(), f"--port={port}", data_dir=data)


def test_nobody_else_is_let_in_without_a_password(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("DASHBOARD_PASSWORD", raising=False)
    with pytest.raises(UsageError, match="DASHBOARD_PASSWORD"):
        run_command(Command(), "--host", "0.0.0.0", data_dir=data)


def folder_of_demo(data: Path) -> Path:
    """An empty folder of a collection called demo."""
    folder = data / "demo"
    folder.mkdir()
    return folder


class TestLauncher:
    @pytest.mark.parametrize("name", ["../../etc", "-s", "nowhere", "", "a b", "/etc/passwd", "x.toml"])
    def test_only_topics_by_name_are_started(self, tmp_path: Path, name: str) -> None:
        with pytest.raises(FocusedError):
            Launcher(tmp_path).start(name)
        assert list(tmp_path.iterdir()) == []

    def test_a_crawl_that_runs_already_is_left_alone(self, tmp_path: Path) -> None:
        with closing(hold(folder_of_demo(tmp_path))), pytest.raises(FocusedError, match="running already"):
            Launcher(tmp_path).start("demo")

    def test_a_crawl_that_fails_says_why(self, tmp_path: Path) -> None:
        launcher = Launcher(tmp_path, settings=["FOCUSED_COMMIT_SECONDS=never"])
        launcher.start("demo")
        deadline = time.monotonic() + PATIENCE
        while not launcher.failures() and time.monotonic() < deadline:
            time.sleep(0.2)
        assert "FOCUSED_COMMIT_SECONDS" in launcher.failures()["demo"]

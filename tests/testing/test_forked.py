"""Forked commands are processes of their own: exit codes, output, signals, folders and environments are theirs."""

import os
import signal
import subprocess
from pathlib import Path

import pytest

from focused.testing import ForkedProcess, start_scrapy

PROJECT = {"scrapy.cfg": "[settings]\ndefault = own\n", "own.py": "SPIDER_MODULES = ['spiders']\nLOG_ENABLED = False\n"}
SPIDER = """
import os, sys, time
from scrapy import Spider

IMPORTED = set(sys.modules)

class One(Spider):
    name = "one"

    async def start(self):
        print(os.environ["WORD"], "focused.scheduler" in IMPORTED, flush=True)
        print("x" * int(os.environ["LENGTH"]), file=sys.stderr, flush=True)
        time.sleep(float(os.environ["SECONDS"]))
        return
        yield
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A Scrapy project that is not ours."""
    for name, text in PROJECT.items():
        (tmp_path / name).write_text(text)
    (tmp_path / "spiders.py").write_text(SPIDER)
    return tmp_path


def start(project: Path, *, seconds: float = 0.0, length: int = 3, word: str = "", **options: object) -> ForkedProcess:
    values = {"SECONDS": str(seconds), "LENGTH": str(length), "WORD": word}
    return start_scrapy("crawl", "one", cwd=project, env=os.environ | values, **options)


def test_it_runs_in_its_folder_and_environment_and_has_imported_what_a_crawl_needs(project: Path) -> None:
    with start(project, word="solar") as process:
        assert process.communicate(60) == ("solar True\n", "xxx\n")
    assert process.returncode == 0


def test_more_than_a_pipe_holds_is_read_as_well(project: Path) -> None:
    with start(project, length=1_000_000) as process:
        assert len(process.communicate(60)[1]) == 1_000_001


def test_its_exit_code_is_that_of_the_command() -> None:
    with start_scrapy("no-such-command") as process:
        output, _ = process.communicate(60)
    assert "no-such-command" in output
    assert process.returncode == 2


def test_a_signal_reaches_the_command_and_nothing_else(project: Path) -> None:
    with start(project, seconds=60) as process, start(project, seconds=1) as other:
        assert process.stdout is not None
        process.stdout.readline()
        with pytest.raises(subprocess.TimeoutExpired):
            process.wait(0.01)
        assert process.poll() is None
        process.kill()
        process.communicate(60)
        other.communicate(60)
    assert (process.returncode, other.returncode) == (-signal.SIGKILL, 0)


def test_output_goes_where_it_is_told_to(project: Path) -> None:
    with start(project, stderr=subprocess.STDOUT) as both:
        assert sorted(both.communicate(60)[0].split()) == ["True", "xxx"]
    with (project / "log").open("w") as log, start(project, stdout=subprocess.DEVNULL, stderr=log.fileno()) as process:
        assert process.communicate(60) == ("", "")
    assert (project / "log").read_text() == "xxx\n"


def test_after_an_impatient_question_the_answer_is_whole(project: Path) -> None:
    with start(project, seconds=1) as process:
        with pytest.raises(subprocess.TimeoutExpired):
            process.communicate(0.05)
        assert process.communicate(60)[1] == "xxx\n"

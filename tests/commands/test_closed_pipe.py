"""`| head` after any command: where nobody reads on, it ends in silence."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from scrapy.commands.list import Command as List

from focused.explain.command import one_line_for_mistakes
from tests.crawls.crawling import end, scrapy
from tests.crawls.mock_web import MockWeb, page, serving

SEED = "http://a.example/"


def unread() -> int:
    """The end of a pipe to write to, whose other end is closed already."""
    reader, writer = os.pipe()
    os.close(reader)
    return writer


def log_of(*command: str, port: int = 0, folder: Path | None = None, unbuffered: str = "") -> str:
    """What a command says on stderr when nobody reads what it prints."""
    writer = unread()
    try:
        env = {"PYTHONUNBUFFERED": unbuffered}
        return end(scrapy(*command, port=port, folder=folder, stdout=writer, env=env)).log
    finally:
        os.close(writer)


@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize(
    "command",
    [("--help",), ("topics", "--help"), ("list",), ("settings", "--get", "BOT_NAME"), ("topics",), ("nonsense",)],
    ids=" ".join,
)
def test_a_command_ends_in_silence(command: tuple[str, ...], unbuffered: str) -> None:
    """Unbuffered, it fails where it prints; otherwise at its end, when Python writes what is left."""
    assert log_of(*command, unbuffered=unbuffered) == ""


@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_a_full_disk_is_told_in_one_line(unbuffered: str) -> None:
    with Path("/dev/full").open("w") as full:
        ended = end(scrapy("topics", port=0, folder=None, stdout=full.fileno(), env={"PYTHONUNBUFFERED": unbuffered}))
    told = "scrapy topics: standard output: cannot be written: No space left on device\n"
    assert (ended.code, ended.log) == (1, told)


@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize("kind", ["jsonl", "csv"])
def test_a_crawl_goes_on_where_nobody_reads_its_feed(tmp_path: Path, kind: str, unbuffered: str) -> None:
    with serving(MockWeb({SEED: page("solar energy", f"{SEED}1"), f"{SEED}1": page("solar energy 1")})) as web:
        topic = ("-a", "keywords=solar energy", "-a", f"seeds={SEED}", "-s", "DOWNLOAD_DELAY=0")
        crawl = ("crawl", "topical", *topic, "-o", f"-:{kind}")
        log = log_of(*crawl, port=web.port, folder=tmp_path, unbuffered=unbuffered)
    assert f"Stored {kind} feed (2 items)" in log
    assert "BrokenPipe" not in log


def test_another_pipe_that_breaks_is_no_reason_to_be_silent() -> None:
    with pytest.raises(BrokenPipeError), one_line_for_mistakes(List(), "scrapy list"):
        raise BrokenPipeError("a pipe to a command, say")


def test_an_uncaught_one_is_told_as_well() -> None:
    program = "import focused.commands; raise BrokenPipeError('a pipe to a command, say')"
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60)
    assert "a pipe to a command, say" in ended.stderr

"""`python -m lab ... | head` ends in silence, as `scrapy` does."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from tests.commands.test_closed_pipe import unread
from tests.crawls.crawling import ROOT


@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize("command", [(), ("--help",), ("datasets", "--help"), ("topics",)], ids=" ".join)
def test_a_command_ends_in_silence(command: tuple[str, ...], unbuffered: str) -> None:
    writer = unread()
    env = os.environ | {"PYTHONUNBUFFERED": unbuffered}
    program = [sys.executable, "-m", "lab", *command]
    ended = subprocess.run(program, cwd=ROOT, env=env, stdout=writer, stderr=subprocess.PIPE, text=True, timeout=100)
    os.close(writer)
    assert ended.stderr == ""

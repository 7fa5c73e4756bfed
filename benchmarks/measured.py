"""Runs a command as a process of its own and measures what it cost: CPU time, wall time, peak memory."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from focused.webs.server import ADDRESS

#: Told to both sides of every comparison.
SETTINGS = {"DOWNLOAD_DELAY": 0, "LOG_LEVEL": "INFO", "COOKIES_ENABLED": 0, "ROBOTSTXT_OBEY": 1}


class RunError(Exception):
    """The command failed; the message holds the end of what it said."""


@dataclass(frozen=True, slots=True)
class Cost:
    """What one run cost."""

    cpu: float  #: seconds, user and system, of the process and those it waited for
    wall: float  #: seconds
    peak: float  #: MB, largest resident set


def measured(command: Sequence[str], port: int, log: Path) -> Cost:
    """Run ``scrapy COMMAND`` with the proxy on ``port`` for all hosts; its output goes to the file ``log``."""
    environment = {name: value for name, value in os.environ.items() if not name.lower().endswith("_proxy")}
    environment |= dict.fromkeys(("http_proxy", "https_proxy"), f"http://{ADDRESS}:{port}")
    start = time.monotonic()
    with log.open("wb") as output:
        process = subprocess.Popen(
            [sys.executable, "-m", "scrapy", *command], env=environment, stdout=output, stderr=subprocess.STDOUT
        )
        _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise RunError(f"scrapy {' '.join(command)}: exit code {process.returncode}\n{log.read_text()[-2000:]}")
    return Cost(usage.ru_utime + usage.ru_stime, time.monotonic() - start, usage.ru_maxrss / 1024)


def options(settings: dict[str, object]) -> list[str]:
    """Settings as ``-s`` options of the command line."""
    return [part for name, value in settings.items() for part in ("-s", f"{name}={value}")]

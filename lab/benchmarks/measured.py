"""What a run costs: CPU time, wall time and peak memory of a command in a process of its own; memory of this process."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from focused.exceptions import FocusedError
from focused.simulation.proxy import ADDRESS


class RunError(FocusedError):
    """The command failed; the message holds the end of what it said."""


@dataclass(frozen=True, slots=True)
class Cost:
    """What one run cost."""

    cpu: float  #: seconds, user and system, of the process and those it waited for
    wall: float  #: seconds
    peak: float  #: MB, largest resident set; Linux counts that of our own process when it forked as well


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


def resident(field: str = "VmRSS") -> float:
    """Resident memory of this process, in MB (Linux); the most there has been if ``field`` is VmHWM."""
    line = next(line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith(field))
    return int(line.split()[1]) / 1024

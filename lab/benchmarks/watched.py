"""What a crawl loses while somebody watches it: the same crawl with and without a dashboard that a browser looks at.

Both crawl a generated web over a proxy on this machine, in turns. The one that is watched has an overview open: its stream of
figures is read to the end, and the page is loaded anew every few seconds. CPU time is that of the crawling process alone.

Example:
    python -m lab.benchmarks.watched --pages 1000 --repeat 5
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
import threading
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median

from focused.exceptions import FocusedError
from focused.simulation.proxy.server import serving
from lab.benchmarks.crawl_cost import Task, focused
from lab.benchmarks.generated_web import GeneratedWeb
from lab.benchmarks.measured import RunError

RELOAD_SECONDS = 3.0  #: between two loads of the overview
TIMEOUT = 30.0  #: seconds
#: The dashboard is asked itself, whatever proxy this machine is told to use.
OPENER = urllib.request.build_opener(urllib.request.ProxyHandler({}))


@dataclass(frozen=True, slots=True)
class Run:
    """One crawl."""

    watched: bool
    pages: int
    cpu: float  #: seconds of the crawling process
    wall: float  #: seconds
    messages: int  #: that the stream brought
    loads: int  #: of the overview


class Watcher(threading.Thread):
    """Somebody who has the overview of the collection ``cost`` open."""

    def __init__(self, address: str) -> None:
        super().__init__(daemon=True)
        self.address, self.messages, self.loads = address, 0, 0
        self._over = threading.Event()

    def run(self) -> None:
        stream = threading.Thread(target=self._follow, daemon=True)
        stream.start()
        while not self._over.wait(RELOAD_SECONDS):
            with suppress(OSError), OPENER.open(f"{self.address}c/cost/", timeout=TIMEOUT) as page:
                page.read()
                self.loads += 1

    def _follow(self) -> None:
        while not self._over.wait(0.2):  # until the collection is there
            with suppress(OSError), OPENER.open(f"{self.address}c/cost/live", timeout=TIMEOUT) as stream:
                for line in stream:
                    self.messages += line.startswith(b"event: figures")
                return

    def stop(self) -> None:
        self._over.set()


@contextmanager
def dashboard(data: Path) -> Iterator[str]:
    """A dashboard of a data folder in a process of its own; its address."""
    command = [sys.executable, "-m", "scrapy", "dashboard", "-s", f"FOCUSED_DATA_DIR={data}"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=dict(os.environ))
    assert process.stdout is not None
    try:
        found = re.search(r"http://\S+", process.stdout.readline())
        if found is None:
            raise RunError("scrapy dashboard has not started")
        yield found[0]
    finally:
        process.terminate()
        process.wait()
        process.stdout.close()


def run(pages: int, *, watched: bool) -> Run:
    """Crawl so many pages."""
    web = GeneratedWeb()
    task = Task(web.seeds, sorted(web.hosts), pages, fold_index=False)
    with serving(web) as server, tempfile.TemporaryDirectory() as folder:
        if not watched:
            fetched, cost = focused(task, server.port, Path(folder))
            return Run(False, fetched, cost.cpu, cost.wall, 0, 0)
        with dashboard(Path(folder)) as address:
            watcher = Watcher(address)
            watcher.start()
            fetched, cost = focused(task, server.port, Path(folder))
            watcher.stop()
            return Run(True, fetched, cost.cpu, cost.wall, watcher.messages, watcher.loads)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pages", type=int, default=1000)
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--json", type=Path, help="write all figures to this file")
    arguments = parser.parse_args()
    runs = []
    for turn in range(arguments.repeat):
        for watched in (False, True) if turn % 2 else (True, False):  # neither is always first
            one = run(arguments.pages, watched=watched)
            runs.append(one)
            print(
                f"{turn + 1}/{arguments.repeat} {'watched' if watched else 'alone':8} {one.pages:,} pages {one.cpu:6.2f} s CPU "
                f"{one.wall:6.2f} s, {one.messages} messages, {one.loads} loads",
                flush=True,
            )
    print("\n| of one crawl | alone | watched | ratio |\n|---|---|---|---|")
    for name in ("cpu", "wall"):
        alone, watched_by = (
            median(getattr(one, name) for one in runs if one.watched is flag) for flag in (False, True)
        )
        print(f"| {name}, s | {alone:.2f} | {watched_by:.2f} | {watched_by / alone:.3f} |")
    if arguments.json:
        arguments.json.write_text(json.dumps([asdict(one) for one in runs], indent=1))


if __name__ == "__main__":
    try:
        main()
    except FocusedError as error:
        sys.exit(str(error))

"""Measures what rendering costs and brings: the demo web with some of its hosts turned into JavaScript applications.

Each mode crawls the same web breadth first, in a process of its own. CPU and memory are those of the crawl with all its
children (driver, browser), looked up in /proc a few times a second: Linux only.

Example:
    PYTHONPATH=. python lab/benchmarks/rendering.py --pages 150
"""

from __future__ import annotations

import argparse
import os
import re
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Set
from dataclasses import dataclass, field
from pathlib import Path

from focused.simulation.demo.demo_web import DemoWeb
from focused.simulation.proxy.server import serving
from focused.simulation.recorded_web import Answer, html_answer

ROOT = Path(__file__).parents[1]
EVERY = 3  #: each third host is an application
LOOK = 0.2  #: seconds between two looks at the processes
PAGE_SIZE, TICKS = os.sysconf("SC_PAGE_SIZE"), os.sysconf("SC_CLK_TCK")

SHELL = (
    b"<!doctype html><html><head><title>App</title></head><body><div id=root></div>"
    b"<noscript>You need to enable JavaScript to run this app.</noscript><script src=/app.js></script></body></html>"
)
SCRIPT = b"""fetch('/data' + location.pathname + location.search).then(answer => answer.text()).then(markup => {
    document.documentElement.innerHTML = markup;
});"""


class MixedWeb:
    """The demo web; on some hosts every page is a shell, and a script fetches what is to be seen."""

    def __init__(self) -> None:
        self.demo = DemoWeb()
        self.scripted = set(sorted(self.demo.hosts)[::EVERY])

    @property
    def hosts(self) -> Set[str]:
        return self.demo.hosts

    def urls(self) -> Iterator[str]:
        return self.demo.urls()

    def answer(self, url: str) -> Answer | None:
        scheme, _, host, *path = url.split("/", 3)
        if host not in self.scripted:
            return self.demo.answer(url)
        if path == ["app.js"]:
            return Answer(200, (("Content-Type", "text/javascript"),), SCRIPT)
        if path and path[0].startswith("data/"):
            page = self.demo.answer(f"{scheme}//{host}/{path[0].removeprefix('data/')}")
            return html_answer(_text(page).encode()) if page else None
        page = self.demo.answer(url)
        is_html = page is not None and page.status == 200 and page.header("Content-Type").startswith("text/html")
        return html_answer(SHELL) if is_html else page


def _text(page: Answer) -> str:
    charset = re.search(r"charset=([\w-]+)", page.header("Content-Type"))
    return page.body.decode(charset[1] if charset else "utf-8", "replace")


@dataclass
class Cost:
    """What a process and all below it take."""

    wall: float = 0.0  #: seconds
    memory: float = 0.0  #: megabytes, the most at a time; what processes share is counted once for none
    _cpu: dict[int, float] = field(default_factory=dict)

    @property
    def cpu(self) -> float:
        """Seconds."""
        return sum(self._cpu.values())

    def look(self, process: int) -> None:
        parents, cpu, memory = {}, {}, {}
        for folder in Path("/proc").glob("[0-9]*"):
            pid = int(folder.name)
            try:
                fields = (folder / "stat").read_text().rpartition(")")[2].split()
                resident, shared = map(int, (folder / "statm").read_text().split()[1:3])
            except OSError:  # it has ended
                continue
            parents[pid] = int(fields[1])
            cpu[pid] = (int(fields[11]) + int(fields[12])) / TICKS
            memory[pid] = (resident - shared) * PAGE_SIZE / 1e6
        own = [pid for pid in parents if _is_below(pid, process, parents)]
        self._cpu |= {pid: cpu[pid] for pid in own}
        self.memory = max(self.memory, sum(memory[pid] for pid in own))


def _is_below(pid: int, ancestor: int, parents: dict[int, int]) -> bool:
    while pid in parents and pid != ancestor:
        pid = parents[pid]
    return pid == ancestor


def crawl(mode: str, pages: int, port: int, folder: Path) -> Cost:
    """Crawl the web in one mode; return what it took."""
    words = {"topic": "demo", "name": mode, "pages": pages, "strategy": "breadth_first", "render": mode}
    arguments = [word for name, value in words.items() for word in ("-a", f"{name}={value}")]
    settings = {"FOCUSED_DATA_DIR": folder, "DOWNLOAD_DELAY": 0, "LOG_LEVEL": "WARNING"}
    arguments += [word for name, value in settings.items() for word in ("-s", f"{name}={value}")]
    proxy = f"http://127.0.0.1:{port}"
    environment = os.environ | {"http_proxy": proxy, "https_proxy": proxy, "PYTHONPATH": str(ROOT)}
    cost, start = Cost(), time.perf_counter()
    with subprocess.Popen(
        [sys.executable, "-m", "scrapy", "crawl", "topical", *arguments], env=environment, cwd=ROOT
    ) as process:
        while process.poll() is None:
            cost.look(process.pid)
            time.sleep(LOOK)
    if process.returncode:
        raise SystemExit(f"the crawl failed with status {process.returncode}")
    cost.wall = time.perf_counter() - start
    return cost


def row(mode: str, cost: Cost, folder: Path) -> str:
    """A line of the table: what one mode took and found."""
    db = sqlite3.connect(folder / mode / "crawl.db")
    pages, rendered, reasons = db.execute(
        "SELECT count(*), coalesce(sum(rendered), 0), count(reason) FROM fetches WHERE outcome = 'page'"
    ).fetchone()
    links, urls = db.execute("SELECT count(*), count(DISTINCT target) FROM links").fetchone()
    db.close()
    return (
        f"| {mode} | {pages:,} | {rendered:,} ({rendered / pages:.0%}) | {reasons} | {links:,} | {urls:,} "
        f"| {cost.wall:.1f} | {cost.cpu:.1f} | {1000 * cost.cpu / pages:.0f} | {cost.memory:.0f} |"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pages", type=int, default=150, help="pages that each crawl fetches")
    parser.add_argument("--modes", nargs="+", default=["never", "auto", "always"], choices=["never", "auto", "always"])
    arguments = parser.parse_args()
    if arguments.pages < 1:
        parser.error("--pages takes a number from 1 on")
    print(
        "| mode | pages | rendered | not, or in vain | links found | distinct | wall s | CPU s | CPU ms a page | MB |"
    )
    print("|---|---|---|---|---|---|---|---|---|---|")
    with serving(MixedWeb()) as server, tempfile.TemporaryDirectory() as name:
        for mode in arguments.modes:
            cost = crawl(mode, arguments.pages, server.port, Path(name))
            print(row(mode, cost, Path(name)), flush=True)


if __name__ == "__main__":
    main()

"""Measures the dashboard over a large collection: its start, memory, first load, and how long each page takes.

The collection is made where there is none yet (200,000 pages: three minutes and 1.7 GB). Each page is asked for many times; the
first time, which reads the collection into memory, stands apart. Times are by the clock, and of the CPU of the dashboard's
process, for other programs may be at work.

Example:
    PYTHONPATH=. python lab/benchmarks/dashboard.py --pages 200000 --folder build/dashboard --out build/dashboard.csv
"""

from __future__ import annotations

import argparse
import csv
import http.client
import os
import random
import re
import signal
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, fields
from pathlib import Path
from urllib.parse import quote

from lab.benchmarks.large_collection import address, make, vocabulary

NAME = "large"
TIMES = 15  #: that each page is asked for; of searches, different queries
PATIENCE = 120.0  #: seconds for the start
TICKS = os.sysconf("SC_CLK_TCK")
STATIC = re.compile(r'"(/static/[^"]+)"')


@dataclass(frozen=True, slots=True)
class Measured:
    """One page of the dashboard; times in milliseconds."""

    page: str
    first: float  #: by the clock, the first time
    first_cpu: float  #: of the dashboard's process, the first time
    median: float  #: by the clock, of the others
    slowest: float
    cpu: float  #: of the dashboard's process, on average of the others
    bytes: int  #: of the page alone


def main(argv: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pages", type=int, default=200_000, metavar="N", help="fetches of the collection")
    parser.add_argument("--folder", type=Path, default=Path("build/dashboard"), help="where it lies, or is made")
    parser.add_argument("--port", type=int, default=8201)
    parser.add_argument("--out", type=Path, help="a CSV file of the figures")
    given = parser.parse_args(argv)
    if not (given.folder / NAME).exists():
        print(f"making {given.pages:,} pages in {given.folder / NAME} ...", flush=True)
        make(given.folder / NAME, given.pages)
    before = time.monotonic()
    with serving(given.folder, given.port) as process:
        print(
            f"start: {time.monotonic() - before:.2f} s to the first answer (CPU {cpu_seconds(process.pid):.2f} s), "
            f"{memory(process.pid):.0f} MB"
        )
        print(f"first load: {first_load(given.port) / 1000:.1f} kB")
        found = []
        for page, paths in pages(given.pages).items():
            found.append(measure(page, paths, given.port, process.pid))
            print(row(found[-1]), flush=True)
        print(f"memory after all: {memory(process.pid):.0f} MB")
    if given.out:
        with given.out.open("w", newline="") as file:
            writer = csv.writer(file)
            writer.writerow([field.name for field in fields(Measured)])
            writer.writerows([getattr(one, field.name) for field in fields(Measured)] for one in found)


def pages(count: int) -> dict[str, list[str]]:
    """Addresses of each kind of page, as many as it is asked for."""
    chance, words, base = random.Random(1), vocabulary(), f"/c/{NAME}"
    common, usual, rare = words[:20], words[50:1000], words[1000:10_000]
    urls = [quote(address(chance.randrange(count)).url, safe="") for _ in range(TIMES)]

    def searches(*kinds: Sequence[str]) -> list[str]:
        return [f"{base}/search?q={'+'.join(chance.choice(kind) for kind in kinds)}" for _ in range(TIMES)]

    return {
        "collections": ["/"] * TIMES,
        "overview": [f"{base}/"] * TIMES,
        "search, no words": [f"{base}/search"] * TIMES,
        "search, a usual word": searches(usual),
        "search, two usual words": searches(usual, usual),
        "search, a rare word": searches(rare),
        "search, a word of most pages": searches(common),
        "search, two words of most pages": searches(common, common),
        "search, page 5 of the same answer": [f"{base}/search?q={usual[0]}&page=5"] * TIMES,
        "search, filtered": [f"{url}&relevant=yes&language=de" for url in searches(usual)],
        "a page": [f"{base}/page?url={url}" for url in urls],
        "hosts": [f"{base}/hosts"] * TIMES,
        "failures": [f"{base}/failures"] * TIMES,
        "failures by a text": [f"{base}/failures?q={words[7]}"] * TIMES,
        "dropped": [f"{base}/dropped"] * TIMES,
        "queue": [f"{base}/queue"] * TIMES,
        "judge": [f"{base}/judge?pile=teach"] * TIMES,
        "map": [f"{base}/map"] * TIMES,
    }


@contextmanager
def serving(data: Path, port: int) -> Iterator[subprocess.Popen[bytes]]:
    """The dashboard as a process of its own, once it answers."""
    command = [sys.executable, "-m", "scrapy", "dashboard", "--port", str(port), "-s", f"FOCUSED_DATA_DIR={data}"]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    try:
        deadline = time.monotonic() + PATIENCE
        while not answers(port):
            if process.poll() is not None or time.monotonic() > deadline:
                raise SystemExit("the dashboard does not answer")
            time.sleep(0.02)
        yield process
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait()


def answers(port: int) -> bool:
    """Whether somebody listens."""
    try:
        return get(port, "/static/none")[0] == 404
    except OSError:
        return False


def get(port: int, path: str) -> tuple[int, bytes]:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
    try:
        connection.request("GET", path)
        response = connection.getresponse()
        return response.status, response.read()
    finally:
        connection.close()


def first_load(port: int) -> int:
    """Bytes of the first page and of all that it loads."""
    body = get(port, "/")[1]
    return len(body) + sum(len(get(port, path)[1]) for path in set(STATIC.findall(body.decode())))


def measure(page: str, paths: Sequence[str], port: int, pid: int) -> Measured:
    """Ask for pages one after the other."""
    times, used, size = [], [cpu_seconds(pid)], 0
    for path in paths:
        before = time.monotonic()
        status, body = get(port, path)
        times.append(1000 * (time.monotonic() - before))
        used.append(cpu_seconds(pid))
        size = max(size, len(body))
        if status not in (200, 404):
            raise SystemExit(f"{path}: status {status}: {body[-500:]!r}")
    first_cpu, cpu = used[1] - used[0], (used[-1] - used[1]) / (len(paths) - 1)
    return Measured(page, times[0], 1000 * first_cpu, statistics.median(times[1:]), max(times[1:]), 1000 * cpu, size)


def cpu_seconds(pid: int) -> float:
    """CPU time of a process so far (Linux)."""
    after_name = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(after_name[11]) + int(after_name[12])) / TICKS


def memory(pid: int) -> float:
    """Resident memory of a process in MB (Linux)."""
    line = next(line for line in Path(f"/proc/{pid}/status").read_text().splitlines() if line.startswith("VmRSS"))
    return int(line.split()[1]) / 1024


def row(one: Measured) -> str:
    return (
        f"{one.page:34} first {one.first:6.0f} ms (CPU {one.first_cpu:5.0f}), then {one.median:6.0f} ms (CPU {one.cpu:5.0f}), "
        f"slowest {one.slowest:6.0f} ms, {one.bytes / 1000:6.1f} kB"
    )


if __name__ == "__main__":
    main()

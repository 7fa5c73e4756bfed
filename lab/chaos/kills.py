"""kill -9 at random moments of a crawl, again and again: what it costs, what it loses, and whether the collection is whole.

A crawl of a small web on this machine is killed and started again until it comes to its end, then the next one begins, in a
collection of its own. What was asked for is what the server saw. After each kill `scrapy check` must find nothing wrong.
"""

from __future__ import annotations

import csv
import os
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence, Set
from contextlib import closing
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import NamedTuple

from focused.commands.check import lines
from focused.exceptions import FocusedError
from focused.reporting.tables import Column
from focused.settings import CONCURRENT_REQUESTS, FOCUSED_COMMIT_REQUESTS
from focused.simulation.proxy.server import ADDRESS, serving
from focused.simulation.recorded_web import Answer, html_answer, not_found
from focused.storage.check.checking import check
from focused.storage.collection import DATABASE

PROMISE = FOCUSED_COMMIT_REQUESTS + CONCURRENT_REQUESTS  #: requests that a kill may cost: see docs/reliability.md
EARLY = 0.2  #: share of kills that come before anything was asked for: while a journal is read again, or a run begins
LONGEST_START = 2.5  #: seconds after which such a kill comes at the latest
MOST_REQUESTS = 2 * PROMISE  #: between the start of a run and its kill
PATIENCE = 120.0  #: seconds in which a run must ask for something, or end
NAME = "killed"
SYLLABLES = [first + second for first in "bdfgklmnprstv" for second in "aeiou"]
WELL = "well"
FILE = "kills.csv"
COLUMNS = (
    Column("kill", True),
    Column("crawl", True),
    Column("asked", True),
    Column("again", True),
    "check",
    "problem",
)

Say = Callable[[str], None]


class Kill(NamedTuple):
    """What one kill came to."""

    number: int
    crawl: int  #: number of the crawl that was killed
    asked: int  #: requests of the run before it, robots.txt apart
    again: int  #: URLs of these that later runs asked for again
    check: str  #: what `scrapy check` said after it: ``well``, or the line
    problem: str  #: empty where all promises were kept


@dataclass(slots=True)
class Web:
    """Pages 0, 1, ... on several hosts, which link to each other; some are reached by a redirect, some links are dead."""

    seed: int
    size: int = 500
    count: int = 24  #: of hosts
    asked: list[str] = field(default_factory=list)  #: in order, robots.txt apart

    @property
    def hosts(self) -> Set[str]:
        return frozenset(f"host{number}.example" for number in range(self.count))

    def urls(self) -> Iterator[str]:
        return map(self.url, range(self.size))

    def url(self, page: int) -> str:
        return f"http://host{page % self.count}.example/{page}"

    def answer(self, url: str) -> Answer | None:
        path = url.partition(".example/")[2]
        if path == "robots.txt":
            return not_found(url)
        self.asked.append(url)
        number, _, moved = path.partition("/")
        if not number.isdecimal() or int(number) >= self.size:
            return not_found(url)
        if moved:
            return Answer(301, (("Location", self.url(int(number))),), b"")
        return html_answer(self._html(int(number)))

    def _html(self, page: int) -> bytes:
        random = Random(f"{self.seed} {page}")
        words = ["".join(random.choices(SYLLABLES, k=3)) for _ in range(80)]  # each page says something new
        words[::9] = random.choices(("solar", "energy", "panel", "football", "kitchen"), k=len(words[::9]))
        targets = [2 * page + 1, 2 * page + 2, *(random.randrange(self.size + 20) for _ in range(6))]
        links = "".join(
            f'<p>{random.choice(words)} <a href="{self.url(target)}{"/moved" if target % 17 == 5 else ""}">{words[0]}</a></p>'
            for target in targets
            if target < self.size + 20
        )
        return f"<html><title>{words[1]} {page}</title><p>{' '.join(words)} {page}</p>{links}</html>".encode()


@dataclass(slots=True)
class _Crawl:
    """One crawl, from its first run to its end."""

    web: Web
    folder: Path
    port: int

    def start(self) -> subprocess.Popen[bytes]:
        settings = ("DOWNLOAD_DELAY=0", "RETRY_TIMES=0", "FOCUSED_SNAPSHOT_PAGES=60", f"FOCUSED_DATA_DIR={self.folder}")
        arguments = (f"name={NAME}", "keywords=solar energy", f"seeds={self.web.url(0)}", "pages=0")
        words = [word for setting in settings for word in ("-s", setting)]
        words += [word for argument in arguments for word in ("-a", argument)]
        environment = {key: value for key, value in os.environ.items() if not key.lower().endswith("_proxy")}
        environment["http_proxy"] = f"http://{ADDRESS}:{self.port}"
        with (self.folder / "log").open("ab") as log:
            command = [sys.executable, "-m", "scrapy", "crawl", "topical", *words]
            return subprocess.Popen(command, env=environment, stdout=log, stderr=log)

    def check(self) -> str:
        """What `scrapy check` finds, in this process, which saves its start; empty where no collection is there yet."""
        if not (self.folder / NAME / DATABASE).exists():
            return ""
        found = check(self.folder / NAME, lambda *_: None)
        return WELL if found.is_well else "; ".join(lines(found))

    def history(self, query: str) -> list[str]:
        with closing(sqlite3.connect(self.folder / NAME / DATABASE)) as db:
            return [row[0] for row in db.execute(query)]


def run(times: int, out: Path, say: Say, *, size: int = 500) -> list[Kill]:
    """Kill so many times; return what each came to, which is also written to `FILE` in ``out``.

    say : is told how far it is, a line at a time
    size : pages of each web

    Raises FocusedError where a crawl cannot be started, or does not end.
    """
    out.mkdir(parents=True, exist_ok=True)
    random, kills = Random(times), list[Kill]()
    while len(kills) < times:
        number = 1 + (kills[-1].crawl if kills else 0)
        folder = out / f"crawl-{number}"
        folder.mkdir()
        web = Web(number, size)
        with serving(web) as server:
            kills += _one_crawl(_Crawl(web, folder, server.port), number, len(kills), times, random, say)
        _write(out / FILE, kills)
    return kills


def _one_crawl(crawl: _Crawl, number: int, before: int, times: int, random: Random, say: Say) -> list[Kill]:
    """Crawl a web to its end, killed as often as it takes, but not more often than is left to do."""
    kills_at, checks, asked = [0], list[str](), crawl.web.asked
    while True:
        process = crawl.start()
        try:
            ended = before + len(checks) >= times or _wait_for_moment(process, asked, random)
            if ended:
                process.wait(PATIENCE)
                break
        except subprocess.TimeoutExpired:
            raise FocusedError(
                f"{crawl.folder}: a crawl did not end within {PATIENCE:.0f} s; its log is there"
            ) from None
        finally:
            process.kill()
            process.wait()
        kills_at.append(len(asked))
        checks.append(crawl.check())
        say(
            f"kill {before + len(checks)} of {times}: {kills_at[-1] - kills_at[-2]} requests before it, {checks[-1] or 'new'}"
        )
    problem = _problem_at_end(crawl, process.returncode)
    if problem and not checks:
        raise FocusedError(f"{crawl.folder}: {problem}, though nothing was killed")
    kills = []
    for place, (start, kill) in enumerate(pairwise(kills_at)):
        again = len(set(asked[start:kill]).intersection(asked[kill:]))
        found = problem if place == len(checks) - 1 else ""
        if again > PROMISE:
            found = f"more than {PROMISE} requests were made again"
        if checks[place] not in (WELL, ""):
            found = "damaged"
        kills.append(Kill(before + place + 1, number, kill - start, again, checks[place], found))
    return kills


def _wait_for_moment(process: subprocess.Popen[bytes], asked: Sequence[str], random: Random) -> bool:
    """Wait for the moment of a kill; whether the process has ended before by itself."""
    if random.random() < EARLY:
        time.sleep(random.uniform(0, LONGEST_START))
        return process.poll() is not None
    wanted, deadline = len(asked) + random.randrange(1, MOST_REQUESTS), time.monotonic() + PATIENCE
    while len(asked) < wanted and process.poll() is None:
        if time.monotonic() > deadline:
            raise subprocess.TimeoutExpired(process.args, PATIENCE)
        time.sleep(0.002)
    time.sleep(random.uniform(0, 0.05))
    return process.poll() is not None


def _problem_at_end(crawl: _Crawl, code: int) -> str:
    """What is missing after a crawl has come to its end; empty where nothing is."""
    if code != 0:
        return f"the last run ended with exit code {code}"
    fetched = crawl.history("SELECT final_url FROM history WHERE outcome = 'page'")
    if len(fetched) != len(set(fetched)):
        return "a page is on record twice"
    if missing := set(crawl.web.urls()) - set(fetched):
        return f"{len(missing)} pages are missing, such as {min(missing)}"
    tried = set(crawl.history("SELECT url FROM history")) | set(fetched)
    if forgotten := set(crawl.web.asked) - tried:
        return f"{len(forgotten)} URLs were asked for and are not on record, such as {min(forgotten)}"
    return "" if crawl.check() == WELL else "damaged at the end"


def _write(path: Path, kills: Sequence[Kill]) -> None:
    with path.open("w", newline="") as file:
        csv.writer(file).writerows([Kill._fields, *kills])

"""One scenario: a hostile Web, how it is crawled, what must be true afterwards, what it came to, and the table of all of them."""

from __future__ import annotations

import csv
import sqlite3
import tomllib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from focused.reading.plain_text import plain
from focused.reporting.tables import Column
from focused.topic.plain_files import writing
from lab.chaos.checker import EARLY, FORBIDDEN, KINDS, OVERLAP, REACHED, RETRY_AFTER, SECRET, Entry, Finding
from lab.chaos.server import Web

#: Lists of hostile texts that scenes are made of.
ODD: Mapping[str, Any] = tomllib.loads(Path(__file__).with_name("odd.toml").read_text(encoding="utf-8"))

LONGEST_BLOCK = 0.2  #: seconds of CPU that the event loop may be blocked
MOST_MEMORY = 400.0  #: MB at the peak


@dataclass
class Outcome:
    """Of one scene.

    Attributes
    ----------
    codes : exit code of each run; None where it had to be ended
    ended : why the last run ended, in the crawl's own words
    collected : final URLs of all pages
    failures : reason by URL
    missing : good URLs that were not collected
    wasted : pages of the budget that went to others than good ones
    block, memory : longest block of the event loop in seconds of CPU, peak of resident memory in MB
    findings : of the checker and the sinks
    """

    codes: list[int | None]
    log: str
    seconds: float = 0.0
    inputs: int = 0
    ended: str = ""
    collected: list[str] = field(default_factory=list)
    failures: dict[str, str] = field(default_factory=dict)
    good: frozenset[str] = frozenset()
    block: float = 0.0
    memory: float = 0.0
    asked: list[Entry] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    more: list[str] = field(default_factory=list)

    @property
    def missing(self) -> list[str]:
        return sorted(self.good - set(self.collected))

    @property
    def wasted(self) -> int:
        return sum(url not in self.good for url in self.collected)

    @property
    def tracebacks(self) -> int:
        return self.log.count("Traceback (most recent call last)")

    @property
    def found(self) -> Counter[str]:
        """How much was found, by kind."""
        return Counter(finding.kind for finding in self.findings)

    def wrong(self) -> Iterator[tuple[str, str]]:
        """Kind and words of all that must not be."""
        if None in self.codes:
            yield "hung", "a run did not end and had to be killed"
        elif self.codes[-1] != 0:
            yield "exit", f"exit code {self.codes[-1]}: {self.ended or self.log.strip()[-200:]}"
        if self.tracebacks:
            yield "traceback", f"{self.tracebacks} in the log; the first ends with: {_first_error(self.log)}"
        if self.missing:
            yield "lost", f"{len(self.missing)} of {len(self.good)} good pages, such as {self.missing[0]}"
        if self.block > LONGEST_BLOCK:
            yield "block", f"the event loop was blocked for {self.block:.2f} s of CPU"
        if self.memory > MOST_MEMORY:
            yield "memory", f"{self.memory:.0f} MB"
        for kind in KINDS:
            texts = [finding.text for finding in self.findings if finding.kind == kind]
            if texts:
                yield kind, f"{len(texts)}, such as: {texts[0]}"
        for text in self.more:
            yield "more", text

    def read_collection(self, folder: Path) -> None:
        """Take in what the crawl wrote down; nothing where it has written nothing that can be read."""
        if not (folder / "crawl.db").exists():
            return
        try:
            with closing(sqlite3.connect(folder / "crawl.db")) as db:
                self.collected = [url for (url,) in db.execute("SELECT final_url FROM history WHERE outcome = 'page'")]
                self.failures = dict(db.execute("SELECT url, reason FROM failures").fetchall())
                self.ended = (db.execute("SELECT reason FROM runs ORDER BY id DESC LIMIT 1").fetchone() or ("",))[
                    0
                ] or ""
        except sqlite3.Error as error:
            self.more.append(f"crawl.db cannot be read: {error}")


def _first_error(log: str) -> str:
    lines = log.partition("Traceback (most recent call last)")[2].splitlines()[1:]
    return next((line.strip()[:200] for line in lines if line and not line[0].isspace()), "")


DELAY = 0.4  #: seconds between two requests to a host, of crawls that nothing else is said of


@dataclass
class Scene:
    """What is crawled.

    Attributes
    ----------
    web : the hosts
    seeds : URLs that the crawl starts from
    inputs : how many hostile things it meets
    good : URLs that must be collected, whatever the others do
    secrets : texts that no request may hold
    arguments, settings : of the crawl, beside those that all crawls have
    kills : the crawl is killed after so many requests and started again, for each number
    delay : seconds between two requests to a host
    longest_wait : seconds; no Retry-After and no Crawl-delay must be kept longer
    seconds : after which a crawl that has not ended is ended
    sinks : ports of this machine that nothing may arrive at, TCP and UDP, are made known to this before the crawl
    more : what else must be true: sentences about what is not
    """

    web: Web
    seeds: tuple[str, ...]
    inputs: int
    good: frozenset[str] = frozenset()
    secrets: tuple[str, ...] = ()
    arguments: Mapping[str, object] = field(default_factory=dict)
    settings: Mapping[str, object] = field(default_factory=dict)
    kills: tuple[int, ...] = ()
    delay: float = DELAY
    longest_wait: float = 60.0
    seconds: float = 180.0
    sinks: Callable[[int], None] | None = None
    more: Callable[[Outcome], Iterable[str]] = lambda _: ()


@dataclass(frozen=True)
class Scenario:
    """A scene by its name; it is built anew for each crawl.

    needs : Python modules and programs without which it is left out
    """

    name: str
    about: str
    build: Callable[[], Scene]
    needs: tuple[str, ...] = ()


SCENARIOS: dict[str, Scenario] = {}


def scenario(about: str, *needs: str) -> Callable[[Callable[[], Scene]], Callable[[], Scene]]:
    """Register a function that builds a scene; its name is the scenario's."""

    def register(build: Callable[[], Scene]) -> Callable[[], Scene]:
        SCENARIOS[build.__name__] = Scenario(build.__name__, about, build, needs)
        return build

    return register


COLUMNS: tuple[Column | str, ...] = (
    "scenario",
    Column("inputs", True),
    "exit",
    "ended",
    "good pages",
    Column("other pages", True),
    Column("block s", True),
    Column("peak MB", True),
    Column("requests", True),
    Column("early", True),
    Column("overlaps", True),
    Column("forbidden", True),
    Column("Retry-After", True),
    Column("secrets", True),
    Column("reached", True),
    Column("tracebacks", True),
    Column("seconds", True),
    "wrong",
)
LONGEST = 60  #: characters of the crawl's reason to end
CSV_FILE, MARKDOWN_FILE = "chaos.csv", "chaos.md"


@dataclass(frozen=True)
class Row:
    """What one scenario came to."""

    scenario: Scenario
    outcome: Outcome

    @property
    def wrong(self) -> list[tuple[str, str]]:
        return list(self.outcome.wrong())

    def cells(self) -> list[str]:
        out, found = self.outcome, self.outcome.found
        kinds = (EARLY, OVERLAP, FORBIDDEN, RETRY_AFTER, SECRET, REACHED)
        cells = (
            self.scenario.name,
            out.inputs,
            ", ".join("killed by us" if code is None else str(code) for code in out.codes),
            out.ended[:LONGEST],
            f"{len(out.good) - len(out.missing)} of {len(out.good)}",
            out.wasted,
            f"{out.block:.2f}",
            f"{out.memory:.0f}",
            len(out.asked),
            *(found[kind] for kind in kinds),
            out.tracebacks,
            f"{out.seconds:.0f}",
            ", ".join(dict.fromkeys(kind for kind, _ in self.wrong)),
        )
        return [plain(str(cell)) for cell in cells]


def headings() -> list[str]:
    return [column if isinstance(column, str) else column.heading for column in COLUMNS]


def write_table(rows: Sequence[Row], folder: Path) -> None:
    """Write the rows so far; StorageError if that cannot be."""
    with writing(folder / CSV_FILE), (folder / CSV_FILE).open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows([headings(), *(row.cells() for row in rows)])
    with writing(folder / MARKDOWN_FILE):
        (folder / MARKDOWN_FILE).write_text("\n".join(_markdown(rows)) + "\n", encoding="utf-8")


def _markdown(rows: Sequence[Row]) -> list[str]:
    lines = [f"| {' | '.join(headings())} |", "|---" * len(COLUMNS) + "|"]
    lines += [f"| {' | '.join(cell.replace('|', '/') for cell in row.cells())} |" for row in rows]
    wrong = [f"- **{row.scenario.name}**, {kind}: {plain(text)}" for row in rows for kind, text in row.wrong]
    return [*lines, "", *(wrong or ["Nothing is wrong."])]

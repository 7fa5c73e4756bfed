"""What a crawl of a scene came to, and what of it must not be."""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

from lab.chaos.access_log import Entry
from lab.chaos.checker import KINDS, Finding

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

"""The columns of the scorecard, its file, and what has become worse since the row before."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from focused.topic.plain_files import writing

ABOUT = ("date", "commit")  #: columns of every row beside the figures


@dataclass(frozen=True)
class Column:
    """A figure.

    part : of the scorecard, which measures it
    better : 1 for more, -1 for less, 0 for neither
    noise : a difference up to this says nothing; ``relative``: as a share of the value before
    """

    name: str
    part: str
    better: int
    meaning: str
    noise: float = 0.0
    relative: bool = False
    digits: int = 3

    def got_worse(self, before: float, now: float) -> bool:
        most = self.noise * (abs(before) if self.relative else 1.0)
        return self.better * (now - before) < 0 and abs(now - before) > most


_AREA = "normalised area, all defaults on"
_SPREAD = "standard deviation over the three orders of a topic, mean over topics"
COLUMNS = (
    Column("docs_easy", "docs", 1, f"{_AREA}: 15 topics of the documentation web, easy seeds, 2,000 pages", 0.02),
    Column("docs_easy_spread", "docs", 0, f"docs_easy: {_SPREAD}"),
    Column("docs_hard", "docs", 1, "the same from hard seeds: none lies on a host of a target", 0.02),
    Column("docs_hard_spread", "docs", 0, f"docs_hard: {_SPREAD}"),
    Column("docs_harvest", "docs", 1, "harvest rate by labels, mean of easy and hard seeds", 0.015),
    Column("docs_own_less_true", "docs", -1, "reported harvest less that by labels, distance from 0, mean of both", 0.01),
    Column("webkb", "webkb", 1, f"{_AREA}: the four topics of WebKB's Wisconsin, 400 pages, three orders", 0.02),
    Column("webkb_spread", "webkb", 0, f"webkb: {_SPREAD}"),
    Column("wiki", "wiki", 1, f"{_AREA}: 12 Wikispeedia topics, near and far seeds, a host per article, 500 pages", 0.02),
    Column("wiki_spread", "wiki", 0, f"wiki: {_SPREAD}"),
    Column("traps_found", "traps", 1, "share of 200 good articles found in 1,500 pages of the trap web, 3 webs", 0.02),
    Column("traps_wasted", "traps", -1, "share of these pages that traps took", 0.02),
    Column("traps_own_less_true", "traps", -1, "reported harvest less the true one there, distance from 0", 0.02),
    Column("fresh_found", "traps", 1, "traps_found with traps that were made later (the set fresh)", 0.02),
    Column("fresh_wasted", "traps", -1, "traps_wasted with these", 0.02),
    Column("fresh_own_less_true", "traps", -1, "traps_own_less_true with these", 0.02),
    Column("cpu_ratio", "cost", -1, "CPU a page of a live crawl against plain Scrapy breadth first, in pairs", 0.05, True),
    Column("cpu_ms", "cost", -1, "CPU a page of that crawl, milliseconds", 0.08, True),
    Column("memory_mb", "cost", -1, "peak memory of that crawl of 1,200 pages, MB", 0.05, True, 0),
    Column("list_ratio", "start", -1, "CPU of `scrapy list` against that in an empty project", 0.05, True, 2),
    Column("help_ratio", "start", -1, "CPU of `scrapy --help` likewise", 0.05, True, 2),
    Column("crawl_ratio", "start", -1, "CPU of a crawl to its first request against that in an empty project", 0.05, True, 2),
    Column("code", "house", -1, "lines of focused/**/*.py that are neither blank nor docstring", 0.01, True, 0),
    Column("lines", "house", -1, "all lines of focused/**/*.py", 0.01, True, 0),
    Column("files", "house", -1, "Python files of focused", 0.01, True, 0),
    Column("rooms", "house", -1, "packages and modules at the first level of focused", 0, digits=0),
    Column("methods", "house", -1, "methods of the largest class of focused", 0, digits=0),
    Column("names_twice", "house", -1, "public class names that two or more files define; commands left out", 0, digits=0),
    Column("words", "house", -1, "words of README.md and docs/**/*.md", 0.01, True, 0),
    Column("lab_lines", "house", -1, "all lines of lab/**/*.py without lab/tests", 0.01, True, 0),
    Column("test_lines", "house", -1, "all lines of tests/**/*.py", 0.01, True, 0),
    Column("suite_minutes", "suite", -1, "minutes of `make test` on this machine", 0.1, True, 1),
    Column("suite_cpu_minutes", "suite", -1, "CPU minutes of it, processes that it starts included", 0.1, True, 1),
)  # fmt: skip
PARTS = tuple(dict.fromkeys(column.part for column in COLUMNS))


def head() -> str:
    """The first lines of the file: what each column means."""
    lines = ["# A row for each commit that was measured (make scorecard); an empty cell was not measured."]
    lines += [f"# {column.name}: {column.meaning}" for column in COLUMNS]
    return "\n".join(lines) + "\n"


def rows_of(path: Path) -> list[dict[str, str]]:
    """The rows of a file, oldest first; none where there is no file. Columns that are no more are left out."""
    if not path.exists():
        return []
    lines = [line for line in path.read_text("utf-8").splitlines() if not line.startswith("#")]
    names = {*ABOUT, *(column.name for column in COLUMNS)}
    return [{name: row[name] for name in row if name in names} for row in csv.DictReader(lines)]


def write_rows(path: Path, rows: Sequence[Mapping[str, str]]) -> None:
    """Write the file anew. Raises StorageError."""
    names = [*ABOUT, *(column.name for column in COLUMNS)]
    with writing(path), path.open("w", encoding="utf-8", newline="") as file:
        file.write(head())
        writer = csv.DictWriter(file, names, restval="", lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def row_of(date: str, commit: str, figures: Mapping[str, float]) -> dict[str, str]:
    """A row as text."""
    known = {c.name: f"{figures[c.name]:.{c.digits}f}" for c in COLUMNS if c.name in figures}
    return {"date": date, "commit": commit, **known}


def before(rows: Sequence[Mapping[str, str]]) -> dict[str, float]:
    """The last known figure of each column."""
    return {name: float(text) for row in rows for name, text in row.items() if text and name not in ABOUT}


def table(row: Mapping[str, str], last: Mapping[str, float]) -> list[list[str]]:
    """A row for each figure: before, now, and whether it is worse."""
    lines = [["figure", "before", "now", "", "meaning"]]
    for column in COLUMNS:
        if now := row.get(column.name, ""):
            known = last.get(column.name)
            then = "" if known is None else f"{known:.{column.digits}f}"
            verdict = "WORSE" if known is not None and column.got_worse(known, float(now)) else ""
            lines.append([column.name, then, now, verdict, column.meaning])
    return lines


def worse(row: Mapping[str, str], last: Mapping[str, float]) -> Iterator[str]:
    """Names of the figures that have become worse by more than noise."""
    for column in COLUMNS:
        now = row.get(column.name, "")
        if now and column.name in last and column.got_worse(last[column.name], float(now)):
            yield column.name

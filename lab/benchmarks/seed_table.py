"""The tables of `seed_sources`: each source of seeds against hard seeds, topic by topic."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from statistics import fmean, median

from lab.benchmarks.seed_crawls import ENOUGH, Crawled
from lab.benchmarks.seed_ways import (
    ANSWER,
    ASK_BOTH,
    ASK_LINKS,
    ASK_SEARCH,
    HARD,
    SEARCH,
    SEARCH_ASK_LINKS,
    SEARCH_ASK_SEARCH,
    SEARCH_HUBS,
)
from lab.results.results_table import markdown
from lab.results.statistics import compare

SAME = 0.005  #: areas that differ by no more are neither better nor worse
AREAS = {"area": "by targets that links lead to from the hard seeds", "area_of_all": "by all targets"}
#: Compared beside all that is compared with hard seeds.
PAIRS = (
    *((SEARCH_HUBS, SEARCH), (SEARCH_ASK_SEARCH, SEARCH), (SEARCH_ASK_LINKS, SEARCH)),
    *((SEARCH, ANSWER), (SEARCH, ASK_SEARCH), (ASK_LINKS, ASK_SEARCH), (ASK_BOTH, ASK_SEARCH)),
)
TITLES = {"report": "Topics that nothing was tuned on", "development": "Topics that questions were tuned on"}


def report(rows: Sequence[Crawled]) -> Iterator[str]:
    """Yield the tables, line by line."""
    for half, title in TITLES.items():
        chosen = [row for row in rows if row.half == half]
        if not chosen:
            continue
        ways = list(dict.fromkeys(row.way for row in chosen))
        topics = list(dict.fromkeys(row.topic for row in chosen))
        yield f"## {title}: {len(topics)}\n"
        yield from markdown([HEADING, *(_means(way, [row for row in chosen if row.way == way]) for way in ways)])
        yield ""
        if len(topics) > 1:
            pairs = [(way, HARD) for way in ways if way != HARD] + [*PAIRS]
            yield from _compared(chosen, [pair for pair in pairs if {*pair} <= {*ways}])
        yield "Areas by reachable / by all targets (targets):\n"
        yield from markdown([["topic", *ways], *([topic, *_areas(chosen, topic)] for topic in topics)])
        yield ""


HEADING = [
    *("", "seeds", "looked at", "area", "of all", "looking free", "targets", "hosts", "questions", "led to"),
    *(f"{ENOUGH} relevant on", "after pages", "seconds", "CPU seconds"),
]


def _means(way: str, rows: Sequence[Crawled]) -> list[str]:
    there = sum(math.isfinite(row.enough_pages) for row in rows)
    middle = [median(getattr(row, f"enough_{name}") for row in rows) for name in ("pages", "seconds", "cpu")]
    return [
        way,
        *(f"{fmean(getattr(row, name) for row in rows):.1f}" for name in ("seeds", "looked_at")),
        *(f"{fmean(getattr(row, name) for row in rows):.3f}" for name in (*AREAS, "area_of_crawl")),
        *(f"{fmean(getattr(row, name) for row in rows):.1f}" for name in ("targets", "hosts", "questions", "led_to")),
        f"{there} of {len(rows)}",
        *(f"{value:.0f}" if math.isfinite(value) else "-" for value in middle[:2]),
        f"{middle[2]:.1f}" if math.isfinite(middle[2]) else "-",
    ]


def _compared(rows: Sequence[Crawled], pairs: Sequence[tuple[str, str]]) -> Iterator[str]:
    table = [["", "", *(f"area {words}" for words in AREAS.values())]]
    for way, other in pairs:
        cells = []
        for name in AREAS:
            ours, theirs = (
                {row.topic: float(getattr(row, name)) for row in rows if row.way == one} for one in (way, other)
            )
            said = compare(ours, theirs)
            won = sum(ours[topic] > theirs[topic] + SAME for topic in ours)
            lost = sum(ours[topic] < theirs[topic] - SAME for topic in ours)
            cells.append(f"{said.in_short()}, {won} won, {lost} lost")
        table.append([way, f"less {other}", *cells])
    yield from markdown(table)
    yield ""


def _areas(rows: Sequence[Crawled], topic: str) -> list[str]:
    return [f"{row.area:.3f} / {row.area_of_all:.3f} ({row.targets})" for row in rows if row.topic == topic]

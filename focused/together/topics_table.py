"""What a person sees of topics that are crawled in one process: a line and a short table now and then, a whole one at the end."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
from pathlib import Path

from scrapy.crawler import Crawler

from focused.explain.plain_output import Column, table_text
from focused.live.session import Session
from focused.live.shared_run import TAKEN_OVER
from focused.page.plain_text import plain

MOST_ROWS = 10  #: of the table beside the line of progress
REQUESTS = "downloader/request_count"


@dataclass(frozen=True, slots=True)
class Standing:
    """How one topic stands.

    requests : that the process sent for it, those for robots.txt included
    free : its pages that another topic had fetched, so that no request was sent
    cpu : seconds, of its core, its reading and its stores
    megabytes : of the tables of URLs and hosts of its core; what its strategy learned comes on top
    ended : why it has; empty while it goes on
    """

    topic: str
    pages: int = 0
    relevant: int = 0
    harvest: float = 0.0
    requests: int = 0
    free: int = 0
    cpu: float = 0.0
    megabytes: float = 0.0
    waiting: int = 0
    ended: str = ""


COUNTED = ("pages", "relevant", "requests", "free", "cpu", "megabytes", "waiting")
assert {field.name for field in fields(Standing)} >= {*COUNTED}


def standing_of(crawler: Crawler, session: Session) -> Standing:
    """How a topic stands now; its crawler has opened its session."""
    totals, stats = session.crawl.totals, crawler.stats
    return Standing(
        session.topic.name,
        totals.pages,
        totals.relevant,
        totals.harvest,
        stats.get_value(REQUESTS, 0),
        stats.get_value(TAKEN_OVER, 0),
        session.cpu.seconds,
        (session.crawl.urls.columns.bytes + session.crawl.hosts.columns.bytes) / 1e6,
        len(session.crawl.frontier),
        plain(session.ended.sentence) if session.ended else "",
    )


def progress_of(standings: Sequence[Standing], pages_a_second: float) -> str:
    """One line for the process, and below it the first topics that go on."""
    total, going = total_of(standings), [standing for standing in standings if not standing.ended]
    line = (
        f"{len(going):,} of {len(standings):,} topics go on | {total.pages:,} pages, {pages_a_second:.1f}/s | "
        f"{total.requests:,} requests, {total.free:,} pages taken over | {total.waiting:,} wait | {memory():,.0f} MB"
    )
    headings: list[Column | str] = ["topic", *map(_number, ("pages", "harvest", "wait"))]
    rows = [(one.topic, one.pages, f"{one.harvest:.0%}", one.waiting) for one in going[:MOST_ROWS]]
    more = [f"... and {len(going) - MOST_ROWS:,} more"] if len(going) > MOST_ROWS else []
    return "\n".join([line, *table_text(headings, rows).splitlines(), *more])


def table_of(standings: Sequence[Standing]) -> str:
    """Every topic with what it collected and what it cost, and the sums."""
    numbers = ("pages", "relevant", "harvest", "requests", "taken over", "CPU s", "MB of URLs")
    rows: Iterable[Standing] = [*standings, total_of(standings)]
    cells = [
        (
            *(one.topic, one.pages, one.relevant, f"{one.harvest:.1%}", one.requests, one.free),
            *(f"{one.cpu:.1f}", f"{one.megabytes:.1f}", one.ended),
        )
        for one in rows
    ]
    return table_text(["topic", *map(_number, numbers), "ended"], cells)


def total_of(standings: Sequence[Standing]) -> Standing:
    """The sums; the harvest is that of all pages of all topics together, a page counting once for each topic that has it."""
    sums = {name: sum(getattr(one, name) for one in standings) for name in COUNTED}
    return Standing("all", harvest=sums["relevant"] / sums["pages"] if sums["pages"] else 0.0, **sums)


def memory() -> float:
    """MB that this process has in memory; the most it ever had where the system does not say."""
    try:
        line = next(line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith("VmRSS"))
        return int(line.split()[1]) / 1e3
    except (OSError, StopIteration):
        import resource  # Windows has none

        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1e6 if sys.platform == "darwin" else 1e3)


def _number(heading: str) -> Column:
    return Column(heading, is_number=True)

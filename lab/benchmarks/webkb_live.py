"""Crawls WebKB live: every university with every strategy, through the real scheduler, until nothing is left to fetch.

Each crawl starts at the department page and has no budget; it must fetch every page that can be reached, once. What can be
reached is found without a crawler, by following the links that the same reading finds. The server counts what it was
asked for, so that a page fetched twice cannot go unnoticed.

Example:
    python -m lab.benchmarks.webkb_live webkb.tar.xz --json webkb.json
"""

from __future__ import annotations

import argparse
import json
import sqlite3
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from focused.exceptions import FocusedError
from focused.reading.page import Page
from focused.reading.reader import Reader, ReadingOptions
from focused.simulation.proxy.server import serving
from focused.strategies import get_strategy, names
from lab.benchmarks.measured import Cost, measured, options
from lab.webs.webkb import WebKB

UNIVERSITIES = ("cornell", "texas", "washington", "wisconsin")
READING = ReadingOptions(fold_index=True)  #: index pages folded, as in Almpanidis et al. (2007)
#: No delay on loopback. A page that would send a browser elsewhere (`<meta http-equiv=refresh>`) is read, not left: of six
#: such pages two lead to pages that were not recorded, and would be lost.
#: Hosts that were not recorded answer 502 for good: nothing is asked for twice.
SETTINGS: dict[str, object] = {
    "DOWNLOAD_DELAY": 0,
    "METAREFRESH_ENABLED": 0,
    "RETRY_ENABLED": 0,
    "LOG_LEVEL": "WARNING",
}
KEYWORDS = "student,home page"
STRATEGIES = [name for name in names() if not get_strategy(name).needs_model]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one crawl fetched, and what it should have."""

    university: str
    strategy: str
    recorded: int  #: pages of the university
    reachable: int  #: of these, from the department page
    fetched: int  #: pages
    lost: list[str]  #: reachable, but not fetched
    beyond: list[str]  #: fetched, but not reachable
    twice: list[str]  #: asked for more than once
    failures: dict[str, int]  #: by reason: links to pages that were not recorded
    end: str  #: why the crawl ended
    cost: Cost


def reachable(web: WebKB, seed: str) -> set[str]:
    """Canonical URLs of all recorded pages that links lead to from ``seed``."""
    reader = Reader(READING)
    recorded = {reader.rules.key(url): url for url in web.pages}
    found, queue = {seed}, [seed]
    for url in queue:  # grows meanwhile
        answer = web.answer(url)
        page = reader.read(url, answer.body, answer.header("Content-Type")) if answer else None
        links = page.links if isinstance(page, Page) else []
        new = {recorded[link.key] for link in links if link.key in recorded} - found
        found |= new
        queue += sorted(new)
    return found


def crawl(web: WebKB, university: str, strategy: str, folder: Path) -> Outcome:
    """Crawl a university until the dead end; the collection and the log lie in ``folder`` afterwards."""
    seed = web.seeds[university]
    arguments = {
        "name": "webkb",
        "keywords": KEYWORDS,
        "seeds": seed,
        "strategy": strategy,
        "pages": 0,
        "reading.fold_index": "true",
        "scope.allowed_hosts": ",".join(sorted(web.hosts)),  # links that leave the recording are hidden
    }
    command = ["crawl", "topical", *options(SETTINGS | {"FOCUSED_DATA_DIR": folder})]
    for name, value in arguments.items():
        command += ["-a", f"{name}={value}"]
    with serving(web) as server:
        cost = measured(command, server.port, folder / "log")
    database = sqlite3.connect(folder / "webkb" / "crawl.db")
    rows = database.execute(
        "SELECT u.url, f.outcome, f.reason FROM fetches f JOIN urls u ON u.id = coalesce(f.final_url, f.url)"
    ).fetchall()
    (end,) = database.execute("SELECT reason FROM runs").fetchone()
    database.close()
    rules = Reader(READING).rules
    recorded = {rules.key(url): url for url in web.pages}
    fetched = {recorded.get(rules.key(url), url) for url, outcome, _ in rows if outcome == "page"}
    wanted = reachable(web, seed)
    return Outcome(
        university=university,
        strategy=strategy,
        recorded=len(web.pages),
        reachable=len(wanted),
        fetched=sum(outcome == "page" for _, outcome, _ in rows),
        lost=sorted(wanted - fetched),
        beyond=sorted(fetched - wanted),
        twice=sorted(url for url, count in server.requests.items() if count > 1),
        failures=dict(Counter(reason for _, outcome, reason in rows if outcome == "failed")),
        end=end,
        cost=cost,
    )


def row(outcome: Outcome) -> str:
    failures = ", ".join(f"{count:,} {reason}" for reason, count in sorted(outcome.failures.items())) or "none"
    requests = outcome.fetched + sum(outcome.failures.values())
    return (
        f"| {outcome.university} | {outcome.strategy} | {outcome.recorded:,} | {outcome.reachable:,} | "
        f"{outcome.fetched:,} | {len(outcome.lost)} | {len(outcome.twice)} | {failures} | "
        f"{requests / outcome.cost.wall:.0f} |"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("webkb", type=Path, help="the data set: folder or tar archive")
    parser.add_argument("--universities", nargs="+", choices=UNIVERSITIES, default=UNIVERSITIES)
    parser.add_argument("--strategies", nargs="+", choices=STRATEGIES, default=STRATEGIES)
    parser.add_argument("--json", type=Path, help="write all outcomes to this file")
    arguments = parser.parse_args()
    outcomes: list[Outcome] = []
    print("| university | strategy | recorded | reachable | fetched | lost | twice | failures | requests/s |")
    print("|---|---|---|---|---|---|---|---|---|")
    for university in arguments.universities:
        web = WebKB(arguments.webkb, university)
        for strategy in arguments.strategies:
            with tempfile.TemporaryDirectory() as folder:
                outcomes.append(crawl(web, university, strategy, Path(folder)))
            print(row(outcomes[-1]), flush=True)
    if arguments.json:
        arguments.json.write_text(json.dumps([asdict(outcome) for outcome in outcomes], indent=1))
    sys.exit(any(wrong(outcome) for outcome in outcomes))


def wrong(outcome: Outcome) -> Sequence[str]:
    """URLs that were lost, fetched though they cannot be reached, or fetched twice; empty when all is well."""
    return [*outcome.lost, *outcome.beyond, *outcome.twice]


if __name__ == "__main__":
    try:
        main()
    except FocusedError as error:
        sys.exit(str(error))

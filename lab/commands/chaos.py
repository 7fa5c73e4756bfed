"""`python -m lab chaos`: crawl hostile Webs on this machine, and judge the crawls by the access log of the server."""

from __future__ import annotations

import argparse
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path

from focused.exceptions import FocusedError
from focused.reading.plain_text import plain
from focused.reporting.command import INTERRUPTED, FocusedCommand
from focused.reporting.tables import print_table
from focused.topic.mistakes import unknown
from focused.topic.plain_files import shown_path, writing
from lab.chaos import scenarios  # noqa: F401  registers them
from lab.chaos.kills import run as run_kills
from lab.chaos.running import lacking, run
from lab.chaos.scene import COLUMNS, CSV_FILE, MARKDOWN_FILE, SCENARIOS, Row, Scenario, write_table


class Command(FocusedCommand):
    program = "python -m lab"
    examples = """
python -m lab chaos --list
python -m lab chaos                               all scenarios, a quarter of an hour
python -m lab chaos dead_links robots_files --out data/chaos
python -m lab chaos strategy-adaptive restarts    one strategy, then kills
python -m lab chaos --kills 200                   all scenarios, then 200 kill -9"""

    def syntax(self) -> str:
        return "[options] [SCENARIO...]"

    def short_desc(self) -> str:
        return "Crawl hostile Webs on this machine, and judge the crawls by the server's access log"

    def long_desc(self) -> str:
        return (
            "Each scenario is a Web behind a proxy on this machine, crawled by scrapy crawl in a process of its own. The server\n"
            "writes the access log; a checker that knows nothing of the crawler finds early requests, overlaps, forbidden paths,\n"
            "requests before a Retry-After has passed, secrets told, and private addresses reached. Folder of a scenario:\n"
            "access.jsonl, findings.txt, crawl.log, pulse.csv, and the collection. The exit code is 1 if anything is wrong."
        )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        parser.add_argument("--list", action="store_true", help="list the scenarios")
        parser.add_argument(
            "--out",
            type=Path,
            default=Path("data/chaos"),
            metavar="DIR",
            help="folder of results (default: data/chaos)",
        )
        parser.add_argument("--kills", type=int, default=0, metavar="N", help="kill a crawl so many times as well")

    def execute(self, args: list[str], opts: argparse.Namespace) -> None:
        for name in args:
            if name not in SCENARIOS:
                raise FocusedError(f"{name}: {unknown(name, tuple(SCENARIOS), plural='scenarios')}")
        chosen = [SCENARIOS[name] for name in args] or list(SCENARIOS.values())
        if opts.list:
            print_table(("scenario", "needs", "what"), [(one.name, ", ".join(one.needs), one.about) for one in chosen])
            return
        if opts.kills < 0:
            raise FocusedError(f"--kills {opts.kills}: give a number from 0 on")
        with writing(opts.out):
            opts.out.mkdir(parents=True, exist_ok=True)
        try:
            rows = _run_all(chosen, opts.out)
            kills = _kill(opts.kills, opts.out / "kills") if opts.kills else []
        except KeyboardInterrupt:
            _say(f"interrupted; what was found so far is in {shown_path(opts.out)}")
            self.exitcode = INTERRUPTED
            return
        print_table(COLUMNS, [row.cells() for row in rows])
        wrong = [*(f"{row.scenario.name}, {kind}: {text}" for row in rows for kind, text in row.wrong), *kills]
        print("\n".join(map(plain, wrong)) or "Nothing is wrong.")
        print(f"{CSV_FILE}, {MARKDOWN_FILE} and all logs are in {shown_path(opts.out)}.")
        self.exitcode = int(bool(wrong))


def _run_all(chosen: Sequence[Scenario], out: Path) -> list[Row]:
    """Run scenarios one after the other; the table is written after each, so that a run cut short leaves what it found."""
    rows: list[Row] = []
    for number, one in enumerate(chosen, 1):
        head = f"{number}/{len(chosen)} {one.name}"
        if missing := lacking(one):
            _say(f"{head}: left out, this machine has no {' and no '.join(missing)}")
            continue
        row = Row(one, run(one, out / one.name))
        rows.append(row)
        write_table(rows, out)
        kinds = ", ".join(dict.fromkeys(kind for kind, _ in row.wrong))
        _say(f"{head}: {row.outcome.seconds:.0f} s, {f'WRONG: {kinds}' if kinds else 'well'}")
    return rows


def _kill(times: int, folder: Path) -> list[str]:
    """Kill crawls so many times; what was wrong, in sentences."""
    shutil.rmtree(folder, ignore_errors=True)
    return [f"kill {one.number}: {one.problem}" for one in run_kills(times, folder, _say) if one.problem]


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)

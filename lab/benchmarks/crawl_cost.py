"""What a page costs: a topical crawl with all its stores against plain Scrapy that stores nothing, on the same web.

Both crawl a recorded web over a proxy on this machine; CPU time is that of the crawling process alone. They take turns,
so that both see the same load. Two sizes of crawl give the cost per page without the cost of starting up.

Example:
    python -m lab.benchmarks.crawl_cost --repeat 5
    python -m lab.benchmarks.crawl_cost --web webkb.tar.xz:university=texas --pages 1 0
"""

from __future__ import annotations

import argparse
import json
import sqlite3
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median

from focused.exceptions import FocusedError
from focused.simulation.known_webs import open_web
from focused.simulation.proxy import serving
from focused.simulation.recorded_web import RecordedWeb
from lab.benchmarks.generated_web import GeneratedWeb
from lab.benchmarks.measured import Cost, RunError, measured, options
from lab.webs.webkb import WebKB

PLAIN_SPIDER = Path(__file__).with_name("plain_spider.py")
SHARED: dict[str, object] = {
    "DOWNLOAD_DELAY": 0,
    "CONCURRENT_REQUESTS": 16,
    "CONCURRENT_REQUESTS_PER_DOMAIN": 4,
    "ROBOTSTXT_OBEY": 1,
    "LOG_LEVEL": "INFO",
}


@dataclass(frozen=True, slots=True)
class Task:
    """The web of a comparison and how much of it is crawled."""

    seeds: Sequence[str]
    hosts: Sequence[str]
    pages: int  #: 0: all that can be reached
    fold_index: bool


@dataclass(frozen=True, slots=True)
class Result:
    """One crawl."""

    crawler: str
    budget: int
    pages: int  #: fetched
    cost: Cost


def focused(task: Task, port: int, folder: Path) -> tuple[int, Cost]:
    """Crawl with the default strategy into a collection; return the pages fetched and the cost."""
    arguments = {
        "name": "cost",
        "keywords": "solar energy,solar panel,inverter",
        "seeds": ",".join(task.seeds),
        "pages": task.pages,
        "scope.allowed_hosts": ",".join(task.hosts),
        "reading.fold_index": task.fold_index,
    }
    command = ["crawl", "topical", *options(SHARED | {"FOCUSED_DATA_DIR": folder})]
    for name, value in arguments.items():
        command += ["-a", f"{name}={value}"]
    cost = measured(command, port, folder / "focused.log")
    database = sqlite3.connect(folder / "cost" / "crawl.db")
    (pages,) = database.execute("SELECT count(*) FROM fetches WHERE outcome = 'page'").fetchone()
    database.close()
    return pages, cost


def plain(task: Task, port: int, folder: Path) -> tuple[int, Cost]:
    """Crawl breadth first with plain Scrapy; return the pages fetched and the cost."""
    count = folder / "pages"
    arguments = {"seeds": ",".join(task.seeds), "hosts": ",".join(task.hosts), "pages": task.pages, "count": count}
    command = ["runspider", str(PLAIN_SPIDER), *options(SHARED | PLAIN_SETTINGS)]
    for name, value in arguments.items():
        command += ["-a", f"{name}={value}"]
    cost = measured(command, port, folder / "plain.log")
    return int(count.read_text()), cost


#: `scrapy runspider` reads the settings of the project it is run in: these are Scrapy's own again.
PLAIN_SETTINGS: dict[str, object] = {
    "SCHEDULER": "scrapy.core.scheduler.Scheduler",
    "SPIDER_MIDDLEWARES": "{}",
    "ITEM_PIPELINES": "{}",
    "EXTENSIONS": '{"scrapy.extensions.telnet.TelnetConsole": null}',
    "CONCURRENT_ITEMS": 100,
    "COOKIES_ENABLED": 1,
}
CRAWLERS: dict[str, Callable[[Task, int, Path], tuple[int, Cost]]] = {"focused": focused, "plain": plain}


def compare(web: RecordedWeb, seeds: Sequence[str], budgets: Sequence[int], repeat: int) -> list[Result]:
    """Crawl with each crawler and budget in turn, ``repeat`` times over."""
    results = []
    for turn in range(repeat):
        for budget in budgets:
            task = Task(seeds, sorted(web.hosts), budget, isinstance(web, WebKB))
            for crawler, crawl in CRAWLERS.items():
                with serving(web) as server, tempfile.TemporaryDirectory() as folder:
                    pages, cost = crawl(task, server.port, Path(folder))
                if not pages:
                    raise RunError(f"{crawler}: not one page was fetched; are the seeds in this web?")
                results.append(Result(crawler, budget, pages, cost))
                print(
                    f"{turn + 1}/{repeat} {crawler:8} {pages:6,} pages {cost.cpu:7.2f} s CPU {cost.wall:7.2f} s "
                    f"{cost.peak:6.0f} MB",
                    flush=True,
                )
    return results


def summary(results: Sequence[Result], crawler: str) -> dict[str, float]:
    """Medians over the repeats: CPU per page between the smaller and the larger crawl, and what the larger one took."""
    small, large = (
        [result for result in results if result.crawler == crawler and result.budget == budget]
        for budget in dict.fromkeys(result.budget for result in results)
    )
    slopes = [1000 * (b.cost.cpu - a.cost.cpu) / (b.pages - a.pages) for a, b in zip(small, large, strict=True)]
    return {
        "CPU ms per page": median(slopes),
        "pages": median(result.pages for result in large),
        "pages per CPU second": 1000 / median(slopes),
        "pages per second": median(result.pages / result.cost.wall for result in large),
        "start-up, CPU s": median(a.cost.cpu - a.pages * slope / 1000 for a, slope in zip(small, slopes, strict=True)),
        "peak memory, MB": median(result.cost.peak for result in large),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--web", help="a recorded web, as for `scrapy serve-web`; default: a generated one")
    parser.add_argument("--seeds", nargs="+", help="needed for WARC files")
    parser.add_argument("--pages", type=int, nargs=2, default=[200, 1200], help="sizes of the two crawls; 0 = all")
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--json", type=Path, help="write all figures to this file")
    arguments = parser.parse_args()
    if arguments.web:
        web = open_web([arguments.web])
        seeds = arguments.seeds or (list(web.seeds.values()) if isinstance(web, WebKB) else [])
        if not seeds:
            parser.error("--seeds: where is the crawl to start in these files?")
    else:
        web = GeneratedWeb()
        seeds = arguments.seeds or web.seeds
    results = compare(web, seeds, arguments.pages, arguments.repeat)
    sums = {crawler: summary(results, crawler) for crawler in CRAWLERS}
    print("\n| | focused | plain Scrapy | ratio |\n|---|---|---|---|")
    for name, ours in sums["focused"].items():
        theirs = sums["plain"][name]
        print(f"| {name} | {ours:,.2f} | {theirs:,.2f} | {ours / theirs:.2f} |")
    if arguments.json:
        arguments.json.write_text(json.dumps({"summary": sums, "runs": [asdict(each) for each in results]}, indent=1))


if __name__ == "__main__":
    try:
        main()
    except FocusedError as error:
        sys.exit(str(error))

"""How much luck decides what a crawl finds, and where crawls part that differ by luck alone.

Crawls each topic several times in the simulator. By default only the order differs in which answers arrive: latencies are drawn
anew. `--luck draws` keeps latencies and draws anew what the strategy draws at random; `--luck both` draws both.

Prints for each topic how many targets the crawls found: mean, standard deviation, least and most. Then where they part: how much
of their pages, hosts and targets pairs of crawls have in common, what a crawl missed that another one found, what tells early how
it will end, and the first choices that differ. All choices and pages are written as data.

Example:
    python -m lab datasets topics webkb.tar.xz --out topics
    python -m lab.benchmarks.luck --topics topics --pages 200 --orders 6 --out data/luck webkb.tar.xz
"""

from __future__ import annotations

import argparse
import gzip
import json
import math
import os
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from itertools import accumulate
from pathlib import Path
from statistics import fmean
from typing import Any

from focused.exceptions import FocusedError
from focused.reporting.progress_line import ProgressLine
from focused.simulation.simulator import Network
from focused.simulation.web_opener import WebOpener
from focused.strategies import get_strategy
from lab.benchmarks import luck_partings as partings
from lab.benchmarks.luck_crawls import LUCKS, LuckyCrawl, LuckyCrawling
from lab.experiment.workers import Failed, Workers
from lab.results.plots import save_picture
from lab.results.results_files import write_file
from lab.results.results_table import markdown
from lab.topics.labelled_files import labelled_files

AT = (100, 200, 400)  #: pages after which targets are counted
SHOWN = 10  #: first choices that differ
SECONDS = 10.0  #: between two lines of progress
CACHE = Path("data/cache")
LIVE = Network()
COLUMNS = 3  #: of pictures

Topics = Mapping[str, Sequence[LuckyCrawl]]


def of_targets(topics: Topics, pages: int) -> list[list[str]]:
    """A row for each topic: what its crawls found; the last row has the means over topics."""
    stages = _stages(pages)
    rows = [
        ["topic", "crawls", *(f"targets after {at:,}: mean ~ sd, least to most" for at in stages), "area ~ sd, range"]
    ]
    for topic, crawls in topics.items():
        cells = [_summed([crawl.targets_at(at) for crawl in crawls], 0) for at in stages]
        rows.append([topic, str(len(crawls)), *cells, _summed([crawl.area for crawl in crawls], 3)])
    areas = [[crawl.area for crawl in crawls] for crawls in topics.values()]
    means, spreads = fmean(map(fmean, areas)), fmean(map(partings.spread, areas))
    return [*rows, ["all", str(sum(map(len, areas))), *[""] * len(stages), f"{means:.3f} ~ {spreads:.3f}"]]


def _stages(pages: int) -> list[int]:
    """Those of `AT` that crawls of so many pages have, and their end."""
    return [*(at for at in AT if at < pages), pages]


def _summed(values: Sequence[float], decimals: int) -> str:
    low, high = (f"{end:,.{decimals}f}" for end in (min(values), max(values)))
    return f"{fmean(values):,.{decimals}f} ~ {partings.spread(values):,.{decimals or 1}f}, {low} to {high}"


def in_common(topics: Topics, pages: int) -> list[list[str]]:
    """A row for each kind of set: mean over topics of what pairs of crawls have in common, by number of pages."""
    stages = [at for at in partings.STAGES if at <= pages]
    rows = [["in common after", *(f"{at:,} pages" for at in stages)]]
    for name, of in partings.SETS.items():
        likeness = [fmean(partings.likeness(crawls, at, of) for crawls in topics.values()) for at in stages]
        rows.append([name, *(f"{value:.2f}" for value in likeness)])
    return rows


def of_best_hosts(topics: Topics) -> list[list[str]]:
    """A row for each topic: the host where most targets were found, when its crawls heard of it, and when they tried it."""
    rows = [["topic", "host with most targets", "heard of after pages", "first page fetched", "crawls without it"]]
    for topic, crawls in topics.items():
        if host := partings.best_host(crawls):
            heard = [partings.heard_of(crawl, host) for crawl in crawls]
            first = [partings.first_fetched(crawl, host) for crawl in crawls]
            rows.append([topic, host, _range(heard), _range(first), str(first.count(None))])
    return rows


def _range(numbers: Sequence[int | None]) -> str:
    known = [number for number in numbers if number is not None]
    return f"{min(known):,} to {max(known):,}" if known else "-"


def of_missed(topics: Topics) -> list[list[str]]:
    """A row for each fate of a host: how many targets a crawl missed there, all together and by share."""
    counts = sum((partings.missed(crawls) for crawls in topics.values()), Counter[str]())
    total = max(1, counts.total())
    heads = ["the host of a target that another crawl found", "targets missed", "share"]
    return [heads, *([fate, f"{counts[fate]:,}", f"{counts[fate] / total:.0%}"] for fate in partings.FATES)]


def of_signs(topics: Topics, pages: int) -> list[list[str]]:
    """A row for each sign: its correlation with the area in the end."""
    stages = [at for at in partings.EARLY if at < pages]
    rows = [["sign", *(f"after {at} pages" for at in stages)]]
    for name, sign in partings.SIGNS.items():
        values = [partings.foretold(topics, sign, at) for at in stages]
        rows.append([name, *("-" if math.isnan(value) else f"{value:+.2f}" for value in values)])
    return rows


def of_partings(topics: Topics) -> list[list[str]]:
    """A row for each of the pairs that ended most unlike: the first choices that differ."""
    rows = [
        ["topic", "orders", "choice", "of", "host", "score", "could have had", "brought relevance", "target", "area"]
    ]
    by_order = {(crawl.topic, crawl.order): crawl for crawls in topics.values() for crawl in crawls}
    found = [parting for crawls in topics.values() for parting in partings.partings(crawls)]

    def unlike(parting: partings.Parting) -> float:
        first, second = (by_order[parting.topic, order].area for order in parting.orders)
        return -abs(first - second)

    for parting in sorted(found, key=unlike)[:SHOWN]:
        head = [parting.topic, " and ".join(map(str, parting.orders)), f"{parting.number:,}"]
        for order, choice, page in zip(parting.orders, parting.choices, parting.led_to, strict=True):
            other = choice.runner_up if choice.passed_over is None else choice.passed_over
            facts = [str(order), choice.host, f"{choice.score:.3f}", "-" if other is None else f"{other:.3f}"]
            brought = ["-", "-"] if page is None else [f"{page.relevance:.2f}", "yes" if page.is_target else "no"]
            rows.append([*head, *facts, *brought, f"{by_order[parting.topic, order].area:.3f}"])
            head = ["", "", ""]
    return rows


def report(topics: Topics, luck: str, pages: int) -> str:
    """All tables."""
    sections = (
        (f"Targets found, crawls that differ by {luck}", of_targets(topics, pages)),
        ("What pairs of crawls have in common (Jaccard index, mean over pairs and topics)", in_common(topics, pages)),
        ("When crawls came to the best host", of_best_hosts(topics)),
        ("What a crawl missed that another one of the topic found", of_missed(topics)),
        ("What foretells the end: correlation with the area, within topics", of_signs(topics, pages)),
        ("The first choices that differ, of the pairs that end most unlike", of_partings(topics)),
    )
    lines = [line for title, rows in sections for line in (f"## {title}", "", *markdown(rows), "")]
    return "\n".join(lines)


def write(topics: Topics, text: str, pages: int, folder: Path) -> None:
    """Write table.md, crawls.csv, a line of JSON for each crawl with all that it did, and a picture."""
    write_file(folder / "table.md", text.encode())
    stages = _stages(pages)
    crawls = [crawl for some in topics.values() for crawl in some]
    lines = [["topic", "order", "area", *(f"targets_{at}" for at in stages), "hosts", "hosts_heard"]]
    for crawl in crawls:
        hosts = len(partings.hosts_of(crawl.pages))
        facts = [crawl.order, round(crawl.area, 6), *map(crawl.targets_at, stages), hosts, len(crawl.hosts)]
        lines.append([crawl.topic, *map(str, facts)])
    write_file(folder / "crawls.csv", "".join(f"{','.join(line)}\n" for line in lines).encode())
    whole = "".join(f"{json.dumps(asdict(crawl))}\n" for crawl in crawls)
    write_file(folder / "crawls.jsonl.gz", gzip.compress(whole.encode(), mtime=0))
    save_picture(folder / "luck", *(_curves(topic, some) for topic, some in topics.items()), columns=COLUMNS)


def _curves(topic: str, crawls: Sequence[LuckyCrawl]) -> Any:
    def fill(axes: Any) -> None:
        for crawl in crawls:
            axes.plot([0, *accumulate(page.is_target for page in crawl.pages)], linewidth=1)
        axes.set(title=topic, xlabel="pages fetched", ylabel="targets found, a line for each order")
        axes.grid(alpha=0.3)

    return fill


def crawled(tasks: Sequence[LuckyCrawling], opener: WebOpener, processes: int) -> dict[str, list[LuckyCrawl]]:
    """Make all crawls; raises FocusedError for one that cannot be made."""
    progress, found = ProgressLine(SECONDS), list[LuckyCrawl]()

    def show() -> None:
        progress.show(lambda: f"{len(found):,}/{len(tasks):,} crawls", len(found), len(tasks))

    with Workers(opener, processes) as workers:
        for task, result in workers.do(tasks, show, SECONDS):
            if isinstance(result, Failed):
                progress.close()
                raise FocusedError(f"{task}: {result.message}\n{result.trace}".strip())
            found.append(result)
            show()
    progress.close()
    found.sort(key=lambda crawl: crawl.order)
    names = dict.fromkeys(task.labelled.topic.name for task in tasks)
    return {name: [crawl for crawl in found if crawl.topic == name] for name in names}


def _tasks(arguments: argparse.Namespace) -> Iterator[LuckyCrawling]:
    network = Network(arguments.in_flight, arguments.per_host, arguments.delay, arguments.latency)
    for order in range(1, arguments.orders + 1):
        for labelled in labelled_files(arguments.topics):
            yield LuckyCrawling(labelled, arguments.strategy, arguments.pages, order, arguments.luck, network)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("web", nargs="+", help="the recorded web, as scrapy simulate takes it")
    parser.add_argument("--topics", nargs="+", required=True, help="folders, files or patterns of topics with labels")
    parser.add_argument("--strategy", default="adaptive", help="who crawls (default: adaptive)")
    parser.add_argument("--pages", type=int, default=400, help="of each crawl (default: 400)")
    parser.add_argument("--orders", type=int, default=10, help="crawls of each topic (default: 10)")
    parser.add_argument("--luck", choices=LUCKS, default=LUCKS[0], help="what differs (default: latencies)")
    parser.add_argument("--in-flight", type=int, default=LIVE.in_flight, help="requests at a time (default: 16)")
    parser.add_argument("--per-host", type=int, default=LIVE.per_host, help="of these, to one host (default: 1)")
    parser.add_argument("--delay", type=float, default=LIVE.delay, help="seconds between two to a host (default: 1)")
    parser.add_argument("--latency", type=float, default=LIVE.latency, help="seconds, on average (default: 0.5)")
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1, help="crawls at a time (default: CPUs)")
    parser.add_argument("--cache", type=Path, default=CACHE, help=f"of what is read of the web (default: {CACHE})")
    parser.add_argument("--out", type=Path, help="folder of the table, the data and the picture (default: none)")
    arguments = parser.parse_args()
    for option, least in (("pages", 1), ("orders", 2), ("processes", 1)):
        if getattr(arguments, option) < least:
            parser.error(f"--{option} {getattr(arguments, option)}: give a number from {least} on")
    try:
        get_strategy(arguments.strategy)
        opener = WebOpener(arguments.web, arguments.cache)
        topics = crawled(list(_tasks(arguments)), opener, arguments.processes)
        text = report(topics, arguments.luck, arguments.pages)
        print(text)
        if arguments.out:
            write(topics, text, arguments.pages, arguments.out)
            print(f"All is in {arguments.out}: table.md (this), crawls.csv, crawls.jsonl.gz, the picture luck.")
    except FocusedError as error:
        sys.exit(f"luck: {error}")


if __name__ == "__main__":
    main()

"""How much of a crawl goes to traps, what it finds of the good Web beside them, and what it believes of itself.

Crawls the trap web (`lab/webs/traps.py`) and prints for each strategy and set of traps, as means over seeds: the share of
pages that were wasted on traps, by kind as well; articles about the topic that were found, in any copy or themselves; the
harvest that the crawl reports beside the true one, the share of pages that were the first copy of such an article. A trap's
copy of an article that the crawl did not have before is no waste. With ``--no-traps`` the same good web is crawled without any
trap: that is the best to be had.

Example:
    python -m lab.benchmarks.traps --out data/traps
    python -m lab.benchmarks.traps --sets seen --seeds 1 --strategies dom --keep-trap farm --keep-trap calendar
"""

from __future__ import annotations

import argparse
import csv
import io
import json
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from statistics import fmean

from focused import strategies
from focused.exceptions import FocusedError
from focused.explain.plain_output import ProgressLine
from focused.live.assemble import assemble
from focused.simulation.analysed_web import AnalysedWeb
from focused.simulation.simulator import Network, Simulator
from focused.topic.topic_arguments import topic_from_arguments
from lab.results.results_files import write_file
from lab.results.results_table import markdown
from lab.webs.traps import NONE, SETS, TrapOptions, TrapWeb

STRATEGIES = ("adaptive", "dom", "combined")
PAGES, SEEDS = 1500, (1, 2, 3)
#: The best link is always taken, whichever host it is on: no delay between two requests to a host keeps a trap in check.
NETWORK = Network(in_flight=1, delay=0)
SECONDS = 10.0  #: between two lines of progress
MORE = "a further argument of the topic, as scrapy crawl -a takes it; again for more"
EVERY = 50  #: pages between two looks whether it is time for one


@dataclass(frozen=True)
class Crawled:
    """What one crawl did."""

    set: str
    seed: int
    strategy: str
    pages: int
    good: int  #: articles about the topic that there are
    found: int  #: of these, seen in whatever copy
    fetched: int  #: of these, fetched themselves, not only in a copy
    copies: int  #: of these, first seen in a trap
    own_harvest: float  #: share of pages that the crawl itself counts as relevant
    kinds: Mapping[str, int]  #: pages wasted on traps, by kind
    failures: Mapping[str, int]  #: requests to traps that gave no page, by kind
    ended: str

    @property
    def wasted(self) -> float:
        """Share of pages."""
        return sum(self.kinds.values()) / self.pages if self.pages else 0.0

    @property
    def true_harvest(self) -> float:
        return self.found / self.pages if self.pages else 0.0


@dataclass(frozen=True)
class Way:
    """How all crawls are done.

    more : further arguments of the topic, as of ``scrapy crawl``
    """

    pages: int = PAGES
    network: Network = NETWORK
    more: Mapping[str, str] = field(default_factory=dict)


class Tally:
    """What the pages of a crawl were worth, by the truth of the web.

    Attributes are those of `Crawled`; found : URLs of the articles
    """

    def __init__(self, web: TrapWeb) -> None:
        self._web, self.wanted = web, frozenset(web.relevant_urls())
        self.found: set[str] = set()
        self.fetched = self.copies = 0
        self.kinds, self.failures = Counter[str](), Counter[str]()

    def page(self, url: str) -> None:
        """Count a page that was fetched."""
        kind, original = self._web.kind_of_trap(url), self._web.original_of(url)
        is_new = original in self.wanted and original not in self.found
        if is_new:
            self.found.add(str(original))
        if kind is None:
            self.fetched += url in self.wanted
        elif is_new:
            self.copies += 1
        else:
            self.kinds[kind] += 1

    def failure(self, url: str) -> None:
        """Count a request that gave no page."""
        if kind := self._web.kind_of_trap(url):
            self.failures[kind] += 1


def crawled(web: TrapWeb, strategy: str, way: Way, progress: ProgressLine) -> Crawled:
    """Crawl a trap web for its topic."""
    arguments = {**web.topic, "strategy": strategy, "pages": str(way.pages), **way.more}
    reader, crawl = assemble(topic_from_arguments(arguments, strategies))
    options, totals, tally = web.options, crawl.totals, Tally(web)
    simulator = Simulator(crawl, AnalysedWeb(web, reader, hide_outside=False), way.network)
    for fetch in simulator.fetches():
        if fetch.outcome != "page":
            tally.failure(fetch.final_url)
            continue
        tally.page(fetch.final_url)
        if totals.pages % EVERY == 0:
            progress.show(lambda: f"{options.set} {options.seed}, {strategy}: {totals.pages:,} of {way.pages:,} pages")
    return Crawled(
        *(options.set, options.seed, strategy, totals.pages, len(tally.wanted), len(tally.found), tally.fetched),
        *(tally.copies, totals.harvest, dict(tally.kinds), dict(tally.failures), simulator.ended),
    )


def crawls(options: Sequence[TrapOptions], names: Sequence[str], way: Way, progress: ProgressLine) -> Iterator[Crawled]:
    """A crawl of each web by each strategy."""
    for chosen in options:
        for name in names:
            yield crawled(TrapWeb(chosen), name, way, progress)


def table(found: Sequence[Crawled]) -> list[list[str]]:
    """A row for each set and strategy, means over seeds."""
    heads = ["set", "strategy", "crawls", "pages", "wasted on traps", "found", "themselves"]
    rows = [[*heads, "own harvest", "true harvest"]]
    for (chosen, strategy), some in _by_strategy(found):
        figures = ("pages", "wasted", "found", "fetched", "own_harvest", "true_harvest")
        pages, wasted, seen, fetched, own, true = (fmean(getattr(one, name) for one in some) for name in figures)
        row = [chosen, strategy, str(len(some)), f"{pages:,.0f}", f"{wasted:.1%}", f"{seen:.1f} of {some[0].good}"]
        rows.append([*row, f"{fetched:.1f}", f"{own:.1%}", f"{true:.1%}"])
    return rows


def kinds_table(found: Sequence[Crawled]) -> list[list[str]]:
    """Pages wasted on each kind of trap, means over seeds: a row for each kind, a column for each set and strategy."""
    groups = _by_strategy(found)
    names = sorted({kind for one in found for kind in one.kinds})
    rows = [["trap", *(f"{strategy}, {chosen}" for (chosen, strategy), _ in groups)]]
    rows += [[name, *(f"{fmean(one.kinds.get(name, 0) for one in some):.1f}" for _, some in groups)] for name in names]
    return rows


def csv_of(found: Sequence[Crawled]) -> str:
    """A row for each crawl."""
    text = io.StringIO()
    columns = ["set", "seed", "strategy", "pages", "good", "found", "fetched", "copies"]
    columns += ["wasted", "own_harvest", "true_harvest"]
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows([getattr(one, column) for column in columns] for one in found)
    return text.getvalue()


def _by_strategy(found: Sequence[Crawled]) -> list[tuple[tuple[str, str], list[Crawled]]]:
    groups: dict[tuple[str, str], list[Crawled]] = {}
    for one in found:
        groups.setdefault((one.set, one.strategy), []).append(one)
    return list(groups.items())


def _numbers(text: str) -> list[int]:
    return [int(number) for number in text.split(",")]


def _argument(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals:
        raise argparse.ArgumentTypeError(f"{text!r}: give NAME=VALUE, such as scope.pages_per_host=30")
    return name, value


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sets", nargs="+", choices=SETS, default=list(SETS), help="sets of traps (default: all)")
    parser.add_argument("--seeds", type=_numbers, default=list(SEEDS), help="of the webs (default: 1,2,3)")
    parser.add_argument("--strategies", nargs="+", default=list(STRATEGIES), help=f"(default: {' '.join(STRATEGIES)})")
    parser.add_argument("--pages", type=int, default=PAGES, help=f"of each crawl (default: {PAGES})")
    parser.add_argument(
        "--keep-trap", action="append", default=[], metavar="KIND", help="only traps of this kind; again for more"
    )
    parser.add_argument("--no-traps", action="store_true", help="the good web alone")
    parser.add_argument(
        "--out", type=Path, help="folder of table.md, crawls.csv and crawls.json (default: they are not written)"
    )
    parser.add_argument("-a", action="append", default=[], type=_argument, metavar="NAME=VALUE", dest="more", help=MORE)
    parser.add_argument("--in-flight", type=int, default=NETWORK.in_flight, help="requests at a time (default: 1)")
    parser.add_argument("--delay", type=float, default=NETWORK.delay, help="seconds between two to a host (default: 0)")
    arguments = parser.parse_args()
    if arguments.pages < 1:
        parser.error(f"--pages {arguments.pages}: give a number from 1 on")
    only = NONE if arguments.no_traps else "+".join(arguments.keep_trap)
    network = Network(in_flight=arguments.in_flight, delay=arguments.delay)
    way, progress = Way(arguments.pages, network, dict(arguments.more)), ProgressLine(SECONDS)
    options = [TrapOptions(seed=seed, set=chosen, only=only) for chosen in arguments.sets for seed in arguments.seeds]
    found = list(crawls(options, arguments.strategies, way, progress))
    progress.close()
    text = "\n".join([*markdown(table(found)), "", *markdown(kinds_table(found))])
    print(text)
    if arguments.out:
        write_file(arguments.out / "table.md", f"{text}\n".encode())
        write_file(arguments.out / "crawls.csv", csv_of(found).encode())
        write_file(arguments.out / "crawls.json", json.dumps([asdict(one) for one in found], indent=1).encode())
        print(f"\nAll figures are in {arguments.out}: table.md (this), crawls.csv, crawls.json.")


if __name__ == "__main__":
    try:
        main()
    except FocusedError as error:
        sys.exit(f"traps: {error}")

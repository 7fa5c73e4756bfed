"""`scrapy compare`: which strategy would have found more in a recorded web, such as what an earlier crawl of yours fetched."""

from __future__ import annotations

import argparse
import csv
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import astuple, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scrapy.exceptions import UsageError
from scrapy.settings import BaseSettings

from focused import wings
from focused.exceptions import BacklinkError, FocusedError
from focused.explain.command import FocusedCommand
from focused.explain.plain_output import TableColumn, print_table
from focused.topic.plain_files import shown_path

if TYPE_CHECKING:
    from focused.crawl.backlinks import Backlinks
    from focused.simulation.analysed_web import AnalysedWeb
    from focused.simulation.comparison import ComparedCrawl, ComparedStrategy, Crawled
    from focused.simulation.labelled_comparison import JudgedStrategies
    from focused.simulation.labelled_files import LabelledFile
    from focused.simulation.simulator import Fetch, Network
    from focused.topic.topic import Topic

MOST = 1_000_000  #: requests at a time, and seconds
#: Who takes part beside the strategy of the topic and the default.
USUAL = ("combined", "dom", "hub_seeking", "best_first", "breadth_first")
#: Pages after which the table says what was found.
STEPS = (50, 100, 200, 400, 1_000, 2_000, 5_000, 10_000, 20_000, 50_000)


class Command(FocusedCommand):
    """Fetches nothing and writes no collection; what was read of the web is kept for later runs."""

    usage = "-a topic=NAME | --topics PATH [--strategies NAME,NAME | --alone [--order FILE]] [options] WEB..."
    summary = "Compare strategies on a recorded web, such as what an earlier crawl of yours fetched"
    about = (
        "Every strategy crawls the same web offline for the same topic. WEB is the folder of an earlier crawl, WARC files, or\n"
        "demo. With label files: recall, precision, area under recall, and whether the first strategy is better than the others\n"
        "(paired tests over topics or, of one topic, orders). Otherwise the topic's page model says which pages are relevant.\n"
        "An earlier crawl knows only what it fetched, and so flatters the strategy that made it: compare on webs that were\n"
        "crawled broadly.\n"
        "--alone: one crawl with the strategy of the topic, with a virtual clock, and how it went."
    )
    examples = """
scrapy compare -a topic=demo demo
scrapy compare -a topic=solar --strategies adaptive,dom,breadth_first --plot solar.png data/solar
scrapy compare -a topic=solar -a pages=500 --orders 5 data/solar     five times, with answers in another order each time
scrapy compare -a topic=solar --labels solar.labels.json --orders 5 data/solar     by labels: recall, precision, area, tests
scrapy compare --topics mine -a pages=500 --orders 3 data/solar     each mine/NAME.toml by mine/NAME.labels.json
scrapy compare -a topic=demo -a strategy=dom --alone --order order.csv demo     one crawl: a summary, and every fetch as CSV"""

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        from focused.topic.topic import DEFAULT_STRATEGY

        super().add_options(parser)
        self.add_arguments_option(parser, "as of scrapy crawl topical")
        parser.add_argument(
            "--strategies",
            metavar="NAME,NAME",
            help=f"who takes part (default: the topic's and {', '.join((DEFAULT_STRATEGY, *USUAL))})",
        )
        parser.add_argument("--orders", type=int, default=1, metavar="N", help="crawls with each strategy (default: 1)")
        parser.add_argument("--labels", type=Path, metavar="FILE", help="label file: what the crawls are judged by")
        parser.add_argument(
            "--topics",
            action="append",
            metavar="PATH",
            help="topic files with label files beside them, a folder of them, or a pattern with *; in place of -a topic",
        )
        parser.add_argument("--processes", type=int, metavar="N", help="crawls at a time (default: one a core)")
        parser.add_argument("--plot", type=Path, metavar="FILE", help="draw the curves into FILE (.png, .svg, .pdf)")
        parser.add_argument("--alone", action="store_true", help="crawl with the topic's strategy alone and sum it up")
        parser.add_argument(
            "--order", type=Path, metavar="FILE", help="write every fetch to FILE, as CSV; with --alone"
        )
        parser.add_argument(
            "--outside",
            choices=("hide", "fail"),
            default="hide",
            help="links to URLs that are not recorded are hidden (default) or fail when they are fetched",
        )
        parser.add_argument("--cache", type=Path, metavar="FOLDER", help="of what was read (default: DATA_DIR/cache)")
        add_network_options(parser)

    def execute(self, args: list[str], opts: argparse.Namespace) -> None:
        from focused.simulation.web_opener import CACHE, collection_of

        if opts.orders < 1:
            raise FocusedError(f"--orders {opts.orders}: give a number from 1 on")
        if opts.processes is not None and opts.processes < 1:
            raise FocusedError(f"--processes {opts.processes}: give a number from 1 on")
        if opts.order and not opts.alone:
            raise UsageError("--order needs --alone: it is the order of one crawl", print_help=False)
        if opts.topics and (opts.labels or opts.alone or "topic" in self.arguments(opts)):
            raise UsageError("--topics names topics and their labels: leave -a topic, --labels and --alone out")
        opts.cache = opts.cache or self.data / CACHE
        if opts.alone:
            topic = self.topic(self.arguments(opts))
            self._crawl_alone(args, opts, topic, network_of(self.settings, topic, opts))
        else:
            self._compare(args, opts)
        if collection_of(args):
            print("\nThe web is an earlier crawl: a URL that it did not fetch is unknown here, not irrelevant.")

    def _compare(self, args: list[str], opts: argparse.Namespace) -> None:
        from focused import strategies
        from focused.collection.trained_model import MODELS
        from focused.inspection.plots import Curve, check_picture, draw_lines
        from focused.live.robots.robot import name_of_robot
        from focused.simulation.comparison import by_strategy, crawls_of, relevant_pages
        from focused.simulation.labelled_comparison import judge
        from focused.topic.topic import DEFAULT_STRATEGY

        files = self._labelled(opts)
        topics = [file.topic for file in files] or [self.topic(self.arguments(opts))]
        usual = dict.fromkeys((topics[0].strategy, DEFAULT_STRATEGY, *USUAL))
        chosen = opts.strategies.split(",") if opts.strategies else usual
        names = list(dict.fromkeys(name.strip() for name in chosen if name.strip()))
        if not names:
            raise FocusedError(f"--strategies {opts.strategies}: names no strategy; give some, as in dom,adaptive")
        for name in names:
            strategies.get_strategy(name)  # a wrong name is told before anything is read
        if opts.plot:
            check_picture(opts.plot)
        robot = name_of_robot(self.settings)
        parts = {file.topic.name: file.part for file in files}
        crawls = [
            crawl
            for topic in topics
            for crawl in crawls_of(
                *(topic, names, network_of(self.settings, topic, opts), opts.orders),
                part=parts.get(topic.name, {}),
                models=self.data / MODELS,
                robot=robot,
            )
        ]
        found = self._crawl_all(args, opts, crawls)
        if files:
            judged = judge(found, files)
            self._print_judged(files, judged, opts.orders)
            curves, upwards = judged.recall, "share of the targets found"
        else:
            curves, upwards = by_strategy(found, relevant_pages), "relevant pages found"
            self._print(topics[0], curves, opts.orders)
        if opts.plot:
            draw_lines([Curve(one.strategy, one.mean) for one in curves], opts.plot, "pages fetched", upwards)
            print(f"Curves drawn into {shown_path(opts.plot)}")

    def _labelled(self, opts: argparse.Namespace) -> list[LabelledFile]:
        """The topics with their labels, as the options say; none where there are no labels."""
        from focused.simulation.labelled_files import labelled, labelled_files

        given = self.arguments(opts)
        if opts.topics:
            return labelled_files(opts.topics, lambda path: self.topic(given | {"topic": path.stem}, path.parent))
        return [labelled(self.topic(given), opts.labels)] if opts.labels else []

    def _crawl_all(
        self, args: list[str], opts: argparse.Namespace, crawls: Sequence[ComparedCrawl]
    ) -> Sequence[Crawled]:
        """Make the crawls on all cores, and show how far they are."""
        from joblib import cpu_count

        from focused.simulation.comparison import crawl_all
        from focused.simulation.web_opener import WebOpener

        processes = min(opts.processes or cpu_count(), len(crawls))
        opener = WebOpener(args, opts.cache, hide_outside=opts.outside == "hide")
        with closing(self.progress()) as progress, closing(opener):
            progress.restart()
            progress.show(lambda: f"{len(crawls)} crawls begin, {processes} at a time")

            def tell(crawl: str, done: int) -> None:
                progress.show(lambda: f"{done:,}/{len(crawls):,} crawls | {crawl}", done, len(crawls))

            return crawl_all(crawls, opener, processes, tell)

    def _crawl_alone(self, args: list[str], opts: argparse.Namespace, topic: Topic, network: Network) -> None:
        from focused.collection.trained_model import MODELS
        from focused.live.assemble import assemble
        from focused.live.robots.robot import name_of_robot
        from focused.simulation.comparison import shown, summary
        from focused.simulation.simulator import Simulator
        from focused.simulation.web_opener import analysed_web

        reader, crawl = assemble(topic, models=self.data / MODELS, robot=name_of_robot(self.settings))
        reason = ""
        with analysed_web(args, topic, reader, opts.cache, hide_outside=opts.outside == "hide") as web:
            simulator = Simulator(crawl, web, network, self._backlinks(topic, web))
            started = time.process_time()
            with _order_file(opts.order) as order:
                for fetch in shown(simulator, self.progress()):
                    if order is not None:
                        order.writerow(astuple(fetch))
                    reason = reason or fetch.reason
                    self.note(fetch)
            cpu = time.process_time() - started
        if not crawl.totals.pages:
            raise FocusedError(
                f"{' '.join(args)}: no page was fetched ({reason}): is a seed of the topic recorded there?"
            )
        print(summary(simulator, cpu))

    def note(self, fetch: Fetch) -> None:
        """Called with every fetch, for commands that make more of it."""

    def _backlinks(self, topic: Topic, web: AnalysedWeb) -> Backlinks | None:
        """Who answers the questions of a strategy; the same every time, so an API cannot be asked."""
        if topic.backlinks.provider == "none":
            return None
        if topic.backlinks.provider == "api":
            raise BacklinkError(
                f"{topic.name}: [backlinks] provider: an API cannot be asked in a simulation, whose result must not depend on "
                "the day; choose crawls, or web for the web that is simulated (-a backlinks.provider=web)"
            )
        progress = self.progress()

        def report(pages: int) -> None:
            progress.show(lambda: f"{pages:,} pages read for their links")

        providers = wings.borrow("seeds.backlinks.providers", f'[backlinks] provider = "{topic.backlinks.provider}"')
        found: Backlinks = providers.open_backlinks(topic, web.reader.rules, self.data, web=web, report=report)
        return found

    def _print(self, topic: Topic, found: list[ComparedStrategy], orders: int) -> None:
        each = f", mean ± standard deviation of {orders} orders" if orders > 1 else ""
        title = f"Relevant pages found for {topic.name}, by the topic's own page model{each}; best curve first"
        best = sorted(found, key=lambda one: -float(one.mean.mean()))
        print_table(*_table(best, _shown), title)

    def _print_judged(self, files: Sequence[LabelledFile], judged: JudgedStrategies, orders: int) -> None:
        """Print a table of recall, one of precision, and what the tests say."""
        topics = files[0].topic.name if len(files) == 1 else f"{len(files)} topics"
        crawls = f", mean ± standard deviation of {len(files) * orders} crawls" if len(files) * orders > 1 else ""
        place = {one.strategy: judged.area(one.strategy) for one in judged.recall}
        recall, precision = (
            sorted(found, key=lambda one: -place[one.strategy]) for found in (judged.recall, judged.precision)
        )
        area = {strategy: f"{value:.3f}" for strategy, value in place.items()}
        print_table(*_table(recall, _shares, area), f"Recall of the targets of {topics}, by the labels{crawls}")
        print_table(*_table(precision, _shares), f"Precision: relevant among the pages fetched for {topics}{crawls}")
        if not judged.unit:
            print("No test: that takes two topics (--topics), or two orders (--orders 2) to speak of this topic alone.")
            return
        try:
            tests = judged.tests()
        except FocusedError as missing:
            print(missing)
            return
        first = next(iter(place))
        rows = [
            (name, f"{one.difference.value:+.3f}", f"{one.low:+.3f} to {one.high:+.3f}", f"{t:.3f}", f"{w:.3f}")
            for name, (one, t, w) in tests.items()
        ]
        headings = (f"{first} less", "area", "95 %", "p (t-test)", "p (signed ranks)")
        pairs = f"{len(files) if judged.unit == 'topics' else orders} {judged.unit}"
        print_table(
            headings, rows, f"Is the area of {first} larger? {pairs} in pairs; p corrected for the rivals (Holm)"
        )


def _table(
    found: Sequence[ComparedStrategy],
    cell: Callable[[float, float], str],
    areas: Mapping[str, str] | None = None,
) -> tuple[list[TableColumn | str], list[tuple[str, ...]]]:
    """Columns and rows of a table that reads curves after some numbers of pages."""
    longest = max(one.curves.shape[1] for one in found)
    steps = [*(step for step in STEPS if step < longest), longest]
    headings = (*(("area",) if areas else ()), *(f"{step:,} pages" for step in steps))
    rows = [
        (
            one.strategy,
            *((areas[one.strategy],) if areas else ()),
            *(cell(*one.after(step)) for step in steps),
        )
        for one in found
    ]
    return ["strategy", *(TableColumn(heading, is_number=True) for heading in headings)], rows


def _shown(mean: float, deviation: float) -> str:
    return f"{mean:.1f} ± {deviation:.1f}" if deviation else f"{mean:.0f}"


def _shares(mean: float, deviation: float) -> str:
    return f"{mean:.2f} ± {deviation:.2f}" if deviation else f"{mean:.2f}"


def add_network_options(parser: argparse.ArgumentParser) -> None:
    """Let a command take the options that `network_of` reads."""
    from focused.simulation.simulator import LATENCY

    numbers: tuple[tuple[str, Callable[[str], float], str, str], ...] = (
        ("--in-flight", int, "N", "requests at a time (default: CONCURRENT_REQUESTS)"),
        ("--per-host", int, "N", "of these, to one host (default: CONCURRENT_REQUESTS_PER_DOMAIN)"),
        ("--delay", float, "S", "seconds between two requests to one host (default: DOWNLOAD_DELAY)"),
        ("--latency", float, "S", f"seconds until an answer arrives (default: {LATENCY})"),
        ("--seed", int, "N", "draw latencies at random, with --latency as their mean"),
    )
    for option, kind, metavar, text in numbers:
        parser.add_argument(option, type=kind, metavar=metavar, help=text)


def network_of(project: BaseSettings, topic: Topic, opts: argparse.Namespace) -> Network:
    """The network as the options say, and the settings of the topic and the project where they say nothing."""
    from focused.simulation.simulator import LATENCY, Network
    from focused.topic.project_settings import TOPIC_PRIORITY

    settings = project.copy()
    settings.setdict(topic.settings, priority=TOPIC_PRIORITY)
    defaults = {
        "in_flight": settings.getint("CONCURRENT_REQUESTS"),
        "per_host": settings.getint("CONCURRENT_REQUESTS_PER_DOMAIN"),
        "delay": settings.getfloat("DOWNLOAD_DELAY"),
        "latency": LATENCY,
        "seed": None,
    }
    given = {name: getattr(opts, name) for name in defaults if getattr(opts, name) is not None}
    for name in given.keys() - {"seed"}:
        least = 1 if name in ("in_flight", "per_host") else 0
        if not least <= given[name] <= MOST:
            option = "--" + name.replace("_", "-")
            raise FocusedError(f"{option} {given[name]:g}: give a number from {least} to {MOST:,}")
    return Network(**(defaults | given))


@contextmanager
def _order_file(path: Path | None) -> Iterator[Any]:
    """A writer of a CSV file that has its header already; None without a path."""
    from focused.simulation.simulator import Fetch

    if path is None:
        yield None
        return
    try:
        with path.open("w", newline="", encoding="utf-8") as file:
            rows = csv.writer(file)
            rows.writerow(field.name for field in fields(Fetch))
            yield rows
    except OSError as error:
        raise FocusedError(f"{path}: cannot be written: {error.strerror}") from None

"""`scrapy simulate`: crawl a recorded web offline, through the same core as a live crawl, with a virtual clock."""

from __future__ import annotations

import argparse
import csv
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import astuple, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scrapy.settings import BaseSettings

from focused import wings
from focused.exceptions import BacklinkError, FocusedError
from focused.explain.command import FocusedCommand
from focused.explain.progress_line import ProgressLine

if TYPE_CHECKING:
    from focused.crawl.backlinks import Backlinks
    from focused.simulation.analysed_web import AnalysedWeb
    from focused.simulation.simulator import Fetch, Network
    from focused.topic.topic import Topic

MOST = 1_000_000  #: requests at a time, and seconds


class Command(FocusedCommand):
    """Fetches nothing and writes no collection; what was read of the web is kept for later runs."""

    examples = """
scrapy simulate -a topic=demo demo
scrapy simulate -a topic=demo -a strategy=breadth_first --order order.csv demo
scrapy simulate -a topic=solar --in-flight 1 --delay 0 solar-2025.warc.gz
scrapy simulate -a topic=solar -a strategy=dom data/solar     what an earlier crawl fetched, in another order"""

    def syntax(self) -> str:
        return "-a topic=NAME [options] WEB..."

    def short_desc(self) -> str:
        return "Crawl a recorded web (demo, WARC files, an earlier crawl) offline, with a virtual clock"

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        self.add_arguments_option(parser, "as of scrapy crawl topical")
        add_network_options(parser)
        parser.add_argument(
            "--outside",
            choices=("hide", "fail"),
            default="hide",
            help="links to URLs that are not recorded are hidden (default) or fail when they are fetched",
        )
        parser.add_argument("--order", type=Path, metavar="FILE", help="write every fetch to FILE, as CSV")
        parser.add_argument("--cache", type=Path, metavar="FOLDER", help="of what was read (default: DATA_DIR/cache)")

    def execute(self, args: list[str], opts: argparse.Namespace) -> None:
        from focused import strategies
        from focused.collection.collection import data_folder
        from focused.collection.trained_model import MODELS
        from focused.live.assemble import assemble
        from focused.simulation.simulated import shown, summary
        from focused.simulation.simulator import Simulator
        from focused.simulation.web_opener import CACHE, analysed_web, collection_of
        from focused.topic.topic_arguments import topic_from_arguments

        assert self.settings is not None
        topic = topic_from_arguments(self.arguments(opts), strategies, topics_dir=self.topics_dir)
        network = network_of(self.settings, topic, opts)
        data = data_folder(self.settings)
        reader, crawl = assemble(topic, models=data / MODELS)
        cache = opts.cache or data / CACHE
        hide, reason = opts.outside == "hide", ""
        with analysed_web(args, topic, reader, cache, hide_outside=hide) as web:
            simulator = Simulator(crawl, web, network, self._backlinks(topic, data, web))
            started = time.process_time()
            with _order_file(opts.order) as order:
                for fetch in shown(simulator, self.settings.getfloat("FOCUSED_PROGRESS_SECONDS", 10.0)):
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
        if collection_of(args):
            print("  note      a URL that the earlier crawl did not fetch is unknown here, not irrelevant")

    def note(self, fetch: Fetch) -> None:
        """Called with every fetch, for commands that make more of it."""

    def _backlinks(self, topic: Topic, data: Path, web: AnalysedWeb) -> Backlinks | None:
        """Who answers the questions of a strategy; the same every time, so an API cannot be asked."""
        if topic.backlinks.provider == "none":
            return None
        if topic.backlinks.provider == "api":
            raise BacklinkError(
                f"{topic.name}: [backlinks] provider: an API cannot be asked in a simulation, whose result must not depend on "
                "the day; choose crawls, or web for the web that is simulated (-a backlinks.provider=web)"
            )
        assert self.settings is not None
        progress = ProgressLine(self.settings.getfloat("FOCUSED_PROGRESS_SECONDS", 10.0))

        def report(pages: int) -> None:
            progress.show(lambda: f"{pages:,} pages read for their links")

        providers = wings.borrow("seeds.backlinks.providers", f'[backlinks] provider = "{topic.backlinks.provider}"')
        found: Backlinks = providers.open_backlinks(topic, web.reader.rules, data, web=web, report=report)
        return found


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

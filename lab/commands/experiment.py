"""`python -m lab experiment`: crawl many topics with many strategies offline, judge them by labels, say which is better."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from scrapy.exceptions import UsageError

from focused.collection.collection import data_folder
from focused.collection.trained_model import MODELS
from focused.explain.command import INTERRUPTED
from focused.simulation.known_webs import is_generated
from focused.topic.plain_files import shown_path
from focused.topic.topic_file import SUFFIX
from lab.experiment.command import CrawlsCommand
from lab.experiment.comparing import CRAWLS, TABLE, Comparing, write_results
from lab.experiment.experiment import STRATEGIES, TABLES, Experiment, Plan, experiment_of, read_tables

FOLDER = "comparison"  #: where results go if nobody says otherwise


def _names(text: str) -> list[str]:
    return [name for name in map(str.strip, text.split(",")) if name]


#: Options that are a value of the experiment: table, key, and how the text is read.
VALUES: dict[str, tuple[str, str, Callable[[str], Any], str]] = {
    "--topics": ("experiment", "topics", _names, "FOLDER,FILE,PATTERN"),
    "--pages": ("experiment", "pages", int, "N"),
    "--repeats": ("experiment", "repeats", int, "N"),
    "--outside": ("experiment", "outside", str, "hide|fail"),
    "--challenger": ("experiment", "challenger", str, "NAME"),
    "--baselines": ("experiment", "baselines", _names, "NAME,NAME"),
    "--in-flight": ("network", "in_flight", int, "N"),
    "--per-host": ("network", "per_host", int, "N"),
    "--delay": ("network", "delay", float, "S"),
    "--latency": ("network", "latency", float, "S"),
}


class Command(CrawlsCommand):
    usage = "[options] EXPERIMENT.toml [WEB...] | --strategies NAME,NAME --topics FOLDER [options] WEB..."
    summary = "Compare strategies over topics with labels, offline: tables, tests over topics, curves, plots"
    about = (
        "Every topic is crawled by every strategy, in parallel, on a recorded web (see scrapy compare). Topics are files\n"
        "NAME.toml with NAME.labels.json beside them (see python -m lab datasets). Options override those of EXPERIMENT.toml.\n"
        "A comparison that was stopped goes on with the same command: crawls that are done are not made again."
    )
    examples = """
python -m lab experiment --strategies dom,hub_seeking,best_first --topics topics-webkb --pages 500 webkb.tar.xz
python -m lab experiment --strategies dom,breadth_first --topics 'topics-wiki/*-near.toml' --repeats 3 --out near wikispeedia.tar.xz
python -m lab experiment --strategies dom,best_first --topics my-topics data/solar      what an earlier crawl of yours fetched
python -m lab experiment near/experiment.toml --out again      repeat it; with the same --out, go on with a stopped one"""

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        parser.add_argument(
            "--strategies", type=_names, metavar="NAME,NAME", help="who takes part, with default options"
        )
        for option, (table, key, kind, metavar) in VALUES.items():
            field = TABLES[table].model_fields[key]
            default = "" if field.is_required() or field.default in ("", ()) else f" (default: {field.default})"
            parser.add_argument(option, type=kind, metavar=metavar, help=f"{field.description}{default}")
        parser.add_argument("--robustness", action="store_true", help=Plan.model_fields["robustness"].description)
        self.add_results_options(parser, FOLDER)

    def execute(self, args: list[str], opts: argparse.Namespace) -> None:
        assert self.settings is not None
        how = self.how_to_crawl(opts)
        comparing = Comparing(_experiment(args, opts), opts.out, *how, data_folder(self.settings) / MODELS)
        print(_beginning(comparing), file=sys.stderr)
        try:
            results = comparing.run()
        except KeyboardInterrupt:
            made = sum(crawl.path.exists() for crawl in comparing.crawls)
            kept = f"{made:,} of {len(comparing.crawls):,} crawls are done and kept; the same command goes on"
            print(f"{self.called}: interrupted: {kept}", file=sys.stderr)
            self.exitcode = INTERRUPTED
            return
        print(write_results(results, opts.out))
        print(f"All results are in {shown_path(opts.out)}: {TABLE}, CSV files, plots.")


def _experiment(args: list[str], opts: argparse.Namespace) -> Experiment:
    """The experiment of a file, of options, or of both."""
    tables: dict[str, Any] = {}
    file = ""
    if args and args[0].endswith(SUFFIX):
        file = shown_path(Path(args[0]))
        tables, args = read_tables(Path(args[0])), args[1:]
    elif not args:
        raise UsageError("which web? Give an experiment file, or a web with --strategies and --topics")
    elif not opts.strategies or not opts.topics:
        raise UsageError("give --strategies and --topics, or an experiment file")
    if args:
        _set(tables, "experiment", "web", [name if is_generated(name) else str(Path(name).absolute()) for name in args])
    if opts.strategies:
        described = tables.get(STRATEGIES, {})
        known = described if isinstance(described, dict) else {}
        tables[STRATEGIES] = {name: known.get(name, {}) for name in opts.strategies}
    places = {("experiment", "web"): "WEB"} if args else {}
    for option, (table, key, _, _) in VALUES.items():
        value = getattr(opts, option.lstrip("-").replace("-", "_"))
        if value is not None:
            _set(tables, table, key, [str(Path(name).absolute()) for name in value] if key == "topics" else value)
            places[table, key] = option
    if opts.robustness:
        _set(tables, "experiment", "robustness", True)
    return experiment_of(tables, file, places)


def _set(tables: dict[str, Any], table: str, key: str, value: Any) -> None:
    values = tables.setdefault(table, {})
    if isinstance(values, dict):  # else a mistake of the file, which is told with the others
        values[key] = value


def _beginning(comparing: Comparing) -> str:
    total, missing = len(comparing.crawls), len(comparing.missing)
    kept = f"; {total - missing:,} are there already" if missing < total else ""
    return f"{total:,} crawls into {shown_path(comparing.folder / CRAWLS)}{kept}"

"""`python -m lab figures`: make figures of the papers again, on recorded webs, beside what the papers say."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from focused.exceptions import EvaluationError
from focused.explain.command import INTERRUPTED
from focused.explain.plain_output import TableColumn, print_table
from focused.topic.mistakes import unknown
from focused.topic.plain_files import shown_path
from lab.experiment.command import CrawlsCommand
from lab.figures.figure import Bench
from lab.figures.papers import get_figure, names
from lab.results.results_files import write_file
from lab.webs.kinds import data_set_kind

FOLDER = "figures"  #: where results go if nobody says otherwise
REPORT = "figure.md"
ALL = "all"  #: instead of names
COLUMNS = ("figure", "of", "needs", TableColumn("minutes", True), "shows")


class Command(CrawlsCommand):
    usage = "[options] [NAME...] [WEB...]"
    summary = "Make figures of the papers again: crawl, draw, and set the paper's values beside ours"
    about = (
        "Without a name: list the figures, with the data sets that each needs and about how long it takes on two\n"
        "processors. With names, or all, and data sets (see python -m lab datasets): crawl what the figure shows, and\n"
        "write into a folder of its name the pictures (PNG, SVG), CSV files and a report, figure.md. A figure that was\n"
        "stopped goes on with the same command: crawls that are done are not made again."
    )
    examples = """
python -m lab figures                                     list them
python -m lab figures augmented_seeds wikispeedia.tar.xz
python -m lab figures all wikispeedia.tar.xz webkb.tar.xz
python -m lab figures iq_learning page_importance --out figures wikispeedia.tar.xz"""

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        self.add_results_options(parser, FOLDER)

    def execute(self, args: list[str], opts: argparse.Namespace) -> None:
        if not args:
            _list()
            return
        how = self.how_to_crawl(opts)
        known = (*names(), ALL)
        chosen = names() if ALL in args else [name for name in names() if name in args]
        webs = _webs([name for name in args if name not in known])
        _check(chosen, webs)
        for name in chosen:
            folder = opts.out / name
            try:
                text = make(name, Bench(webs, folder, *how))
            except KeyboardInterrupt:
                told = (
                    f"{name} is interrupted: what was crawled is kept in {shown_path(folder)}; the same command goes on"
                )
                print(f"{self.called}: {told}", file=sys.stderr)
                self.exitcode = INTERRUPTED
                return
            print(text)
            print(f"All of it is in {shown_path(folder)}: {REPORT}, pictures, CSV files.")


def make(name: str, bench: Bench) -> str:
    """Make a figure, write its report and return it. Raises EvaluationError, and what else crawling raises."""
    figure = get_figure(name)
    lines = [f"# {figure.paper}", "", f"{figure.shows[0].upper()}{figure.shows[1:]}.", "", *figure.make(bench)]
    text = "\n".join(lines)
    write_file(bench.folder / REPORT, text.encode())
    return text


def _list() -> None:
    figures = {name: get_figure(name) for name in names()}
    rows = [(name, one.paper, ", ".join(one.needs), one.minutes, one.shows) for name, one in figures.items()]
    print_table(COLUMNS, rows)


def _webs(paths: Sequence[str]) -> dict[str, Path]:
    """Data sets by their kind. Raises EvaluationError for what is neither a figure nor a data set."""
    webs = {}
    for path in paths:
        kind = data_set_kind(Path(path))
        if not kind:
            raise EvaluationError(
                f"{path}: neither a figure nor a data set is called so: {unknown(path, (*names(), ALL), plural='figures')}"
            )
        webs[kind] = Path(path)
    return webs


def _check(chosen: Sequence[str], webs: dict[str, Path]) -> None:
    if not chosen:
        raise EvaluationError(f"which figure? Give a name: {', '.join(names())}")
    for name in chosen:
        for kind in get_figure(name).needs:
            if kind not in webs:
                raise EvaluationError(
                    f"{name} needs {kind}: give its archive, which python -m lab datasets fetch {kind} brings"
                )

"""`scrapy compare`: which strategy would have found more in a recorded web, such as what an earlier crawl of yours fetched."""

from __future__ import annotations

import argparse
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

from scrapy.exceptions import UsageError

from focused.exceptions import FocusedError
from focused.explain.command import FocusedCommand
from focused.explain.plain_output import Column, print_table
from focused.explain.progress_line import ProgressLine
from focused.simulation.commands.simulate import add_network_options, network_of
from focused.topic.plain_files import shown_path

if TYPE_CHECKING:
    from focused.simulation.comparison import Found
    from focused.topic.topic import Topic

#: Who takes part beside the strategy of the topic and the default.
USUAL = ("combined", "dom", "hub_seeking", "best_first", "breadth_first")
#: Pages after which the table says what was found.
STEPS = (50, 100, 200, 400, 1_000, 2_000, 5_000, 10_000, 20_000, 50_000)


class Command(FocusedCommand):
    """Fetches nothing and writes no collection."""

    examples = """
scrapy compare -a topic=demo demo
scrapy compare -a topic=solar --strategies adaptive,dom,breadth_first --plot solar.png data/solar
scrapy compare -a topic=solar -a pages=500 --orders 5 data/solar     five times, with answers in another order each time"""

    def syntax(self) -> str:
        return "-a topic=NAME [--strategies NAME,NAME] [options] WEB..."

    def short_desc(self) -> str:
        return "Compare strategies on a recorded web, such as what an earlier crawl of yours fetched"

    def long_desc(self) -> str:
        return (
            "Every strategy crawls the same web offline for the same topic. WEB is the folder of an earlier crawl, WARC files, or\n"
            "demo. Pages count as relevant if a label file says so, else if the topic's page model does. An earlier crawl knows\n"
            "only what it fetched, and so flatters the strategy that made it: compare on webs that were crawled broadly."
        )

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
        parser.add_argument("--labels", type=Path, metavar="FILE", help="label file that says which pages are relevant")
        parser.add_argument("--plot", type=Path, metavar="FILE", help="draw the curves into FILE (.png, .svg, .pdf)")
        add_network_options(parser)

    def execute(self, args: list[str], opts: argparse.Namespace) -> None:
        from focused import strategies
        from focused.collection.collection import data_folder
        from focused.collection.trained_model import MODELS
        from focused.explain.plots import Line, check_picture, draw_lines
        from focused.live.assemble import assemble
        from focused.simulation.comparison import compare
        from focused.simulation.labels import read_labels
        from focused.simulation.web_opener import CACHE, analysed_web, collection_of
        from focused.topic.topic import DEFAULT_STRATEGY
        from focused.topic.topic_arguments import topic_from_arguments

        assert self.settings is not None
        if not args:
            raise UsageError("which web? Give the folder of an earlier crawl, WARC files, or demo")
        if opts.orders < 1:
            raise FocusedError(f"--orders {opts.orders}: give a number from 1 on")
        topic = topic_from_arguments(self.arguments(opts), strategies, topics_dir=self.topics_dir)
        chosen = (
            opts.strategies.split(",") if opts.strategies else dict.fromkeys((topic.strategy, DEFAULT_STRATEGY, *USUAL))
        )
        names = list(dict.fromkeys(name.strip() for name in chosen if name.strip()))
        if not names:
            raise FocusedError(f"--strategies {opts.strategies}: names no strategy; give some, as in dom,adaptive")
        for name in names:
            strategies.get_strategy(name)  # a wrong name is told before anything is read
        if opts.plot:
            check_picture(opts.plot)
        labels = read_labels(opts.labels).judgements if opts.labels else None
        data, network = data_folder(self.settings), network_of(self.settings, topic, opts)
        reader, _ = assemble(topic.model_copy(update={"strategy": "breadth_first", "strategy_options": {}}))
        total = topic.budget.pages * len(names) * opts.orders
        with (
            closing(ProgressLine(self.settings.getfloat("FOCUSED_PROGRESS_SECONDS"))) as progress,
            analysed_web(args, topic, reader, data / CACHE) as web,
        ):
            fetched = 0

            def tell(strategy: str, pages: int) -> None:
                nonlocal fetched
                fetched += 1
                progress.show(lambda: f"{strategy}: {pages:,} pages", fetched, total)

            relevant = labels.relevant if labels else None
            found = compare(
                *(topic, names, web, network), orders=opts.orders, relevant=relevant, models=data / MODELS, tell=tell
            )
        self._print(topic, found, opts.orders, judged=labels is not None)
        if collection_of(args):
            print("\nThe web is an earlier crawl: a URL that it did not fetch is unknown here, not irrelevant.")
        if opts.plot:
            lines = [Line(one.strategy, one.mean) for one in found]
            draw_lines(lines, opts.plot, "pages fetched", "relevant pages found")
            print(f"Curves drawn into {shown_path(opts.plot)}")

    def _print(self, topic: Topic, found: list[Found], orders: int, *, judged: bool) -> None:
        longest = max(one.curves.shape[1] for one in found)
        steps = [*(step for step in STEPS if step < longest), longest]
        columns: list[Column | str] = ["strategy", *(Column(f"{step:,} pages", is_number=True) for step in steps)]
        rows = [
            (one.strategy, *(_shown(*one.after(step)) for step in steps))
            for one in sorted(found, key=lambda one: -float(one.mean.mean()))
        ]
        by = "by the labels" if judged else "by the topic's own page model"
        each = f", mean ± standard deviation of {orders} orders" if orders > 1 else ""
        print_table(columns, rows, f"Relevant pages found for {topic.name}, {by}{each}; best curve first")


def _shown(mean: float, deviation: float) -> str:
    return f"{mean:.1f} ± {deviation:.1f}" if deviation else f"{mean:.0f}"

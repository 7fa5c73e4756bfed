"""`scrapy report`: what crawls have collected, in tables and as a picture, and what is new since the last look."""

from __future__ import annotations

import argparse
from contextlib import ExitStack, closing
from pathlib import Path
from typing import TYPE_CHECKING

from focused import wings
from focused.explain.command import FocusedCommand, mistakes_told

if TYPE_CHECKING:
    from focused.collection.store import Store

#: Measured on labelled webs, see lab/notes/evaluation.md.
NOT_JUDGED = (
    "Nobody has judged these pages. In three of four labelled crawls the crawl's own harvest rate was less than 10 points off; "
    "scrapy judge {name} --findings tells for this one"
)


class Command(FocusedCommand):
    """Reads collections, also those that are being crawled; with --new it notes in desk.db what it has told."""

    usage = "[NAME ...] [--plot FILE | --new [options]]"
    summary = "Show what a crawl has collected, draw its harvest curve, or tell what is new since the last look"
    examples = """
scrapy report solar
scrapy report solar --plot solar.png
scrapy report solar wind --plot both.svg               harvest curves of two collections in one picture
scrapy report solar --new                              what is new since the last time: pages, changes, sites
scrapy report solar --new --since 7d                   what came in the last seven days; nothing is noted
scrapy report solar --new --feed /var/www/solar.atom   the newest events as an Atom feed, too
scrapy report solar --new --command 'mail -s "Solar" me@example.org'"""

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        parser.add_argument(
            "--plot", type=Path, metavar="FILE", help="draw harvest curves into FILE (.png, .svg, .pdf)"
        )
        wings.ask("add_report_options", parser)

    def execute(self, args: list[str], opts: argparse.Namespace) -> None:
        from focused.collection.collection import existing_collections, open_to_read
        from focused.collection.sqlite_errors import damage_is_told
        from focused.inspection.collection_report import plot, tables
        from focused.inspection.plots import check_picture

        if wings.ask("report_news", self.data, args, opts):
            return
        names = args or existing_collections(self.data)
        if opts.plot is not None:
            check_picture(opts.plot)
        with ExitStack() as stack:
            stores: list[tuple[str, Store]] = []
            for name in names:
                with mistakes_told(self, self.called):
                    store = stack.enter_context(closing(open_to_read(self.data / name)))
                    with damage_is_told(store.path):
                        print(f"{name}: ", "\n".join(tables(store)), sep="")
                        print(f"\n{wings.ask('judged_in_a_line', store) or NOT_JUDGED.format(name=name)}\n")
                    stores.append((name, store))
            if opts.plot is not None and stores:
                with damage_is_told(self.data):
                    plot(stores, opts.plot)
                print(f"Harvest curves drawn into {opts.plot}")

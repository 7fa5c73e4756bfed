"""`scrapy map`: the map of a collection as a file: pages by topic, or hosts by links."""

from __future__ import annotations

import argparse
from pathlib import Path

from scrapy.exceptions import UsageError

from focused.exceptions import StorageError
from focused.explain.command import FocusedCommand
from focused.topic.plain_files import shown_path


class Command(FocusedCommand):
    """Reads a collection, also while it is being crawled; writes nothing but the side file map.db in its folder."""

    usage = "NAME [FILE] [options]"
    summary = "Write the map of a collection into a file: GEXF, GraphML, SVG, or one HTML file that needs nothing"
    examples = """
scrapy map solar                                  solar.html: pages by topic, to be opened in any browser
scrapy map solar solar.gexf                       for Gephi
scrapy map solar hosts.graphml --kind hosts       which hosts link to which
scrapy map solar domains.svg --kind domains       a picture; subdomains are one with their domain
scrapy map solar tree.html --kind tree            each page on the page whose link led to it: the map of one site"""

    def long_desc(self) -> str:
        from focused.desk.dashboard.map_file import ENDINGS

        return f"{self.summary}. The ending of FILE says which: {', '.join(f'.{ending}' for ending in ENDINGS)}."

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        from focused.desk.mapping.making import KINDS

        super().add_options(parser)
        parser.add_argument(
            "--kind",
            choices=KINDS,
            default=KINDS[0],
            help="pages by topic (the default), hosts by links, registered domains by links, or the tree of the crawl: each page "
            "on the page whose link led to it",
        )

    def execute(self, args: list[str], opts: argparse.Namespace) -> None:
        from focused.collection.collection import data_folder, opened
        from focused.collection.desk import Desk
        from focused.desk.dashboard.map_file import ENDINGS, saved, themes_in
        from focused.desk.mapping.making import drawings
        from focused.desk.mapping.page_reading import told_on_a_line
        from focused.export.targets import refuse_taken, unfinished

        if not 1 <= len(args) <= 2:
            raise UsageError("give one collection, and a file if you like, as in: scrapy map solar solar.gexf")
        folder = data_folder(self.settings) / args[0]
        path = Path(args[1] if len(args) > 1 else f"{folder.name}.html")
        ending = path.suffix.lower().removeprefix(".")
        if ending not in ENDINGS:
            raise UsageError(
                f"{path}: the ending says no format: give {', '.join(f'.{one}' for one in ENDINGS)}", print_help=False
            )
        refuse_taken(path, is_folder=False)
        with told_on_a_line(self.settings) as tell:
            *_, drawn = drawings(opts.kind, folder, tell)
        if not len(drawn):
            raise StorageError(f"{folder}: no page was fetched yet, so that there is nothing to draw")
        with opened(folder) as store, unfinished(path) as temporary:
            themes = themes_in(drawn, store, Desk(folder))
            with temporary.open("w", encoding="utf-8", errors="replace") as file:
                file.writelines(saved(drawn, themes, store, ending, f"{folder.name}: {opts.kind}"))
        print(f"{shown_path(path)}: {len(drawn):,} {'pages' if opts.kind == 'tree' else opts.kind}")

"""`scrapy companies`: the sites of a collection by registered domain, rated by relevance and by hubs, with contact pages."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from scrapy.exceptions import UsageError

from focused.exceptions import StorageError
from focused.explain.command import FocusedCommand
from focused.explain.plain_output import TableColumn, print_table
from focused.page.plain_text import plain
from focused.topic.plain_files import shown_path

if TYPE_CHECKING:
    from focused.desk.sites import Site, Sites

LIMIT, MOST = 20, 100_000
NUMBERS = ("rating", "relevance", "linked from", "relevant", "pages")
HEADINGS: tuple[TableColumn | str, ...] = (
    "site",
    *(TableColumn(name, is_number=True) for name in NUMBERS),
    "best page",
    "contact page",
)


class Command(FocusedCommand):
    """Reads a collection, also while it is being crawled; writes nothing but the side file map.db in its folder."""

    usage = "NAME [FILE.csv] [options]"
    summary = "List the sites that a crawl found, such as companies: rated, with their best pages and contact pages"
    about = (
        "Sites are registered domains. The rating is the relevance of a site's three best pages, raised by hubs: pages of\n"
        "other sites that link to it and to sites you named, or that have relevant pages.\n"
        "FILE ends with .csv; - is standard output."
    )
    examples = """
scrapy companies solar                     the twenty best sites that are no seeds
scrapy companies solar sites.csv           all of them, for a spreadsheet
scrapy companies solar --seeds             the seeds too, marked with a star
scrapy topics heat new --preset companies --keywords "heat pump" --seed URL --seed URL"""

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        parser.add_argument("--limit", type=int, metavar="N", help=f"the N best (default: {LIMIT}, in a file all)")
        parser.add_argument("--seeds", action="store_true", help="the sites of the seeds too")

    def execute(self, args: list[str], opts: argparse.Namespace) -> None:
        from focused.collection.collection import data_folder
        from focused.desk.mapping.page_reading import told_on_a_line
        from focused.desk.sites import sites_of
        from focused.export.targets import STDOUT, refuse_taken, refuse_terminal

        if not 1 <= len(args) <= 2:
            raise UsageError("give one collection, and a file if you like, as in: scrapy companies solar sites.csv")
        if opts.limit is not None and not 1 <= opts.limit <= MOST:
            raise UsageError(f"--limit {opts.limit}: give a number from 1 to {MOST:,}", print_help=False)
        file = args[1] if len(args) > 1 else ""
        if file == STDOUT:
            refuse_terminal()
        elif file and Path(file).suffix.lower() != ".csv":
            raise UsageError(f"{plain(file)}: the ending says no format: give .csv", print_help=False)
        elif file:
            refuse_taken(Path(file), is_folder=False)
        folder = data_folder(self.settings) / args[0]
        with told_on_a_line(self.settings) as tell:
            sites = sites_of(folder, tell)
        found = sites.ordered(seeds=opts.seeds)
        if not found:
            raise StorageError(f"{folder}: no site was found yet but those of the seeds; --seeds shows them")
        if file:
            _write(file, sites, found[: opts.limit])
        else:
            rows = [_row(site) for site in sites.shown(found[: opts.limit or LIMIT])]
            print_table(HEADINGS, rows, f"{len(rows):,} of {len(found):,} sites")


def _write(file: str, sites: Sites, numbers: list[int]) -> None:
    from focused.desk.sites import table_lines
    from focused.export.targets import STDOUT, unfinished

    if file == STDOUT:
        sys.stdout.writelines(table_lines(sites, numbers))
        return
    with (
        unfinished(Path(file)) as temporary,
        temporary.open("w", encoding="utf-8", errors="replace", newline="") as out,
    ):
        out.writelines(table_lines(sites, numbers))
    print(f"{shown_path(Path(file))}: {len(numbers):,} sites")


def _row(site: Site) -> tuple[object, ...]:
    best = site.evidence[0] if site.evidence else None
    relevance = f"{site.relevance:.3f}" if site.pages else "-"
    return (
        f"{plain(site.name)}{' *' if site.is_seed else ''}",
        f"{site.rating:.3f}",
        relevance,
        site.linked_from,
        site.relevant,
        site.pages,
        (best.title or best.url) if best else "-",
        site.contact or "-",
    )

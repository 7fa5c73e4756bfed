"""`scrapy show`: a stored page, and what the crawl knows of it."""

from __future__ import annotations

import argparse
import sys

from scrapy.exceptions import UsageError

from focused.exceptions import FocusedError
from focused.explain.command import FocusedCommand
from focused.explain.plain_output import print_paragraph, print_text
from focused.live.closed_pipe import full_disk_is_told


class Command(FocusedCommand):
    """Reads a collection, also while it is being crawled; fetches nothing and changes nothing."""

    usage = "NAME URL [--headers | --raw | --open]"
    summary = "Show a stored page: its text, where it came from, how it was judged, its copies"
    examples = """
scrapy show solar https://example.org/page.html
scrapy show solar https://example.org/page.html --raw > page.html
scrapy show solar https://example.org/page.html --open       in the browser, without scripts and without network"""

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        how = parser.add_mutually_exclusive_group()
        how.add_argument("--headers", action="store_true", help="all headers of the answer, and nothing else")
        how.add_argument("--raw", action="store_true", help="the bytes of the page as they are, for a file or a pipe")
        how.add_argument(
            "--open",
            action="store_true",
            help="show the page in the browser as it is stored: its scripts do not run, and nothing is loaded from anywhere",
        )

    def execute(self, args: list[str], opts: argparse.Namespace) -> None:
        from focused.collection.collection import PAGES, open_repository, opened
        from focused.inspection.stored_page import described, stored_page, visit
        from focused.live.last_run import last_run
        from focused.page.page_text import page_text
        from focused.page.urls import UrlRules

        if len(args) != 2:
            raise UsageError("give a topic and a URL, as in: scrapy show solar https://example.org/page.html")
        name, url = args
        if "://" in name:
            raise UsageError(f"give the collection before the URL: scrapy show NAME {name}", print_help=False)
        if opts.raw and sys.stdout.isatty():
            raise FocusedError("--raw does not write to a terminal, which a page could command: end with > FILE")
        folder = self.data / name
        with opened(folder) as store:
            run = last_run(store)
            rules = UrlRules(run.reading.fold_index, run.reading.strip_parameters, run.reading.strip_session_ids)
            page = stored_page(store, rules, url)
            stored = open_repository(run.pages, folder / PAGES).get(page.place)
            content_type = stored.content_type or str(page.content_type or "")
            about = list(described(store, page, stored)) if not (opts.raw or opts.headers or opts.open) else []
            address = store.url(page.id)
        if opts.raw:
            with full_disk_is_told():
                sys.stdout.buffer.write(stored.body)
                sys.stdout.buffer.flush()
        elif opts.headers:
            print(f"HTTP {stored.status}")
            for header, value in stored.headers:
                print(f"{header}: {value}")
        elif opts.open:
            visit(stored.body, content_type)
        else:
            print_paragraph([(str(page.title or "(no title)"), True)])
            print(f"{address}\n")
            for label, line in about:
                print(f"  {label:11}{line}")
            print()
            print_text(page_text(stored.body, content_type, run.reading, "markdown") or "(no text that can be read)")

"""`scrapy bench`: Scrapy's own measures nothing under the delays of this project, and this says so."""

from __future__ import annotations

import argparse

from focused.exceptions import FocusedError
from focused.reporting.command import FocusedCommand


class Command(FocusedCommand):
    examples = """
scrapy bench          says what to run instead"""

    def short_desc(self) -> str:
        return "Scrapy's benchmark, which means nothing here: delays between requests are on"

    def execute(self, args: list[str], opts: argparse.Namespace) -> None:
        raise FocusedError(
            "a delay between requests is on in this project, so that one page a second would be measured; run it outside of "
            "the project, or `make bench`, which measures what a topical crawl costs"
        )

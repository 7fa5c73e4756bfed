"""`scrapy bench`: Scrapy's own, without the delays of this project, which are all that it would measure."""

from __future__ import annotations

import argparse

from scrapy.commands.bench import Command as ScrapyBench

SETTINGS = {
    "DOWNLOAD_DELAY": 0.0,
    "CONCURRENT_REQUESTS_PER_DOMAIN": 16,
    "AUTOTHROTTLE_ENABLED": False,
    "EXTENSIONS": {"scrapy.extensions.logstats.LogStats": 0},  # pages a minute, which this project does not log
}


class Command(ScrapyBench):
    """Asks a server of its own on this machine, and nobody else. What a topical crawl costs is measured by `make bench`."""

    def long_desc(self) -> str:
        return (
            "How many pages a minute Scrapy alone fetches from a server on this machine: no topic, no scores, nothing stored. "
            "Example: scrapy bench. What a topical crawl costs beyond that is measured by `make bench` in a checkout."
        )

    def process_options(self, args: list[str], opts: argparse.Namespace) -> None:
        super().process_options(args, opts)
        assert self.settings is not None
        self.settings.setdict(SETTINGS, "cmdline")

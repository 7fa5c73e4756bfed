"""`scrapy list`: Scrapy's own, which names the topical spider too where a project has our add-on. scrapyd asks it."""

from __future__ import annotations

import argparse

from scrapy.commands.list import Command as ScrapyList

from focused.addon import Addon


class Command(ScrapyList):
    """Scrapy loads add-ons for a crawl alone."""

    def long_desc(self) -> str:
        return "List the spiders of the project, with those that add-ons bring. Example: scrapy list"

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        assert self.settings is not None
        if {"focused.Addon", "focused.addon.Addon", Addon} & self.settings.getdict("ADDONS").keys():
            Addon.update_pre_crawler_settings(self.settings)
        super().run(args, opts)

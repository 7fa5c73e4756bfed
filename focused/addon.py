"""What a Scrapy project of somebody's own needs: ``ADDONS = {"focused.Addon": 300}`` in its settings.

Then `scrapy crawl topical` runs there. The components of a topical crawl come with the spider (`TopicalSpider.update_settings`), so
that the other spiders of the project are left alone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from scrapy.settings import BaseSettings  # focused/__init__.py imports this file: it stays light

SPIDERS = "focused.spiders"


class Addon:
    """Makes the topical spider known to a project."""

    @classmethod
    def update_pre_crawler_settings(cls, settings: BaseSettings) -> None:
        modules = settings.getlist("SPIDER_MODULES")
        if SPIDERS not in modules:
            settings.set("SPIDER_MODULES", [*modules, SPIDERS], settings.getpriority("SPIDER_MODULES") or "addon")

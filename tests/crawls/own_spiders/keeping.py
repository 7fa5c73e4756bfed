"""Item pipelines of a user's own that drop pages, change them, replace their items, wait, or fail."""

from __future__ import annotations

import asyncio
from dataclasses import asdict

from scrapy.exceptions import DropItem
from twisted.internet.defer import succeed

from focused.items import PageItem


class Selecting:
    """Does with each page what the last part of its URL says."""

    async def process_item(self, item):
        if not isinstance(item, PageItem):
            return item
        match item.url.rpartition("/")[2]:
            case "drop":
                raise DropItem("not wanted: this one")
            case "fail":
                raise RuntimeError("a mistake in a pipeline")
            case "wait":
                await asyncio.sleep(0)
                item.title = "Waited"
            case "change":
                item.title, item.noindex, item.language = "\ud800\x1bChanged\n" + "x" * 5000, True, None
            case "replace":
                return asdict(item) | {"title": "Replaced"}
        return item


class Deferring:
    """Returns a deferred."""

    def process_item(self, item):
        return succeed(item)

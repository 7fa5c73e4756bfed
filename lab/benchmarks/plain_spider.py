"""What a focused crawl is compared with: plain Scrapy, breadth first, LinkExtractor, a Request per link; stores nothing."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from scrapy import Request, Spider
from scrapy.exceptions import CloseSpider
from scrapy.http import Response, TextResponse
from scrapy.linkextractors import LinkExtractor


class PlainSpider(Spider):
    """Follows every link within ``hosts`` until ``pages`` pages are in (0: until none is left).

    Writes the number of pages to the file ``count``.
    """

    name = "plain"
    custom_settings = {  # noqa: RUF012 -- as Scrapy declares it
        # Breadth first, as Scrapy's own documentation says it.
        "DEPTH_PRIORITY": 1,
        "SCHEDULER_DISK_QUEUE": "scrapy.squeues.PickleFifoDiskQueue",
        "SCHEDULER_MEMORY_QUEUE": "scrapy.squeues.FifoMemoryQueue",
    }

    def __init__(self, seeds: str, hosts: str, pages: str, count: str, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.start_urls = seeds.split(",")
        self.budget, self.count = int(pages), Path(count)
        self.links = LinkExtractor(allow_domains=hosts.split(","))
        self.pages = 0

    def parse(self, response: Response, **kwargs: Any) -> Iterator[Request]:
        """Ask for every page that this one links to; Scrapy's duplicate filter drops what was asked for before."""
        self.pages += 1
        if self.budget and self.pages >= self.budget:
            raise CloseSpider("page budget reached")
        if isinstance(response, TextResponse):
            for link in self.links.extract_links(response):
                yield Request(link.url)

    def closed(self, reason: str) -> None:
        self.count.write_text(str(self.pages))

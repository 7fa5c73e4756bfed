"""What many people write first: a Scrapy spider whose requests have as priority the keywords in anchor and URL, counted.

Of equal priority the request made first comes first. It obeys the same limits as the others and asks for no robots.txt.
"""

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from scrapy import Request, Spider
from scrapy.crawler import CrawlerProcess
from scrapy.http import Response, TextResponse
from scrapy.linkextractors import LinkExtractor


class KeywordSpider(Spider):
    """Follows every link to the hosts that exist, those with most keywords first."""

    name = "keywords"

    def __init__(self, task: dict[str, Any], **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.start_urls = task["seeds"]
        self.keywords = [word.lower() for word in task["keywords"]]
        self.links = LinkExtractor(allow_domains=task["hosts"])

    def parse(self, response: Response, **kwargs: Any) -> Iterator[Request]:
        """Ask for every page that this one links to."""
        if isinstance(response, TextResponse):
            for link in self.links.extract_links(response):
                text = f"{link.text} {unquote(link.url)}".lower()
                yield Request(link.url, priority=sum(word in text for word in self.keywords))


def main() -> None:
    """Crawl until nothing is left."""
    task = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
    process = CrawlerProcess(
        {
            "CONCURRENT_REQUESTS": task["in_flight"],
            "CONCURRENT_REQUESTS_PER_DOMAIN": 1,
            "DOWNLOAD_DELAY": 0,
            "RETRY_ENABLED": False,
            "METAREFRESH_ENABLED": False,
            "ROBOTSTXT_OBEY": False,
            "SCHEDULER_MEMORY_QUEUE": "scrapy.squeues.FifoMemoryQueue",
            "SCHEDULER_PRIORITY_QUEUE": "scrapy.pqueues.ScrapyPriorityQueue",  # one queue for all hosts: the best first
            "TELNETCONSOLE_ENABLED": False,
            "LOG_LEVEL": "WARNING",
        }
    )
    process.crawl(KeywordSpider, task=task)
    process.start()


if __name__ == "__main__":
    main()

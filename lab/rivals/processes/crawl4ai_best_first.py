"""crawl4ai as its documentation shows it for topics: BestFirstCrawlingStrategy with a KeywordRelevanceScorer, over plain HTTP.

It is given one page to start from, because it takes no more. Nothing of it is tuned; set are only the proxy, the hosts that exist,
no delays, and no end (whoever judges ends it). Its ten requests at a time are its own constant.
"""

import asyncio
import json
import sys
from pathlib import Path

from crawl4ai import AsyncWebCrawler, CrawlerRunConfig, HTTPCrawlerConfig
from crawl4ai.async_configs import ProxyConfig
from crawl4ai.async_crawler_strategy import AsyncHTTPCrawlerStrategy
from crawl4ai.deep_crawling import BestFirstCrawlingStrategy
from crawl4ai.deep_crawling.filters import DomainFilter, FilterChain
from crawl4ai.deep_crawling.scorers import KeywordRelevanceScorer

DEEPEST = 1000  #: links from the first page; it wants a number


async def main() -> None:
    """Crawl until nothing is left."""
    task = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
    strategy = BestFirstCrawlingStrategy(
        max_depth=DEEPEST,
        include_external=True,
        filter_chain=FilterChain([DomainFilter(allowed_domains=task["hosts"])]),
        url_scorer=KeywordRelevanceScorer(keywords=task["keywords"]),
    )
    config = CrawlerRunConfig(
        deep_crawl_strategy=strategy,
        stream=True,
        proxy_config=ProxyConfig(server=task["proxy"]),
        semaphore_count=task["in_flight"],
        mean_delay=0,
        max_range=0,
        verbose=False,
    )
    http = AsyncHTTPCrawlerStrategy(browser_config=HTTPCrawlerConfig(verify_ssl=False))
    async with AsyncWebCrawler(crawler_strategy=http, verbose=False) as crawler:
        async for _ in await crawler.arun(task["start"], config=config):
            pass


if __name__ == "__main__":
    asyncio.run(main())

"""crawlee for Python with its ParselCrawler. Its request queue has no priorities, but two ends.

Links with a keyword in anchor or URL go to the front (`forefront`), all others to the back. Its own way of choosing how many
requests run at a time is replaced by a fixed number, the same for all crawlers. Failures are not asked for again.
"""

import asyncio
import json
import logging
import sys
from pathlib import Path
from urllib.parse import unquote, urldefrag, urljoin, urlsplit

from crawlee import ConcurrencySettings
from crawlee.crawlers import ParselCrawler, ParselCrawlingContext
from crawlee.http_clients import ImpitHttpClient
from crawlee.proxy_configuration import ProxyConfiguration
from crawlee.storage_clients import MemoryStorageClient


async def main() -> None:
    """Crawl until nothing is left."""
    task = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
    keywords, hosts = [word.lower() for word in task["keywords"]], frozenset(task["hosts"])
    crawler = ParselCrawler(
        http_client=ImpitHttpClient(verify=False),
        proxy_configuration=ProxyConfiguration(proxy_urls=[task["proxy"]]),
        storage_client=MemoryStorageClient(),
        concurrency_settings=ConcurrencySettings(
            min_concurrency=task["in_flight"],
            desired_concurrency=task["in_flight"],
            max_concurrency=task["in_flight"],
        ),
        max_request_retries=0,
        configure_logging=False,
    )
    logging.getLogger("crawlee").setLevel(logging.CRITICAL)

    @crawler.router.default_handler  # type: ignore[untyped-decorator]
    async def follow(context: ParselCrawlingContext) -> None:
        front: list[str] = []
        back: list[str] = []
        base = context.request.loaded_url or context.request.url
        for anchor in context.selector.css("a[href]"):
            url = resolved(base, anchor.attrib["href"])
            if url is None or urlsplit(url).hostname not in hosts:
                continue
            text = f"{' '.join(anchor.css('::text').getall())} {unquote(url)}".lower()
            (front if any(word in text for word in keywords) else back).append(url)
        queue = await crawler.get_request_manager()
        await queue.add_requests(front, forefront=True)
        await queue.add_requests(back)

    await crawler.run(task["seeds"])


def resolved(base: str, link: str) -> str | None:
    """The absolute URL of a link, without fragment; None for what is no page."""
    try:
        url = urldefrag(urljoin(base, link.strip())).url
        return url if urlsplit(url).scheme in ("http", "https") else None
    except ValueError:
        return None


if __name__ == "__main__":
    asyncio.run(main())

"""Hosts that answered before: before the network is said to be down, some of them are asked whether it is."""

from __future__ import annotations

import logging
from collections.abc import Callable, Container
from typing import Self
from urllib.parse import urlsplit

from scrapy import Request
from scrapy.crawler import Crawler
from scrapy.http.request import NO_CALLBACK

from focused.collection.store import Store

logger = logging.getLogger(__name__)

KEPT = 20  #: hosts whose answers are remembered
ASKED = 3  #: of these, before an outage is believed

#: URLs that answered in earlier runs, the last first.
ANSWERED = """
    SELECT u.url FROM fetches f JOIN urls u ON u.id = f.final_url WHERE f.outcome = 'page' ORDER BY f.seq DESC LIMIT 500"""


class Witnesses:
    """The hosts that answered last."""

    def __init__(self) -> None:
        self._robots: dict[str, str] = {}  # URL of its robots.txt by host, the last to answer at the end

    @classmethod
    def of(cls, store: Store) -> Self:
        """Those of earlier runs of a crawl."""
        witnesses = cls()
        for (url,) in reversed(store.execute(ANSWERED).fetchall()):
            witnesses.note(url)
        return witnesses

    def note(self, url: str) -> None:
        """A URL has answered."""
        parts = urlsplit(url)
        host = f"[{parts.hostname}]" if ":" in (parts.hostname or "") else parts.hostname or ""
        self._robots.pop(host, None)
        self._robots[host] = f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}/robots.txt"
        if len(self._robots) > KEPT:
            del self._robots[next(iter(self._robots))]

    def to_ask(self, silent: Container[str], wants_rest: Callable[[str], bool]) -> list[str]:
        """URLs to ask: robots.txt of the hosts that answered last, those before others that are not silent now."""
        latest = [host for host in reversed(self._robots) if not wants_rest(host)]
        hosts = sorted(latest, key=lambda host: host in silent)
        return [self._robots[host] for host in hosts[:ASKED]]


#: How a witness is asked: once, over the network, with no middleware that sends more.
ALONE = {"dont_obey_robotstxt": True, "dont_retry": True, "dont_redirect": True, "dont_cache": True}


async def one_answers(crawler: Crawler, urls: list[str]) -> bool:
    """Ask for these URLs, one after the other, until an answer comes, whatever it says.

    A robots.txt is no page of the crawl, every host allows it, and the downloader keeps its delay.
    """
    assert crawler.engine is not None
    for url in urls:
        try:
            await crawler.engine.download_async(Request(url, callback=NO_CALLBACK, dont_filter=True, meta=dict(ALONE)))
        except Exception as error:  # whatever a downloader or a middleware says: no answer came
            logger.info("%s, which answered before, gives no answer either: %s", url, type(error).__name__)
        else:
            return True
    return False

"""All our uses of Scrapy's private parts, in one place; tried with Scrapy 2.18 and 2.19.

The engine's slot, the downloader's slots and their delays, and the making of redirects have no public interface. If a new Scrapy
breaks something, it breaks here. (`rendering/renderer.py` uses private parts of scrapy-playwright.)
"""

from __future__ import annotations

from scrapy import Request, version_info
from scrapy.crawler import Crawler
from scrapy.downloadermiddlewares.redirect import RedirectMiddleware
from scrapy.http import Response
from scrapy.utils.asyncio import call_later

from focused.live.redirects import unless_in_circle

#: Settings of a slot that make a delay exact, without jitter: from Scrapy 2.19 on, and before.
EXACT = {"jitter": 0.0} if version_info >= (2, 19) else {"randomize_delay": False}


class ScrapyEngine:
    """The engine of a running crawl, for `Manners` and for the scheduler."""

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = crawler

    def places(self, host: str) -> int:
        """Requests that may be under way to a host at a time."""
        downloader, host = self._crawler.engine.downloader, slot_of(host)
        return int(downloader.per_slot_settings.get(host, {}).get("concurrency", downloader.domain_concurrency))

    def delay(self, host: str) -> float:
        """Seconds between two requests to a host, as they are now: AutoThrottle and robots.txt change them."""
        downloader, host = self._crawler.engine.downloader, slot_of(host)
        slot = downloader.slots.get(host)
        if slot is not None:
            return float(slot.delay)
        return float(downloader.per_slot_settings.get(host, {}).get("delay", downloader._delay))

    def last_sent(self, host: str) -> float | None:
        """When the last request to a host was sent, by `time.monotonic`; None if its slot is not known (any more)."""
        slot = self._crawler.engine.downloader.slots.get(slot_of(host))
        return slot.lastseen or None if slot is not None else None

    def sent_since(self, time: float) -> dict[str, float]:
        """By host, when the last request was sent, if later than ``time``; the downloader forgets idle hosts."""
        slots = self._crawler.engine.downloader.slots if self._crawler.engine else {}
        return {host_of_slot(name): slot.lastseen for name, slot in slots.items() if slot.lastseen > time}

    def keep_delay(self, host: str, delay: float, least: float) -> None:
        """Keep at least this delay, and at least ``least``, between requests to a host, without jitter, despite AutoThrottle."""
        downloader, host = self._crawler.engine.downloader, slot_of(host)
        known = downloader.per_slot_settings.setdefault(host, {})
        known["delay"] = max(delay, least, float(known.get("delay", 0.0)))
        known.update(EXACT)
        slot = downloader.slots.get(host)
        if slot is not None:
            slot.delay = max(slot.delay, delay)
            for name, value in EXACT.items():
                setattr(slot, name, value)

    @property
    def is_idle(self) -> bool:
        """Whether nothing is being downloaded, and no response is being taken in."""
        engine = self._crawler.engine
        return not engine.downloader.active and not (engine.scraper.slot and not engine.scraper.slot.is_idle())

    @property
    def concurrency(self) -> int:
        """Requests that may be under way at a time, to all hosts; 0: no limit."""
        return int(self._crawler.engine.downloader.total_concurrency)

    def in_progress(self, key: str) -> set[object]:
        """``meta[key]`` of all requests that the engine is busy with, also of those whose response is being taken in."""
        slot = self._crawler.engine._slot
        return {request.meta.get(key) for request in slot.inprogress} if slot is not None else set()

    def look_again(self) -> None:
        """Let the engine ask the scheduler for requests soon."""
        slot = self._crawler.engine._slot
        if slot is not None:
            slot.nextcall.schedule()

    def call_later(self, seconds: float, call: object, *arguments: object) -> None:
        call_later(max(0.0, seconds), call, *arguments)  # type: ignore[arg-type]


def slot_of(host: str) -> str:
    """How Scrapy's downloader names a host: an IPv6 address without brackets."""
    return host.strip("[]")


def host_of_slot(name: str) -> str:
    """The host that a slot of the downloader is named after."""
    return f"[{name}]" if ":" in name else name


def redirect_of_script(redirects: RedirectMiddleware, request: Request, response: Response, target: str) -> Request:
    """The request for the URL that a page's scripts lead to, as Scrapy's middleware makes one for a server's redirect.

    Raises IgnoreRequest after too many redirects, or in a circle.
    """
    followed = redirects._build_redirect_request(request, response, url=target)
    return unless_in_circle(request, response, redirects._redirect(followed, request, "script"))

"""Asks a server for its robots.txt through Scrapy's downloader, so that delays, proxies and limits apply as for pages."""

from __future__ import annotations

import time
from dataclasses import dataclass
from urllib.parse import urljoin, urlsplit

from scrapy import Request, signals
from scrapy.crawler import Crawler
from scrapy.exceptions import StopDownload
from scrapy.http import Headers, Response
from scrapy.http.request import NO_CALLBACK
from scrapy.utils.python import global_object_name
from twisted.python.failure import Failure
from w3lib.url import safe_url_string

from focused.crawl.answers import CIRCLE
from focused.live.connections import ConnectionBarred
from focused.live.courtesy import seconds_to_wait
from focused.live.lenient_http import BrokenAnswer
from focused.live.reasons import reason_of
from focused.live.robots.own_rules import LONGEST_READ

MOST_REDIRECTS = 5  #: RFC 9309, 2.3.1.2
REDIRECTS = (301, 302, 303, 307, 308)
LONGEST_PACKED = 2_000_000  #: bytes of a body that is compressed though we asked for plain text, packed and unpacked
UNREACHABLE = "robots.txt unreachable: "  #: begins reasons that no other component gives
LED_AWAY = f"{UNREACHABLE}redirects to "  #: a place where we ask nothing, now or a minute later
READ = "focused_robots_read"  #: in meta of our requests: bytes that have arrived; None until the server has answered


@dataclass(frozen=True, slots=True)
class Heard:
    """What a server said.

    status : of its answer; None without one
    body : at most a little more than 500 KiB of it; None if robots.txt is unreachable
    reason : why it is unreachable; the same words as for a page if the server gave no answer at all
    retry_after : seconds for which the server wants to be left alone; 0 if it says nothing
    """

    status: int | None
    body: bytes | None
    reason: str = ""
    retry_after: float = 0.0


class Asking:
    """Fetches robots.txt of origins."""

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = crawler
        crawler.signals.connect(self._answered, signals.headers_received)
        crawler.signals.connect(self._arrived, signals.bytes_received)

    async def ask(self, origin: str) -> Heard:
        """What the server of an origin says; after redirects, what the last server says."""
        url, asked = f"{origin}/robots.txt", set[str]()
        for hop in range(MOST_REDIRECTS + 1):
            request = _request(url)
            self._count("request_count")
            try:
                response = await self._download(request)
            except Exception as error:
                self._count(f"exception_count/{global_object_name(type(error))}")
                reason = reason_of(Failure(error))[0]  # type: ignore[no-untyped-call]
                if hop and isinstance(error, ConnectionBarred):
                    return Heard(None, None, LED_AWAY + reason)
                is_silence = not hop and request.meta[READ] is None and not isinstance(error, BrokenAnswer)
                return Heard(None, None, reason if is_silence else UNREACHABLE + reason)
            self._count("response_count")
            self._count(f"response_status_count/{response.status}")
            if response.status not in REDIRECTS or "Location" not in response.headers:
                return _said(response)
            asked.add(url)
            url = _target(url, response)
            if not url:
                return Heard(response.status, None, f"{LED_AWAY}no http(s) URL")
            if url in asked:
                return Heard(response.status, None, f"{UNREACHABLE}{CIRCLE}")
        return Heard(response.status, None, f"{UNREACHABLE}more than {MOST_REDIRECTS} redirects")

    async def _download(self, request: Request) -> Response:
        engine = self._crawler.engine
        assert engine is not None  # rules are asked for only while it runs
        return await engine.download_async(request)

    def _count(self, name: str) -> None:
        assert self._crawler.stats is not None
        self._crawler.stats.inc_value(f"robotstxt/{name}")

    def _answered(self, headers: Headers, request: Request) -> None:
        if READ in request.meta:
            request.meta[READ] = 0
            if not headers.get("Content-Encoding"):  # then reading stops at the limit, instead of an error
                request.meta["download_maxsize"] = 0

    def _arrived(self, data: bytes, request: Request) -> None:
        """Raises StopDownload beyond the limit; the bytes that have arrived are then the response."""
        if READ in request.meta:
            request.meta[READ] += len(data)
            if request.meta[READ] > LONGEST_READ:
                raise StopDownload(fail=False)


def _request(url: str) -> Request:
    meta = {
        "dont_obey_robotstxt": True,
        "dont_redirect": True,  # each hop is a request of its own: in the slot, and with the delay, of its host
        "dont_retry": True,
        "download_fail_on_dataloss": True,  # half the rules might allow what the others bar
        "download_maxsize": LONGEST_PACKED,
        "download_warnsize": 0,
        READ: None,
    }
    return Request(url, NO_CALLBACK, headers={"Accept-Encoding": "identity"}, meta=meta, priority=1000)


def _said(response: Response) -> Heard:
    """RFC 9309, 2.3.1: 2xx is the file, 4xx means that there is none; all else, and 429, means that it is unreachable now."""
    if 200 <= response.status < 300:
        return Heard(response.status, response.body)
    if 400 <= response.status < 500 and response.status != 429:
        return Heard(response.status, b"")
    wait = seconds_to_wait(response.headers.get("Retry-After"), time.time()) or 0.0
    return Heard(response.status, None, f"{UNREACHABLE}http {response.status}", wait)


def _target(url: str, response: Response) -> str:
    """The target of a redirect, without credentials and fragment; empty if it is no http(s) URL."""
    try:
        parts = urlsplit(urljoin(url, safe_url_string(response.headers["Location"] or b"")))
        target = parts._replace(netloc=parts.netloc.rpartition("@")[2], fragment="").geturl()
        good = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        return ""
    return target if good else ""

"""What ours does that Scrapy's own middleware for robots.txt cannot. A test that fails for Scrapy's names what may be deleted."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any
from urllib.parse import urlsplit

import pytest
from scrapy import Request
from scrapy.downloadermiddlewares.redirect import RedirectMiddleware
from scrapy.downloadermiddlewares.robotstxt import RobotsTxtMiddleware
from scrapy.exceptions import IgnoreRequest
from scrapy.http import Response
from scrapy.utils.test import get_crawler

from focused.live.robots import obeying
from focused.live.robots.known import A_DAY
from focused.live.robots.obeying import ObeyRobotsTxt
from focused.live.robots.own_rules import LONGEST_READ

BAR_ALL = b"User-agent: *\nDisallow: /"
SETTINGS = {"ROBOTSTXT_OBEY": True, "FOCUSED_ROBOTS_RETRY_SECONDS": 10.0, "FOCUSED_MAX_CRAWL_DELAY": 60.0}
Reply = tuple[int, dict[str, str], bytes]


class Asked:
    """One of the two, with servers that give these robots.txt; of others there is none.

    slots : URL and download slot of each request, in order
    """

    def __init__(self, kind: type[RobotsTxtMiddleware], replies: dict[str, Reply]) -> None:
        self.replies, self.slots = replies, list[tuple[str, str]]()
        crawler: Any = get_crawler(settings_dict=SETTINGS)
        crawler._apply_settings()
        crawler.engine = SimpleNamespace(download_async=self._download)
        self._redirects = RedirectMiddleware.from_crawler(crawler)
        self._middleware = kind.from_crawler(crawler)

    async def _download(self, request: Request) -> Response:
        slot = request.meta.setdefault("download_slot", urlsplit(request.url).hostname or "")
        self.slots.append((request.url, slot))
        await asyncio.sleep(0.01)
        status, headers, body = self.replies.get(request.url, (404, {}, b""))
        answer = self._redirects.process_response(request, Response(request.url, status, headers, body))
        return await self._download(answer) if isinstance(answer, Request) else answer

    def lets_pass(self, *urls: str) -> list[bool]:
        """Of requests that are made at once, which are."""

        async def one(url: str) -> bool:
            try:
                await self._middleware.process_request(Request(url))
            except IgnoreRequest:
                return False
            return True

        async def all_of_them() -> list[bool]:
            return await asyncio.gather(*map(one, urls))

        return asyncio.run(all_of_them())


def unreachable(kind: type[RobotsTxtMiddleware], _: Any) -> bool:
    """What answers 503 bars the page."""
    return Asked(kind, {"http://a.example/robots.txt": (503, {}, b"busy")}).lets_pass("http://a.example/") == [False]


def at_once(kind: type[RobotsTxtMiddleware], _: Any) -> bool:
    """All pages that are asked for while robots.txt is on its way wait for it."""
    asked = Asked(kind, {"http://a.example/robots.txt": (200, {}, BAR_ALL)})
    return asked.lets_pass(*(f"http://a.example/{n}" for n in range(4))) == [False] * 4


def schemes(kind: type[RobotsTxtMiddleware], _: Any) -> bool:
    """The rules of https are others than those of http."""
    asked = Asked(kind, {"https://a.example/robots.txt": (200, {}, BAR_ALL)})
    return [*asked.lets_pass("http://a.example/"), *asked.lets_pass("https://a.example/")] == [True, False]


def credentials(kind: type[RobotsTxtMiddleware], _: Any) -> bool:
    """Two people on one host have its rules together."""
    asked = Asked(kind, {})
    asked.lets_pass("http://a.example/")
    asked.lets_pass("http://user:secret@a.example/")
    return [url for url, _ in asked.slots] == ["http://a.example/robots.txt"]


def a_day(kind: type[RobotsTxtMiddleware], set_time: Callable[[float], None]) -> bool:
    """Rules that came a day ago are asked for again."""
    asked = Asked(kind, {})
    set_time(0.0)
    first = asked.lets_pass("http://a.example/")
    asked.replies["http://a.example/robots.txt"] = (200, {}, BAR_ALL)
    set_time(A_DAY + 1)
    return [*first, *asked.lets_pass("http://a.example/")] == [True, False]


def too_long(kind: type[RobotsTxtMiddleware], _: Any) -> bool:
    """What comes after 500 KiB is not read."""
    body = b"User-agent: *\n" + b"#\n" * LONGEST_READ + b"Disallow: /"
    return Asked(kind, {"http://a.example/robots.txt": (200, {}, body)}).lets_pass("http://a.example/") == [True]


def elsewhere(kind: type[RobotsTxtMiddleware], _: Any) -> bool:
    """A redirect takes its place at the host it leads to, whose delay then holds."""
    asked = Asked(kind, {"http://a.example/robots.txt": (301, {"Location": "http://b.example/rules"}, b"")})
    asked.lets_pass("http://a.example/")
    return asked.slots[1] == ("http://b.example/rules", "b.example")


CANNOT = (unreachable, at_once, schemes, credentials, a_day, too_long, elsewhere)


@pytest.fixture
def set_time(monkeypatch: pytest.MonkeyPatch) -> Callable[[float], None]:
    return lambda now: monkeypatch.setattr(obeying, "time", SimpleNamespace(time=lambda: now))


@pytest.mark.parametrize("promise", CANNOT)
def test_ours_keeps_a_promise_that_scrapys_own_does_not(promise: Callable[..., bool], set_time: Any) -> None:
    assert promise(ObeyRobotsTxt, set_time)
    assert not promise(RobotsTxtMiddleware, set_time)


@pytest.mark.parametrize("url", ["data:,x", "file:///etc/hosts", "s3://bucket/key"])
def test_robots_txt_is_asked_of_web_servers_only(url: str) -> None:
    asked = Asked(ObeyRobotsTxt, {})
    assert (asked.lets_pass(url), asked.slots) == ([True], [])

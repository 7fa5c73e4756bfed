"""What stands on the pages that a provider named: recorded somewhere, or fetched."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from scrapy.http import Response
from scrapy.settings import Settings

from focused.live.page_fetching import fetch_pages
from focused.page.page import Page
from focused.page.reader import Reader
from focused.simulation.analysed_web import AnalysedWeb, Fetched, Redirect
from focused.topic.topic import Topic

MOST_REDIRECTS = 5  #: that are followed in a recorded web


class Contents(Protocol):
    """Where pages are read."""

    def pages(self, urls: Sequence[str]) -> dict[str, Page]:
        """The pages of canonical URLs, redirects followed; those that cannot be had are left out."""


class RecordedContents:
    """Pages out of recorded webs, or of earlier crawls, whichever has one first."""

    def __init__(self, webs: Sequence[AnalysedWeb]) -> None:
        self.webs = webs

    def pages(self, urls: Sequence[str]) -> dict[str, Page]:
        found = {}
        for url in urls:
            page = next((page for web in self.webs if (page := _recorded(web, url))), None)
            if page is not None:
                found[url] = page
        return found


class FetchedContents:
    """Pages fetched from the Web as seeds are; a process can do it once (see `fetch_pages`)."""

    def __init__(self, topic: Topic, reader: Reader, settings: Settings) -> None:
        self.topic, self.reader, self.settings = topic, reader, settings

    def pages(self, urls: Sequence[str]) -> dict[str, Page]:
        found: dict[str, Page] = {}

        def take_in(url: str, response: Response) -> None:
            content_type = (response.headers.get("Content-Type") or b"").decode("latin-1")
            page = self.reader.read(response.url, response.body, content_type)
            if isinstance(page, Page):
                found[url] = page

        fetch_pages(urls, self.topic, self.settings, take_in, lambda *_: None)
        return found


def _recorded(web: AnalysedWeb, url: str) -> Page | None:
    for _ in range(MOST_REDIRECTS + 1):
        answer = web.ask(url)
        if isinstance(answer, Fetched):
            return answer.page
        target = web.reader.rules.canonical(answer.target) if isinstance(answer, Redirect) else None
        if target is None:
            return None
        url = target
    return None

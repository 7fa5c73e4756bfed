"""Stand-ins for providers and the Web: no network."""

import asyncio
import json
from collections.abc import Coroutine, Mapping, Sequence
from typing import Any, TypeVar
from urllib.parse import parse_qs, urlsplit

from scrapy import Request
from scrapy.http import HtmlResponse, Response

from focused.exceptions import SearchError
from focused.seeds.searching.search_providers import SearchResult
from focused.topic.topic import Topic

T = TypeVar("T")
WORDS = " ".join(["inverter module roof panel cable meter grid battery sunlight tariff silicon wafer"] * 3)


def now(coroutine: Coroutine[Any, Any, T]) -> T:
    return asyncio.run(coroutine)


def solar(**tables: Any) -> Topic:
    return Topic(name="sun", keywords=("solar energy", "photovoltaic"), seeds=("http://seed.invalid/",), **tables)


def page_about(words: str, *links: str, title: str = "") -> bytes:
    anchors = "".join(f'<a href="{link}">{link}</a> ' for link in links)
    return f"<html><head><title>{title or words}</title></head><body><p>{words} {WORDS}</p>{anchors}</body></html>".encode()


SUN = page_about("solar energy photovoltaic " * 9)
CATS = page_about("cats and dogs " * 9)


class Web:
    """Stands for `WebQuestions`: bodies by URL; an exception is raised, a number is a status.

    Attributes
    ----------
    asked : URLs in order; for questions with the URL that a person named
    """

    def __init__(self, answers: Mapping[str, bytes | Exception | int], kinds: Mapping[str, str] | None = None) -> None:
        self.answers, self.kinds = dict(answers), dict(kinds or {})
        self.asked: list[str] = []
        self.named: list[str] = []

    async def ask(self, url: str, *, named: str = "", accept: str = "") -> Response:
        self.named.append(named)
        response = await self.send(Request(url))
        if response.status != 200:
            raise SearchError(f"HTTP status {response.status}")
        return response

    async def send(self, request: Request) -> Response:
        self.asked.append(request.url)
        answer = self.answers.get(request.url, 404)
        if isinstance(answer, Exception):
            raise answer
        status, body = (answer, b"") if isinstance(answer, int) else (200, answer)
        kind = self.kinds.get(request.url, "text/html; charset=utf-8")
        return HtmlResponse(request.url, status=status, body=body, headers={"Content-Type": kind})


class Provider:
    """Answers every query, or those that it knows."""

    name = "stand-in"

    def __init__(self, answers: Sequence[str] | Mapping[str, Sequence[str]] | Exception) -> None:
        self.answers = answers
        self.queries: list[str] = []

    async def search(self, query: str, most: int) -> list[SearchResult]:
        self.queries.append(query)
        if isinstance(self.answers, Exception):
            raise self.answers
        urls = self.answers.get(query, ()) if isinstance(self.answers, Mapping) else self.answers
        return [SearchResult(url, rank=rank) for rank, url in enumerate(urls[:most], 1)]


def results(*urls: str) -> bytes:
    """What SearXNG answers in JSON."""
    rows = [{"url": url, "title": url, "content": "about it", "engine": "x", "score": 1.0} for url in urls]
    return json.dumps({"query": "q", "number_of_results": 0, "results": rows, "unresponsive_engines": []}).encode()


def query_in(url: str, name: str = "q") -> str:
    return parse_qs(urlsplit(url).query)[name][0]

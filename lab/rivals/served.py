"""Serves a recorded web to any crawler with the same manners for all: no host answers two requests at a time.

Crawlers differ in how they hold back. Here the server does it for them, so that none gains by asking one host ten times at once.
Which answers arrive first is drawn anew for each order.
"""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Iterator, Sequence, Set
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from html import escape
from http import HTTPStatus
from pathlib import Path
from random import Random
from urllib.parse import urlsplit

from focused.exceptions import EvaluationError, WebError
from focused.page.urls import UrlRules
from focused.simulation.proxy import ADDRESS, MAX_HEAD, BadRequestError, RequestHead, WebServer, in_thread
from focused.simulation.recorded_web import Answer, RecordedWeb, html_answer, not_found
from focused.topic.mistakes import shown
from focused.topic.plain_files import shown_path

#: No host of this name can be recorded (RFC 2606); crawl4ai refuses names without a dot.
START_HOST = "start.invalid"
START = f"http://{START_HOST}/"
PAGE = """<!doctype html>
<html lang="en">
<head><title>Start</title></head>
<body>
<h1>Start</h1>
<p>This page was made for crawlers that begin with a single page. It links to all the pages that the crawl begins with.</p>
<ul>
{links}
</ul>
</body>
</html>
"""


@dataclass(frozen=True)
class WithStart:
    """A recorded web and one page more, at START: links to the seeds, for crawlers that take a single URL."""

    web: RecordedWeb
    seeds: Sequence[str]

    @cached_property
    def hosts(self) -> Set[str]:
        """Those of the web and START_HOST."""
        return frozenset({*self.web.hosts, START_HOST})

    def answer(self, url: str) -> Answer | None:
        """As the web answers; the page of links at START."""
        if urlsplit(url).hostname != START_HOST:
            return self.web.answer(url)
        if url != START:
            return not_found(url)
        links = "\n".join(f'<li><a href="{escape(seed)}">{escape(seed)}</a></li>' for seed in self.seeds)
        # Complete HTML: crawl4ai takes a page without <body>, or of few words, for a refusal of the server.
        return html_answer(PAGE.format(links=links).encode())

    def urls(self) -> Iterator[str]:
        """Those of the web."""
        return self.web.urls()


@dataclass(slots=True)
class PoliteServer(WebServer):
    """Answers one request of a host at a time, each after a latency of its own.

    mean_latency : seconds; drawn from an exponential distribution, as the simulator does, and the same for the same URL
    order : seed of these
    """

    mean_latency: float = 0.0
    order: int = 0
    turns: defaultdict[str, asyncio.Lock] = field(default_factory=lambda: defaultdict(asyncio.Lock))

    async def answer(self, request: RequestHead, url: str, writer: asyncio.StreamWriter) -> None:
        """Wait for the host's turn and for the latency, then answer. What would be no single field of the log is refused."""
        if any(character in url for character in " \r\n"):
            raise BadRequestError(HTTPStatus.BAD_REQUEST, f"a URL has no spaces and no line breaks: {url[:200]!r}")
        async with self.turns[(urlsplit(url).hostname or "").lower()]:
            if self.mean_latency:
                await asyncio.sleep(Random(f"{self.order} {url}").expovariate(1 / self.mean_latency))
            await super(PoliteServer, self).answer(request, url, writer)  # slots=True makes another class


@contextmanager
def served(web: RecordedWeb, log: Path, latency: float, order: int) -> Iterator[str]:
    """The address of the proxy, until the block ends; the log is begun anew.

    latency : seconds, the mean
    order : seed of the latencies

    Raises WebError where the log cannot be written or no port is free.
    """
    try:
        file = log.open("w", encoding="utf-8", newline="\n", buffering=1)
    except OSError as error:
        raise WebError(f"{log}: the access log cannot be written: {error.strerror}") from None
    try:
        server = PoliteServer(web, log=file, mean_latency=latency, order=order)

        async def listen() -> asyncio.Server:
            return await asyncio.start_server(server.handle, ADDRESS, 0, limit=MAX_HEAD, backlog=1024)

        with in_thread(listen, "rivals-web") as port:
            yield f"http://{ADDRESS}:{port}"
    finally:
        try:
            file.close()
        except OSError as error:  # lines wait in memory while the disk is full
            raise WebError(f"{log}: the access log cannot be written: {error.strerror}") from None


FIELDS = 5  #: of a line: time, method, URL, status, bytes


@dataclass
class AccessLog:
    """The distinct pages of a log that may still grow, in the order in which they were answered.

    A page is an answer 200 to a GET. Two spellings of a URL are one page, the first counts; the page of links to the seeds is none.
    """

    path: Path
    rules: UrlRules
    pages: dict[int, str] = field(default_factory=dict)  #: key -> URL
    requests: int = 0
    _read: int = 0  #: bytes

    def update(self) -> AccessLog:
        """Read what was written since the last time. Raises EvaluationError for a line that is none."""
        with self.path.open("rb") as file:
            file.seek(self._read)
            new = file.read()
        whole = new[: new.rfind(b"\n") + 1]  # the last line may be half written
        self._read += len(whole)
        for line in whole.decode("utf-8", "replace").split("\n")[:-1]:
            self._take(line)
        return self

    def _take(self, line: str) -> None:
        parts = line.split(" ")
        if len(parts) != FIELDS:
            raise EvaluationError(f"{shown_path(self.path)}: not a line of an access log: {shown(line)}")
        _, method, url, status, _ = parts
        if host_of(url) == START_HOST:
            return
        self.requests += 1
        if method == "GET" and status == "200":
            canonical = self.rules.canonical(url) or url
            self.pages.setdefault(self.rules.key(canonical), canonical)


def host_of(url: str) -> str:
    """The host; empty for a URL that cannot be read."""
    try:
        return urlsplit(url).hostname or ""
    except ValueError:
        return ""

"""A web made of a dict, behind a loopback HTTP proxy that notes when it was asked for what, and how much at a time."""

from __future__ import annotations

import asyncio
import threading
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from itertools import pairwise
from statistics import median
from time import monotonic
from urllib.parse import urlsplit

from focused.simulation.proxy import in_thread
from focused.simulation.recorded_web import Answer, not_found


@dataclass(slots=True)
class Asked:
    """One request that arrived."""

    method: str
    url: str
    headers: dict[str, str]  #: names in lower case
    body: bytes
    time: float = field(default_factory=monotonic)
    cut: bool = False  #: the client left before the body was sent (see `Late`)

    @property
    def host(self) -> str:
        return urlsplit(self.url).hostname or ""


@dataclass(slots=True, frozen=True)
class Late:
    """An answer whose head is sent at once, and whose body only if the client has not left a moment later."""

    answer: Answer


@dataclass(slots=True, frozen=True)
class Endless:
    """A head, and then the same bytes again and again until the client leaves."""

    head: bytes
    piece: bytes
    every: float = 0.0  #: seconds


#: bytes are sent as they are and the connection is closed; None is no answer at all.
Reply = Answer | Late | Endless | bytes | None
HANG = None
PATIENCE = 3.0  #: seconds before the body of a `Late` answer is sent, and before a hanging connection is given up


class MockWeb:
    """Answers by URL; of hosts without an answer nothing is known (502), other pages are not found (404).

    answers : what a URL gives, or a function of the request that says so
    latency : seconds before each answer
    address : where it listens; it is asked as a proxy, or by name where the client resolves names to it
    asked : all requests in order of arrival, those for robots.txt included
    most_at_once : by host, the highest number of requests that waited for their answer at the same time
    """

    def __init__(
        self,
        answers: Mapping[str, Reply | Callable[[Asked], Reply]],
        latency: float = 0.0,
        port: int = 0,
        address: str = "127.0.0.1",
    ) -> None:
        self.address = address
        self.answers, self.latency, self.port = dict(answers), latency, port
        self.hosts = {urlsplit(url).hostname for url in self.answers}
        self.asked: list[Asked] = []
        self.most_at_once: Counter[str] = Counter()
        self.most_together = 0  #: the same over all hosts
        self._now: Counter[str] = Counter()
        self._arrived = threading.Condition()

    def pages_asked(self) -> list[str]:
        """URLs in order of arrival, without robots.txt."""
        return [asked.url for asked in self.asked if not asked.url.endswith("/robots.txt")]

    def times(self, host: str) -> list[float]:
        """When each request for a host arrived, robots.txt included."""
        return [asked.time for asked in self.asked if asked.host == host]

    def wait_for(self, count: int, poll: Callable[[], int | None] = lambda: None, timeout: float = 30.0) -> bool:
        """Wait until so many requests have arrived in all, or the process that makes them has ended (see `Popen.poll`)."""
        deadline = monotonic() + timeout
        with self._arrived:
            while len(self.asked) < count and poll() is None and monotonic() < deadline:
                self._arrived.wait(0.05)
            return poll() is not None or len(self.asked) >= count

    async def handle(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            with suppress(ConnectionError, asyncio.IncompleteReadError):
                while (asked := await _read(reader)) and await self._serve(asked, reader, writer):
                    pass
        finally:
            writer.close()

    async def _serve(self, asked: Asked, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        """Answer one request; return whether the connection goes on."""
        host = asked.host
        with self._arrived:
            self.asked.append(asked)
            self._arrived.notify_all()
        self._now[host] += 1
        self.most_at_once[host] = max(self.most_at_once[host], self._now[host])
        self.most_together = max(self.most_together, self._now.total())
        try:
            await asyncio.sleep(self.latency)
            reply = self._reply(asked)
            answer = reply.answer if isinstance(reply, Late) else reply
            if isinstance(answer, Answer):
                head = [f"HTTP/1.1 {answer.status} X", *(f"{name}: {value}" for name, value in answer.headers)]
                answer_head = "\r\n".join([*head, f"Content-Length: {len(answer.body)}", "", ""]).encode("latin-1")
                if isinstance(reply, Late):
                    writer.write(answer_head)
                    answer_head = b""
                    asked.cut = await _left(reader)
                    if asked.cut:
                        return False
                writer.write(answer_head + answer.body)
            elif isinstance(answer, Endless):
                writer.write(answer.head)
                while True:  # until a write fails
                    await writer.drain()
                    await asyncio.sleep(answer.every)
                    writer.write(answer.piece)
            elif answer is HANG:
                await _left(reader)
                return False
            else:
                writer.write(answer)
                return False
        finally:
            self._now[host] -= 1
        await writer.drain()
        return True

    def _reply(self, asked: Asked) -> Reply:
        if asked.host not in self.hosts:
            return Answer(502, (), b"unknown host")
        reply = self.answers.get(asked.url, not_found(asked.url))
        return reply(asked) if callable(reply) else reply


async def _left(reader: asyncio.StreamReader) -> bool:
    """Whether the client leaves within `PATIENCE`."""
    try:
        return not await asyncio.wait_for(reader.read(1), PATIENCE)
    except TimeoutError:
        return False


async def _read(reader: asyncio.StreamReader) -> Asked | None:
    try:
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
    except asyncio.IncompleteReadError:
        return None
    first, *lines = head.strip().split("\r\n")
    method, url, _ = first.split(" ")
    headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
    if url.startswith("/"):  # not asked as a proxy
        url = f"http://{headers['host'].partition(':')[0]}{url}"
    body = await reader.readexactly(int(headers.get("content-length", 0)))
    return Asked(method, url, headers, body)


@contextmanager
def serving(web: MockWeb) -> Iterator[MockWeb]:
    """Serve a web in a thread until the block ends; its port is in ``web.port``."""
    with in_thread(lambda: asyncio.start_server(web.handle, web.address, web.port), "mock-web") as web.port:
        yield web


def page(text: str, *links: str, title: str = "", head: str = "", headers: tuple[tuple[str, str], ...] = ()) -> Answer:
    """An HTML page with some words and links, each link followed by its own address as words."""
    anchors = "".join(f'<p>{text} <a href="{link}">{text} {link.rpartition("/")[2]}</a></p>' for link in links)
    body = f"<html><head><title>{title or text}</title>{head}</head><body><p>{text}</p>{anchors}</body></html>"
    return Answer(200, (("Content-Type", "text/html; charset=utf-8"), *headers), body.encode())


def redirect(target: str, status: int = 301) -> Answer:
    return Answer(status, (("Location", target),), b"")


def robots(*lines: str) -> Answer:
    return Answer(200, (("Content-Type", "text/plain"),), "\n".join(["User-agent: *", *lines]).encode())


BUSY = 0.7  #: share of a delay that must be seen: a busy machine notices a request late, so that the next seems early


def are_apart(times: list[float], delay: float) -> bool:
    """Whether requests at these times keep a delay, on the whole and mostly.

    The first is left out: it is noticed late, when the client has connected.
    """
    gaps = [after - before for before, after in pairwise(times[1:])]
    return sum(gaps) > BUSY * delay * len(gaps) and median(gaps) > BUSY * delay

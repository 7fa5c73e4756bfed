"""A hostile Web behind a loopback proxy: many hosts, each of which may do anything with the bytes of its answers.

The server writes its own access log (see `checker`). A host is a `Site`; what it does with one request is a `Behaviour`. Sinks are
ports of this machine that nothing may arrive at.
"""

from __future__ import annotations

import asyncio
import re
import selectors
import socket
import threading
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from itertools import count
from pathlib import Path
from time import monotonic
from typing import TextIO
from urllib.parse import urlsplit

from focused.simulation.proxy.certificate import server_context
from focused.simulation.proxy.in_thread import in_thread
from lab.chaos.checker import TELLING, Entry, HostRules, line_of, same_host

ADDRESS = "127.0.0.1"
LONGEST_HEAD = 2**20  #: bytes of a request's head
BEAT = 0.01  #: seconds between two looks of the server at itself
PATIENCE = 60.0  #: seconds after which the server ends a behaviour that does not end
_STATUS = re.compile(rb"HTTP/\d(?:\.\d)? +(\d{3})")
_RETRY_AFTER = re.compile(rb"^retry-after: *([^\r\n]*)", re.IGNORECASE | re.MULTILINE)


class _Reader(asyncio.StreamReader):
    """Knows at once when the client has left, however much is still unread."""

    def __init__(self) -> None:
        super().__init__(limit=LONGEST_HEAD)
        self.left = asyncio.Event()

    def feed_eof(self) -> None:
        super().feed_eof()
        self.left.set()

    def set_exception(self, exc: BaseException) -> None:
        super().set_exception(exc)  # type: ignore[arg-type]
        self.left.set()


@dataclass(slots=True)
class Wire:
    """Where a behaviour writes to. What goes on after it: another request if ``keep``, else the connection is closed."""

    writer: asyncio.StreamWriter
    entry: Entry
    keep: bool = False

    async def send(self, data: bytes) -> None:
        if not self.entry.status and (found := _STATUS.match(data)):
            self.entry.status = int(found[1])
            self.entry.retry_after = retry_after_of(data.partition(b"\r\n\r\n")[0])
        self.writer.write(data)
        await self.writer.drain()

    def reset(self) -> None:
        """End the connection without a farewell."""
        self.writer.transport.abort()


Behaviour = Callable[[Entry, Wire], Awaitable[None]]
Site = Callable[[str], Behaviour]  #: what a host does with a path (query included)


@dataclass
class Web:
    """Hosts by name; an unknown one is answered with 502.

    rules : what hosts ask for, for the checker
    tunnels : what becomes of CONNECT to a host, in place of a tunnel
    """

    sites: dict[str, Site] = field(default_factory=dict)
    rules: dict[str, HostRules] = field(default_factory=dict)
    tunnels: dict[str, Behaviour] = field(default_factory=dict)

    def add(self, host: str, pages: Mapping[str, Behaviour] | Behaviour, rules: HostRules | None = None) -> None:
        """Add a host: behaviours by path, all else is not found; or one for all paths but robots.txt, which is not there."""

        def site(path: str) -> Behaviour:
            if not callable(pages):
                return pages.get(path, _not_found)
            return _not_found if path == "/robots.txt" else pages

        self.sites[host] = site
        if rules:
            self.rules[host] = rules


def retry_after_of(head: bytes) -> float | None:
    """Seconds that a head tells to wait; None where it tells none that can be read."""
    found = _RETRY_AFTER.search(head)
    if found is None:
        return None
    text = found[1].decode("latin-1").strip()
    if re.fullmatch("[0-9]{1,9}", text):
        return float(text)
    try:
        return (parsedate_to_datetime(text) - datetime.now(UTC)).total_seconds()
    except (TypeError, ValueError, OverflowError):
        return None


async def _not_found(_: Entry, wire: Wire) -> None:
    wire.keep = True
    await wire.send(b"HTTP/1.1 404 Not Found\r\nContent-Type: text/plain\r\nContent-Length: 9\r\n\r\nnot found")


async def _unknown(_: Entry, wire: Wire) -> None:
    wire.keep = True
    await wire.send(b"HTTP/1.1 502 Unknown Host\r\nContent-Length: 0\r\n\r\n")


class ChaosServer:
    """Answers for a web; ``asked`` holds all entries of the log whose requests have ended."""

    def __init__(self, web: Web, log: TextIO) -> None:
        self.web, self._log = web, log
        self.port = 0
        self.asked: list[Entry] = []
        self._looked = monotonic()  # at itself
        self._stood_still = (0.0, 0.0)  # how long and until when, the last time
        self._connections = count(1)
        self._ended = threading.Condition()

    def wait_for(self, number: int, gone: Callable[[], bool], timeout: float = 60.0) -> None:
        """Wait until so many requests have ended, or whoever makes them is gone."""
        deadline = monotonic() + timeout
        with self._ended:
            while len(self.asked) < number and not gone() and monotonic() < deadline:
                self._ended.wait(0.02)

    async def listen(self) -> asyncio.Server:
        """Begin to answer."""

        def connection() -> asyncio.StreamReaderProtocol:
            return asyncio.StreamReaderProtocol(_Reader(), self.handle)

        listener = await asyncio.get_running_loop().create_server(connection, ADDRESS, 0, backlog=1024)
        self._watching = asyncio.ensure_future(self._watch_itself())
        return listener

    async def _watch_itself(self) -> None:
        """Notice when nothing was served for a while, as the machine was busy with others."""
        while True:
            await asyncio.sleep(BEAT)
            now = monotonic()
            if now - self._looked > 3 * BEAT:
                self._stood_still = (now - self._looked, now)
            self._looked = now

    def _lateness(self, start: float) -> float:
        """Seconds that a request which was noticed at ``start`` may have waited for that."""
        seconds, until = self._stood_still
        return round(max(seconds if start < until + BEAT else 0.0, start - self._looked - BEAT, 0.0), 3)

    async def handle(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        assert isinstance(reader, _Reader)
        connection, origin = next(self._connections), ""
        begun: float | None = monotonic()  # when the client took up the connection, till its first request has come
        with suppress(OSError, EOFError, ValueError, asyncio.LimitOverrunError):
            try:
                while entry := await _read(reader, connection, origin):
                    wire = Wire(writer, entry)
                    entry.late = max(self._lateness(entry.start), round(entry.start - (begun or entry.start), 3))
                    host = same_host(entry.host)
                    tunnel = entry.method == "CONNECT" and host not in self.web.tunnels
                    if tunnel and host in self.web.sites:
                        self._write(entry)
                        await wire.send(b"HTTP/1.1 200 Connection established\r\n\r\n")
                        await writer.start_tls(server_context(host))
                        origin = f"https://{entry.host}:{entry.port}"
                        continue
                    begun = None
                    site = self.web.sites.get(host)
                    behaviour = site(entry.path) if site else _unknown
                    if entry.method == "CONNECT":
                        behaviour = self.web.tunnels.get(host, _unknown)
                    await self._behave(behaviour, wire, reader)
                    if not wire.keep:
                        break
            except asyncio.CancelledError:
                writer.transport.abort()
            finally:
                writer.close()

    async def _behave(self, behaviour: Behaviour, wire: Wire, reader: _Reader) -> None:
        """Let a behaviour act until it ends or the client leaves."""
        acting = asyncio.ensure_future(behaviour(wire.entry, wire))
        left = asyncio.ensure_future(reader.left.wait())
        try:
            await asyncio.wait((acting, left), timeout=PATIENCE, return_when=asyncio.FIRST_COMPLETED)
        finally:
            wire.keep = wire.keep and acting.done() and not left.done()
            for task in (acting, left):
                task.cancel()
            await asyncio.gather(acting, left, return_exceptions=True)
            self._write(wire.entry)

    def _write(self, entry: Entry) -> None:
        entry.end = monotonic()
        self._log.write(line_of(entry))
        with self._ended:
            self.asked.append(entry)
            self._ended.notify_all()


async def _read(reader: _Reader, connection: int, origin: str) -> Entry | None:
    """The next request; None at the end of the connection. Raises ValueError for what is none."""
    try:
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
    except asyncio.IncompleteReadError:
        return None
    start = monotonic()
    first, *lines = head.strip().split("\r\n")
    method, target, _ = first.split(" ")
    headers = {name.strip().lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
    if method == "CONNECT":
        target = f"https://{target}"
    elif target.startswith("/"):
        target = (origin or f"http://{headers.get('host', '')}") + target
    parts = urlsplit(target)
    host = parts.netloc.rpartition("@")[2].lower()
    bare = host if host.endswith("]") else host.rpartition(":")[0] or host
    port = host[len(bare) + 1 :]
    return Entry(
        start=start,
        connection=connection,
        method=method,
        scheme=parts.scheme,
        host=bare,
        port=int(port) if port else {"https": 443}.get(parts.scheme, 80),
        path=target.partition("://")[2].partition(parts.netloc)[2] or "/",
        credentials=parts.netloc.rpartition("@")[0],
        headers={name: headers[name] for name in TELLING if name in headers},
    )


@contextmanager
def serving(web: Web, log: Path) -> Iterator[ChaosServer]:
    """Serve on a free port of loopback, in a thread of its own, until the block ends; the log is appended to."""
    with log.open("a", encoding="utf-8", buffering=1) as file:
        server = ChaosServer(web, file)
        with in_thread(server.listen, "chaos") as server.port:
            yield server


LOOPBACK = ("127.0.0.1", "::1")


def own_address() -> str:
    """An address that this machine has in its network; one of loopback where it is in none. Nothing is sent to find it."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asked:
        try:
            asked.connect(("192.0.2.1", 9))  # an address of nobody, for documents
            address: str = asked.getsockname()[0]
        except OSError:
            return LOOPBACK[0]
    return address


class Sinks:
    """One port of loopback and of this machine's own address, for TCP and UDP; ``arrived`` says what came."""

    def __init__(self) -> None:
        self.port = 0
        self.arrived: list[str] = []
        self._selector = selectors.DefaultSelector()
        self._stop = threading.Event()

    def open(self) -> None:
        for address in dict.fromkeys((*LOOPBACK, own_address())):
            family = socket.AF_INET6 if ":" in address else socket.AF_INET
            for kind in (socket.SOCK_STREAM, socket.SOCK_DGRAM):
                own = socket.socket(family, kind)
                try:
                    own.bind((address, self.port))
                except OSError:  # no IPv6 here, or the port is taken for this kind
                    own.close()
                    continue
                self.port = own.getsockname()[1]
                own.setblocking(False)
                if kind == socket.SOCK_STREAM:
                    own.listen(16)
                self._selector.register(own, selectors.EVENT_READ, kind)

    def watch(self) -> None:
        while not self._stop.is_set():
            for key, _ in self._selector.select(0.1):
                assert isinstance(key.fileobj, socket.socket)
                with suppress(OSError):
                    if key.data == socket.SOCK_STREAM:
                        connection, _ = key.fileobj.accept()
                        connection.settimeout(0.5)
                        with connection, suppress(OSError):
                            self.arrived.append(f"TCP: {connection.recv(200)!r}")
                    else:
                        self.arrived.append(f"UDP: {key.fileobj.recv(200)!r}")

    def close(self) -> None:
        self._stop.set()


@contextmanager
def watching() -> Iterator[Sinks]:
    """Sinks that are open until the block ends."""
    sinks = Sinks()
    sinks.open()
    thread = threading.Thread(target=sinks.watch, name="sinks", daemon=True)
    thread.start()
    try:
        yield sinks
    finally:
        sinks.close()
        thread.join(5)
        for key in list(sinks._selector.get_map().values()):
            key.fileobj.close()  # type: ignore[union-attr]
        sinks._selector.close()

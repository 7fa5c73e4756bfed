"""Serves a recorded web on one loopback port, as an HTTP proxy: any client given the proxy crawls the recording.

Certificates of its hosts are made in memory, valid for a day, and trusted by nobody.
"""

from __future__ import annotations

import asyncio
import gzip
import logging
import re
import ssl
import tempfile
import threading
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import cache, lru_cache
from http import HTTPStatus
from pathlib import Path
from typing import TextIO
from urllib.parse import urlsplit

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from focused.exceptions import WebError
from focused.simulation.recorded_web import TRANSFER_HEADERS, Answer, RecordedWeb, not_found, slowness

VALIDITY = timedelta(days=1)
COMMON_NAME = "recorded web"  # the host stands in the alternative name, which has no limit of 64 characters


@lru_cache(maxsize=1024)
def server_context(host: str) -> ssl.SSLContext:
    """A TLS context that speaks as `host`."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    with tempfile.TemporaryDirectory(prefix="recorded-web-") as folder:  # ssl loads certificates only from files
        pem = Path(folder, "certificate.pem")
        pem.touch(mode=0o600)
        pem.write_bytes(_key_pem() + _certificate(host).public_bytes(serialization.Encoding.PEM))
        context.load_cert_chain(pem)
    return context


@cache
def _key() -> ec.EllipticCurvePrivateKey:
    return ec.generate_private_key(ec.SECP256R1())


@cache
def _key_pem() -> bytes:
    return _key().private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )


def _certificate(host: str) -> x509.Certificate:
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, COMMON_NAME)])
    now = datetime.now(UTC)
    return (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(_key().public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(hours=1))
        .not_valid_after(now + VALIDITY)
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(host)]), critical=False)
        .sign(_key(), hashes.SHA256())
    )


@contextmanager
def in_thread(listen: Callable[[], Awaitable[asyncio.Server]], name: str) -> Iterator[int]:
    """Run a server until the block ends; its port. Whatever ``listen`` has begun ends with it.

    listen : begins to listen; called in the thread, in its event loop
    name : of the thread

    Raises OSError where it cannot listen.
    """
    loop, stop = asyncio.new_event_loop(), asyncio.Event()
    port: Future[int] = Future()

    async def run() -> None:
        try:
            listener = await listen()
        except BaseException as error:
            port.set_exception(error)
            return
        port.set_result(listener.sockets[0].getsockname()[1])
        await stop.wait()
        listener.close()
        await _end_tasks()

    def run_thread() -> None:
        try:
            loop.run_until_complete(run())
        finally:
            loop.close()

    thread = threading.Thread(target=run_thread, name=name, daemon=True)
    thread.start()
    try:
        yield port.result()
    finally:
        if not port.exception():
            loop.call_soon_threadsafe(stop.set)
        thread.join()


async def _end_tasks() -> None:
    """Cut the connections that idle clients keep open."""
    tasks = asyncio.all_tasks() - {asyncio.current_task()}
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    await asyncio.sleep(0)  # lets transports close their sockets


logger = logging.getLogger(__name__)

ADDRESS = "127.0.0.1"  # never reachable from outside: recordings are other people's pages
MAX_HEAD = 64 * 2**10  # bytes of request line and headers
MAX_REQUEST_BODY = 2**20  # bytes; only to read past it
GZIP_FROM = 512  # bytes; below, compression saves nothing
GZIP_LEVEL = 1  # 0.3 ms for 37 KB; level 6 takes three times as long and only loopback would gain
ACCEPTS_GZIP = re.compile(r"\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))", re.IGNORECASE)
COMPRESSIBLE = ("text/", "application/json", "application/xhtml", "application/xml")
PLAIN_TEXT = (("Content-Type", "text/plain; charset=utf-8"),)


class BadRequestError(Exception):
    """A request that is not HTTP, or not what this server can answer: the status to answer with and why."""

    def __init__(self, status: HTTPStatus, reason: str) -> None:
        super().__init__(reason)
        self.status = status


@dataclass(slots=True)
class RequestHead:
    """The head of one HTTP request."""

    method: str
    target: str
    headers: dict[str, str]  #: names in lower case
    keep_alive: bool


@dataclass(slots=True)
class WebServer:
    """A running server.

    port : where it listens
    requests : how often each URL was asked for, GET and HEAD, as the client wrote it
    """

    web: RecordedWeb
    latency: float = 0.0  #: seconds before each answer; a slow host of the web takes longer
    log: TextIO | None = None  #: gets one line a request: time, method, URL, status, bytes of the body sent
    port: int = 0
    requests: Counter[str] = field(default_factory=Counter)

    async def handle(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Answer the requests of one connection until either side ends it."""
        origin = ""  # of the requests inside a CONNECT tunnel
        # A client may leave at any time (a timeout, a crawl that ends): nothing to report.
        with suppress(ConnectionError, asyncio.IncompleteReadError, TimeoutError, OSError):
            try:
                while request := await _read_request(reader):
                    if request.method == "CONNECT" and not origin:
                        origin = await self._open_tunnel(request, writer)
                        continue
                    await self.answer(request, _absolute(request, origin), writer)
                    if not request.keep_alive:
                        break
            except BadRequestError as error:
                body = f"{error}\n".encode()
                own = [f"Content-Length: {len(body)}", _connection(False)]
                writer.write(_head(error.status, PLAIN_TEXT, own) + body)
                await writer.drain()
            except asyncio.CancelledError:
                writer.transport.abort()  # the server stops: no farewell, which with TLS would wait for the client
            finally:
                writer.close()

    async def _open_tunnel(self, request: RequestHead, writer: asyncio.StreamWriter) -> str:
        """Answer CONNECT by being the server at the other end: the origin of the URLs that follow."""
        host, _, port = request.target.rpartition(":")
        host = host.lower()
        if not host or not port.isdecimal():
            raise BadRequestError(HTTPStatus.BAD_REQUEST, f"CONNECT needs host:port, not {request.target!r}")
        if host not in self.web.hosts:
            raise BadRequestError(HTTPStatus.BAD_GATEWAY, f"{host} is not in this recorded web")
        writer.write(b"HTTP/1.1 200 Connection established\r\n\r\n")
        await writer.start_tls(server_context(host))
        return f"https://{host}" if port == "443" else f"https://{host}:{port}"

    async def answer(self, request: RequestHead, url: str, writer: asyncio.StreamWriter) -> None:
        """Answer one request, GET or HEAD, with what the web has."""
        if request.method not in ("GET", "HEAD"):
            raise BadRequestError(
                HTTPStatus.NOT_IMPLEMENTED, f"{request.method} is not supported: a recording only answers GET"
            )
        if delay := self.latency + slowness(self.web, urlsplit(url).hostname or ""):
            await asyncio.sleep(delay)
        self.requests[url] += 1
        answer = self._recorded(url)
        body, own = answer.body, []
        accepts_gzip = ACCEPTS_GZIP.search(request.headers.get("accept-encoding", ""))
        if len(body) >= GZIP_FROM and accepts_gzip and answer.header("Content-Type").startswith(COMPRESSIBLE):
            body = gzip.compress(body, GZIP_LEVEL, mtime=0)
            own = ["Content-Encoding: gzip"]
        own += [f"Content-Length: {len(body)}", _connection(request.keep_alive)]
        head = _head(answer.status, answer.headers, own)
        if request.method == "HEAD":
            body = b""
        writer.write(head + body)
        if self.log:
            now = datetime.now().astimezone().isoformat(timespec="milliseconds")
            self.log.write(f"{now} {request.method} {url} {answer.status} {len(body)}\n")
        await writer.drain()

    def _recorded(self, url: str) -> Answer:
        try:
            answer = self.web.answer(url)
        except Exception as error:  # the server must outlive one page that cannot be read
            logger.exception("The recorded page %s cannot be read; answered with status 500", url)
            return Answer(HTTPStatus.INTERNAL_SERVER_ERROR, PLAIN_TEXT, f"{url}: {error}\n".encode())
        if answer is None and urlsplit(url).path == "/robots.txt":
            return not_found(url)  # or a crawl would wait for it to come back
        if answer is None:
            return Answer(
                HTTPStatus.BAD_GATEWAY, PLAIN_TEXT, f"{url}: this host is not in this recorded web\n".encode()
            )
        return answer


@contextmanager
def serving(web: RecordedWeb, port: int = 0, latency: float = 0.0, log: Path | None = None) -> Iterator[WebServer]:
    """Serve a web in a thread of its own until the block ends.

    Parameters
    ----------
    port : 0 for any free one (see `WebServer.port`)
    latency : seconds before each answer
    log : file that gets one line a request; appended to

    Raises WebError when the port is in use or the log cannot be written.
    """
    with _opened(log) as file:
        server = WebServer(web, latency, file)

        async def listen() -> asyncio.Server:
            try:
                return await asyncio.start_server(server.handle, ADDRESS, port, limit=MAX_HEAD, backlog=1024)
            except OSError as error:
                raise WebError(
                    f"port {port} of {ADDRESS} cannot be used: {error.strerror}; choose another port"
                ) from None

        with in_thread(listen, "recorded-web") as server.port:
            yield server


@contextmanager
def _opened(log: Path | None) -> Iterator[TextIO | None]:
    if log is None:
        yield None
        return
    try:
        file = log.open("a", encoding="utf-8", buffering=1)
    except OSError as error:
        raise WebError(f"{log}: the access log cannot be written: {error.strerror}") from None
    with file:
        yield file


async def _read_request(reader: asyncio.StreamReader) -> RequestHead | None:
    """The next request without its body, which is read and forgotten; None at the end of the connection."""
    try:
        head = await reader.readuntil(b"\r\n\r\n")
    except asyncio.IncompleteReadError as error:
        if error.partial.strip():
            raise BadRequestError(HTTPStatus.BAD_REQUEST, "the connection ended inside the request's headers") from None
        return None
    except asyncio.LimitOverrunError:
        raise BadRequestError(
            HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE, f"the headers are longer than {MAX_HEAD} bytes"
        ) from None
    first, *lines = head.decode("latin-1").strip().split("\r\n")
    method, _, rest = first.partition(" ")
    target, _, version = rest.rpartition(" ")
    if not target or " " in target or not version.startswith("HTTP/1."):
        raise BadRequestError(HTTPStatus.BAD_REQUEST, f"not an HTTP/1.1 request line: {first[:200]!r}")
    headers = {name.strip().lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
    connection = headers.get("connection", headers.get("proxy-connection", "")).lower()
    keep_alive = "close" not in connection and (version != "HTTP/1.0" or "keep-alive" in connection)
    length = headers.get("content-length", "0")
    if not re.fullmatch("[0-9]{1,9}", length) or "transfer-encoding" in headers:
        raise BadRequestError(HTTPStatus.LENGTH_REQUIRED, "a request body needs a Content-Length")
    if int(length) > MAX_REQUEST_BODY:
        raise BadRequestError(
            HTTPStatus.REQUEST_ENTITY_TOO_LARGE, f"the request body is longer than {MAX_REQUEST_BODY} bytes"
        )
    if int(length):
        await reader.readexactly(int(length))
    return RequestHead(method, target, headers, keep_alive)


def _absolute(request: RequestHead, origin: str) -> str:
    """The absolute URL a request asks for: as written to a proxy, else by tunnel or Host header."""
    if not request.target.startswith("/"):
        try:
            valid = urlsplit(request.target).scheme in ("http", "https") and urlsplit(request.target).hostname
        except ValueError:
            valid = None
        if not valid:
            raise BadRequestError(HTTPStatus.BAD_REQUEST, f"not an http(s) URL: {request.target[:200]!r}")
        return request.target
    host = request.headers.get("host", "")
    if not origin and not host:
        raise BadRequestError(HTTPStatus.BAD_REQUEST, "neither an absolute URL nor a Host header")
    return (origin or f"http://{host}") + request.target


def _head(status: int, recorded: tuple[tuple[str, str], ...], own: list[str]) -> bytes:
    # A recorded header may hold anything: a line break inside would forge another header.
    kept = [
        f"{name}: {' '.join(value.splitlines())}" for name, value in recorded if name.lower() not in TRANSFER_HEADERS
    ]
    return "\r\n".join([_status_line(status), *kept, *own, "", ""]).encode("latin-1", "replace")


def _connection(keep_alive: bool) -> str:
    return "Connection: keep-alive" if keep_alive else "Connection: close"


@cache
def _status_line(status: int) -> str:
    try:
        return f"HTTP/1.1 {status} {HTTPStatus(status).phrase}"
    except ValueError:
        return f"HTTP/1.1 {status} Unknown"

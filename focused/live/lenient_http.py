"""Takes the heads of HTTP answers as browsers do, where Twisted's client would refuse them.

Servers send blanks before a colon, lines without one, ``Transfer-Encoding: identity`` and lengths that are no numbers, and nobody
notices, for browsers show the page. A `LenientConnection` stands between a connection and Twisted's client and hands it a head
that says the same by the book. What browsers refuse as well is a `BrokenAnswer`, which says in one line what is wrong.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextvars import ContextVar
from typing import Any

from scrapy.exceptions import IgnoreRequest
from twisted.internet.interfaces import IStreamClientEndpoint
from twisted.protocols.policies import ProtocolWrapper, WrappingFactory
from twisted.python.failure import Failure
from zope.interface import implementer

from focused.page.plain_text import plain

BREAKS_HTTP = "its answer breaks HTTP"  #: begins the reason of a page whose server says what no browser takes
MOST_HEAD = 256 * 1024  #: bytes, as in Chromium
LONGEST_LINE = 16_000  #: bytes; Twisted hangs up at a longer one, so that header is left out
LONGEST_PHRASE = 100  #: bytes of the words behind a status
MOST_BEFORE = 4  #: bytes that may stand before the status line, as in Chromium
SHOWN = 20  #: bytes of what is no head, for a person
_STATUS = re.compile(rb"http/(\d)(?:\.(\d))?[ \t]+(\d{3})(?!\d)[ \t]*([^\r\n]*)", re.IGNORECASE)
_END = re.compile(rb"\n\r?\n")
_TOKEN = re.compile(rb"[!#$%&'*+.^_`|~0-9A-Za-z-]+")  # RFC 9110, section 5.6.2
_FRAMING = (b"content-length", b"transfer-encoding")
_PACKINGS = frozenset((b"gzip", b"x-gzip", b"deflate", b"compress", b"x-compress"))


class BrokenAnswer(IgnoreRequest):
    """An answer that no browser takes; the message is the reason for the history. It is not asked for again."""

    def __init__(self, what: str) -> None:
        super().__init__(f"{BREAKS_HTTP}: {what}")


class Exchange:
    """One request and its answer."""

    is_overlong = False  #: more bytes came than the answer had said


#: The exchange that a request for a connection belongs to.
EXCHANGE: ContextVar[Exchange | None] = ContextVar("focused_exchange", default=None)


def tidied(head: bytes) -> tuple[bytes, int | None]:
    """A head as Twisted's client takes it, and the length of the body where it is said. Raises BrokenAnswer.

    head : from the status line to the empty line, which may be missing
    """
    first, *rest = head.split(b"\n")
    said = _STATUS.match(first)
    if said is None:
        raise BrokenAnswer(f"a status line {plain(first[:SHOWN].decode('latin-1'), SHOWN)!r}")
    major, minor, status, phrase = said.groups(b"1")
    version = b"1.0" if (major, minor) == (b"1", b"0") else b"1.1"
    lines = [b"HTTP/%b %b %b" % (version, status, phrase[:LONGEST_PHRASE])]
    framing: dict[bytes, list[bytes]] = {name: [] for name in _FRAMING}
    for name, value in _headers(rest):
        if (lower := name.lower()) in framing:
            framing[lower] += (part.strip() for part in value.lower().split(b","))
        elif len(name) + len(value) < LONGEST_LINE:
            lines.append(b"%b: %b" % (name, value))
    length = None
    if _is_chunked(framing[b"transfer-encoding"]):
        lines.append(b"Transfer-Encoding: chunked")
    elif (length := _length(framing[b"content-length"])) is not None:
        lines.append(b"Content-Length: %d" % length)
    return b"\r\n".join((*lines, b"", b"")), length


def _headers(lines: list[bytes]) -> Iterator[tuple[bytes, bytes]]:
    """Names and values; what is no header is left out."""
    name, parts = b"", list[bytes]()
    for line in (*lines, b":"):  # which ends the last header
        if line[:1] in (b" ", b"\t"):  # goes on with the line before
            parts.append(line.strip())
            continue
        if _TOKEN.fullmatch(name):
            yield name, b" ".join(parts).strip()
        before, colon, after = line.partition(b":")
        name, parts = before.rstrip() if colon else b"", [after.strip()]


def _is_chunked(codings: list[bytes]) -> bool:
    """Whether a body comes in chunks; browsers pass over all other transfer codings but would show packed bytes."""
    if packed := next((coding for coding in codings if coding in _PACKINGS), None):
        raise BrokenAnswer(f"Transfer-Encoding {packed.decode()}, which nobody asked for")
    return b"chunked" in codings


def _length(said: list[bytes]) -> int | None:
    """The length that a body should have; None if it ends with the connection. What is no number counts for nothing."""
    if len(set(said)) > 1:
        shown = " and ".join(plain(value[:SHOWN].decode("latin-1"), SHOWN) for value in [*dict.fromkeys(said)][:2])
        raise BrokenAnswer(f"several Content-Length: {shown}")
    return int(said[0]) if said and said[0].isdigit() and len(said[0]) < SHOWN else None


class LenientConnection(ProtocolWrapper):
    """Hands Twisted's client each answer with a tidied head."""

    wrappedProtocol: Any  # noqa: N815  (Twisted's name; None once the connection is lost)

    def __init__(self, factory: Any, client: Any) -> None:
        super().__init__(factory, client)
        self.begin(None)

    def begin(self, exchange: Exchange | None) -> None:
        """A request is about to be sent: a head is the next thing to arrive."""
        self._exchange, self._head, self._is_head = exchange, bytearray(), True
        self._left: int | None = None

    def dataReceived(self, data: bytes) -> None:  # noqa: N802  (Twisted's name)
        if self.wrappedProtocol is None:
            return
        if self._is_head:
            try:
                data = self._after_head(data)
            except BrokenAnswer as broken:
                client, self.wrappedProtocol = self.wrappedProtocol, None
                client.connectionLost(Failure(broken))  # type: ignore[no-untyped-call]
                self.transport.abortConnection()  # type: ignore[union-attr]
                return
        else:
            self._count(data)
        if data:
            self.wrappedProtocol.dataReceived(data)

    def connectionLost(self, reason: Failure) -> None:  # type: ignore[override]  # noqa: N802
        if self.wrappedProtocol is not None:
            super().connectionLost(reason)  # type: ignore[no-untyped-call]

    def _after_head(self, data: bytes) -> bytes:
        """What the client is to hear once the head is whole; nothing before. Heads of interim answers (1xx) go."""
        head = self._head
        seen = max(0, len(head) - 2)  # an end may lie across two pieces
        head += data
        while True:
            start = head[: MOST_BEFORE + 5].lower().find(b"http/")
            if start < 0 and len(head) >= MOST_BEFORE + 5:
                raise BrokenAnswer(f"it begins with {plain(head[:SHOWN].decode('latin-1'), SHOWN)!r}")
            end = _END.search(head, max(seen, start, 0))
            if start < 0 or end is None:
                if len(head) > MOST_HEAD:
                    raise BrokenAnswer(f"a head of more than {MOST_HEAD:,} bytes")
                return b""
            said, length = tidied(bytes(head[start : end.end()]))
            del head[: end.end()]
            seen = 0
            if said.split(b" ", 2)[1][:1] != b"1":
                break
        self._is_head, self._head, self._left = False, bytearray(), length
        self._count(head)
        return said + head

    def _count(self, arrived: bytes | bytearray) -> None:
        """Take in bytes of the body; old servers end it with an empty line that is no part of it."""
        if self._left is not None:
            self._left -= len(arrived)
            if self._left < 0 and self._exchange is not None and arrived[self._left :].strip():
                self._exchange.is_overlong = True


class _LenientConnections(WrappingFactory):
    protocol = LenientConnection
    noisy = False


@implementer(IStreamClientEndpoint)
class LenientEndpoint:
    """Connects as another endpoint does, with a `LenientConnection` in between."""

    def __init__(self, endpoint: Any) -> None:
        self._endpoint = endpoint

    def connect(self, factory: Any) -> Any:
        connected = self._endpoint.connect(_LenientConnections(factory))  # type: ignore[no-untyped-call]
        return connected.addCallback(lambda connection: connection.wrappedProtocol)

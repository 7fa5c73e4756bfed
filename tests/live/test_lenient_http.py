"""Heads of answers as browsers take them, and what is wrong with those that no browser takes."""

from __future__ import annotations

import pytest
from twisted.internet.protocol import Factory, Protocol
from twisted.internet.testing import StringTransport

from focused.live.lenient_http import MOST_HEAD, BrokenAnswer, Exchange, LenientConnection, tidied

OK = b"HTTP/1.1 200 OK\r\n"
PLAIN = b"HTTP/1.1 200 OK\r\nA: b\r\n\r\n"


@pytest.mark.parametrize(
    "lines",
    [
        *(b"A: b\r\n", b"A:b\r\n", b"A : b\r\n", b"A\t: b \r\n", b"A: b\n"),
        *(
            b"A: b\r\nno colon\r\n",
            b" begins with a blank\r\nA: b\r\n",
            b": no name\r\nA: b\r\n",
            b"a b: c\r\nA: b\r\n",
        ),
        *(
            b"\xc3\xa4: c\r\nA: b\r\n",
            b"A:\r\n b\r\n",
            b"A: b\r\nB: " + b"x" * 20_000 + b"\r\n",
            b"A: b\r\n\xff: c\r\n d\r\n",
        ),
        *(
            b"A: b\r\nTransfer-Encoding: identity\r\n",
            b"A: b\r\nContent-Length: many\r\n",
            b"A: b\r\nContent-Length: -1\r\n",
        ),
        *(b"A: b\r\nContent-Length: " + b"9" * 400 + b"\r\n", b"A: b\r\nContent-Length:\r\n"),
    ],
)
def test_what_browsers_pass_over_is_left_out(lines: bytes) -> None:
    assert tidied(OK + lines + b"\r\n") == (PLAIN, None)


@pytest.mark.parametrize(
    ("line", "tidy"),
    [
        (b"HTTP/1.1 200", b"HTTP/1.1 200 "),
        (b"http/1.1  200   OK", b"HTTP/1.1 200 OK"),
        (b"HTTP/1.0 404 Not Found", b"HTTP/1.0 404 Not Found"),
        (b"HTTP/2 301 x", b"HTTP/1.1 301 x"),
        (b"HTTP/1.1 500 " + b"x" * 20_000, b"HTTP/1.1 500 " + b"x" * 100),
    ],
)
def test_a_status_line_may_be_written_in_many_ways(line: bytes, tidy: bytes) -> None:
    assert tidied(line + b"\r\n\r\n")[0] == tidy + b"\r\n\r\n"


@pytest.mark.parametrize(
    ("lines", "length", "framing"),
    [
        (b"Content-Length: 5\r\n", 5, b"Content-Length: 5"),
        (b"content-length : 5\r\nContent-Length: 5\r\n", 5, b"Content-Length: 5"),
        (b"Content-Length: 5, 5\r\n", 5, b"Content-Length: 5"),
        (b"Content-Length: 5\r\nTransfer-Encoding: chunked\r\n", None, b"Transfer-Encoding: chunked"),
        (b"Transfer-Encoding: Chunked\r\nTransfer-Encoding: chunked\r\n", None, b"Transfer-Encoding: chunked"),
        (b"Transfer-Encoding: identity, chunked\r\n", None, b"Transfer-Encoding: chunked"),
    ],
)
def test_the_length_of_a_body_is_said_once(lines: bytes, length: int | None, framing: bytes) -> None:
    assert tidied(OK + lines + b"\r\n") == (OK + framing + b"\r\n\r\n", length)


@pytest.mark.parametrize(
    ("head", "what"),
    [
        (b"HTTP/1.1 OK OK\r\n\r\n", "a status line 'HTTP/1.1 OK OK'"),
        (b"HTTP/1.1\r\n\r\n", "a status line 'HTTP/1.1'"),
        (b"HTTP/1.1 2000 OK\r\n\r\n", "a status line 'HTTP/1.1 2000 OK'"),
        (OK + b"Content-Length: 10\r\nContent-Length: 20\r\n\r\n", "several Content-Length: 10 and 20"),
        (OK + b"Content-Length: 1, 2\r\n\r\n", "several Content-Length: 1 and 2"),
        (OK + b"Transfer-Encoding: gzip, chunked\r\n\r\n", "Transfer-Encoding gzip, which nobody asked for"),
    ],
)
def test_what_no_browser_takes_is_said_in_a_line(head: bytes, what: str) -> None:
    with pytest.raises(BrokenAnswer) as broken:
        tidied(head)
    assert str(broken.value) == f"its answer breaks HTTP: {what}"


class Client(Protocol):
    """Notes what it hears."""

    def __init__(self) -> None:
        self.heard, self.lost = b"", []

    def dataReceived(self, data: bytes) -> None:  # noqa: N802
        self.heard += data

    def connectionLost(self, reason) -> None:  # noqa: N802
        self.lost.append(reason.value)


def connected() -> tuple[LenientConnection, Client, Exchange]:
    client, exchange = Client(), Exchange()
    connection = LenientConnection(type("F", (Factory,), {"registerProtocol": lambda *_: None})(), client)
    connection.makeConnection(StringTransport())
    connection.begin(exchange)
    return connection, client, exchange


@pytest.mark.parametrize("size", [1, 2, 3, 7, 1000])
def test_an_answer_may_come_in_pieces_of_any_size(size: int) -> None:
    answer = b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Hints\r\nLink: x\r\n\r\nHTTP/1.1 200 OK\r\nA : b\r\n\r\nbody\r\n\r\nmore"
    connection, client, _ = connected()
    for start in range(0, len(answer), size):
        connection.dataReceived(answer[start : start + size])
    assert client.heard == PLAIN + b"body\r\n\r\nmore"


def test_the_next_answer_of_a_connection_has_a_head_again() -> None:
    connection, client, _ = connected()
    for _ in range(2):
        connection.begin(Exchange())
        connection.dataReceived(b"HTTP/1.1 200 OK\r\nA : b\r\nContent-Length: 2\r\n\r\nab")
    assert client.heard == b"HTTP/1.1 200 OK\r\nA: b\r\nContent-Length: 2\r\n\r\nab" * 2


@pytest.mark.parametrize("size", [1, 1000])
def test_more_bytes_than_were_said_are_noted(size: int) -> None:
    for body, is_overlong in ((b"abc", True), (b"ab", False), (b"a", False), (b"ab\r\n", False)):
        answer = OK + b"Content-Length: 2\r\n\r\n" + body
        connection, _, exchange = connected()
        for start in range(0, len(answer), size):
            connection.dataReceived(answer[start : start + size])
        assert exchange.is_overlong == is_overlong


@pytest.mark.parametrize(
    ("answer", "what"),
    [
        (b"SSH-2.0-OpenSSH_9.2\r\n", "it begins with 'SSH-2.0-OpenSSH_9.2'"),
        (b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03", "it begins with"),
        (b"\r\n" * 10, "it begins with ''"),
        (OK + b"X: y\r\n" * MOST_HEAD, "a head of more than 262,144 bytes"),
        (OK + b"X: " + b"y" * 2 * MOST_HEAD, "a head of more than 262,144 bytes"),
    ],
)
def test_what_is_no_answer_ends_the_connection(answer: bytes, what: str) -> None:
    connection, client, _ = connected()
    for start in range(0, len(answer), 1 << 15):
        connection.dataReceived(answer[start : start + (1 << 15)])
    assert client.heard == b""
    [lost] = client.lost
    assert isinstance(lost, BrokenAnswer)
    assert what in str(lost)
    assert connection.transport.disconnecting or connection.transport.aborting

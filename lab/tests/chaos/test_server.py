"""The hostile server: what it writes down of requests, what its hosts may do; and what kills cost."""

from __future__ import annotations

import csv
import socket
import ssl
import time
from contextlib import contextmanager
from pathlib import Path

import pytest

from lab.chaos.checker import read_log
from lab.chaos.kills import FILE, PROMISE, Kill, run
from lab.chaos.kills import Web as KilledWeb
from lab.chaos.replies import answer, drip, hang, honest_host, in_turn, page, raw, redirect, reset
from lab.chaos.server import Web, retry_after_of, serving, watching


@pytest.fixture
def web():
    web = Web()
    honest_host(web, 3)
    web.add(
        "odd.example",
        {"/busy": answer(503, b"", ("Retry-After", "7")), "/hang": hang, "/reset": reset, "/raw": raw(b"what?")},
    )
    web.add("turns.example", {"/": in_turn(answer(500), redirect("/x"), page("third"))})
    web.add("slow.example", drip(b"HTTP/1.1 200 OK\r\n\r\n", b"x", 0.05))
    return web


@contextmanager
def connected(port):
    with socket.create_connection(("127.0.0.1", port), timeout=10) as connection:
        yield connection


def ask(connection, url, *headers):
    connection.sendall("\r\n".join([f"GET {url} HTTP/1.1", *headers, "", ""]).encode())
    return connection.recv(2**16)


def test_every_request_is_written_down_with_what_was_sent(web, tmp_path):
    with serving(web, tmp_path / "log") as server, connected(server.port) as connection:
        assert b"404" in ask(connection, "http://good.example/1?a=b")
        assert b"503" in ask(connection, "http://USER:word@odd.example:80/busy", "Cookie: a=1", "X-Other: 2")
        assert b"502" in ask(connection, "http://nobody.example/")
        assert b"404" in ask(connection, "http://good.example/robots.txt")
    first, busy, nobody, robots = read_log(tmp_path / "log")
    assert (first.url, first.status, first.connection, first.retry_after) == ("http://good.example/1?a=b", 404, 1, None)
    assert (busy.credentials, busy.headers, busy.retry_after) == ("USER:word", {"cookie": "a=1"}, 7.0)
    assert (nobody.status, robots.status, robots.is_robots) == (502, 404, True)
    assert first.start <= first.end <= busy.start


def test_a_request_that_hangs_ends_when_the_client_leaves(web, tmp_path):
    with serving(web, tmp_path / "log") as server:
        for number, url in enumerate(("http://odd.example/hang", "http://slow.example/"), 1):
            with connected(server.port) as connection, connected(server.port) as other:
                connection.sendall(f"GET {url} HTTP/1.1\r\n\r\n".encode())
                assert b"404" in ask(other, "http://good.example/x")
            server.wait_for(2 * number, lambda: False, 5)
    asked = sorted(read_log(tmp_path / "log"), key=lambda entry: entry.end)
    hosts = [entry.host.partition(".")[0] for entry in asked]
    assert hosts == ["good", "odd", "good", "slow"]  # not before what was asked while they hung
    assert max(entry.end - entry.start for entry in asked) < 4  # nor when the server's patience ends


def test_hosts_may_answer_with_what_is_no_http_or_not_at_all(web, tmp_path):
    with serving(web, tmp_path / "log") as server:
        with connected(server.port) as connection:
            assert ask(connection, "http://odd.example/raw") == b"what?"
        with connected(server.port) as connection, pytest.raises(ConnectionResetError):
            if not ask(connection, "http://odd.example/reset"):
                raise ConnectionResetError
        server.wait_for(2, lambda: False, 5)
    assert [entry.status for entry in read_log(tmp_path / "log")] == [0, 0]


def test_tunnels_are_opened_and_what_comes_through_is_written_down(web, tmp_path):
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    with serving(web, tmp_path / "log") as server, connected(server.port) as plain:
        plain.sendall(b"CONNECT good.example:443 HTTP/1.1\r\n\r\n")
        assert b"200" in plain.recv(1000)
        with context.wrap_socket(plain, server_hostname="good.example") as connection:
            assert b"200" in ask(connection, "/1", "Host: good.example")
    entries = read_log(tmp_path / "log")
    assert [(entry.method, entry.url) for entry in entries] == [
        ("CONNECT", "https://good.example/"),
        ("GET", "https://good.example/1"),
    ]


@pytest.mark.parametrize(
    ("told", "least", "most"),
    [(b"5", 5, 5), (b"Wed, 01 Jan 2200 00:00:00 GMT", 1e9, 1e11), (b"Thu, 01 Jan 1970 00:00:00 GMT", -1e10, 0)],
)
def test_a_retry_after_is_read_as_it_was_sent(told, least, most):
    found = retry_after_of(b"HTTP/1.1 429 X\r\nRetry-After: " + told + b"\r\nX: y")
    assert found is not None
    assert least <= found <= most


def test_what_arrives_at_a_sink_is_told():
    with watching() as sinks:
        with connected(sinks.port) as connection:
            connection.sendall(b"by tcp")
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as udp:
            udp.sendto(b"by udp", ("127.0.0.1", sinks.port))
        deadline = time.monotonic() + 5
        while len(sinks.arrived) < 2 and time.monotonic() < deadline:
            time.sleep(0.01)
    assert sorted(sinks.arrived) == ["TCP: b'by tcp'", "UDP: b'by udp'"]


def test_every_page_of_the_web_is_linked_from_its_first() -> None:
    web = KilledWeb(1, 100)
    found, waiting = set[str](), [web.url(0)]
    while waiting:
        url = waiting.pop()
        answer = web.answer(url)
        assert answer is not None
        if url in found or answer.status == 404:
            continue
        found.add(url)
        waiting += [part.split('"')[0] for part in answer.body.decode().split('href="')[1:]]
        waiting += [value for name, value in answer.headers if name == "Location"]
    assert set(web.urls()) <= found


@pytest.mark.slow
@pytest.mark.timeout(400)
def test_three_kills_lose_nothing_and_cost_no_more_than_is_promised(tmp_path: Path) -> None:
    said: list[str] = []
    kills = run(3, tmp_path, said.append, size=150)
    assert len(kills) == len(said) == 3
    assert [kill.problem for kill in kills] == ["", "", ""]
    assert {kill.check for kill in kills} <= {"well", ""}
    assert max(kill.again for kill in kills) <= PROMISE
    with (tmp_path / FILE).open() as file:
        assert next(tuple(row) for row in csv.reader(file)) == Kill._fields

"""The server of rivals: the same manners for all, and a page to start from."""

from __future__ import annotations

import socket
import urllib.request
from collections.abc import Iterator, Set
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from focused.exceptions import WebError
from focused.simulation.proxy.server import WebServer
from focused.simulation.recorded_web import Answer, html_answer
from lab.rivals import served as served_module
from lab.rivals.served import START, WithStart, served

HOSTS = ("a.example", "b.example")


class TwoHosts:
    """A page for every path."""

    @property
    def hosts(self) -> Set[str]:
        return frozenset(HOSTS)

    def answer(self, url: str) -> Answer | None:
        return html_answer(url.encode()) if urlsplit(url).hostname in HOSTS else None

    def urls(self) -> Iterator[str]:
        return iter(())


def fetch(proxy: str, url: str) -> str:
    client = urllib.request.build_opener(urllib.request.ProxyHandler({"http": proxy}))
    with client.open(url, timeout=20) as answer:
        return str(answer.read().decode())


def test_a_page_links_to_all_seeds(tmp_path: Path) -> None:
    seeds = ("http://a.example/?x=1&y=2", 'http://b.example/"><script>')
    with served(WithStart(TwoHosts(), seeds), tmp_path / "log", 0.0, 0) as proxy:
        page = fetch(proxy, START)
    assert 'href="http://a.example/?x=1&amp;y=2"' in page
    assert "<script>" not in page


def test_no_host_answers_two_requests_at_a_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    under_way: dict[str, int] = dict.fromkeys(HOSTS, 0)
    most = dict(under_way)
    together: list[int] = []
    answer = WebServer.answer

    async def watched(self: WebServer, request: object, url: str, writer: object) -> None:
        host = urlsplit(url).hostname or ""
        under_way[host] += 1
        most[host] = max(most[host], under_way[host])
        together.append(sum(under_way.values()))
        await served_module.asyncio.sleep(0.02)  # others could come in between
        await answer(self, request, url, writer)  # type: ignore[arg-type]
        under_way[host] -= 1

    monkeypatch.setattr(WebServer, "answer", watched)
    urls = [f"http://{host}/{number}" for number in range(6) for host in HOSTS]
    with (
        served(WithStart(TwoHosts(), ()), tmp_path / "log", 0.0, 0) as proxy,
        ThreadPoolExecutor(len(urls)) as threads,
    ):
        assert [*threads.map(lambda url: fetch(proxy, url), urls)] == urls
    assert most == {"a.example": 1, "b.example": 1}
    assert max(together) == 2  # different hosts do answer at a time


def test_the_log_is_begun_anew(tmp_path: Path) -> None:
    log = tmp_path / "log"
    log.write_text("of an earlier crawl\n")
    with served(WithStart(TwoHosts(), ()), log, 0.0, 0) as proxy:
        fetch(proxy, "http://a.example/1")
    (line,) = log.read_text().splitlines()
    assert line.split(" ")[1:4] == ["GET", "http://a.example/1", "200"]


def test_a_log_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    with (
        pytest.raises(WebError, match="the access log cannot be written"),
        served(WithStart(TwoHosts(), ()), tmp_path / "no" / "log", 0.0, 0),
    ):
        pass


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_disk_that_is_full_is_told() -> None:
    with (
        pytest.raises(WebError, match="the access log cannot be written: No space left"),
        served(WithStart(TwoHosts(), ()), Path("/dev/full"), 0.0, 0) as proxy,
    ):
        fetch(proxy, "http://a.example/1")


@pytest.mark.parametrize("request_", [b"GET /x HTTP/1.1\r\nHost: a b", b"GET http://a.example/\nx HTTP/1.1\r\nHost: a"])
def test_no_request_tears_a_line_of_the_log(tmp_path: Path, request_: bytes) -> None:
    """A log that cannot be read would end the comparison, and a line that a crawler wrote would be believed."""
    log = tmp_path / "log"
    with (
        served(WithStart(TwoHosts(), ()), log, 0.0, 0) as proxy,
        socket.create_connection(("127.0.0.1", urlsplit(proxy).port or 0), timeout=20) as client,
    ):
        client.sendall(request_ + b"\r\n\r\n")
        assert b" 400 " in client.recv(100)
    assert not log.read_text()

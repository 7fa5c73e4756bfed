"""The very address that is connected to is judged, at the connection, whatever the DNS said before."""

from __future__ import annotations

import logging
from types import SimpleNamespace

import pytest
from scrapy import Request
from scrapy.exceptions import NotConfigured
from scrapy.settings import Settings
from twisted.internet.address import IPv4Address, IPv6Address
from twisted.internet.endpoints import HostnameEndpoint, wrapClientTLS
from twisted.internet.ssl import optionsForClientTLS
from twisted.internet.testing import MemoryReactorClock
from twisted.web.client import HTTPConnectionPool

from focused import settings as ours
from focused.crawl.scope import Reach
from focused.live.connections import ConnectionBarred, WithinReach, _JudgedPool, reach_of
from focused.topic.topic import Scope
from tests.small_web import topic_of


class Names:
    """A DNS whose answers are given one after the other."""

    def __init__(self, *answers: list[str]) -> None:
        self.answers = list(answers)

    def resolveHostName(self, receiver, host, portNumber=0, **_):  # noqa: N802, N803  (Twisted's names)
        receiver.resolutionBegan(None)
        for address in self.answers.pop(0):
            kind = IPv6Address if ":" in address else IPv4Address
            receiver.addressResolved(kind("TCP", address, portNumber))
        receiver.resolutionComplete()


def connected(*answers: list[str], scope: Scope = Scope(), tls: bool = False) -> tuple[list[str], list[object]]:  # noqa: B008
    """Addresses that connections were opened to while a name was asked for as often as there are answers; and the failures."""
    reactor = MemoryReactorClock()
    reactor.installNameResolver(Names(*answers))
    pool = _JudgedPool(HTTPConnectionPool(reactor), Reach(scope))
    failures: list[object] = []
    for _ in answers:
        endpoint = HostnameEndpoint(reactor, "a.example", 80)
        if tls:
            endpoint = wrapClientTLS(optionsForClientTLS("a.example"), endpoint)
        pool.getConnection(("http", "a.example", 80), endpoint).addErrback(
            lambda failure: failures.append(failure.value)
        )
        reactor.pump([1.0] * 5)
    return [client[0] for client in reactor.tcpClients], failures


@pytest.mark.parametrize("tls", [False, True])
@pytest.mark.parametrize("address", ["127.0.0.1", "::1", "::ffff:10.0.0.1", "169.254.169.254", "0.0.0.0"])
def test_a_name_of_a_private_address_is_not_connected_to(address, tls) -> None:
    opened, failures = connected([address], tls=tls)
    assert opened == []
    assert [str(failure) for failure in failures] == [f"private address: {address}"]
    assert isinstance(failures[0], ConnectionBarred)


def test_of_the_addresses_of_a_name_only_public_ones_are_connected_to() -> None:
    mixed = [address for n in range(1, 201) for address in (f"10.0.0.{n}", f"93.184.215.{n}", f"fd00::{n:x}")]
    opened, _ = connected(mixed)
    assert opened
    assert {address.rpartition(".")[0] for address in opened} == {"93.184.215"}


def test_a_name_that_changes_its_address_is_judged_anew_at_each_connection() -> None:
    opened, failures = connected(["93.184.215.14"], ["127.0.0.1"])
    assert opened == ["93.184.215.14"]
    assert [str(failure) for failure in failures] == ["private address: 127.0.0.1"]


def test_what_the_topic_allows_is_connected_to() -> None:
    assert connected(["127.0.0.1"], scope=Scope(allow_private=True)) == (["127.0.0.1"], [])


def crawler(**settings: object) -> SimpleNamespace:
    return SimpleNamespace(spider=SimpleNamespace(topic=topic_of()), settings=Settings(settings))


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        ("http://169.254.169.254/latest/meta-data", "private address"),
        ("http://127.1/", "private address"),
        ("http://[::ffff:127.0.0.1]/", "private address"),
        ("http://a.example:22/", "port not allowed"),
        ("file:///etc/passwd", "not an http(s) URL"),
        ("file://a.example/etc/passwd", "not an http(s) URL"),
        ("ftp://a.example/", "not an http(s) URL"),
        ("data:text/html,solar", "not an http(s) URL"),
    ],
)
def test_what_a_url_says_by_itself_is_refused_before_it_is_asked_for(url, reason) -> None:
    with pytest.raises(ConnectionBarred, match=f"^{reason}".replace("(", r"\(").replace(")", r"\)")):
        WithinReach(Reach(Scope())).process_request(Request(url))


def test_other_urls_go_on() -> None:
    assert WithinReach(Reach(Scope())).process_request(Request("http://me:pw@a.example:8080/x?y#z")) is None


def test_spiders_without_a_topic_are_left_alone() -> None:
    other = SimpleNamespace(spider=SimpleNamespace(), settings=Settings())
    assert reach_of(other) is None
    with pytest.raises(NotConfigured):
        WithinReach.from_crawler(other)


def test_a_download_handler_that_does_not_judge_is_told(caplog) -> None:
    with caplog.at_level(logging.WARNING):
        WithinReach.from_crawler(crawler(DOWNLOAD_HANDLERS=ours.DOWNLOAD_HANDLERS))
        assert caplog.messages == []
        WithinReach.from_crawler(crawler(DOWNLOAD_HANDLERS=ours.DOWNLOAD_HANDLERS | {"https": "my.Handler"}))
    assert "may lead my.Handler into a private network" in caplog.text

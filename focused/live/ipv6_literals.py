"""Lets a crawl reach hosts that are IPv6 addresses, whatever resolver Scrapy uses."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Self

from scrapy.crawler import Crawler
from twisted.internet.abstract import isIPv6Address
from twisted.internet.address import IPv6Address
from twisted.internet.interfaces import IHostnameResolver, IHostResolution
from zope.interface import implementer


class ReachIPv6:
    """Extension: an IPv6 address in a URL resolves to itself.

    The resolver that Scrapy installs by default asks for IPv4 addresses only, also of a host that is an address already.
    """

    @classmethod
    def from_crawler(cls, _: Crawler) -> Self:
        from twisted.internet import reactor  # exists only now

        if not isinstance(reactor.nameResolver, LiteralResolver):
            reactor.installNameResolver(LiteralResolver(reactor.nameResolver))
        return cls()


@implementer(IHostnameResolver)
class LiteralResolver:
    """Answers for IPv6 addresses; leaves all other names to the resolver behind it."""

    def __init__(self, behind: Any) -> None:
        self.behind = behind

    def resolveHostName(  # noqa: N802  # Twisted's name for it
        self,
        resolutionReceiver: Any,  # noqa: N803
        hostName: str,  # noqa: N803
        portNumber: int = 0,  # noqa: N803
        addressTypes: Sequence[type[Any]] | None = None,  # noqa: N803
        transportSemantics: str = "TCP",  # noqa: N803
    ) -> Any:
        if not isIPv6Address(hostName):
            return self.behind.resolveHostName(
                resolutionReceiver, hostName, portNumber, addressTypes, transportSemantics
            )
        resolution = _Resolution(hostName)
        resolutionReceiver.resolutionBegan(resolution)
        resolutionReceiver.addressResolved(IPv6Address("TCP", hostName, portNumber))
        resolutionReceiver.resolutionComplete()
        return resolution


@implementer(IHostResolution)
class _Resolution:
    def __init__(self, name: str) -> None:
        self.name = name

    def cancel(self) -> None:
        """Nothing to cancel: the resolution has ended already."""

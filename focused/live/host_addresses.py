"""Looks up the IP address of a host before its first request, so that the crawl knows a hundred names of one machine as such.

The downloader finds the answer in the cache of the resolver, so that a name costs one look-up as before.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from ipaddress import IPv4Address, IPv6Address, ip_address
from typing import Any, Self

from scrapy.crawler import Crawler
from scrapy.downloadermiddlewares.httpproxy import HttpProxyMiddleware

#: This machine: a whole recorded web may lie behind it, and no other site is bothered.
OWN = ("127.0.0.1", "::1")
NETWORK = 64  #: bits of an IPv6 address that tell machines apart: an owner of these may choose the others


class HostAddresses:
    """Addresses of hosts by name.

    Parameters
    ----------
    look_up : asks for the addresses of a host, and calls a function with them; None: no look-ups, and no host has an address
    found : called with each host and its address; None if it has none, or none on which hosts share politeness
    at_once : look-ups at a time
    """

    def __init__(self, look_up: LookUp | None, found: Callable[[str, str | None], None], at_once: int) -> None:
        self._look_up, self._found, self._at_once = look_up, found, at_once
        self._known: set[str] = set()
        self._asked: set[str] = set()
        self._waiting: deque[str] = deque()

    @classmethod
    def of(cls, crawler: Crawler, found: Callable[[str, str | None], None], at_once: int) -> Self:
        """Addresses from Scrapy's resolver, unless a proxy connects for us or the setting is off."""
        proxy = crawler.get_downloader_middleware(HttpProxyMiddleware)
        goes_direct = not isinstance(proxy, HttpProxyMiddleware) or not {"http", "https"} & proxy.proxies.keys()
        wanted = goes_direct and crawler.settings.getbool("FOCUSED_POLITE_TO_ADDRESSES")
        return cls(ask_resolver if wanted else None, found, at_once or 1)

    @property
    def under_way(self) -> int:
        """Look-ups that have no answer yet, and those that wait for one of these."""
        return len(self._asked)

    def knows(self, host: str) -> bool:
        """Whether the address of a host is known; if not, look it up and call ``found`` later."""
        if self._look_up is None or host in self._known:
            return True
        if host not in self._asked:
            try:
                self._tell(host, [ip_address(host.strip("[]"))])
            except ValueError:
                self._asked.add(host)
                self._waiting.append(host)
                self._ask()
        return host in self._known

    def _ask(self) -> None:
        assert self._look_up is not None
        while self._waiting and len(self._asked) - len(self._waiting) < self._at_once:
            host = self._waiting.popleft()
            self._look_up(host, lambda addresses, host=host: self._answered(host, addresses))  # type: ignore[misc]

    def _answered(self, host: str, addresses: list[IPAddress]) -> None:
        self._asked.discard(host)
        self._tell(host, addresses)
        self._ask()

    def _tell(self, host: str, addresses: list[IPAddress]) -> None:
        self._known.add(host)
        self._found(host, machine_of(addresses))


IPAddress = IPv4Address | IPv6Address
LookUp = Callable[[str, Callable[[list[IPAddress]], None]], None]


def machine_of(addresses: list[IPAddress]) -> str | None:
    """A name for the machine that has these addresses: the lowest, as an answer has no fixed order; None without any."""
    names = []
    for address in addresses:
        mapped = address.ipv4_mapped if isinstance(address, IPv6Address) else None
        plain = mapped or address
        if str(plain) in OWN:
            continue
        bits = int(plain) >> (128 - NETWORK) if isinstance(plain, IPv6Address) else int(plain)
        names.append(f"{plain.version}:{bits:x}")
    return min(names, default=None)


def ask_resolver(host: str, tell: Callable[[list[IPAddress]], None]) -> None:
    """Ask the reactor's resolver, which the downloader asks as well; an unknown name has no address."""
    from twisted.internet import reactor  # the one that runs

    try:
        reactor.nameResolver.resolveHostName(_Receiver(tell), host)
    except (ValueError, UnicodeError):  # a name that cannot be one
        tell([])


class _Receiver:
    """Twisted's IResolutionReceiver."""

    def __init__(self, tell: Callable[[list[IPAddress]], None]) -> None:
        self._tell: Callable[[list[IPAddress]], None] = tell
        self._addresses: list[IPAddress] = []

    def resolutionBegan(self, resolution: Any) -> None:  # noqa: N802
        pass

    def addressResolved(self, address: Any) -> None:  # noqa: N802
        self._addresses.append(ip_address(address.host.partition("%")[0]))

    def resolutionComplete(self) -> None:  # noqa: N802
        self._tell(self._addresses)

"""On which address a host lies: looked up before it is asked first, so that a hundred names of one machine are known as such.

The downloader finds the answer in the cache of the resolver, so that a name costs one look-up as before.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from ipaddress import IPv4Address, IPv6Address, ip_address
from typing import Any, Self

from scrapy.crawler import Crawler
from scrapy.downloadermiddlewares.httpproxy import HttpProxyMiddleware

#: This machine: behind it may lie a whole recorded web, and nobody else is bothered.
OWN = ("127.0.0.1", "::1")
NETWORK = 64  #: bits of an IPv6 address that tell machines apart: the others are free to whoever has these


class HostAddresses:
    """Addresses of hosts by name.

    Parameters
    ----------
    look_up : asks for the addresses of a host, and tells them to a function; None: nobody is asked, and no host has an address
    found : told each host and its address, None where it has none, or one that it need not share politeness on
    at_once : look-ups at a time
    """

    def __init__(self, look_up: LookUp | None, found: Callable[[str, str | None], None], at_once: int) -> None:
        self._look_up, self._found, self._at_once = look_up, found, at_once
        self._known: set[str] = set()
        self._asked: set[str] = set()
        self._waiting: deque[str] = deque()

    @classmethod
    def of(cls, crawler: Crawler, found: Callable[[str, str | None], None], at_once: int) -> Self:
        """Those that the resolver of Scrapy knows, unless a proxy connects for us or the setting is off."""
        proxy = crawler.get_downloader_middleware(HttpProxyMiddleware)
        goes_direct = not isinstance(proxy, HttpProxyMiddleware) or not {"http", "https"} & proxy.proxies.keys()
        wanted = goes_direct and crawler.settings.getbool("FOCUSED_POLITE_TO_ADDRESSES")
        return cls(ask_resolver if wanted else None, found, at_once or 1)

    @property
    def under_way(self) -> int:
        """Look-ups that have no answer yet, and those that wait for one of these."""
        return len(self._asked)

    def knows(self, host: str) -> bool:
        """Whether the address of a host is known; if not, it is looked up, and ``found`` will be told."""
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
    """A name for the machine that has these addresses; None without any. It is the lowest, as an answer has no fixed order."""
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
    """Ask the resolver of the reactor, which the downloader asks as well; a name that it does not know has no address."""
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

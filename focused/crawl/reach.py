"""Where a topic lets a crawl connect to: public addresses and the ports of the Web, unless it says more."""

from __future__ import annotations

from collections.abc import Iterable

from ada_url import URL

from focused.page.addresses import is_local, is_public, port_of
from focused.topic.topic import Scope, ports_of

PRIVATE = "private address"  #: why nothing is asked there: this machine, its network, or what is no address of the Web
PORT = "port not allowed"  #: why nothing is asked there: other services than those of the Web may listen


class Reach:
    """Judges URLs before they wait, and addresses before they are connected to; a verdict is a reason, or the empty string.

    seeds : http(s) URLs; what listens on their ports is meant to be asked
    """

    def __init__(self, scope: Scope, seeds: Iterable[str] = ()) -> None:
        self.allows_private = scope.allow_private
        self._ports = {port for span in scope.ports for port in ports_of(span)}
        if self._ports:  # none: all are allowed
            self._ports.update(port_of(URL(seed).origin) for seed in seeds)

    def bars_url(self, url: str, host: str) -> str:
        """Why the crawl does not ask for a canonical URL, judged by its text alone."""
        if not self.allows_private and is_local(host):
            return PRIVATE
        return PORT if self._ports and port_of(url) not in self._ports else ""

    def bars_address(self, address: str) -> str:
        """Why the crawl does not connect to an IP address."""
        return "" if self.allows_private or is_public(address) else f"{PRIVATE}: {address}"

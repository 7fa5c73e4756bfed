"""Hosts that a person denied while the crawl ran, with all their subdomains."""

from __future__ import annotations

DENIED = "host denied by a person"  #: why a URL is dropped, or not followed
DROPPED = "dropped by a person"  #: the same of a single URL


class Denials:
    """Names of hosts; what lies below one is denied with it."""

    def __init__(self) -> None:
        self.names: set[str] = set()

    def by(self, host: str) -> str:
        """The name that denies a host, its own or one above it; empty where none does."""
        if not self.names:
            return ""
        name = host
        while name not in self.names:
            _, dot, name = name.partition(".")
            if not dot:
                return ""
        return name

"""What a person denied while the crawl ran: hosts, with all their subdomains, and single URLs."""

from __future__ import annotations

DENIED = "host denied by a person"  #: why a URL is dropped, or not followed
DROPPED = "dropped by a person"  #: the same of a single URL


class Denials:
    """Names of hosts, where what lies below one is denied with it, and ids of URLs that were dropped."""

    def __init__(self) -> None:
        self.names: set[str] = set()
        self.dropped: set[int] = set()

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

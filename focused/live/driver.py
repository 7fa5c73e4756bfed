"""What a session asks of whoever sends its requests: the Scrapy scheduler."""

from __future__ import annotations

from typing import Protocol

from focused.live.courtesy import Courtesy


class Driver(Protocol):
    """Sends the requests of a crawl. ``courtesy``: what hosts asked of it."""

    courtesy: Courtesy

    def leave(self, url: int) -> None:
        """The answer to a pick has arrived: its host may be asked again."""

    def may_ask(self, host: str) -> bool:
        """A last question about the host of a URL that is about to be picked."""

    def ask_witnesses(self, urls: list[str]) -> None:
        """Ask these, of hosts that answered before, until one answers; tell `Outage.witnesses_said`."""

    def leave_denied_alone(self) -> None:
        """A person has denied a host: give up what waits to be sent there."""

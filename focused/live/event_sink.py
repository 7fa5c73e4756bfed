"""Where events go in a live crawl: to the core, and into the journal. A session is one."""

from __future__ import annotations

from typing import Protocol

from focused.collection.repository import Place
from focused.crawl.crawl import Crawl
from focused.crawl.events import Event, Outcome
from focused.live.journal import Journal


class EventSink(Protocol):
    """Takes events in."""

    crawl: Crawl
    journal: Journal

    def take_in(self, event: Event) -> Outcome:
        """Give an event to the core; whoever calls this writes it down."""

    def apply(self, event: Event, place: Place | None = None) -> Outcome:
        """Give an event to the core, and write it down. ``place``: where the answer is kept that is no page."""

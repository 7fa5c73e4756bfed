"""Passes the events of a live crawl to the core and into the journal."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from focused.collection.repository import Place
from focused.crawl import events
from focused.crawl.budget import Stop
from focused.crawl.crawl import Crawl
from focused.exceptions import StorageError
from focused.live.journal import Journal

logger = logging.getLogger(__name__)


class EventSink:
    """Takes events in. An event that it cannot take in, or write down, ends the crawl.

    Attributes
    ----------
    error : what stopped the crawl before its time
    """

    crawl: Crawl
    journal: Journal
    error: Stop | None = None
    _told: set[str]  # reasons for which something asked for was dropped

    def take_in(self, event: events.Event) -> events.Outcome:
        """Give an event to the core; the caller writes it down.

        If the strategy fails, the crawl ends: the half-done event must not be written down, and nothing after it could be.
        """
        with self._a_bug_ends_the_crawl(lambda: self._where(event)):
            return self.crawl.apply(event)

    def apply(self, event: events.Event, place: Place | None = None) -> events.Outcome:
        """Give an event to the core and write it down with its outcome; not for one that brought a page (see `Journal.write`)."""
        outcome = self.take_in(event)
        with self.recording():
            self.journal.write(event, outcome, place)
        return outcome

    @contextmanager
    def recording(self) -> Iterator[None]:
        """End the crawl if the block cannot record what the core has taken in: nothing after it could be committed."""
        try:
            yield
        except Exception as error:
            logger.error("An event cannot be written down", exc_info=True)
            self.fail(Stop("storage_error", f"an event cannot be written down: {type(error).__name__}: {error}"))
            raise

    def _where(self, event: events.Event) -> str:
        """What the strategy was looking at, in words for a person."""
        url = self.journal.store.url
        match event:
            case events.PageArrived(_, page) | events.PageChanged(_, page):
                return f"on {page.url}"
            case events.Failed(picked):
                return f"on {url(picked)}, which gave no page"
            case events.Aliased(_, target):
                return f"on {target.url}"
            case events.BacklinksNamed(about):
                return f"on {url(about)}"
            case events.OrderGiven() | events.VerdictGiven():
                return "on what a person asked"
        return "choosing the next URL"

    @contextmanager
    def _a_bug_ends_the_crawl(self, where: Callable[[], str]) -> Iterator[None]:
        try:
            yield
        except Exception as error:
            name = self.crawl.topic.strategy
            logger.error("The strategy %s failed", name, exc_info=True)
            what = f"the strategy {name} failed {where()}: {type(error).__name__}: {error}"
            self.fail(Stop("strategy_error", what))
            raise

    def has_dropped(self, outcome: events.Outcome) -> bool:
        """Whether URLs that a person or their code asked for are dropped; the log says so, once for each reason."""
        for url, reason in outcome.drops:
            if reason not in self._told:
                self._told.add(reason)
                logger.warning(
                    "%s was asked for and is not fetched: %s; the table `dropped` has all such URLs",
                    self.journal.store.url(url),
                    reason,
                )
        return bool(outcome.drops)

    @contextmanager
    def writing(self) -> Iterator[None]:
        """If a disk or database fails to take what the block writes, the crawl ends."""
        try:
            yield
        except StorageError as error:
            self.cannot_write(error)

    def cannot_write(self, error: StorageError) -> None:
        """End the crawl: a disk or database has failed to take something."""
        self.fail(Stop("storage_error", str(error)))

    def fail(self, stop: Stop) -> None:
        """Stop the crawl: what was committed is safe, and the next run fetches the rest again."""
        if self.error is None:
            self.error = stop
            logger.error("%s", stop.sentence)

"""Re-fetches pages and records what came of each: as it was, changed, gone, or without an answer this time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from datetime import UTC, datetime

from focused.collection.repository import Place, Stored
from focused.collection.store import CHANGED, GONE, MISSED, SAME
from focused.crawl.events import Aliased, PageChanged, PageUnchanged, Pick
from focused.crawl.novelty import SOFT_404
from focused.crawl.url_table import State
from focused.exceptions import StorageError
from focused.live.event_sink import EventSink
from focused.live.journal import Record
from focused.live.outage import is_silent
from focused.live.rendering_outcome import RenderingOutcome
from focused.live.revisits import NOT_THERE, EarlierAnswer, Revisits, conditions, due_pages
from focused.page.media_types import PDF
from focused.page.page import Page
from focused.page.reader import Reader, content_hash
from focused.page.urls import Address
from focused.topic.topic import Topic

NOT_MODIFIED = 304
MOVED_FOR_GOOD = (301, 308)
INCOMPLETE = "response incomplete"  #: the page as it was, as far as it came
SAME_BYTES, SAME_TEXT = "the same bytes", "the same text"  #: reasons, as the history has them


class Revisiting:
    """Re-fetches the pages that are due, and writes down what came of each."""

    def __init__(self, topic: Topic, reader: Reader, sink: EventSink) -> None:
        self._reader, self._sink, self._crawl, self._journal = reader, sink, sink.crawl, sink.journal
        self._store, self._repository = self._journal.store, self._journal.repository
        self._options = topic.recrawl
        self._hubs: Mapping[int, float] | None = None
        self.waiting = Revisits(self._due() if topic.recrawl.age else (), topic.recrawl.pages)
        self.due = len(self.waiting)  #: number of pages due when the run began, and of hubs due since then

    @property
    def counts(self) -> Counter[str]:
        """Pages that this run has re-fetched, by outcome."""
        return self.waiting.counts

    @property
    def done(self) -> int:
        """Number of pages that this run has re-fetched."""
        return self.counts.total()

    def __bool__(self) -> bool:
        """Whether a re-fetch is left to do, or under way."""
        return bool(self.waiting or self.waiting.under_way)

    def next(self, may_ask: Callable[[str], bool] | None) -> Pick | None:
        """The best page that may be re-fetched now; it is then under way. None without one.

        may_ask : asks the driver, as the last check, about a host; the crawl holds a denied host until the driver releases it
        """
        crawl = self._crawl
        if (hubs := crawl.strategy.hubs) is not self._hubs and hubs:
            self.due += self.waiting.add(known for known in self._due() if known.page in hubs)
        known = self.waiting.next(crawl.frontier.is_held, lambda host: crawl.is_let(host, may_ask))
        return None if known is None else self._crawl.revisit(known.page, known.picked, known.score)

    def _due(self) -> list[EarlierAnswer]:
        """The pages that are due now, with the hubs that the strategy knows now; without an age these alone."""
        self._hubs = self._crawl.strategy.hubs
        if not self._options.age and not self._crawl.strategy.revisits_hubs:
            return []
        found = due_pages(self._store, self._options, datetime.now(UTC), self._is_in_scope, self._hubs)
        return [known for known in found if self._options.age or known.page in (self._hubs or ())]

    def _is_in_scope(self, page: Address) -> bool:
        return not self._crawl.admission.against_address(page)

    def request(self, page: int) -> tuple[str, dict[str, str]]:
        """The URL at which a page under way lies now, and the headers that ask whether it has changed."""
        known = self.waiting.under_way[page]
        kept = None if known.rendered else self._kept(known)  # what a browser makes of it may have changed all the same
        return self._store.url(known.url), conditions(kept) if kept else {}

    def not_modified(self, page: int, response: Stored) -> str:
        """Take in that a page is as it was, by the server's word. Return why there is no new page. Raises StorageError."""
        return self._as_it_was(page, f"http {NOT_MODIFIED}", response)

    def arrived(self, page: int, found: Page, response: Stored, rendering: RenderingOutcome | None) -> Record | str:
        """Take in an answer; return the record of a page that has changed, or why there is none. Raises StorageError."""
        known = self.waiting.under_way[page]
        if found.content_hash == known.content_hash:
            return self._as_it_was(page, SAME_BYTES, response)
        if response.truncated and (kept := self._kept(known)) and kept.body.startswith(response.body):
            return self.ended(page, INCOMPLETE, response.status)
        if self._crawl.traps.says_not_there(page, found):
            return self.ended(page, SOFT_404, response.status, gone=True)
        if not self._says_more(known, found, response):
            return self._note(page, SAME, SAME_TEXT, response.status)
        outcome = self._sink.take_in(PageChanged(page, found))
        self.waiting.close(page, CHANGED)
        with self._sink.recording():
            record = self._journal.arrived(outcome, response, rendering)
        record.outcome = CHANGED
        return record

    def redirected(self, page: int, alias: Aliased) -> str | None:
        """Take in that a page under way redirects to a known URL; return None to follow, or why the page is closed.

        The page is gone if it has moved for good to a page that was fetched, else only missed: the other URL may still wait,
        or ask all visitors to log in.
        """
        target = self._crawl.urls.find(alias.target.key)
        if target == self.waiting.under_way[page].url:  # it redirects to itself, with a cookie
            return None
        gone = alias.status in MOVED_FOR_GOOD and self._crawl.urls.state[target] == State.DONE
        return self.ended(page, alias.reason, alias.status, gone=gone)

    def host_of(self, page: int) -> str:
        """The host at which a page under way lies now."""
        return self._crawl.hosts.names[self.waiting.under_way[page].host]

    def ended(self, page: int, reason: str, status: int | None, *, gone: bool = False) -> str:
        """Close a page under way that gave nothing: it is gone, or only missed this time."""
        return self._note(page, GONE if gone or status in NOT_THERE else MISSED, reason, status)

    def _as_it_was(self, page: int, reason: str, response: Stored) -> str:
        known = self.waiting.under_way[page]
        place = self._repository.put_unchanged(response, datetime.now(UTC), known.place)
        return self._note(page, SAME, reason, response.status, place)

    def _note(self, page: int, outcome: str, reason: str, status: int | None, place: Place | None = None) -> str:
        silent = is_silent(reason)
        self._sink.apply(PageUnchanged(page, outcome, reason, status, silent), place)
        self.waiting.close(page, outcome, silent=silent)
        return reason

    def _says_more(self, known: EarlierAnswer, found: Page, response: Stored) -> bool:
        """Whether the text of a page, without menus and footers, has changed, or it links to URLs that the crawl did not know."""
        if found.content_type == PDF:  # reading two of them here would take long
            return True
        if any(not self._crawl.urls.is_met(link.key) for link in found.links):
            return True
        kept, options = self._kept(known), self._reader.options
        if kept is None:
            return True
        from focused.page.page_text import page_text  # only a crawl that re-fetches pages needs it

        return page_text(kept.body, kept.content_type, options, quick=True) != page_text(
            response.body, response.content_type, options, quick=True
        )

    def _kept(self, known: EarlierAnswer) -> Stored | None:
        """The newest known version of a page; None if it is damaged, or if a newer one replaced it before a kill."""
        try:
            kept = self._repository.get(known.place)
        except StorageError:
            return None
        return kept if content_hash(kept.body) == known.content_hash else None

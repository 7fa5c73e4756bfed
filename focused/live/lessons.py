"""Takes a person's verdicts on pages from the desk to the core, each once, and records what the core learned from them."""

from __future__ import annotations

import logging

from focused.collection.desk import TEACH_PILE, Desk
from focused.collection.repository import Place
from focused.crawl.events import VerdictGiven
from focused.crawl.teaching import Lesson
from focused.exceptions import StorageError
from focused.live.event_sink import EventSink
from focused.live.forms import Rereading
from focused.page.urls import Address, UrlRules

logger = logging.getLogger(__name__)

AT_ONCE = 50  #: most verdicts that one commit takes: reading their pages holds up all else
LOOKED_AT = 200  #: newest pages on which the effect of a lesson is measured

_ARRIVED = """
SELECT f.seq, u.key FROM fetches f JOIN urls u ON u.id = f.final_url WHERE f.seq > ? AND f.outcome = 'page' ORDER BY f.seq
"""
_NEWEST = """
SELECT final_url, relevance, file, offset, length FROM fetches WHERE outcome = 'page' AND verdict IS NULL ORDER BY seq DESC LIMIT ?
"""
VerdictRow = tuple[int, Address, bool | None]


class Verdicts:
    """The verdicts for one run of a crawl. A verdict on a page that was not fetched yet waits until it is."""

    def __init__(self, desk: Desk, sink: EventSink, rules: UrlRules, pages: Rereading) -> None:
        self._desk, self._sink, self._rules, self._pages = desk, sink, rules, pages
        self._crawl, self._store = sink.crawl, sink.journal.store
        taken = self._store.execute("SELECT desk FROM steering WHERE kind = 'judged'")
        self._taken: set[int] = {row[0] for row in taken}
        self._last = 0  # number of the newest that was read
        self._ready: dict[int, VerdictRow] = {}  # by key of URL
        self._waiting: dict[int, VerdictRow] = {}  # the same, on pages that are not there
        self._looked = 0  # for new pages, up to this event

    def look(self) -> None:
        """Read what is new on the desk. Raises StorageError."""
        for number, text, said in self._desk.verdicts_after(self._last, TEACH_PILE):
            self._last = number
            canonical = self._rules.canonical(text)
            if canonical is not None and number not in self._taken:
                address = self._rules.address(canonical)
                self._waiting.pop(address.key, None)
                self._ready[address.key] = number, address, said

    def take(self) -> None:
        """Tell the core of verdicts on pages that are on disk. Costs nothing if there are none."""
        if self._waiting:
            for seq, key in self._store.execute(_ARRIVED, (self._looked,)).fetchall():
                self._looked = seq
                if key in self._waiting:
                    self._ready[key] = self._waiting.pop(key)
        for key in list(self._ready)[:AT_ONCE]:
            verdict = self._ready.pop(key)
            url = self._crawl.urls.find(key)
            place = self._pages.first_place(url)
            if place is not None:
                self._tell(url, place, verdict)
                continue
            if not self._waiting:
                self._looked = self._store.committed
            self._waiting[key] = verdict

    def _tell(self, url: int, place: Place, verdict: VerdictRow) -> None:
        number, address, said = verdict
        try:
            page = self._pages.page(url, place)
        except StorageError as error:
            logger.warning("A verdict cannot be learned from: %s", error)
            return
        event = VerdictGiven(url, page, said, address.url, number)
        outcome = self._sink.take_in(event)
        lesson = outcome.lesson
        with self._sink.recording():
            seen, gained, lost = changed = self._changed() if lesson is not None else (0, 0, 0)
            self._sink.journal.write(event, outcome, changed=changed)
        if lesson is not None:
            logger.info("%s", in_words(lesson, seen, gained + lost))

    def _changed(self) -> tuple[int, int, int]:
        """How many of the newest pages were looked at, how many have become relevant, and how many no longer are."""
        threshold, gained, lost, seen = self._crawl.topic.relevance.threshold, 0, 0, 0
        try:
            newest = self._store.execute(_NEWEST, (LOOKED_AT,)).fetchall()
        except StorageError:  # such as a lock: the verdict is taken in already, so it must be written down
            newest = []
        for url, relevance, *place in newest:
            try:
                page = self._pages.page(url, Place(*place))
            except StorageError:  # damaged: one page less to look at; `scrapy verify` tells which
                continue
            if page is not None:
                before, now = relevance >= threshold, self._crawl.judge.relevance_of(page) >= threshold
                seen, gained, lost = seen + 1, gained + (now and not before), lost + (before and not now)
        return seen, gained, lost


def in_words(lesson: Lesson, seen: int, changed: int) -> str:
    """What was learned, in one line."""
    kept = (
        f"it judges pages from now on, {changed} of the last {seen} otherwise than before"
        if lesson.kept
        else "not clearly better: the topic's page model goes on judging"
    )
    return (
        f"Learned from {lesson.judged} verdicts, {lesson.yes} of them yes: average precision on pages not learned from "
        f"{lesson.before:.2f} -> {lesson.after:.2f}; {kept}"
    )

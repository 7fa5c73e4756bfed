"""Item pipelines that build the collection: they store a page's bytes first, then the history that points to them."""

from __future__ import annotations

from typing import Any, Self

from itemadapter import ItemAdapter
from scrapy.crawler import Crawler

from focused.items import PageItem
from focused.live.journal import Journal, Record
from focused.live.session import Session, session_of
from focused.live.shared_run import SharedRun, shared_run_of


def record_of(item: Any, journal: Journal) -> Record | None:
    """The page that an item is about, also where a pipeline has put a copy, a dict or the like in its place.

    None for an item of the user's own, and for a page that is written already.
    """
    if (record := getattr(item, "record", None)) is not None and isinstance(item, PageItem):
        return journal.on_its_way(record.event)
    if not ItemAdapter.is_item(item):
        return None
    fields = ItemAdapter(item)
    url, fetched_at = fields.get("final_url"), fields.get("fetched_at")
    return journal.fetched_as(url, fetched_at) if url and fetched_at else None


class SessionPipeline:
    """Base of both pipelines, with the session of the crawl."""

    def __init__(self, session: Session, together: SharedRun | None = None) -> None:
        self.session, self.together = session, together

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        return cls(session_of(crawler), shared_run_of(crawler))


class StorePages(SessionPipeline):
    """Puts the page into the repository. Items of the user's own pass through."""

    def process_item(self, item: Any) -> Any:
        if record := record_of(item, self.session.journal):
            with self.session.cpu, self.session.writing():
                self.session.journal.keep(record)
            if self.together and record.is_for_all and record.place is not None:
                self.together.pages.kept(self.session, record.arrival.visit.page.key, record.place, record.signals)
        return item


class StoreHistory(SessionPipeline):
    """Writes down the fetch as the pipelines before have left its item; the next commit puts it on disk."""

    def process_item(self, item: Any) -> Any:
        if record := record_of(item, self.session.journal):
            with self.session.cpu, self.session.writing():
                self.session.journal.take_changes(record, ItemAdapter(item))
                self.session.journal.finish(record)
        return item

"""Item pipelines that build the collection: they store a page's bytes first, then the history that points to them."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, Self

from itemadapter import ItemAdapter
from scrapy.crawler import Crawler

from focused.items import PageItem, record_of
from focused.live.session import Session, session_of
from focused.live.shared_run import SharedRun, shared_run_of


class SessionPipeline:
    """Base of both pipelines, with the session of the crawl."""

    def __init__(self, session: Session, together: SharedRun | None = None) -> None:
        self.session, self.together = session, together

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        return cls(session_of(crawler), shared_run_of(crawler))


class StorePages(SessionPipeline):
    """Puts the page into the repository. Items of the user's own pass through."""

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        session_of(crawler).journal.stores_pages = True
        return super().from_crawler(crawler)

    def process_item(self, item: Any) -> Any:
        if record := record_of(item, self.session.journal):
            with self.session.cpu, self.session.writing():
                self.session.journal.keep(record)
            if self.together and record.is_for_all and record.place is not None:
                self.together.pages.kept(self.session, record.arrival.visit.page.key, record.place, record.signals)
        return item


class StoreHistory(SessionPipeline):
    """Writes down the fetch as the pipelines before have left its item; the next commit puts it on disk."""

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        session_of(crawler).journal.stores_history = True
        return super().from_crawler(crawler)

    def process_item(self, item: Any) -> Any:
        if record := record_of(item, self.session.journal):
            field_of: Callable[[str], Any]
            field_of = partial(getattr, item) if isinstance(item, PageItem) else ItemAdapter(item).get
            with self.session.cpu, self.session.writing():
                self.session.journal.take_changes(record, field_of)
                self.session.journal.finish(record)
        return item

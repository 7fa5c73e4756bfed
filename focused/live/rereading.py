"""Reads a stored page once more, as the crawl read it when it came."""

from __future__ import annotations

from focused.collection.repository import PageRepository, Place
from focused.collection.store import Store
from focused.crawl.crawl import Crawl
from focused.page.page import Page
from focused.page.reader import Reader

#: The first version of a page: a verdict never speaks of a later one, so that a replay finds the same.
FIRST_PLACE = "SELECT file, offset, length FROM fetches WHERE final_url = ? AND outcome = 'page' ORDER BY seq LIMIT 1"


class Rereading:
    """Pages of one collection, read as its crawl reads them."""

    def __init__(self, crawl: Crawl, reader: Reader, store: Store, repository: PageRepository) -> None:
        self._crawl, self._reader, self._store, self._repository = crawl, reader, store, repository

    def first_place(self, url: int) -> Place | None:
        """Where the first version of the page at a URL is stored; None if none is on disk."""
        row = self._store.execute(FIRST_PLACE, (url,)).fetchone() if url >= 0 else None
        return Place(*row) if row else None

    def page(self, url: int, place: Place) -> Page | None:
        """The page at a URL; None if it is no page any more under changed rules of reading."""
        stored = self._repository.get(place)
        text = self._store.url(url)
        page = self._reader.read(text, stored.body, stored.content_type, stored.header("X-Robots-Tag"))
        return page if isinstance(page, Page) and not self._crawl.admission.against_page(page) else None

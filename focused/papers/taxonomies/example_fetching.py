"""Fetches examples politely and keeps each page, or the reason why there is none, as soon as it is known."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass, field
from typing import TypeVar

from scrapy.exceptions import CloseSpider
from scrapy.http import Response
from scrapy.settings import Settings

from focused.exceptions import StorageError
from focused.live.page_fetching import fetch_pages
from focused.live.responses import read_response, stored
from focused.page.page import Unreadable
from focused.page.plain_text import plain
from focused.page.reader import Reader
from focused.page.urls import host_of
from focused.papers.taxonomies.importing import LONGEST_TEXT
from focused.papers.taxonomies.taxonomy_store import ExampleUrl, TaxonomyStore
from focused.topic.topic import Topic

T = TypeVar("T")


def next_to_fetch(examples: Iterable[ExampleUrl], most: int, *, again: bool = False) -> list[str]:
    """URLs to fetch now, at most so many: as many of one category as of another, then hosts in turn.

    again : those that failed as well
    """
    waiting = [
        example for example in examples if not example.dropped and (not example.fetched or (again and example.reason))
    ]
    chosen = _in_turn(waiting, lambda example: example.category)[:most]
    return _in_turn([example.url for example in chosen], host_of)


def _in_turn(values: Iterable[T], group: Callable[[T], Hashable]) -> list[T]:
    """The first value of each group, then the second of each, and so on."""
    seen: Counter[Hashable] = Counter()
    turns: list[tuple[int, T]] = []
    for value in values:
        turns.append((seen[group(value)], value))
        seen[group(value)] += 1
    return [value for _, value in sorted(turns, key=lambda turn: turn[0])]


@dataclass(slots=True)
class Fetching:
    """What came of fetching examples so far. told : is called after each"""

    store: TaxonomyStore
    reader: Reader
    told: Callable[[], object] = lambda: None
    pages: int = 0
    failures: Counter[str] = field(default_factory=Counter)  #: by reason
    broken: StorageError | None = None  #: why it had to end, such as a full disk

    def run(self, urls: list[str], topic: Topic, settings: Settings) -> None:
        """Fetch these, with the settings of the project and the topic. Once in a process; Ctrl-C ends it early.

        Raises StorageError where a page cannot be kept.
        """
        fetch_pages(urls, topic, settings, self._take_in, self._fail)
        if self.broken:
            raise self.broken

    @property
    def done(self) -> int:
        """Examples tried."""
        return self.pages + self.failures.total()

    def summary(self) -> str:
        return f"{self.pages:,} pages, {self.failures.total():,} failures"

    def _take_in(self, url: str, response: Response) -> None:
        page = read_response(self.reader, response)
        if isinstance(page, Unreadable) or not page.terms:
            self._fail(url, page.reason if isinstance(page, Unreadable) else f"no words ({page.content_type})")
            return
        self._keep(lambda: self.store.keep_page(url, stored(response), plain(page.title)[:LONGEST_TEXT]))
        self.pages += 1
        self.told()

    def _fail(self, url: str, reason: str) -> None:
        self._keep(lambda: self.store.keep_failure(url, reason))
        self.failures[reason] += 1
        self.told()

    def _keep(self, write: Callable[[], None]) -> None:
        try:
            write()
        except StorageError as error:
            self.broken = error
            raise CloseSpider(str(error)) from error  # the only word that ends a spider from its callbacks

"""The pages of a collection that say what to ask next, read in a thread while its crawl goes on."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from focused.reading.page import Page
from focused.reading.reader import Reader
from focused.reading.urls import host_of
from focused.searching.query_ideas import MOST_GOOD, MOST_OTHERS, Known, known, some_of_each_host
from focused.storage.collection import PAGES, opened
from focused.storage.repositories import open_repository
from focused.storage.repository import Place
from focused.topic.topic import Topic

LOOKED_AT = 2_000  #: rows of the history of either kind, among which pages of several hosts are looked for
#: The most relevant pages, and the last of the rest; those that bring nothing new say nothing new.
SAMPLE = """
    SELECT u.url, f.relevance, f.relevant, f.file, f.offset, f.length FROM fetches f JOIN urls u ON u.id = f.final_url
    WHERE f.outcome = 'page' AND f.verdict IS NULL AND """
GOOD = f"{SAMPLE} f.relevant = 1 ORDER BY f.relevance DESC, f.seq LIMIT {LOOKED_AT}"
OTHERS = f"{SAMPLE} f.relevant = 0 ORDER BY f.seq DESC LIMIT {LOOKED_AT}"

Row = tuple[str, float, int, str, int, int]


class KnownPages:
    """Reads what was committed, by a connection and a reader of its own."""

    def __init__(self, folder: Path, topic: Topic) -> None:
        self._folder, self._topic = folder, topic

    def read(self) -> list[Known]:
        """Good pages, the best first, then others, the last first. Raises StorageError."""
        reader = Reader(self._topic.reading, keep=self._topic.keywords_by_language)
        with opened(self._folder) as store:
            good, others = (store.execute(query).fetchall() for query in (GOOD, OTHERS))
        rows = [*some_of_each_host(good, _host, MOST_GOOD), *some_of_each_host(others, _host, MOST_OTHERS)]
        return list(self._known(rows, reader))

    def _known(self, rows: list[Row], reader: Reader) -> Iterator[Known]:
        repository = open_repository(self._topic.storage.pages, self._folder / PAGES)
        for url, relevance, relevant, file, offset, length in rows:
            stored = repository.get(Place(file, offset, length))
            page = reader.read(url, stored.body, stored.content_type)
            if isinstance(page, Page):
                yield known(page, relevance, reader.analyser, relevant=bool(relevant))


def _host(row: Row) -> str:
    return host_of(row[0])

"""The background: on how many pages of all kinds each word stands, so that what all pages say counts for little."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

from focused.collection.collection import DATABASE, PAGES, open_repository, opened
from focused.collection.repository import Place
from focused.desk.agent.page_matter import matter_of
from focused.exceptions import StorageError
from focused.live.last_run import last_run
from focused.page.decoding import HTML_TYPES, decode
from focused.page.page import Page
from focused.page.reader import Reader

LEAST = 0.5  #: rarity of a word that stands on every page: somebody who reads of one thing only still has an interest
SAMPLE = 300  #: pages of a collection that are read for the background
_PLACES = "SELECT file, offset, length FROM fetches WHERE outcome = 'page' ORDER BY seq"


class CommonWords:
    """Document frequencies, which grow with each page.

    pages : that were added
    """

    def __init__(self) -> None:
        self.pages = 0
        self._frequencies: Counter[str] = Counter()

    def add(self, words: Iterable[str]) -> None:
        """Add the different words of a page."""
        self.pages += 1
        self._frequencies.update(words)

    def rarity(self, word: str) -> float:
        """How rare a word is, from `LEAST` on: ln((n + 1) / (n_i + 0.5)) among n pages, n_i of which have it, as in BM25."""
        return max(LEAST, math.log((self.pages + 1) / (max(1, self._frequencies[word]) + 0.5)))


def words_of_collection(folder: Path, reader: Reader) -> Iterator[list[str]]:
    """The words of pages all over a collection, each page a list; none where nothing was crawled, or it cannot be read."""
    if not (folder / DATABASE).is_file():
        return
    try:
        with opened(folder, may_copy=False) as store:
            repository = open_repository(last_run(store).pages, folder / PAGES)
            places = [Place(*row) for row in store.execute(_PLACES).fetchall()]
    except StorageError:
        return
    for place in places[:: 1 + len(places) // SAMPLE]:
        try:
            stored = repository.get(place)
        except StorageError:
            continue
        page = reader.read(stored.url, stored.body, stored.content_type)
        if isinstance(page, Page):
            markup = decode(stored.body, stored.content_type) if page.content_type in HTML_TYPES else ""
            yield list(matter_of(reader, page, markup).words)

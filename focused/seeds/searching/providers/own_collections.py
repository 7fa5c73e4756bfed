"""The user's own collections: their pages by their words (`scrapy search`), and the pages that link to several good ones."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path

from focused.collection.collection import PAGES, open_repository, opened
from focused.collection.search import Search, Wanted
from focused.collection.search_query import query_of, unmarked
from focused.crawl.backlinks import Backlinks
from focused.exceptions import FocusedError, SearchError
from focused.live.last_run import last_run
from focused.seeds.backlinks.hubs import find_hubs
from focused.seeds.searching.result_pages import ranked
from focused.seeds.searching.search_provider import Found

LEAST_LINKS = 2  #: good pages that a hub links to, as in `scrapy topics augment`


class OwnCollections:
    """Asks each collection in turn; their answers are mixed by rank. The first question brings an index up to date."""

    def __init__(self, folders: Sequence[Path]) -> None:
        self._folders = folders
        names = ", ".join(folder.name for folder in folders)
        self.name = f"collections {names}" if len(names) <= 40 else f"{len(folders)} collections"

    async def search(self, query: str, most: int) -> list[Found]:
        return await asyncio.to_thread(self._search, query, most)

    def _search(self, query: str, most: int) -> list[Found]:
        lists = [_hits(folder, query, most) for folder in self._folders]
        mixed = sorted((found for hits in lists for found in hits), key=lambda found: found.rank)
        return mixed[:most]


class Hubs:
    """Asks a provider of backlinks who links to pages that were found to be good."""

    def __init__(self, backlinks: Backlinks, name: str) -> None:
        self._backlinks, self.name = backlinks, name

    async def linking_to(self, urls: Sequence[str], most: int) -> list[Found]:
        """Pages that link to at least `LEAST_LINKS` of these canonical URLs. Raises SearchError where nobody answers."""
        try:
            known = await asyncio.to_thread(self._backlinks.backlinks_of, list(urls))
        except FocusedError as error:
            raise SearchError(str(error)) from None
        hubs = find_hubs(known, LEAST_LINKS, left_out=urls)
        return ranked((hub.url, "", f"links to {hub.hub_score} of the best pages") for hub in hubs[:most])


def _hits(folder: Path, query: str, most: int) -> list[Found]:
    """Raises SearchError, which names the collection."""
    try:
        with opened(folder) as store:
            run = last_run(store)
            search = Search(folder, run.reading, open_repository(run.pages, folder / PAGES))
            hits = search.hits(query_of(query), Wanted(), most, lambda *_: None)
    except FocusedError as error:
        raise SearchError(str(error)) from None
    return ranked((hit.url, hit.title, unmarked(hit.excerpt)) for hit in hits)

"""Reads what pages say for a map: each once, as its words are kept beside the collection."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from focused.crawl.arrays import IntArray
from focused.exceptions import StorageError
from focused.mapping.crawled_pages import opened
from focused.mapping.page_words import PageWords, Said
from focused.mapping.side_file import SideFile
from focused.reading.page_text import page_text
from focused.reading.plain_text import plain
from focused.run.last_run import LastRun
from focused.storage.collection import PAGES
from focused.storage.repositories import open_repository
from focused.storage.repository import Place
from focused.storage.store import Row, Store

READ = 20_000  #: pages whose texts are read; of the others the titles must do
BATCH = 100  #: pages that are read at a time
FIRST_BYTES = 80_000  #: of a page that are read: what it is about it says early
LONGEST_TITLE = 200

#: Is told what is being done, and how many of how many are done (0 of 0: nobody can tell).
Tell = Callable[[str, int, int], None]

_PAGE = """
SELECT title, language, content_type, file, offset, length FROM fetches
WHERE outcome = 'page' AND final_url = ? ORDER BY seq LIMIT 1
"""


def words_of_pages(
    folder: Path, side: SideFile, url: IntArray, order: IntArray, run: LastRun, tell: Tell
) -> list[Said]:
    """What each page says, by its text where that was read, else by its title.

    Parameters
    ----------
    url : (n,) ids of pages
    order : (n,) positions, in the order in which texts are read
    """
    words = PageWords(run.reading.language)
    known = side.read_urls()
    first = order[:READ].tolist()
    missing = [int(url[i]) for i in first if int(url[i]) not in known]
    options = run.reading.model_copy(update={"max_bytes": min(run.reading.max_bytes or FIRST_BYTES, FIRST_BYTES)})
    repository = open_repository(run.pages, folder / PAGES) if missing else None
    for begin in range(0, len(missing), BATCH):
        tell("reading pages", begin, len(missing))
        with opened(folder) as store:
            rows = [(one, _row_of(store, one)) for one in missing[begin : begin + BATCH]]
        found = []
        for one, (title, language, declared, *place) in rows:
            text = ""
            if repository is not None and place[0] is not None:
                try:
                    stored = repository.get(Place(*place))
                    text = page_text(stored.body, stored.content_type or declared or "", options) or ""
                except StorageError:  # a page less; `scrapy check` tells which
                    text = ""
            found.append((one, words.of(plain(title or "", LONGEST_TITLE), text, language or "")))
        side.add(found)
    tell("reading titles", 0, 0)
    said = side.said()
    if len(said) < len(url):
        with opened(folder) as store:
            said = {one: words.of(title, "", language) for one, (title, language) in titles(store).items()} | said
    nothing = Said((), ())
    return [said.get(one, nothing) for one in url.tolist()]


def titles(store: Store) -> dict[int, tuple[str, str]]:
    """Title and language of each page, as it was fetched first, by the id of its URL."""
    rows = store.execute("SELECT final_url, title, language FROM fetches WHERE outcome = 'page' ORDER BY seq DESC")
    return {url: (plain(title or "", LONGEST_TITLE), language or "") for url, title, language in rows}


def _row_of(store: Store, url: int) -> Row:
    row: Row | None = store.execute(_PAGE, (url,)).fetchone()
    return row or (None,) * 6

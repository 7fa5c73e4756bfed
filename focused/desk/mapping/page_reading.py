"""Reads what pages say for a map: each once, as its words are kept beside the collection."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from focused.collection.collection import PAGES, open_repository, opened
from focused.collection.repository import PageRepository, Place
from focused.collection.store import Store
from focused.crawl.arrays import IntArray
from focused.desk.mapping.crawled_pages import CrawledPages
from focused.desk.mapping.page_words import PageWords, Said
from focused.desk.mapping.side_file import SideFile
from focused.exceptions import StorageError
from focused.live.last_run import LastRun
from focused.page.page_text import page_text
from focused.page.plain_text import plain
from focused.page.reader import ReadingOptions

READ = 20_000  #: pages whose texts are read; of the others the titles must do
BATCH = 100  #: pages that are read at a time
FIRST_BYTES = 80_000  #: of a page that are read: what it is about it says early
LONGEST_TITLE = 200

#: Is told what is being done, and how many of how many are done (0 of 0: nobody can tell).
Tell = Callable[[str, int, int], None]

_PAGE = "SELECT final_url, title, language, content_type, file, offset, length FROM fetches WHERE seq = ?"


def words_of_pages(
    folder: Path, side: SideFile, pages: CrawledPages, order: IntArray, run: LastRun, tell: Tell
) -> list[Said]:
    """What each page says, by its text where that was read, else by its title.

    order : (n,) positions, in the order in which texts are read
    """
    words = PageWords(run.reading.languages[0])
    known = side.read_urls()
    missing = [i for i in order[:READ].tolist() if int(pages.url[i]) not in known]
    options = run.reading.model_copy(update={"max_bytes": min(run.reading.max_bytes or FIRST_BYTES, FIRST_BYTES)})
    repository = open_repository(run.pages, folder / PAGES) if missing else None
    for begin in range(0, len(missing), BATCH):
        tell("reading pages", begin, len(missing))
        with opened(folder) as store:
            rows = [store.execute(_PAGE, (int(pages.seq[i]),)).fetchone() for i in missing[begin : begin + BATCH]]
        side.add(
            [
                (url, words.of(_title(title), _text(repository, place, declared, options), language or ""))
                for url, title, language, declared, *place in filter(None, rows)
            ]
        )
    tell("reading titles", 0, 0)
    said = side.said()
    if len(said) < len(pages):
        with opened(folder) as store:
            rows = store.execute(
                "SELECT final_url, title, language FROM fetches WHERE outcome = 'page' ORDER BY seq DESC"
            ).fetchall()
        others = {url: (title, language) for url, title, language in rows if url not in said}
        said |= {url: words.of(_title(title), "", language or "") for url, (title, language) in others.items()}
    nothing = Said((), ())
    return [said.get(one, nothing) for one in pages.url.tolist()]


def titles_of(store: Store, seqs: IntArray) -> list[str]:
    """The title of each fetch, on one line."""
    rows = [store.execute("SELECT title FROM fetches WHERE seq = ?", (seq,)).fetchone() for seq in seqs.tolist()]
    return [_title(row[0] if row else "") for row in rows]


def _title(title: str | None) -> str:
    return plain(title or "", LONGEST_TITLE)


def _text(repository: PageRepository | None, place: list[Any], declared: str | None, options: ReadingOptions) -> str:
    """The text of a stored page; empty where it cannot be read, which `scrapy check` tells."""
    if repository is None or place[0] is None:
        return ""
    try:
        stored = repository.get(Place(*place))
    except StorageError:
        return ""
    return page_text(stored.body, stored.content_type or declared or "", options) or ""

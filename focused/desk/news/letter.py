"""The news of a collection for one reader, and how they are written as a letter."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from focused.collection.collection import mark_of, opened
from focused.desk.news.differences import differences
from focused.desk.news.events import Kind, PageNews, event_before, new_sites, page_news
from focused.desk.news.looks import Look, Looks
from focused.page.plain_text import plain

MOST = 50  #: pages of each kind that are told one by one, where nothing else is said
MOST_SITES = 30
LONGEST_TITLE = 140
HEADINGS: dict[Kind, str] = {"new": "New", "changed": "Changed", "gone": "Gone"}


@dataclass(frozen=True, slots=True)
class News:
    """What a reader has not been told.

    since : when the reader was told last, or the time that was asked for; empty: never, so that all is new
    look : the last look of the reader
    upto : last event of the journal that these news know
    sites : registered domains with relevant pages that had none before
    changes : what has changed on a page, by the number of its fetch; of the first pages only
    """

    name: str
    since: str
    look: Look
    upto: int
    pages: dict[Kind, list[PageNews]]
    sites: list[str]
    changes: dict[int, str]

    def __bool__(self) -> bool:
        return any(self.pages.values())

    @property
    def in_short(self) -> str:
        """Such as ``3 new pages, 1 changed, 2 gone``."""
        new, changed, gone = (len(self.pages[kind]) for kind in HEADINGS)
        parts = [f"{new:,} new {'page' if new == 1 else 'pages'}"]
        parts += [f"{count:,} {word}" for count, word in ((changed, "changed"), (gone, "gone")) if count]
        return ", ".join(parts)


def news_of(folder: Path, reader: str, *, since: str = "", most: int = MOST) -> News:
    """The news of a collection since the last look of a reader, or since a time (ISO 8601, UTC). Raises StorageError.

    most : changed pages that are read to tell what has changed
    """
    with opened(folder, may_copy=False) as store:
        look = Looks(folder).last(reader, mark_of(store))
        upto = store.committed
        after = event_before(store, since) if since else min(look.seq, upto)  # a repair may have cut the journal
        pages = page_news(store, after, upto)
        sites = new_sites(store, pages["new"], after)
    changes = differences(folder, pages["changed"][:most])
    return News(folder.name, since or look.time, look, upto, pages, sites, changes)


def letter(news: News, most: int = MOST) -> str:
    """The news as plain text. What comes from the Web is indented and on one line: no mail program takes it for a command.

    most : pages of each kind that are told one by one
    """
    return "".join(f"{line}\n" for line in _lines(news, most))


def _lines(news: News, most: int) -> Iterator[str]:
    since = f" since {news.since[:16].replace('T', ' ')} UTC" if news.since else ""
    yield f"{plain(news.name)}: {news.in_short}{since}"
    if news.sites and news.since:
        rest = f" and {len(news.sites) - MOST_SITES:,} more" if len(news.sites) > MOST_SITES else ""
        yield f"\nNew sites: {', '.join(map(plain, news.sites[:MOST_SITES]))}{rest}"
    for kind, heading in HEADINGS.items():
        if pages := news.pages[kind]:
            yield f"\n{heading}"
            for page in pages[:most]:
                yield from _entry(page, news.changes.get(page.seq, ""))
            if len(pages) > most:
                yield f"  … and {len(pages) - most:,} more"


def _entry(page: PageNews, change: str) -> Iterator[str]:
    yield f"  {plain(page.title, LONGEST_TITLE) or '(no title)'}"
    yield f"    {plain(page.url)}"
    if change:
        yield f"    {change}"

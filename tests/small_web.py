"""A web of forty pages in memory, and a session that crawls it without a network: fetch by fetch, as the tests want."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from focused.collection.repository import Stored
from focused.crawl.events import BacklinksNamed
from focused.live.session import Session
from focused.page.page_kind import KINDS
from focused.topic.topic import Relevance, Topic, Traps


def web() -> dict[str, str]:
    """Forty pages on five hosts, some about the topic, linked so that strategies differ."""
    pages = {}
    for number in range(40):
        topical = number % 3 == 0
        links = "".join(
            f"<p>{'solar panel' if target % 3 == 0 else 'football match'} {target % 7}: "
            f'<a href="{url_of(target)}">page {target}</a></p>'
            for target in {(number * 2 + 1) % 40, (number * 3 + 2) % 40, (number * 5 + 3) % 43, number + 1}
        )
        text = "solar energy from solar panels" if topical else "football and cooking"
        pages[url_of(number)] = f"<html><title>{number}</title><p>{text} {number}</p>{links}</html>"
    return pages


def url_of(number: int) -> str:
    return f"http://host{number % 5}.example/{number}"


WEB = web()


#: Pages of tests say only a few words; where that does not matter, they count all the same.
SHORT_PAGES = Relevance(also=tuple(KINDS))


def topic_of(**tables: Any) -> Topic:
    values = {"name": "test", "keywords": ("solar energy",), "seeds": (url_of(0), url_of(7)), "traps": Traps(on=False)}
    return Topic(**{**values, "relevance": SHORT_PAGES, **tables})


def fetch(session: Session) -> str | None:
    """Fetch the next URL, those first that were under way; return it, or None when nothing is left."""
    pick = session.interrupted.pop(0) if session.interrupted else session.next()
    if pick is None:
        return None
    url = session.store.url(pick.id)
    if url not in WEB:
        session.failed(pick.id, "http 404", 404)
        return url
    record = session.fetched(
        pick.id, Stored(url, 200, (("Content-Type", "text/html"),), WEB[url].encode()), "text/html"
    )
    if not isinstance(record, str):  # the answer for a page that cannot be is on record already
        session.journal.keep(record)
        session.journal.finish(record)
    return url


def crawl(session: Session, most: int = 1000) -> list[str]:
    urls = []
    while len(urls) < most and (url := fetch(session)) is not None:
        urls.append(url)
    return urls


def name_backlinks(session: Session, url: int, found: Sequence[str]) -> None:
    """Tell a session which pages link to a URL, as canonical URLs."""
    session.apply(BacklinksNamed(url, [session.reader.rules.address(one) for one in found]))

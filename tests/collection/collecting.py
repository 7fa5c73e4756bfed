"""Collections of pages that a test makes up."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from focused.collection.repository import Stored
from focused.live.session import Session
from tests.small_web import topic_of

TYPE = "text/html; charset=utf-8"


def collect(folder: Path, pages: Mapping[str, str | Stored], **tables: Any) -> None:
    """Crawl these pages into a collection, or go on with it. A page that is not stored, but linked to, is not found."""
    seeds = tuple(pages)
    session = Session(topic_of(**{"seeds": seeds, "strategy": "breadth_first", **tables}), folder)
    while (pick := session.interrupted.pop(0) if session.interrupted else session.next()) is not None:
        url = session.store.url(pick.id)
        page = pages.get(url)
        if page is None:
            session.failed(pick.id, "http 404", 404)
            continue
        stored = page if isinstance(page, Stored) else Stored(url, 200, (("Content-Type", TYPE),), page.encode())
        record = session.fetched(pick.id, stored, stored.header("Content-Type"), stored.header("X-Robots-Tag"))
        if not isinstance(record, str):
            session.journal.keep(record)
            session.journal.finish(record)
    session.close()

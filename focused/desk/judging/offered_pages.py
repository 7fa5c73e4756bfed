"""Pages for a person to judge: those of the audit's sample, and those that teach a crawl most. In a browser and in a terminal."""

from __future__ import annotations

import json
import zlib
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from focused.collection.collection import PAGES, open_repository
from focused.collection.desk import AUDIT_PILE, TEACH_PILE, Desk
from focused.collection.repository import Place
from focused.collection.store import Row, Store
from focused.desk.judging.judged_sheet import sheet_of
from focused.exceptions import FocusedError
from focused.live.last_run import last_run, topic_of_last_run
from focused.page.page_text import page_text
from focused.page.plain_text import JOINERS, printable
from focused.page.urls import host_of

EXCERPT = 1_500  #: characters of a page's main text that are shown

_PAGES = """
SELECT f.seq, u.url, coalesce(f.title, ''), coalesce(f.relevance, 0), coalesce(f.relevant, 0), coalesce(f.content_type, ''),
    f.file, f.offset, f.length
FROM fetches f JOIN urls u ON u.id = f.final_url WHERE f.outcome = 'page' AND f.verdict IS NULL AND
"""


@dataclass(frozen=True, slots=True)
class Offered:
    """A page to be judged, and what the crawl thinks of it, which a person is told afterwards.

    seq : number of its fetch
    relevance : in [0, 1]
    """

    seq: int
    url: str
    title: str
    relevance: float
    relevant: bool
    content_type: str
    place: Place

    @property
    def host(self) -> str:
        return host_of(self.url)


def to_audit(store: Store, desk: Desk, most: int, without: Collection[int] = ()) -> list[Offered]:
    """The next pages of the audit's sample that nobody has judged, in the order of its sheet; none without a sheet.

    without : numbers of fetches that are left out
    Raises AuditError for a sheet that cannot be read.
    """
    urls = [line.url for line in sheet_of(store, desk) if line.stratum is not None and line.relevant is None]
    pages = {page.url: page for page in pages_at(store, urls)}
    found = (pages[url] for url in urls if url in pages and pages[url].seq not in without)
    return list(islice(found, most))


def to_teach(store: Store, desk: Desk, most: int, without: Collection[int] = ()) -> list[Offered]:
    """Pages that teach the crawl: half of them those that its page model is least certain of, half those that it finds best.

    Left out are pages that were judged for this, those of the audit's sample, which is to judge the crawl from outside, and
    `without`: numbers of fetches. Their order says nothing of what the crawl thinks.
    """
    threshold = topic_of_last_run(store).relevance.threshold
    known = {verdict.url for verdict in desk.verdicts(TEACH_PILE)} | {line.url for line in sheet_of(store, desk)}
    chosen: dict[int, Offered] = {}
    for order, share in (("abs(f.relevance - :threshold)", most - most // 2), ("-f.relevance", most // 2)):
        rows = store.execute(f"{_PAGES} f.relevance IS NOT NULL ORDER BY {order}, f.seq", {"threshold": threshold})
        new = (one for one in map(_offered, rows) if one.url not in known and one.seq not in {*without, *chosen})
        chosen |= {one.seq: one for one in list(islice(new, share))}
    return sorted(chosen.values(), key=lambda one: zlib.crc32(one.url.encode()))


def to_judge(store: Store, desk: Desk, pile: str, most: int, without: Collection[int] = ()) -> list[Offered]:
    """The next pages of a pile."""
    return (to_audit if pile == AUDIT_PILE else to_teach)(store, desk, most, without)


def pages_at(store: Store, urls: Sequence[str]) -> Iterator[Offered]:
    """Pages by their URLs after redirects; those that there are."""
    yield from map(_offered, store.execute(f"{_PAGES} u.url IN (SELECT value FROM json_each(?))", (json.dumps(urls),)))


def excerpts(store: Store, pages: Sequence[Offered], most: int = EXCERPT) -> list[str]:
    """The beginning of the main text of each page, plain, with its lines; empty for one that cannot be read."""
    run = last_run(store)
    if not pages:
        return []
    repository = open_repository(run.pages, Path(store.path).parent / PAGES)
    found = []
    for page in pages:
        try:
            stored = repository.get(page.place)
            text = page_text(stored.body, page.content_type, run.reading) or ""
        except FocusedError:  # damaged: it can be judged by its title, or skipped
            text = ""
        text = printable(text[: 2 * most], f"{JOINERS}\n").strip()
        found.append(f"{text[:most].rstrip()}…" if len(text) > most else text)
    return found


def _offered(row: Row) -> Offered:
    seq, url, title, relevance, relevant, content_type, file, offset, length = row
    return Offered(seq, url, title, float(relevance), bool(relevant), content_type, Place(file, offset, length))

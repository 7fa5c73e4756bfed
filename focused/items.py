"""The flat item of a fetched page, as feeds export it (``-o pages.jsonl``): one line a page."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from itemadapter import ItemAdapter

from focused.collection.repository import Stored
from focused.crawl.events import Arrival, Pick
from focused.live.journal import Journal, Record


@dataclass(slots=True)
class PageFields:
    """The fields of a page in a feed; docs/reference/storage.md lists them."""

    url: str  #: that was asked for
    final_url: str  #: after redirects
    status: int
    fetched_at: str  #: UTC, ISO 8601
    content_type: str
    bytes: int  #: of the body
    title: str
    language: str  #: ISO 639-1 code, empty when unknown
    text: str  #: the visible text
    relevance: float  #: by the topic's page model, 0 to 1
    relevant: bool  #: relevance reaches the threshold, and the page says something new itself
    verdict: str  #: why it brings nothing new; empty for a new one
    kind: str  #: why it is no harvest though it is relevant: ``index``, ``listing`` or ``stub``; empty where it says something
    depth: int  #: links followed from a seed
    found_on: str | None  #: page whose link gave the score, None for a seed
    score: float  #: when it was chosen
    links: int  #: links on the page
    content_hash: str
    noindex: bool  #: the page asks not to be indexed (meta robots or X-Robots-Tag)
    rendered: bool  #: text and links are what a browser made of the page


class PageItem(PageFields):
    """A page on its way through the item pipelines: the flat fields, and the record that the stores write."""

    record: Record

    def __repr__(self) -> str:
        """Short: a log that shows items is not to show whole pages."""
        verdict = "relevant" if self.relevant else "not relevant"
        return f"<PageItem {self.final_url} {verdict} ({self.relevance:.3f}), {self.links} links>"


def page_item(record: Record, url: str, found_on: str | None) -> PageItem:
    """Return the item of a fetched page."""
    when = record.fetched_at.isoformat(timespec="milliseconds")
    rendered = record.rendering is not None and record.rendering.rendered
    fields = page_fields(record.arrival, record.pick, record.stored, url, found_on, when, rendered=rendered)
    item = PageItem(**asdict(fields))
    item.record = record
    return item


def record_of(item: Any, journal: Journal) -> Record | None:
    """The page that an item is about, also where a pipeline has put a copy, a dict or the like in its place.

    None for an item of the user's own, and for a page that is written already.
    """
    if (record := getattr(item, "record", None)) is not None and isinstance(item, PageItem):
        return journal.on_its_way(record.event)
    if not ItemAdapter.is_item(item):
        return None
    fields = ItemAdapter(item)
    url, fetched_at = fields.get("final_url"), fields.get("fetched_at")
    return journal.fetched_as(url, fetched_at) if url and fetched_at else None


def page_fields(
    arrival: Arrival, pick: Pick, stored: Stored, url: str, found_on: str | None, fetched_at: str, *, rendered: bool
) -> PageFields:
    """The fields of a page that the core has taken in."""
    visit, page = arrival.visit, arrival.visit.page
    return PageFields(
        url=url,
        final_url=page.url,
        status=stored.status,
        fetched_at=fetched_at,
        content_type=page.content_type,
        bytes=len(stored.body),
        title=page.title,
        language=page.language,
        text=page.text,
        relevance=visit.relevance,
        relevant=visit.counts,
        verdict=visit.verdict,
        kind=page.kind,
        depth=visit.depth,
        found_on=found_on,
        score=pick.score,
        links=len(page.links),
        content_hash=page.content_hash,
        noindex=page.noindex,
        rendered=rendered,
    )

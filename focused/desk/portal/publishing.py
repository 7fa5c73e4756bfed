"""Makes the portal of a collection, or brings it up to date."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

from focused.collection.collection import mark_of, opened
from focused.collection.desk import Desk
from focused.desk.mapping.page_reading import Tell
from focused.desk.news.atom_feed import ENTRIES, FeedEntry, feed_of
from focused.desk.portal.entries import Choice, entries_of
from focused.desk.portal.entry import Entry
from focused.desk.portal.memory import PortalMemory
from focused.desk.portal.placements import Placements
from focused.desk.portal.portal_categories import by_taxonomy, by_themes, placed
from focused.desk.portal.search_shards import search_files
from focused.desk.portal.site_folder import SiteFolder
from focused.desk.portal.site_pages import SitePages, categories_of
from focused.exceptions import ExportError
from focused.live.last_run import last_run
from focused.page.plain_text import plain

MOST_PROCESSES = 8


@dataclass(frozen=True, slots=True)
class PortalWish:
    """What a person asks for.

    out : folder of the site
    taxonomy : folder of the one whose categories are taken; None: themes of the map
    address : of the site on the Web, ending with a slash; empty where it has none
    """

    out: Path
    title: str
    taxonomy: Path | None = None
    accepted_only: bool = False
    address: str = ""


@dataclass(frozen=True, slots=True)
class Published:
    """What the site has now, and what it took."""

    pages: int
    categories: int
    written: int
    deleted: int
    size: int  #: bytes of all files


def sorted_entries(folder: Path, wish: PortalWish, tell: Tell) -> list[Entry]:
    """The entries of a portal with their categories. Raises StorageError, TaxonomyError."""
    placements, desk = Placements(folder).all(), Desk(folder)
    judged = {one.url: one.relevant for one in desk.verdicts()}
    choice = Choice(placements, judged, wish.accepted_only)
    processes = min(os.cpu_count() or 1, MOST_PROCESSES)
    with opened(folder) as store:
        run, mark = last_run(store), mark_of(store)
    with closing(PortalMemory(folder, mark)) as memory:
        with opened(folder) as store:
            entries = entries_of(
                store, run, memory, choice, processes, lambda done, total: tell("reading pages", done, total)
            )
        if wish.taxonomy is None:
            categories = by_themes(folder, entries, placements, run.reading, memory, tell) if entries else {}
        else:
            categories = by_taxonomy(wish.taxonomy, entries, placements, run.reading)
        entries = placed(entries, categories, placements)
        memory.keep(entries)
    return entries


def publish(folder: Path, wish: PortalWish, tell: Tell) -> Published:
    """Write the site. Raises ExportError where it cannot be written or would be empty, and what `sorted_entries` does."""
    pages = SitePages(wish.title, accepted_only=wish.accepted_only)
    site = SiteFolder(wish.out, folder.name)
    entries = sorted_entries(folder, wish, tell)
    if not entries and not (wish.out / "index.html").exists():
        why = "no page was accepted yet" if wish.accepted_only else "no relevant page may be shown"
        raise ExportError(f"{folder}: {why}: a portal would be empty")
    site.begin()
    categories = categories_of(entries)
    digest = hashlib.sha256()
    for name, content in search_files(entries, {one.name: one.address for one in categories}):
        digest.update(name.encode() + content)
        site.write(f"s/{name}", content)
    for done, (name, content) in enumerate(pages.files(categories, digest.hexdigest()[:12]), start=1):
        site.write(name, content)
        tell("writing pages", min(done, len(entries)), len(entries))
    ident = f"urn:focused:portal:{quote(folder.name, safe='')}"
    everything: list[tuple[str, str, Sequence[Entry]]] = [("new.xml", wish.title, entries)]
    everything += [(one.feed, f"{one.name} – {wish.title}", one.entries) for one in categories]
    for name, title, some in everything:
        site.write(name, feed_of(f"{ident}:{name}", title, list(_newest(some, ident)), _joined(wish.address, name)))
    site.end()
    return Published(len(entries), len(categories), site.written, site.deleted, site.size)


def _newest(entries: Iterable[Entry], ident: str) -> Iterator[FeedEntry]:
    for one in sorted(entries, key=lambda one: (one.fetched, one.seq), reverse=True)[:ENTRIES]:
        about = plain(f"{one.abstract} ({one.host})" if one.abstract else one.host)
        yield FeedEntry(f"{ident}:{one.key}", one.title or one.url, one.fetched, one.url, about)


def _joined(address: str, name: str) -> str:
    return f"{address}{name}" if address else ""

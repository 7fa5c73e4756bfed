"""Makes the portal of a collection, or brings it up to date."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

from focused.collection.collection import mark_of, opened
from focused.collection.desk import Desk
from focused.collection.store import Store
from focused.desk.mapping.page_reading import Tell
from focused.desk.news.letter import ENTRIES, FeedEntry, feed_of
from focused.desk.portal.editing import Placement, Placements, PortalMemory
from focused.desk.portal.entry import Entry, entry_of
from focused.desk.portal.portal_categories import by_taxonomy, by_themes, placed
from focused.desk.portal.site_pages import SiteFolder, SitePages, categories_of, search_files
from focused.exceptions import ExportError
from focused.export.export import Tell as TellRead
from focused.export.reading_processes import FEW, with_contents
from focused.export.row import Found
from focused.export.selection import Selection
from focused.export.texts import PlainCollection
from focused.live.last_run import LastRun, last_run
from focused.page.page_text import Wanted
from focused.page.plain_text import plain
from focused.page.urls import host_of

KEPT_AT_ONCE = 500
#: Copies, pages that are gone, and pages that ask not to be indexed are in no portal, whatever an editor says.
SHOWABLE = Selection(dedupe=True, honour_noindex=True, still_there=True)


@dataclass(frozen=True, slots=True)
class Choice:
    """Which pages are shown.

    placements : of editors, by URL
    judged : pages that a person judged while the crawl was taught or audited, by URL
    accepted_only : those alone that an editor accepted; else also relevant ones that nobody rejected
    """

    placements: Mapping[str, Placement]
    judged: Mapping[str, bool]
    accepted_only: bool = False

    def shows(self, page: Found) -> bool:
        if not page.final_url.startswith(("http://", "https://")):
            return False
        if (placed := self.placements.get(page.final_url)) is not None:
            return placed.accepted
        return not self.accepted_only and self.judged.get(page.final_url, page.relevant)


def entries_of(
    store: Store, run: LastRun, memory: PortalMemory, choice: Choice, processes: int, tell: TellRead
) -> list[Entry]:
    """An entry for each page that is shown, the most relevant first. Reads what the memory does not know, and keeps it there.

    Raises StorageError for pages that are damaged or missing.
    """
    found = {page.final_url: page for page in SHOWABLE.pages(store, "") if choice.shows(page)}
    known = memory.entries()
    missing = [page for url, page in found.items() if url not in known or known[url].seq != page.seq]
    for entry in _read(store, run, missing, _numbers(memory, known), processes, memory, tell):
        known[entry.url] = entry
    shown = [known[url] for url in found]
    return sorted(shown, key=lambda one: (-one.relevance, one.number))


def _numbers(memory: PortalMemory, known: Mapping[str, Entry]) -> Callable[[str], int]:
    following = memory.next_number()

    def number_of(url: str) -> int:
        nonlocal following
        if url in known:
            return known[url].number
        following += 1
        return following - 1

    return number_of


def _read(
    store: Store,
    run: LastRun,
    missing: list[Found],
    number_of: Callable[[str], int],
    processes: int,
    memory: PortalMemory,
    tell: TellRead,
) -> Iterator[Entry]:
    collection = PlainCollection.of(store.path.parent, run, Wanted(facts=True))
    waiting: list[Entry] = []
    with closing(with_contents(missing, collection, processes if len(missing) >= FEW else 1)) as pages:
        for done, page in enumerate(pages, start=1):
            entry = entry_of(page, host_of(page.final_url), number_of(page.final_url))
            page.text = None  # it is long, and the list keeps the page
            waiting.append(entry)
            if len(waiting) == KEPT_AT_ONCE:  # what was read is not lost if somebody ends this
                memory.keep(waiting)
                waiting = []
            tell(done, len(missing))
            yield entry
    memory.keep(waiting)


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

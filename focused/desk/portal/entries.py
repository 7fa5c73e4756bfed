"""The pages of a collection that its portal shows; those that are new or have changed are read."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass

from focused.collection.store import Store
from focused.desk.portal.entry import Entry, entry_of
from focused.desk.portal.memory import PortalMemory
from focused.desk.portal.placements import Placement
from focused.export.export import Tell
from focused.export.reading_processes import FEW, PlainCollection, with_contents
from focused.export.row import Found
from focused.export.selection import Selection
from focused.live.last_run import LastRun
from focused.page.page_text import Wanted
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
    store: Store, run: LastRun, memory: PortalMemory, choice: Choice, processes: int, tell: Tell
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
    tell: Tell,
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

"""A person at a terminal who says of one page after the other whether it is on topic."""

from __future__ import annotations

import json
import shutil
import sys
import textwrap
import zlib
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import TextIO

from focused.collection.collection import PAGES, open_repository, opened
from focused.collection.desk import AUDIT_PILE, TEACH_PILE, Desk
from focused.collection.repository import Place
from focused.collection.store import Row, Store
from focused.desk.judging.sheet import sheet_of
from focused.exceptions import FocusedError
from focused.live.last_run import last_run, topic_of_last_run
from focused.page.page_text import page_text
from focused.page.plain_text import JOINERS, plain, printable
from focused.page.urls import host_of

EXCERPT = 1_500  #: characters of a page's main text that are shown

_PAGES = """
SELECT f.seq, u.url, coalesce(f.title, ''), coalesce(f.relevance, 0), coalesce(f.relevant, 0), coalesce(f.content_type, ''),
    f.file, f.offset, f.length
FROM fetches f JOIN urls u ON u.id = f.final_url WHERE f.outcome = 'page' AND f.verdict IS NULL AND
"""
END = ""  #: there is nothing more to read
INTERRUPT = "\x03"  #: Ctrl-C
#: Ctrl-D, and what is left of one that was typed ahead; nothing at all
ENDS = ("\x04", "\x00", "")
BATCH = 20  #: pages that are read ahead
LINES = 12  #: of a page's text that are shown
NARROWEST, WIDEST = 20, 100  #: characters of a line
YES, NO, SKIP, UNDO, QUIT = "j", "f", " ", "u", "q"
PROMPT = "j on topic   f not   space skip   u undo   q quit > "


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


def key(stream: TextIO | None = None) -> str:
    """One character, a line without any being a space; `END` at the end. Raises KeyboardInterrupt for Ctrl-C."""
    stream = stream or sys.stdin
    pressed = _pressed(stream) if stream.isatty() else None
    if pressed is None:
        line = stream.readline()
        return (line.rstrip("\r\n")[:1] or " ") if line else END
    if pressed == INTERRUPT:
        raise KeyboardInterrupt
    return END if pressed in ENDS else pressed


def _pressed(stream: TextIO) -> str | None:
    """What is pressed on a terminal; None where the system has no way to tell without Enter (Windows)."""
    try:
        import termios
        import tty
    except ImportError:
        return None
    descriptor = stream.fileno()
    before = termios.tcgetattr(descriptor)
    try:
        tty.setraw(descriptor, termios.TCSADRAIN)  # what was typed ahead counts
        return stream.read(1)
    finally:
        termios.tcsetattr(descriptor, termios.TCSADRAIN, before)


class Labelling:
    """A person at a terminal, with the pages of one pile.

    folder : of the collection
    """

    def __init__(self, folder: Path, pile: str) -> None:
        self.folder, self.pile, self.desk = folder, pile, Desk(folder)
        self._shown: set[int] = set()  # numbers of fetches that were offered
        self._done: list[tuple[Offered, str, bool]] = []  # pages, their texts, and whether they were judged

    def run(self) -> int:
        """Offer pages until none is left or the person has had enough; return how many were judged."""
        while batch := self._next():
            while batch:
                page, text = batch[0]
                show(page, text, self._judged + 1)
                answer = self._answer()
                if answer in (QUIT, END):
                    return self._judged
                if answer == UNDO:
                    batch[:0] = self._undo()
                    continue
                batch.pop(0)
                self._take(page, text, answer)
        print("no page is left to be judged")
        return self._judged

    @property
    def _judged(self) -> int:
        return sum(judged for _, _, judged in self._done)

    def _next(self) -> list[tuple[Offered, str]]:
        """The pages that come next; the database is not held open while a person thinks."""
        with opened(self.folder) as store:
            pages = to_judge(store, self.desk, self.pile, BATCH, self._shown)
            texts = excerpts(store, pages)
        self._shown |= {page.seq for page in pages}
        return list(zip(pages, texts, strict=True))

    def _answer(self) -> str:
        while True:
            print(PROMPT, end="", flush=True)
            answer = key().lower()
            print(answer if answer.isprintable() else "")
            if answer in (YES, NO, SKIP, UNDO, QUIT, END):
                return answer

    def _take(self, page: Offered, text: str, answer: str) -> None:
        if answer != SKIP:
            self.desk.judge([(page.url, self.pile, answer == YES)])
            print(f"  the crawl: relevance {page.relevance:.2f}, {'relevant' if page.relevant else 'not relevant'}")
        self._done.append((page, text, answer != SKIP))

    def _undo(self) -> list[tuple[Offered, str]]:
        """The page before, to be judged once more; none at the beginning."""
        if not self._done:
            return []
        page, text, judged = self._done.pop()
        if judged:
            self.desk.judge([(page.url, self.pile, None)])
        return [(page, text)]


def show(page: Offered, text: str, number: int) -> None:
    width = max(NARROWEST, min(WIDEST, shutil.get_terminal_size().columns)) - 2
    lines = [line for part in text.splitlines() if part.strip() for line in textwrap.wrap(part, width)]
    print(f"\n{number}. {plain(page.title) or '(no title)'}\n   {plain(page.url)}\n")
    print("\n".join(f"  {line}" for line in lines[:LINES]) or "  (no text)", end="\n\n")

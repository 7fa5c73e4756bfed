"""A person at a terminal who says of one page after the other whether it is on topic."""

from __future__ import annotations

import shutil
import textwrap
from pathlib import Path

from focused.collection.collection import opened
from focused.collection.desk import Desk
from focused.desk.judging.keys import END, key
from focused.desk.judging.offered_pages import Offered, excerpts, to_judge
from focused.page.plain_text import plain

BATCH = 20  #: pages that are read ahead
LINES = 12  #: of a page's text that are shown
NARROWEST, WIDEST = 20, 100  #: characters of a line
YES, NO, SKIP, UNDO, QUIT = "j", "f", " ", "u", "q"
PROMPT = "j on topic   f not   space skip   u undo   q quit > "


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

"""`scrapy verify`: is a collection whole, what is lost, and have it repaired."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from focused.explain.command import FocusedCommand, mistakes_told
from focused.page.plain_text import plain

if TYPE_CHECKING:
    from focused.inspection.checking import Findings

SHOWN = 20  #: lines of a kind; a whole file of pages may be gone


class Command(FocusedCommand):
    """Exits with 0 where all is well (by now), with 1 where something is damaged."""

    usage = "[NAME ...] [--repair]"
    summary = "Check that a collection is whole: database, journal, every page; --repair mends what can be mended"
    about = (
        "Reads the database and every page of a collection, compares them, and says what is damaged or lost. Changes\n"
        "nothing without --repair. Exit code 0: all is well; 1: something is damaged. Not while its crawl is running."
    )
    examples = """
scrapy verify solar                                is all of it there?
scrapy verify                                      of every collection
scrapy verify solar --repair                       put damaged parts aside; the next run fetches lost pages again"""

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        parser.add_argument(
            "--repair",
            action="store_true",
            help="put what is damaged aside (*.damaged) and have the next run fetch lost pages again",
        )

    def execute(self, args: list[str], opts: argparse.Namespace) -> None:
        from focused.collection.collection import existing_collections

        for name in args or existing_collections(self.data):
            with mistakes_told(self, self.called):
                self._check(self.data / name, repair=opts.repair)

    def _check(self, folder: Path, *, repair: bool) -> None:
        """Check a collection and say what is wrong."""
        from focused.inspection.checking import check, check_and_repair

        line, name, done = self.progress(), folder.name, list[str]()

        def tell(done: int, total: int) -> None:
            line.show(lambda: f"{name}: {done:,} of {total:,} pages read", done, total)

        try:
            if repair:
                found, done, now = check_and_repair(folder, tell)
            else:
                found = now = check(folder, tell)
        finally:
            line.close()
        for text in [*lines(found), *(f"repaired: {text}" for text in done)]:
            print(f"{name}: {plain(text)}")
        if now.past_repair:
            print(
                f"{name}: this cannot be repaired: put a copy back, or -a fresh=true starts anew and keeps the pages aside"
            )
        elif now.can_be_repaired:
            again = "is still damaged: put a copy back" if repair else f"scrapy verify {name} --repair"
            print(f"{name}: {again}{'' if repair else ' puts it aside and has lost pages fetched again'}")
        if not now.is_well:
            self.exitcode = 1


def lines(found: Findings) -> list[str]:
    told = [
        text
        for errors in (found.past_repair, found.malformed, found.index_errors)
        for text in _first("database: ", errors)
    ]
    if found.snapshot_error:
        told.append(f"database: the saved state is damaged ({found.snapshot_error})")
    told += _first("lost: ", [f"{page.url} ({page.why})" for page in found.lost])
    told += _first("", [f"{at.file}: bytes {at.start} to {at.end} are no record" for at in found.stretches])
    told += _first("", found.notes)
    return told if not found.is_well else [*told, f"all is well: {found.events:,} events, {found.pages:,} pages"]


def _first(head: str, texts: list[str]) -> list[str]:
    more = len(texts) - SHOWN
    return [*(head + text for text in texts[:SHOWN]), *([f"{head}and {more:,} more"] if more > 0 else [])]

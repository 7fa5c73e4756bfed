"""`scrapy label`: say of one page after the other whether it is on topic; each verdict is kept at once."""

from __future__ import annotations

import argparse
from pathlib import Path

from scrapy.exceptions import UsageError

from focused.explain.command import FocusedCommand
from focused.page.plain_text import plain


class Command(FocusedCommand):
    """Writes into desk.db of a collection, which a crawl that runs reads at its next commit."""

    examples = """
scrapy label solar                teach the crawl: pages it is least certain of, and those it finds best
scrapy label solar --pile audit   judge the sample that scrapy audit solar --sample 100 has drawn"""

    def syntax(self) -> str:
        return "NAME [--pile teach|audit]"

    def short_desc(self) -> str:
        return "Say of pages whether they are on topic: the crawl learns from it, or an audit counts it"

    def long_desc(self) -> str:
        return (
            "Shows title, URL and the beginning of the main text of one page after the other. Press j (on topic), f (not),\n"
            "space (skip), u (undo) or q (quit). What the crawl thinks of a page is shown once you have judged it. Without\n"
            "a terminal, it reads one letter a line."
        )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        from focused.collection.desk import TEACH_PILE

        super().add_options(parser)
        parser.add_argument(
            "--pile",
            default=TEACH_PILE,
            metavar="PILE",
            help="teach: the crawl learns from it (default); audit: scrapy audit counts it, and the crawl never sees it",
        )

    def execute(self, args: list[str], opts: argparse.Namespace) -> None:
        from focused.collection.collection import data_folder
        from focused.collection.desk import PILES
        from focused.desk.judging.labelling import Labelling

        assert self.settings is not None
        if len(args) != 1:
            raise UsageError("give the name of a collection, as in: scrapy label solar")
        if opts.pile not in PILES:
            raise UsageError(f"--pile {plain(opts.pile, 20)}: it is {' or '.join(PILES)}", print_help=False)
        folder = data_folder(self.settings) / args[0]
        judged = Labelling(folder, opts.pile).run()
        print(f"{judged:,} {'page' if judged == 1 else 'pages'} judged; {what_follows(folder, opts.pile)}")


def what_follows(folder: Path, pile: str) -> str:
    """What becomes of the verdicts, for a person."""
    from focused.collection.collection import AUDIT, is_crawled
    from focused.collection.desk import AUDIT_PILE

    if pile == AUDIT_PILE:
        drawn = (folder / AUDIT).is_file()
        return f"scrapy audit {folder.name} {'tells what they mean' if drawn else '--sample 100 draws pages to judge'}"
    return "the crawl learns from them as it runs" if is_crawled(folder) else "the next run learns from them"

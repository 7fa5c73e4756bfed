"""`scrapy export`: pages of a collection as a file for other programs."""

from __future__ import annotations

import argparse
from contextlib import closing, nullcontext
from pathlib import Path
from typing import get_args

from scrapy.exceptions import UsageError

from focused import wings
from focused.explain.command import FocusedCommand
from focused.topic.plain_files import shown_path

TEXT = (
    "how texts are written: main (without menus, boxes and footers; the default), markdown (the same with headings, lists, tables "
    "and code; the default of a folder) or all (all that is seen, on one line)"
)

FIELDS_TEXT = (
    "what is written of a page (default: all that pages have, but structured), or of a chunk (default: what is short)"
)
CHUNKS_TEXT = (
    "a row is a piece of a page, cut at headings and between paragraphs, of so many tokens at most (default: {})"
)


class Command(FocusedCommand):
    """Reads a collection, also while it is being crawled; writes nothing into it."""

    usage = "NAME [FILE] [options]"
    summary = "Write pages of a collection into a file: JSON lines, CSV, Parquet, Markdown, WARC and others"
    examples = """
scrapy export solar                                     all pages, into solar.jsonl
scrapy export solar relevant.parquet --relevant --dedupe
scrapy export solar solar.csv --min 0.3 --lang en,de --fields final_url,title,relevance
scrapy export solar notes/ --host example.org           a folder of Markdown files
scrapy export solar seeds.txt --relevant                a list of URLs
scrapy export solar best/ --best 100                    the best pages as Markdown files
scrapy export solar chunks.jsonl --relevant --chunks    pieces of 400 tokens at most, for retrieval
scrapy export solar - --relevant | jq .title            to another program
scrapy export solar corpus/solar.jsonl.zst --new        run it each week: what came since, into a file of its own"""

    def long_desc(self) -> str:
        from focused.export.formats import FORMATS

        endings = ", ".join(ending for kind in FORMATS.values() for ending in kind.endings if not kind.is_folder)
        says = f"The ending of FILE says the format: {endings}; a / at the end makes a folder of Markdown files"
        more = "- is standard output, for another program. A card beside it, such as solar.card.md, tells what is in it"
        return f"{self.summary}. {says}; {more}."

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        from focused.crawl.novelty import COPIES
        from focused.export.formats import FORMATS
        from focused.export.row import ALL
        from focused.export.selection import VersionChoice
        from focused.export.wish import CHUNK
        from focused.page.page_text import FORMS

        super().add_options(parser)
        add = parser.add_argument
        add("--format", metavar="NAME", help=f"format, whatever the ending of FILE is: {', '.join(FORMATS)}")
        add("--relevant", action="store_true", help="relevant pages only")
        add("--min", type=float, metavar="R", help="pages whose relevance is at least R, from 0 to 1")
        add("--lang", metavar="CODES", help="pages in these languages, such as en,de")
        add(
            "--host", metavar="HOSTS", help="pages of these hosts and their subdomains, such as example.org,example.net"
        )
        add("--since", metavar="DATE", help="pages fetched since then: 2026-11-01, or 2026-11-01T12:00 (UTC)")
        add("--dedupe", action="store_true", help=f"leave copies out (verdict {', '.join(COPIES)})")
        add("--honour-noindex", action="store_true", help="leave pages out that ask not to be indexed")
        versions = "which versions of pages that were asked for once more (default: newest)"
        add("--versions", choices=get_args(VersionChoice), default="newest", help=versions)
        add("--still-there", action="store_true", help="leave pages out that were gone when they were asked for again")
        add("--fields", metavar="NAMES", help=f"{FIELDS_TEXT}: {', '.join(ALL)}; own_NAME: what your own spider kept")
        add("--text", choices=FORMS, help=TEXT)
        add("--structured", action="store_true", help="add the field structured: JSON-LD and Open Graph, as JSON")
        add("--chunks", nargs="?", const=CHUNK, metavar="TOKENS", help=CHUNKS_TEXT.format(CHUNK))
        add("--best", type=int, metavar="N", help="the N most relevant pages of those that the other options leave")
        add("--sample", type=int, metavar="N", help="N pages, drawn at random from those that the other options leave")
        add("--seed", type=int, metavar="N", help="of the draw of a sample (default: 0); another gives other pages")
        add(
            "--new",
            action="store_true",
            help="only what came since the last --new into FILE, in a file of its own: solar.jsonl, solar.2.jsonl, ...",
        )
        add("--processes", type=int, metavar="N", help="read pages in N processes (default: one for each core)")

    def execute(self, args: list[str], opts: argparse.Namespace) -> None:
        from focused.collection.collection import opened
        from focused.export.export import export
        from focused.export.targets import parts_alone
        from focused.export.wish import wish_of

        if not 1 <= len(args) <= 2:
            raise UsageError("give one collection, and a file if you like, as in: scrapy export solar solar.jsonl")
        folder = self.data / args[0]
        wish = wish_of(args[1] if len(args) > 1 else None, folder.name, opts)
        line = self.progress()

        def tell(pages: int, total: int) -> None:
            line.show(lambda: f"{pages:,} of {total:,} pages", pages, total)

        alone = parts_alone(Path(wish.name)) if wish.is_new else nullcontext()
        with opened(folder) as store, closing(line), alone:
            done = export(store, wish, wings.ask("judged_in_a_line", store), tell)
        if done is None:
            print(f"{wish.name}: nothing is new since the last part")
            return
        if done.path is None or done.card is None:
            return
        chunks = f" in {done.tally.rows:,} chunks" if wish.chunks else ""
        print(f"{shown_path(done.path)}: {done.tally.pages:,} pages{chunks}, {done.tally.relevant:,} of them relevant")
        print(f"{shown_path(done.card)}: says what is in it and how it was made")

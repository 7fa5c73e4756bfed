"""`scrapy search`: find words in the pages that a crawl has stored."""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections.abc import Sequence
from contextlib import closing
from typing import TYPE_CHECKING

from scrapy.exceptions import UsageError

from focused.explain.command import FocusedCommand
from focused.explain.plain_output import print_paragraph
from focused.topic.mistakes import unknown

if TYPE_CHECKING:
    from focused.inspection.search import Hit, SearchFilter

OPTIONS = ("--all", "--relevant", "--host", "--lang", "--copies", "--limit", "--json")
LIMIT = 10  #: hits that are shown
MOST_HITS = 1000
#: A word to leave out, which looks like short options; -sNAME=VALUE is one.
_LEFT_OUT = re.compile(r"-[^\W\d_][^=]+")


class Command(FocusedCommand):
    """Reads a collection, also while it is being crawled; writes nothing but the index search.db in its folder."""

    usage = "NAME [options] WORD ..."
    summary = "Search the stored pages of a crawl for words"
    refuses_unknown_options = False  # -word is none; `execute` looks at the others
    examples = """
scrapy search solar roof tiles                    pages with both words, in any form, the best first; then with one
scrapy search solar '"roof tiles" -slate'         with these two words side by side, and without slate
scrapy search solar roof OR wall --relevant --lang en --limit 20
scrapy search solar heat pump --host example.org --json"""

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        from focused.crawl.novelty import COPIES

        super().add_options(parser)
        parser.add_argument("--all", action="store_true", help="only pages that have all the words")
        parser.add_argument("--relevant", action="store_true", help="only pages that count as relevant")
        parser.add_argument("--host", metavar="HOST", help="only pages of this host and of those below it")
        parser.add_argument("--lang", metavar="LANGUAGE", help="only pages in this language, such as en or german")
        parser.add_argument("--copies", action="store_true", help=f"copies too (verdict {', '.join(COPIES)})")
        parser.add_argument("--limit", type=int, default=LIMIT, metavar="N", help=f"show N pages (default: {LIMIT})")
        parser.add_argument("--json", action="store_true", help="write one JSON object a line")
        _take_words_to_leave_out(parser)

    def execute(self, args: list[str], opts: argparse.Namespace) -> None:
        from focused.collection.collection import PAGES, open_repository, opened
        from focused.collection.sqlite_errors import damage_is_told
        from focused.inspection.search import Search
        from focused.inspection.search_query import query_of
        from focused.live.last_run import last_run

        if strange := next((arg for arg in args if arg.startswith("--")), None):
            raise UsageError(f"{strange}: {unknown(strange.partition('=')[0], OPTIONS, plural='options')}")
        if len(args) < 2:
            raise UsageError("give a topic and words, as in: scrapy search solar roof tiles")
        if not 1 <= opts.limit <= MOST_HITS:
            raise UsageError(f"--limit {opts.limit}: give a number from 1 to {MOST_HITS:,}", print_help=False)
        query, wanted = query_of(" ".join(args[1:])), _wanted(opts)
        folder = self.data / args[0]
        with opened(folder) as store:
            run = last_run(store)
            options, kind = run.reading, run.pages
        with damage_is_told(store.path), closing(self.progress()) as line:
            search = Search(folder, options, open_repository(kind, folder / PAGES))

            def tell(done: int, total: int) -> None:
                line.show(lambda: f"{done:,} of {total:,} new pages made ready to be searched", done, total)

            hits = search.hits(query, wanted, opts.limit + 1, tell)
        if search.unreadable:
            print(
                f"scrapy search: {search.unreadable:,} pages are damaged: scrapy verify {args[0]} names them",
                file=sys.stderr,
            )
        if opts.json:
            _print_json(hits[: opts.limit])
        else:
            _print(hits, opts.limit)


def _wanted(opts: argparse.Namespace) -> SearchFilter:
    """What the options ask for; UsageError for a host or a language that is none."""
    from focused.inspection.search import SearchFilter
    from focused.page.language import language_code
    from focused.page.urls import UrlRules, host_of

    host = ""
    if opts.host is not None:
        url = UrlRules().canonical(f"http://{opts.host}/")
        host = host_of(url) if url else ""
        if not host or "/" in opts.host:
            raise UsageError(f"--host {opts.host}: give the name of a host, such as example.org", print_help=False)
    try:
        language = language_code(opts.lang) if opts.lang is not None else ""
    except ValueError as error:
        raise UsageError(f"--lang: {error}", print_help=False) from None
    return SearchFilter(opts.relevant, host, language, opts.copies, opts.all)


def _print(hits: Sequence[Hit], limit: int) -> None:
    from focused.inspection.search_query import parts

    if not hits:
        print("No page has these words.")
    indent = len(f"{min(len(hits), limit)}. ")
    has_all = True
    for rank, hit in enumerate(hits[:limit], start=1):
        if has_all and not hit.all_words:
            print("Pages with some of the words:\n" if rank > 1 else "No page has all these words. Pages with some:\n")
            has_all = False
        print_paragraph([(hit.title or "(no title)", False)], indent, f"{rank}. ")
        print(" " * indent + hit.url)
        print_paragraph(parts(hit.excerpt), indent)
        print()
    if len(hits) > limit and limit < MOST_HITS:
        print(f"These are the best {limit:,}; --limit {min(2 * limit, MOST_HITS)} shows more.")


def _print_json(hits: Sequence[Hit]) -> None:
    from focused.inspection.search_query import unmarked

    for rank, hit in enumerate(hits, start=1):
        row = {
            "rank": rank,
            "url": hit.url,
            "title": hit.title,
            "excerpt": unmarked(hit.excerpt),
            "language": hit.language,
            "relevance": hit.relevance,
            "relevant": hit.relevant,
            "all_words": hit.all_words,
            "fetched_at": hit.fetched,
        }
        print(json.dumps(row, ensure_ascii=False))


def _take_words_to_leave_out(parser: argparse.ArgumentParser) -> None:
    """Let a parser take -word for a word: -slate would be ``-s late``, and -hail a question for help."""
    parse = parser.parse_known_args

    def with_words(args: Sequence[str], namespace: argparse.Namespace | None = None) -> object:
        words = [arg for arg in args if _LEFT_OUT.fullmatch(arg)]
        opts, rest = parse([arg for arg in args if arg not in words], namespace)
        return opts, [arg for arg in rest if arg != "--"] + words

    parser.parse_known_args = with_words  # type: ignore[assignment, method-assign]

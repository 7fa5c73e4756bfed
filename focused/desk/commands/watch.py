"""`scrapy watch`: what is new in a collection since the last look, printed, as a feed, or sent by a command of one's own."""

from __future__ import annotations

import argparse
import re
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from scrapy.exceptions import UsageError

from focused.explain.command import FocusedCommand
from focused.topic.mistakes import shown

if TYPE_CHECKING:
    from focused.desk.news.letter import News

READER = "watch"  #: who looks, where nothing else is said
LONGEST_READER = 100
_AGE = re.compile(r"(\d{1,4})([dh])")


class Command(FocusedCommand):
    """Reads a collection, also while it is being crawled; notes in its desk.db what has been told."""

    examples = """
scrapy watch solar                                     what is new since the last time
scrapy watch solar --since 7d                          what came in the last seven days; nothing is noted
scrapy watch solar --feed /var/www/solar.atom          the newest events as an Atom feed, too
scrapy watch solar --command 'mail -s "Solar" me@example.org'"""

    def syntax(self) -> str:
        return "NAME [options]"

    def short_desc(self) -> str:
        return "Tell what is new in a collection: new, changed and gone pages, new sites"

    def long_desc(self) -> str:
        return (
            "Tells what has become of relevant pages since the last look, and notes that it has. Where nothing is new it says so\n"
            "on a terminal only, so that a cron job sends nothing. Exit code 1: something went wrong, and nothing was noted."
        )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        from focused.desk.news.letter import MOST

        super().add_options(parser)
        parser.add_argument(
            "--since", metavar="WHEN", help="look back to a date or an age such as 7d or 12h; nothing is noted"
        )
        parser.add_argument(
            "--command",
            metavar="COMMAND",
            help="give the news to this command on its standard input; no shell reads it",
        )
        parser.add_argument(
            "--feed", metavar="FILE", help="write the newest events into this file as an Atom feed, too"
        )
        parser.add_argument(
            "--limit", type=int, default=MOST, metavar="N", help=f"name N pages of each kind (default: {MOST})"
        )
        parser.add_argument(
            "--reader",
            default=READER,
            metavar="WHO",
            help="whose last look is meant, where several people watch a collection (default: watch)",
        )

    def execute(self, args: list[str], opts: argparse.Namespace) -> None:
        from focused.collection.collection import data_folder
        from focused.desk.news.letter import atom_feed, letter, news_of
        from focused.desk.news.telling import command_of
        from focused.export.unfinished import refuse_taken, unfinished

        assert self.settings is not None
        if len(args) != 1:
            raise UsageError("give the name of a collection, as in: scrapy watch solar")
        if not 1 <= opts.limit <= 10_000:
            raise UsageError(f"--limit {opts.limit}: give a number from 1 to 10,000", print_help=False)
        if not opts.reader.isprintable() or not 0 < len(opts.reader) <= LONGEST_READER:
            raise UsageError(f"--reader: give a name of 1 to {LONGEST_READER} characters on one line", print_help=False)
        folder = data_folder(self.settings) / args[0]
        since = time_of(opts.since) if opts.since is not None else ""
        command = command_of(opts.command) if opts.command is not None else []
        feed = Path(opts.feed) if opts.feed else None
        if feed:
            refuse_taken(feed, is_folder=False)
        news = news_of(folder, opts.reader, since=since, most=opts.limit)
        if feed and (news or not feed.exists()):
            with unfinished(feed) as temporary:
                temporary.write_bytes(atom_feed(folder))
        if not news:
            if sys.stdout.isatty():
                print(f"{folder.name}: nothing is new")
            return
        self._tell(folder, opts.reader, news, letter(news, opts.limit), command, note=not since)

    def _tell(self, folder: Path, reader: str, news: News, text: str, command: list[str], *, note: bool) -> None:
        from focused.desk.news.letter import Looks
        from focused.desk.news.telling import TellingError, tell

        if command and note:
            tell(folder, reader, news, text, command)
            return
        if command:
            raise TellingError("--since only looks: without it the command is given what has not been told")
        print(text, end="", flush=True)
        if note:
            Looks(folder).note(reader, news.look, news.upto)


def time_of(text: str) -> str:
    """A date, a time (in UTC where it has no zone) or an age as ISO 8601 in UTC. Raises TellingError."""
    from focused.desk.news.telling import TellingError

    now = datetime.now(UTC)
    try:
        if found := _AGE.fullmatch(text):
            when = now - timedelta(**{"days" if found[2] == "d" else "hours": int(found[1])})
        else:
            when = datetime.fromisoformat(text)
        when = when.replace(tzinfo=UTC) if when.tzinfo is None else when.astimezone(UTC)
    except (ValueError, OverflowError):
        raise TellingError(f"--since {shown(text)}: write a date such as 2026-11-01, or an age such as 7d") from None
    return when.isoformat(timespec="milliseconds")

"""`scrapy report NAME --new`: what is new in a collection since the last look: printed, as a feed, or sent by a command."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

from scrapy.exceptions import UsageError

from focused.desk.news import MOST
from focused.topic.mistakes import shown

READER = "watch"  #: who looks, where nothing else is said
LONGEST_READER = 100
_AGE = re.compile(r"(\d{1,4})([dh])")


def add_news_options(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument_group("What is new").add_argument
    new = "tell what is new since the last look: new, changed and gone pages, new sites"
    who = f"whose last look is meant, where several people watch a collection (default: {READER})"
    add("--new", action="store_true", help=new)
    add("--since", metavar="WHEN", help="look back to a date or an age such as 7d or 12h; nothing is noted")
    add("--command", metavar="COMMAND", help="give the news to this command on its standard input; no shell reads it")
    add("--feed", metavar="FILE", help="write the newest events into this file as an Atom feed, too")
    add("--limit", type=int, metavar="N", help=f"name N pages of each kind (default: {MOST})")
    add("--reader", metavar="WHO", help=who)


def wants_news(args: Sequence[str], opts: argparse.Namespace) -> bool:
    """Whether a person wants the news. Raises UsageError for other options of news, or another number of collections."""
    others = ("since", "command", "feed", "limit", "reader")
    if (strange := [name for name in others if getattr(opts, name) is not None]) and not opts.new:
        raise UsageError(f"--{strange[0]} needs --new", print_help=False)
    if opts.new and len(args) != 1:
        raise UsageError("--new: give the name of one collection, as in: scrapy report solar --new")
    return bool(opts.new)


def report_news(folder: Path, opts: argparse.Namespace) -> None:
    """Tell what has become of relevant pages since the last look, and note that it was told.

    Where nothing is new it says so on a terminal only, so that a cron job sends nothing. Raises UsageError and FocusedError where
    something is wrong; then nothing is noted.
    """
    from focused.desk.news.letter import ReadMarks, atom_feed, letter, news_of
    from focused.desk.news.telling import TellingError, command_of, tell
    from focused.export.targets import refuse_taken, unfinished

    most, reader = MOST if opts.limit is None else opts.limit, READER if opts.reader is None else opts.reader
    if not 1 <= most <= 10_000:
        raise UsageError(f"--limit {most}: give a number from 1 to 10,000", print_help=False)
    if not reader.isprintable() or not 0 < len(reader) <= LONGEST_READER:
        raise UsageError(f"--reader: give a name of 1 to {LONGEST_READER} characters on one line", print_help=False)
    since = time_of(opts.since) if opts.since is not None else ""
    command = command_of(opts.command) if opts.command is not None else []
    feed = Path(opts.feed) if opts.feed else None
    if feed:
        refuse_taken(feed, is_folder=False)
    news = news_of(folder, reader, since=since, most=most)
    if feed and (news or not feed.exists()):
        with unfinished(feed) as temporary:
            temporary.write_bytes(atom_feed(folder))
    if not news:
        if sys.stdout.isatty():
            print(f"{folder.name}: nothing is new")
        return
    text = letter(news, most)
    if command and since:
        raise TellingError("--since only looks: without it the command is given what has not been told")
    if command:
        tell(folder, reader, news, text, command)
        return
    print(text, end="", flush=True)
    if not since:
        ReadMarks(folder).note(reader, news.look, news.upto)


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

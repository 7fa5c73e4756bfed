"""`scrapy steer`: ask something of a crawl while it runs, and see what became of it."""

from __future__ import annotations

import argparse
import time
from pathlib import Path
from typing import TYPE_CHECKING

from scrapy.exceptions import UsageError

from focused.exceptions import StorageError
from focused.explain.command import FocusedCommand
from focused.explain.plain_output import print_table
from focused.page.plain_text import plain
from focused.topic.mistakes import unknown

if TYPE_CHECKING:
    from focused.collection.desk import Desk, SteeringCommand

PATIENCE = 5.0  #: seconds for which the answer of a crawl is waited for
LOOK_EVERY = 0.1  #: seconds
#: By what a person types: the command for the crawl, as its desk has it, and what it is about.
COMMANDS = {
    "pause": ("pause", ""),
    "resume": ("resume", ""),
    "stop": ("stop", ""),
    "raise": ("raise_url", "URL"),
    "drop": ("drop_url", "URL"),
    "raise-host": ("raise_host", "HOST"),
    "deny": ("deny_host", "HOST"),
    "allow": ("allow_host", "HOST"),
    "trust": ("trust_host", "HOST"),
    "budget": ("budget", "LIMIT"),
}


class Command(FocusedCommand):
    """Writes into desk.db of a collection, which a crawl reads at its next commit."""

    summary = "Steer a crawl while it runs: pause, resume, stop, raise or drop a URL, prefer, deny or trust a host, set the budget"
    about = (
        "A running crawl answers within seconds. Where none is running, the next run does what is asked (but for pause,\n"
        "resume and stop). Limits of a budget: pages=500, hours=2. Exit code 1 where the crawl refuses."
    )
    examples = """
scrapy steer solar pause                          fetch nothing new for now; resume goes on
scrapy steer solar stop                           end with what is under way; the same crawl command goes on later
scrapy steer solar raise https://example.com/a    fetch this page next
scrapy steer solar raise-host example.com         its next 50 pages first
scrapy steer solar deny ads.example.com           nothing more from this host and its subdomains
scrapy steer solar trust example.org              its domain never lets others go first, nobody is warned of it
scrapy steer solar budget pages=5000 hours=2      another budget for this crawl
scrapy steer solar                                what was asked, and what became of it"""

    def syntax(self) -> str:
        typed = (f"{name} {about}".strip() for name, (_, about) in COMMANDS.items())
        return f"NAME [{' | '.join(typed)}]"

    def execute(self, args: list[str], opts: argparse.Namespace) -> None:
        from focused.collection.collection import opened
        from focused.collection.desk import Desk
        from focused.explain.topic_list import topic_line
        from focused.live.last_run import last_run

        if not args:
            raise UsageError("give the name of a collection, as in: scrapy steer solar pause")
        folder = self.data / args[0]
        if len(args) == 1:
            with opened(folder):
                _list(Desk(folder))
            return
        kind, argument, value = asked_for(args[1:])
        with opened(folder) as store:
            tables = last_run(store).topic
        self._ask(folder, kind, argument, value)
        if line := topic_line(kind, argument, value, tables):
            print(f"to keep this for later crawls, write into the topic file: {plain(line)}")

    def _ask(self, folder: Path, kind: str, argument: str, value: str) -> None:
        """Ask, and tell the answer of a crawl that runs. Raises StorageError where it refuses."""
        from focused.collection.collection import is_crawled
        from focused.collection.desk import OF_RUN, REFUSED, WAITING, Desk

        desk, runs = Desk(folder), is_crawled(folder)
        if not runs and kind in OF_RUN:
            raise StorageError(f"no crawl of {folder.name} is running: nothing to {kind}")
        number = desk.ask(kind, argument, value)
        if not runs:
            print("no crawl is running: the next run does this")
            return
        asked = _answered(desk, number)
        if asked is None or asked.state == WAITING:
            print(f"the crawl has not answered yet: scrapy steer {folder.name} tells what becomes of this")
        elif asked.state == REFUSED:
            raise StorageError(f"refused: {asked.answer}")
        else:
            print(f"done{': ' if asked.answer else ''}{plain(asked.answer)}")


def asked_for(words: list[str]) -> tuple[str, str, str]:
    """The command that a person typed: its kind, argument and value. Raises UsageError for what makes no sense."""
    from focused.live.orders import as_asked

    name, *about = words
    if name not in COMMANDS:
        raise UsageError(f"{plain(name, 40)}: {unknown(name, COMMANDS, plural='commands')}", print_help=False)
    kind, wanted = COMMANDS[name]
    if wanted == "LIMIT":
        if said := as_asked(kind, "", " ".join(about)):
            return kind, *said
        raise UsageError("give limits, as in: budget pages=500 hours=2", print_help=False)
    if len(about) != bool(wanted):
        need = f"one {wanted}, as in: {name} {'https://example.com/page' if wanted == 'URL' else 'example.com'}"
        raise UsageError(f"{name} takes {need if wanted else 'nothing more'}", print_help=False)
    said = as_asked(kind, about[0] if about else "", "")
    if said is None:
        what = "http(s) URL" if wanted == "URL" else "host"
        raise UsageError(f"{plain(about[0], 200)!r} is no {what}", print_help=False)
    return kind, *said


def _answered(desk: Desk, number: int) -> SteeringCommand | None:
    """A command once the crawl has answered it, or as it stands after `PATIENCE` seconds."""
    from focused.collection.desk import WAITING

    until = time.monotonic() + PATIENCE
    while True:
        asked = next((one for one in desk.commands() if one.id == number), None)
        if asked is None or asked.state != WAITING or time.monotonic() > until:
            return asked
        time.sleep(LOOK_EVERY)


def _list(desk: Desk) -> None:
    from focused.live.orders import in_words

    commands = desk.commands()
    if not commands:
        print("nothing was asked of this crawl")
    print_table(
        ("asked", "what", "state", "answer"),
        [(one.time.replace("T", " ")[:19], in_words(one), one.state, one.answer) for one in reversed(commands)],
    )

"""What a person may ask of a crawl on the pages, how it is said in words, and what a topic file needs to keep it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from focused.crawl.standing_orders import BUDGET, as_text, limits_in
from focused.dashboard.served import Shown
from focused.dashboard.standing import Standing
from focused.exceptions import FocusedError
from focused.reading.plain_text import plain
from focused.reading.urls import UrlRules
from focused.reporting.topic_lines import topic_lines
from focused.run.orders import host_named
from focused.storage.desk import DONE, KINDS, REFUSED, Asked
from focused.topic.topic import Budget, Topic

ASKED = 8  #: commands that are shown
#: What each command is called on a button and in the list of what was asked.
WORDS = {
    "pause": "pause",
    "resume": "go on",
    "stop": "stop",
    "raise_url": "fetch soon",
    "drop_url": "never fetch",
    "raise_host": "crawl more of",
    "deny_host": "deny",
    "allow_host": "allow again",
    "budget": "budget",
}


@dataclass(frozen=True, slots=True)
class Steering:
    """What the controls of one collection show.

    asked : the newest commands, newest first
    keep : lines of a topic file that make later crawls do the same
    trouble : why nothing can be asked; empty where it can
    """

    running: bool
    paused: bool
    budget: Budget
    asked: Sequence[Asked]
    keep: Sequence[str]
    trouble: str = ""

    @property
    def waits(self) -> bool:
        """Whether an answer of the crawl is to be expected soon."""
        return self.running and any(one.state not in (DONE, REFUSED) for one in self.asked)


def steering(shown: Shown, stands: Standing) -> Steering:
    try:
        asked = shown.desk.commands()
    except FocusedError as error:
        return Steering(stands.running, stands.paused, stands.budget, (), (), str(error))
    return Steering(stands.running, stands.paused, stands.budget, asked[:ASKED], _kept(asked, stands.topic))


def order(kind: str, argument: str, value: str) -> tuple[str, str, str]:
    """The command that a form asks for, in the spelling of the desk. Raises FocusedError for one that makes no sense."""
    if kind not in KINDS:
        raise FocusedError(f"There is no command {plain(kind, 20)!r}. Commands are {', '.join(KINDS)}.")
    about, rules = argument.strip(), UrlRules()
    if kind.endswith("_url"):
        if not rules.canonical(about):
            raise FocusedError(f"{plain(about, 200)!r} is no http(s) URL.")
        return kind, about, ""
    if kind.endswith("_host"):
        if not (host := host_named(about, rules)):
            raise FocusedError(f"{plain(about, 200)!r} is no host name such as example.com.")
        return kind, host, ""
    if kind == BUDGET:
        if not (limits := limits_in(value)):
            raise FocusedError("Budget: give a number of pages, of hours, or both; 0 is no limit.")
        return kind, "", as_text(limits)
    return kind, "", ""


def _kept(asked: Sequence[Asked], topic: Topic) -> list[str]:
    done = [(one.kind, one.argument, one.value) for one in reversed(asked) if one.state == DONE]
    return topic_lines(done, topic.as_dict())

"""What a person may ask of a crawl on the pages, how it is said in words, and what a topic file needs to keep it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from focused.collection.desk import DONE, KINDS, PAUSE, REFUSED, RESUME, STOP, Asked
from focused.crawl.standing_orders import OrderKind
from focused.desk.dashboard.served import Shown
from focused.desk.dashboard.standing import Standing
from focused.exceptions import FocusedError
from focused.explain.topic_list import topic_lines
from focused.live.orders import OF_URL, as_asked
from focused.page.plain_text import plain
from focused.topic.topic import Budget, Topic

ASKED = 8  #: commands that are shown
#: What each command is called on a button and in the list of what was asked.
WORDS = {
    PAUSE: "pause",
    RESUME: "go on",
    STOP: "stop",
    OrderKind.RAISE_URL: "fetch soon",
    OrderKind.DROP_URL: "never fetch",
    OrderKind.RAISE_HOST: "crawl more of",
    OrderKind.DENY_HOST: "deny",
    OrderKind.ALLOW_HOST: "allow again",
    OrderKind.TRUST_HOST: "trust",
    OrderKind.BUDGET: "budget",
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
    said = as_asked(kind, argument, value)
    if said is None:
        if kind == OrderKind.BUDGET:
            raise FocusedError("Budget: give a number of pages, of hours, or both; 0 is no limit.")
        wanted = "http(s) URL" if kind in OF_URL else "host name such as example.com"
        raise FocusedError(f"{plain(argument.strip(), 200)!r} is no {wanted}.")
    return kind, *said


def _kept(asked: Sequence[Asked], topic: Topic) -> list[str]:
    done = [(one.kind, one.argument, one.value) for one in reversed(asked) if one.state == DONE]
    return topic_lines(done, topic.as_dict())

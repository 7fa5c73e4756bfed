"""What a person may ask of a crawl on the pages, how it is said in words, and what a topic file needs to keep it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pydantic import TypeAdapter, ValidationError

from focused.dashboard.served import Shown
from focused.dashboard.standing import Standing
from focused.exceptions import FocusedError
from focused.reading.plain_text import plain
from focused.storage.desk import DONE, KINDS, REFUSED, Asked, Desk
from focused.topic.topic import Budget, HostName, Topic, http_url

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
LIMITS = ("pages", "hours")  #: of a budget that a person may change


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
        asked = Desk(shown.folder).commands()
    except FocusedError as error:
        return Steering(stands.running, stands.paused, stands.topic.budget, (), (), str(error))
    return Steering(stands.running, stands.paused, stands.topic.budget, asked[:ASKED], list(lines(asked, stands.topic)))


def order(kind: str, argument: str, value: str) -> tuple[str, str, str]:
    """The command that a form asks for, in the spelling of the desk. Raises FocusedError for one that makes no sense."""
    argument, value = argument.strip(), value.strip()
    if kind not in KINDS:
        raise FocusedError(f"There is no command {plain(kind, 20)!r}. Commands are {', '.join(KINDS)}.")
    try:
        if kind.endswith("_url"):
            return kind, http_url(argument), ""
        if kind.endswith("_host"):
            return kind, TypeAdapter(HostName).validate_python(argument), ""
    except (ValidationError, ValueError) as error:
        why = error.errors()[0]["msg"].removeprefix("Value error, ") if isinstance(error, ValidationError) else error
        raise FocusedError(f"{WORDS[kind]}: {plain(str(why), 300)}.") from None
    return kind, "", _budget(value) if kind == "budget" else ""


def lines(asked: Sequence[Asked], topic: Topic) -> Iterator[str]:
    """Lines of a topic file that do what the crawl was asked to and did, oldest first, where the topic does not say so already."""
    denied = dict.fromkeys(topic.scope.denied_hosts)
    budget: dict[str, str] = {}
    for one in reversed([one for one in asked if one.state == DONE]):
        if one.kind == "deny_host":
            denied[one.argument] = None
        elif one.kind == "allow_host":
            denied.pop(one.argument, None)
        elif one.kind == "budget":
            budget |= dict(part.split("=", 1) for part in one.value.split() if "=" in part)
    if tuple(denied) != topic.scope.denied_hosts:
        yield "[scope]"
        yield f"denied_hosts = {json.dumps(list(denied))}"
    if changed := {name: text for name, text in budget.items() if getattr(topic.budget, name, None) != float(text)}:
        yield "[budget]"
        yield from (f"{name} = {text}" for name, text in changed.items())


def _budget(text: str) -> str:
    """A budget as the desk has it: ``pages=500 hours=2``."""
    given = dict(part.partition("=")[::2] for part in text.split())
    if not given or given.keys() - set(LIMITS):
        raise FocusedError("Budget: give a number of pages, of hours, or both; 0 is no limit.")
    for name, number in given.items():
        try:
            Budget.model_validate({name: number})
        except ValidationError:
            raise FocusedError(f"Budget: {plain(number, 20)!r} is no number of {name}; 0 is no limit.") from None
    return " ".join(f"{name}={number}" for name, number in given.items())

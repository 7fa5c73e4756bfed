"""Takes the commands of people to a running crawl from its desk, and writes down what became of each.

The crawl looks at the desk at each commit. Commands about URLs and hosts become events of the core; the driver does the others.
"""

from __future__ import annotations

import logging
from collections.abc import Callable

from focused.collection.desk import DONE, OF_RUN, PAUSE, REFUSED, RESUME, STOP, Desk, Stamp, SteeringCommand
from focused.collection.sqlite_errors import BusyError
from focused.crawl.budget import Stop
from focused.crawl.events import OrderGiven
from focused.crawl.standing_orders import (
    LIMITS,
    PAGES_OF_HOST,
    Order,
    OrderKind,
    as_text,
    limits_in,
)
from focused.exceptions import StorageError
from focused.live.event_sink import EventSink
from focused.live.lessons import Verdicts
from focused.page.urls import UrlRules, host_of

logger = logging.getLogger(__name__)

OF_URL = (OrderKind.RAISE_URL, OrderKind.DROP_URL)  #: commands about a URL
#: commands about a host
OF_HOST = (OrderKind.RAISE_HOST, OrderKind.DENY_HOST, OrderKind.ALLOW_HOST, OrderKind.TRUST_HOST)
STOPPED = Stop("stopped_by_person", "stopped by a person")
LOCK_SECONDS = 0.02  #: to wait for a desk that another process writes to: the crawl stands still meanwhile
BEFORE = "it was asked before this run began"


class Orders:
    """The commands for one run of a crawl.

    denied : called when a person denies a host

    Attributes
    ----------
    paused : the crawl fetches nothing new for now
    stopping : the run ends with the requests under way
    """

    def __init__(
        self, desk: Desk, sink: EventSink, rules: UrlRules, verdicts: Verdicts, denied: Callable[[], None]
    ) -> None:
        self._verdicts, self._denied = verdicts, denied
        self._desk, self._sink, self._rules = desk, sink, rules
        self._crawl, self._journal = sink.crawl, sink.journal
        self.paused = self.stopping = False
        self._seen: Stamp | None = None
        self._is_first = True
        self._answers: dict[int, tuple[int, str, str]] = {}  # by command: its event, state, and answer
        self._warned = ""

    def take(self) -> None:
        """Follow new commands, and learn from new verdicts. Costs one look at the file if there are none."""
        self._look()
        self._verdicts.take()

    def _look(self) -> None:
        first, self._is_first = self._is_first, False
        stamp = self._desk.stamp()
        if stamp == self._seen:
            return
        try:
            waiting = self._desk.waiting()
            self._verdicts.look()
        except BusyError:
            self._is_first = first
            return  # at the next commit
        except StorageError as error:
            self._seen = stamp
            self._warn(error)
            return
        self._seen = stamp
        for asked in waiting:
            if asked.id not in self._answers:
                self._answers[asked.id] = self._follow(asked, first)

    def answer(self) -> None:
        """Write to the desk what became of commands whose events are on disk."""
        safe = {
            number: (state, answer)
            for number, (event, state, answer) in self._answers.items()
            if event <= self._journal.store.committed
        }
        if not safe:
            return
        try:
            self._desk.taken(safe)
        except BusyError:
            return
        except StorageError as error:
            self._warn(error)
            return
        for number in safe:
            del self._answers[number]

    def _follow(self, asked: SteeringCommand, first: bool) -> tuple[int, str, str]:
        """Follow a command; return its event, state and answer. ``first``: it waited when the run began."""
        if asked.kind in OF_RUN:
            why = BEFORE if first else self._drive(asked.kind)
            return 0, REFUSED if why else DONE, why
        if self._journal.store.execute("SELECT 1 FROM steering WHERE desk = ?", (asked.id,)).fetchone():
            return 0, DONE, "done before the crawl was cut off"
        order, why = self._order(asked)
        if order is None or (why := self._crawl.steering.against(order)):
            logger.info("A person asked: %s: refused: %s", in_words(asked), why)
            return 0, REFUSED, why
        drops = self._sink.apply(OrderGiven(order, asked.id)).drops
        if order.kind == OrderKind.DENY_HOST:
            self._denied()
        logger.info("A person asked: %s", in_words(asked))
        return self._crawl.events, DONE, self._told(order, len(drops))

    def _drive(self, kind: str) -> str:
        """Pause, go on or stop; return why this is refused, or the empty string."""
        if kind == PAUSE and self.paused:
            return "it is paused already"
        if kind == RESUME and not self.paused:
            return "it is not paused"
        if kind == PAUSE and not self.stopping:
            self._journal.run.pause()
            logger.info(
                "Paused by a person: what is under way comes to its end, nothing new is fetched until they say so"
            )
        elif kind in (RESUME, STOP):
            self._journal.run.go_on()
            logger.info("Going on, as a person asked" if kind == RESUME else "Stopping, as a person asked")
        self.stopping |= kind == STOP
        self.paused = kind == PAUSE and not self.stopping
        return "it is stopping" if kind == PAUSE and self.stopping else ""

    def _order(self, asked: SteeringCommand) -> tuple[Order | None, str]:
        """The order for the core, or None and why the command makes no sense."""
        if asked.kind in OF_URL:
            canonical = self._rules.canonical(asked.argument)
            if canonical is None:
                return None, "it is no http(s) URL"
            return Order(asked.kind, self._rules.address(canonical)), ""
        if asked.kind in OF_HOST:
            host = host_named(asked.argument, self._rules)
            return (Order(asked.kind, argument=host), "") if host else (None, "it is no host name such as example.com")
        if asked.kind == OrderKind.BUDGET:
            of_topic = self._crawl.topic.budget
            before = as_text({name: kind(getattr(of_topic, name)) for name, kind in LIMITS.items()})
            limits = limits_in(asked.value or asked.argument)
            value = as_text(limits) if limits else asked.value
            return Order(asked.kind, argument=before, value=value), ""
        return None, "this release knows no such command"

    def _told(self, order: Order, dropped: int) -> str:
        """What an order did, in words for a person."""
        match order.kind:
            case OrderKind.RAISE_URL:
                return "it comes next, as soon as its host may be asked"
            case OrderKind.DROP_URL:
                return "it will not be fetched"
            case OrderKind.RAISE_HOST:
                return f"its next {PAGES_OF_HOST} pages go before those of other hosts"
            case OrderKind.DENY_HOST:
                urls = "URL" if dropped == 1 else "URLs"
                return f"nothing new is fetched there, what is under way comes to its end; {dropped:,} {urls} dropped"
            case OrderKind.ALLOW_HOST:
                return "links to it are followed again; what was dropped comes back when it is found again"
            case OrderKind.TRUST_HOST:
                return "its domain never lets others go first, and nobody is warned of it"
        return f"the budget is now {order.value}, until the topic says something else than it says now"

    def _warn(self, error: StorageError) -> None:
        """Log once what is wrong with the desk; the crawl goes on without it."""
        if str(error) != self._warned:
            self._warned = str(error)
            logger.warning("What people ask of this crawl cannot be read or answered: %s", error)


def as_asked(kind: str, argument: str, value: str) -> tuple[str, str] | None:
    """Argument and value of a command as the desk spells them; None if they make no sense for this kind of command."""
    argument, rules = argument.strip(), UrlRules()
    if kind in OF_URL:
        return (argument, "") if rules.canonical(argument) else None
    if kind in OF_HOST:
        host = host_named(argument, rules)
        return (host, "") if host else None
    if kind == OrderKind.BUDGET:
        limits = limits_in(value)
        return ("", as_text(limits)) if limits else None
    return "", ""


def host_named(text: str, rules: UrlRules) -> str:
    """The host that a person means by a name or a URL; empty if it is neither."""
    text = text.strip()
    canonical = rules.canonical(text if "://" in text else f"http://{text}/")
    return host_of(canonical) if canonical and text else ""


def in_words(asked: SteeringCommand) -> str:
    """A command as a person would type it."""
    return " ".join(part for part in (asked.kind.replace("_", " "), asked.argument, asked.value) if part)

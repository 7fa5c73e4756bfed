"""How a collection stands by what crawl.db says, what a person should look at, and what may be asked of its crawl."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import numpy as np

from focused.collection.desk import DONE, KINDS, PAUSE, REFUSED, RESUME, STOP, SteeringCommand
from focused.collection.store import Store
from focused.crawl.arrays import BoolArray, FloatArray
from focused.crawl.budget import SLIDING
from focused.crawl.standing_orders import LIMITS, OrderKind
from focused.desk.dashboard.figures import Numbers, seconds_of
from focused.desk.dashboard.served import Shown
from focused.exceptions import FocusedError
from focused.explain.harvest_watch import Share, fall_of, harvest_share
from focused.explain.plain_output import in_words
from focused.explain.topic_list import topic_lines
from focused.live.last_run import topic_of_last_run
from focused.live.orders import OF_URL, as_asked
from focused.page.plain_text import plain
from focused.topic.topic import Budget, Topic

POINTS = 400  #: of a curve: a picture is no wider
PACE_PAGES = 200  #: whose times tell the pace of a crawl
CROWDED = 0.5  #: share of the last 200 pages that one verdict or host must have to be warned of
RECENT = 200  #: pages that warnings look at
MOST_NAMED = 3  #: hosts
_VERDICTS = """
SELECT verdict, count(*) FROM (SELECT verdict FROM fetches WHERE outcome = 'page' ORDER BY seq DESC LIMIT ?)
WHERE verdict IS NOT NULL GROUP BY verdict ORDER BY 2 DESC
"""
_TOO_BUSY = "SELECT host, not_before FROM manners WHERE not_before > ? ORDER BY not_before DESC"
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
class CollectionStatus:
    """One collection at one moment."""

    name: str
    running: bool
    reason: str  #: why the last run ended, as a sentence; of a running one empty
    started: str  #: the last run
    ended: str  #: empty while it runs
    seconds: float  #: of crawling, all runs together
    numbers: Numbers
    topic: Topic
    status: dict[str, Any]  #: what the crawl itself said at its last commit, see the column ``status``

    @property
    def waiting(self) -> int | None:
        """URLs in the queue; None: not known."""
        return self.status.get("waiting")

    @property
    def paused(self) -> bool:
        """Whether a person has told the crawl that runs to pause."""
        return self.running and bool(self.status.get("paused"))

    @property
    def budget(self) -> Budget:
        """What holds by now: that of the topic, or what a person put in its place."""
        now = self.status.get("budget")
        now = now if isinstance(now, dict) else {}
        known = {name: now[name] for name in LIMITS if isinstance(now.get(name), int | float)}
        return self.topic.budget.model_copy(update=known)

    @property
    def last(self) -> Share | None:
        """Harvest of the last 200 pages with its interval; None without a page."""
        recent = self.numbers.pages.relevant[-SLIDING:]
        return harvest_share(recent) if len(recent) else None

    @property
    def pace(self) -> float:
        """Pages a second by the times of the last pages of this run; 0: not known, or paused."""
        times = self.numbers.pages.time[-PACE_PAGES:]
        times = times[times >= seconds_of(self.started)]
        if self.paused or not len(times):
            return 0.0
        until = datetime.now(UTC).timestamp() if self.running else float(times[-1])
        return (len(times) - 1) / (until - float(times[0])) if until > times[0] else 0.0

    @property
    def done(self) -> float | None:
        """Share of the budget that is spent, in [0, 1]; None without a budget."""
        budget = self.budget
        shares = [self.numbers.fetched / budget.pages] if budget.pages else []
        shares += [self.seconds / (budget.hours * 3600)] if budget.hours else []
        return min(1.0, max(shares)) if shares else None

    @property
    def seconds_left(self) -> float | None:
        """Until the budget is spent at this pace; None: it does not run, or nobody can tell."""
        budget = self.budget
        if not self.running:
            return None
        left = [max(0, budget.pages - self.numbers.fetched) / self.pace] if budget.pages and self.pace else []
        left += [max(0.0, budget.hours * 3600 - self.seconds)] if budget.hours else []
        return min(left) if left else None


def standing(shown: Shown, store: Store) -> CollectionStatus:
    """How a collection stands by its database. Raises StorageError."""
    started, ended, reason, status = store.execute(
        "SELECT started, ended, reason, status FROM runs ORDER BY id DESC LIMIT 1"
    ).fetchone() or ("", "", "", None)
    seconds = store.execute("SELECT coalesce(sum(seconds), 0) FROM runs").fetchone()[0]
    running = shown.is_running and not ended
    return CollectionStatus(
        shown.name,
        running,
        "" if running else (reason or ("cut off" if not ended else "")),
        started or "",
        ended or "",
        float(seconds),
        shown.figures.numbers(store),
        topic_of_last_run(store),
        _object(status),
    )


def tiles(stands: CollectionStatus) -> dict[str, str]:
    """The figures that stand above all else, by their names: the same on the page and in what a running crawl sends."""
    numbers, last = stands.numbers, stands.last
    left = stands.seconds_left
    return {
        "pages": f"{len(numbers.pages):,}",
        "relevant": f"{numbers.relevant:,}",
        "harvest": f"{numbers.harvest:.0%}",
        "last": last.in_short() if last else "–",
        "waiting": "–" if stands.waiting is None else f"{stands.waiting:,}",
        "hosts": f"{numbers.hosts_with_pages:,}",
        "failures": f"{numbers.failures:,}",
        "pace": f"{stands.pace:.1f}/s" if stands.running and stands.pace else "–",
        "left": in_words(left) if left is not None else "–",
    }


def curve(relevant: BoolArray, points: int = POINTS) -> tuple[list[int], list[float], list[float]]:
    """Pages fetched, harvest rate of all so far, and of the last 200: at most so many points, the last one among them."""
    count = len(relevant)
    if not count:
        return [], [], []
    at = np.unique(np.linspace(1, count, min(points, count)).round().astype(np.int64))
    total = np.concatenate([[0], np.cumsum(relevant)])
    start = np.maximum(at - SLIDING, 0)
    return at.tolist(), _rounded(total[at] / at), _rounded((total[at] - total[start]) / (at - start))


def sparkline(relevant: BoolArray, width: int = 120, height: int = 28, points: int = 60) -> str:
    """Points of an SVG polyline: the harvest rate of the last 200 pages from the first page to the last."""
    pages, _, sliding = curve(relevant, points)
    most = max(1, pages[-1] if pages else 1)
    return " ".join(
        f"{page / most * width:.1f},{height - 1 - share * (height - 2):.1f}"
        for page, share in zip(pages, sliding, strict=True)
    )


def _rounded(shares: FloatArray) -> list[float]:
    return [round(share, 4) for share in shares.tolist()]


def _object(text: str | None) -> dict[str, Any]:
    """A JSON object; empty where there is none."""
    try:
        value = json.loads(text or "{}")
    except ValueError:
        return {}
    return value if isinstance(value, dict) else {}


def warnings(store: Store, stands: CollectionStatus) -> Iterator[str]:
    """What a person should look at, in words."""
    if fall := fall_of(stands.numbers.pages.relevant):
        yield fall.warning_of(stands.name)
    if unstored := stands.numbers.unstored:
        yield f"{unstored:,} more pages were fetched that the item pipelines of the project have not stored."
    if len(stands.numbers.pages) >= RECENT:
        yield from _nothing_new(store)
        yield from _one_host(stands)
    if stands.running:
        yield from _too_busy(store)


def _nothing_new(store: Store) -> Iterator[str]:
    for verdict, count in store.execute(_VERDICTS, (RECENT,)).fetchall():
        if count >= CROWDED * RECENT:
            yield (
                f"{count:,} of the last {RECENT:,} pages bring nothing new ({verdict}): a trap, or a farm of copies. "
                "Deny the host, if it is one."
            )


def _one_host(stands: CollectionStatus) -> Iterator[str]:
    numbers, relevant = stands.numbers, stands.numbers.pages.relevant[-RECENT:]
    recent = numbers.pages.host[-RECENT:]
    hosts, counts = np.unique(recent, return_counts=True)
    top = int(np.argmax(counts))
    if counts[top] >= CROWDED * RECENT and len(numbers.hosts) > 1:
        yield (
            f"{numbers.hosts[int(hosts[top])]} has {counts[top]:,} of the last {RECENT:,} pages; the crawl's own page model calls "
            f"{relevant[recent == hosts[top]].mean():.0%} of them relevant. Look at a few: a trap can be made of the topic's words."
        )


def _too_busy(store: Store) -> Iterator[str]:
    busy = store.execute(_TOO_BUSY, (datetime.now(UTC).isoformat(timespec="seconds"),)).fetchall()
    if busy:
        more = f" and {len(busy) - MOST_NAMED:,} more" if len(busy) > MOST_NAMED else ""
        named = ", ".join(f"{host} until {until[11:16]} UTC" for host, until in busy[:MOST_NAMED])
        yield f"Too busy to answer, and left alone: {named}{more}."


@dataclass(frozen=True, slots=True)
class Steering:
    """What the controls of one collection show.

    asked : the newest commands, newest first
    keep : lines of a topic file that make later crawls do the same
    trouble : why nothing can be asked; empty where it can
    """

    asked: Sequence[SteeringCommand]
    keep: Sequence[str] = ()
    trouble: str = ""

    @property
    def waits(self) -> bool:
        """Whether a running crawl is to answer soon."""
        return any(one.state not in (DONE, REFUSED) for one in self.asked)

    def ends(self, run: str) -> bool:
        """Whether the run that began at this time was told to stop last."""
        return (
            bool(self.asked) and self.asked[0].kind == STOP and seconds_of(self.asked[0].time) >= int(seconds_of(run))
        )


def steering(shown: Shown, topic: Topic) -> Steering:
    try:
        asked = shown.desk.commands()
    except FocusedError as error:
        return Steering((), trouble=str(error))
    done = [(one.kind, one.argument, one.value) for one in reversed(asked) if one.state == DONE]
    return Steering(asked[:ASKED], list(topic_lines(done, topic.as_dict())))


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

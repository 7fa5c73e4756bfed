"""What happens to a crawl, as data: an event says what came, an outcome what it changed.

The same events in the same order lead to the same state, live or simulated. A driver makes events, `Crawl.apply` takes them in, and
the journal records events and outcomes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from focused.crawl.admission import Drop
from focused.crawl.arrays import FloatArray
from focused.crawl.standing_orders import Order
from focused.crawl.strategy import Visit
from focused.crawl.teaching import Lesson
from focused.crawl.url_table import NewUrl
from focused.page.link_lists import LINK_LISTS
from focused.page.page import Page
from focused.page.urls import Address


@dataclass(slots=True, frozen=True)
class Event:
    """Something that happens to a crawl."""


@dataclass(slots=True, frozen=True)
class Started(Event):
    """The crawl begins, or goes on, from seeds; those already known are not fetched again."""

    seeds: Sequence[Address]


@dataclass(slots=True, frozen=True)
class Requested(Event):
    """The user's own code asks for a URL, which waits whatever the scope says.

    score : finite
    saved : what rebuilds the request after a restart
    """

    address: Address
    score: float
    saved: str | None = None


@dataclass(slots=True, frozen=True)
class Picked(Event):
    """A URL is to be fetched next.

    passed_over : score of the best URL that could have been taken, where another was preferred; not known in a replay
    """

    url: int
    passed_over: float | None = None


@dataclass(slots=True, frozen=True)
class PickEnded(Event):
    """A pick has come to its end; ``url`` is the id of the URL that was picked."""

    url: int


@dataclass(slots=True, frozen=True)
class PageArrived(PickEnded):
    """A page came, or a list, which gives the crawl only its links; ``size`` is the length of the body in bytes."""

    page: Page
    size: int


@dataclass(slots=True, frozen=True)
class Failed(PickEnded):
    """No page came, for whatever reason; the URL is not tried again.

    status : of HTTP
    silent : its host gave no answer. After several of these in a row the crawl gives the host up.
    """

    reason: str = ""
    status: int | None = None
    silent: bool = False


@dataclass(slots=True, frozen=True)
class NoList(Failed):
    """A URL that was fetched as a list gave none; this does not count as a failure."""


@dataclass(slots=True, frozen=True)
class Aliased(PickEnded):
    """A pick redirects to a URL that is known already; one that still waits gets the better score of the two."""

    target: Address
    reason: str = ""
    status: int | None = None


@dataclass(slots=True, frozen=True)
class ProbeAnswered(PickEnded):
    """A host has answered a probe, which asks for a page that cannot exist: with a page (its soft 404), or with none and why."""

    page: Page | None
    reason: str = ""
    status: int | None = None


@dataclass(slots=True, frozen=True)
class AskedAgain(PickEnded):
    """A page fetched long ago was re-fetched. The request is no event; its answer is."""


@dataclass(slots=True, frozen=True)
class PageChanged(AskedAgain):
    """The page has changed. The crawl follows only links that no event named before."""

    page: Page


@dataclass(slots=True, frozen=True)
class PageUnchanged(AskedAgain):
    """The page says what it said, is gone, or gave no answer this time.

    outcome : which of these, in the words of the history
    """

    outcome: str = ""
    reason: str = ""
    status: int | None = None
    silent: bool = False


@dataclass(slots=True, frozen=True)
class BacklinksNamed(Event):
    """A provider has named pages that link to a URL, as the strategy asked; the pages may be new.

    Backlinks that the strategy scores may wait if the scope allows them, as if they were one link away from the URL.
    """

    url: int
    backlinks: Sequence[Address]


@dataclass(slots=True, frozen=True)
class OrderGiven(Event):
    """A person asks something of the crawl; see `StandingOrders.against` for what cannot be followed.

    desk : number of the command
    """

    order: Order
    desk: int = 0


@dataclass(slots=True, frozen=True)
class VerdictGiven(Event):
    """A person says of a page that was fetched whether it is on topic, or (``said`` is None) takes back what was said.

    page : None if it cannot be read any more; then nothing is learned
    text : the URL, as the person gave it
    desk : number of the verdict
    """

    url: int
    page: Page | None
    said: bool | None
    text: str = ""
    desk: int = 0


@dataclass(slots=True, frozen=True)
class Pick:
    """A URL to be fetched next, and why: its score when chosen and the parts that made it."""

    event: int  #: its number
    id: int
    host: int
    score: float
    parts: tuple[float, ...]
    source: int  #: id of the page it was found on, NO_SOURCE for a seed
    depth: int
    #: Score of the best URL that could have been taken, where the strategy preferred this one; not known after a replay.
    passed_over: float | None = None


@dataclass(slots=True)
class Arrival:
    """What the arrival of a page or a list of links changed."""

    visit: Visit
    scores: FloatArray  #: (n,) the score each link was given, NaN if it was not followed
    duplicate_of: int | None = None  #: id of an earlier page that this one copies

    @property
    def is_list(self) -> bool:
        """Whether a list of links came, which counts as no page."""
        return self.visit.kind in LINK_LISTS


@dataclass(slots=True)
class Outcome:
    """What an event changed: the journal records it beside the event, and the driver goes on from it.

    seq : number of the event, its position in the journal
    pick : the one that began or ended
    arrival : what a page or a list changed
    urls : ids of the URLs that the event named, in its order
    drops : URLs that may not wait, or wait no more, and why
    lesson : what the teacher learned from all verdicts, if it was time to learn
    new_urls : URLs that got an id since the event before
    """

    seq: int
    pick: Pick | None = None
    arrival: Arrival | None = None
    urls: list[int] = field(default_factory=list)
    drops: list[Drop] = field(default_factory=list)
    lesson: Lesson | None = None
    new_urls: list[NewUrl] = field(default_factory=list)

    @property
    def picked(self) -> Pick:
        """The pick of an event that began or ended one."""
        assert self.pick is not None
        return self.pick

    @property
    def arrived(self) -> Arrival:
        """What a page or a list changed, of an event that brought one."""
        assert self.arrival is not None
        return self.arrival

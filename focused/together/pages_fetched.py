"""Pages that one topic has fetched, for the others of the process: each page is asked for once and judged by all.

A topic takes a page over at once where its own page model finds it relevant and nothing bars it: it is picked before its turn.
Any other page is remembered by where it is kept, so that a topic that picks it later in this run gets it from there.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Any

from focused.collection.repository import Place, Stored
from focused.crawl.crawl import Pick
from focused.exceptions import StorageError
from focused.live.rendering_outcome import Outcome
from focused.live.session import Session
from focused.live.shared_run import Fetched
from focused.page.page import Page
from focused.page.reader import Reader

MOST_PLACES = 200_000  #: pages that are remembered by where they are kept; those fetched longest ago go first
MOST_ON_THEIR_WAY = 50  #: pages that are remembered in memory until the pipelines have kept them
MOST_OFFERED = 20  #: pages that wait in memory to be taken over by a topic; others wait in its frontier


class Taker:
    """What one topic of several takes over.

    session : of the topic
    awake : lets its driver look whether there is something to take over
    """

    def __init__(self, session: Session, awake: Callable[[], None]) -> None:
        self.session, self._awake = session, awake
        self._offered: deque[tuple[int, Fetched]] = deque(maxlen=MOST_OFFERED)

    @property
    def has_room(self) -> bool:
        """Whether the topic may take anything over now."""
        session = self.session
        return not (session.error or session.ended or session.orders.paused or session.crawl.budget_is_taken)

    def offer(self, fetched: Fetched) -> None:
        """Let the topic judge a page. A bug in its strategy ends that topic alone, and is told."""
        session = self.session
        try:
            url = session.wants(fetched.page)
        except Exception:
            return
        if url is not None and url not in session.own_requests:
            self._offered.append((url, fetched))
            self._awake()

    def next(self) -> tuple[Pick, Fetched] | None:
        """The next page to take over, which is picked by this; None where there is none, or none may be taken now."""
        while self._offered:
            url, fetched = self._offered.popleft()
            if (pick := self.session.take(url)) is not None:
                return pick, fetched
        return None


class PagesFetched:
    """What all topics of a process have fetched in this run."""

    def __init__(self) -> None:
        self._takers: list[Taker] = []
        self._places: dict[int, tuple[Session, Place]] = {}  # by the key of the page
        self._on_their_way: dict[int, tuple[Session, Fetched]] = {}  # to the collection of the topic that fetched them

    def join(self, session: Session, awake: Callable[[], None]) -> Taker:
        self._takers.append(Taker(session, awake))
        return self._takers[-1]

    def leave(self, session: Session) -> None:
        self._takers = [taker for taker in self._takers if taker.session is not session]

    def arrived(self, owner: Session, fetched: Fetched, content_type: str, robots_tag: str) -> None:
        """Offer a page that a server has just sent to all other topics; it is read again only where one reads otherwise."""
        self._on_their_way[fetched.page.key] = owner, fetched
        _forget_oldest(self._on_their_way, MOST_ON_THEIR_WAY)
        read: list[tuple[Reader, Page | None]] = [(owner.reader, fetched.page)]
        for taker in self._takers:
            if taker.session is owner or not _render_alike(taker.session, owner) or not taker.has_room:
                continue
            with taker.session.cpu:
                page = _page_for(taker.session.reader, read, fetched.stored, content_type, robots_tag)
                if page is not None:
                    taker.offer(fetched if page is fetched.page else Fetched(fetched.stored, page, fetched.rendering))

    def kept(self, owner: Session, key: int, place: Place) -> None:
        """Remember where the page of a key is kept, which is no rendered one."""
        self._places[key] = owner, place
        _forget_oldest(self._places, MOST_PLACES)
        self._on_their_way.pop(key, None)

    def find(self, session: Session, key: int) -> Fetched | None:
        """The page of a key for a topic, where another has fetched it in this run and its bytes are still there."""
        owner, known = self._on_their_way.get(key) or self._places.get(key) or (session, None)
        if known is None or owner is session or not _render_alike(owner, session):
            return None
        try:
            fetched = known if isinstance(known, Fetched) else _read_again(owner.repository.get(known), session.reader)
        except StorageError:
            return None
        if fetched is known and not session.reader.reads_like(owner.reader):
            fetched = _read_again(known.stored, session.reader, known.rendering)
        if fetched is None or fetched.page.key != key or session.crawl.bars_type(fetched.page.content_type):
            return None
        return fetched


def _read_again(stored: Stored, reader: Reader, rendering: Outcome | None = None) -> Fetched | None:
    page = reader.read(stored.url, stored.body, stored.content_type, stored.header("X-Robots-Tag"))
    return Fetched(stored, page, rendering) if isinstance(page, Page) else None


def _forget_oldest(remembered: dict[int, Any], most: int) -> None:
    if len(remembered) > most:
        del remembered[next(iter(remembered))]


def _render_alike(one: Session, other: Session) -> bool:
    """Whether what a browser made of a page for one topic is what the other would get."""
    return one.topic.rendering.mode == other.topic.rendering.mode


def _page_for(
    reader: Reader, read: list[tuple[Reader, Page | None]], stored: Stored, content_type: str, robots_tag: str
) -> Page | None:
    """A page as a topic reads it; ``read`` holds how others have, and is added to."""
    for other, page in read:
        if reader.reads_like(other):
            return page
    made = reader.read(stored.url, stored.body, content_type, robots_tag)
    read.append((reader, made if isinstance(made, Page) else None))
    return read[-1][1]

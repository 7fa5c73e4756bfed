"""Which links of a page may be looked at before a person clicks them, the most promising first."""

from __future__ import annotations

import re
from collections import OrderedDict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import unquote

import numpy as np

from focused.crawl.arrays import FloatArray
from focused.desk.agent.interest import Interest, Matter, likeness, shared, vector
from focused.page.page import Page
from focused.page.plain_text import plain
from focused.page.urls import host_of
from focused.scorers.similarity import anchor_similarities, query_length, query_weights

PER_PAGE = 8  #: links of a page that are looked at
ANCHOR = 0.7  #: share of a link's words in its promise; the rest is that of the text around it
LONGEST_ANCHOR = 200
#: Parts of paths that do something when they are asked for, or are meant for one person; and names of parameters that do.
_DOES = frozenset((
    "accept", "activate", "add-to-cart", "admin", "approve", "basket", "buy", "cancel", "cart", "checkout", "confirm", "decline",
    "delete", "edit", "follow", "invite", "like", "log-in", "log-out", "login", "logoff", "logon", "logout", "order", "pay",
    "payment", "register", "remove", "reset", "reset-password", "sign-in", "sign-out", "sign-up", "signin", "signout", "signup",
    "subscribe", "unsubscribe", "verify", "vote", "wp-admin",
))  # fmt: skip
_MEANT_FOR_ONE = frozenset((
    "access_token", "action", "apikey", "auth", "cmd", "code", "do", "key", "nonce", "op", "otp", "password", "secret",
    "session", "sid", "signature", "token",
))  # fmt: skip
_PARAMETERS = re.compile(r"[&;]")
MOST_AHEAD = 400  #: pages that are remembered; the oldest go
MOST_SUGGESTIONS = 10
LEAST_LIKE = 0.05  #: cosine under which a page is not worth a person's time
REASONS = 3  #: words of a reason


@dataclass(frozen=True, slots=True)
class Ahead:
    """A link that is to be looked at."""

    url: str
    host: str
    anchor: str  #: its words
    source: str  #: URL of the page that it stands on
    source_title: str
    hops: int = 0  #: redirects that led to it


def links_ahead(page: Page, interest: Interest, may_ask: Callable[[str, str], bool]) -> list[Ahead]:
    """The links of a page that are looked at, at most `PER_PAGE`; none of a page that says nofollow.

    interest : without a word all links promise the same, and come in page order
    may_ask : told URL and host of a link: whether it is in scope, and nobody has looked at it yet
    """
    if page.nofollow or not page.links:
        return []
    promises, seen, chosen = _promises(page, interest), {page.key}, list[Ahead]()
    for position in np.argsort(-promises, kind="stable").tolist():
        link = page.links[position]
        if link.nofollow or link.key in seen:
            continue
        seen.add(link.key)
        if does_something(link.url) or not may_ask(link.url, link.host):
            continue
        anchor = max((one.anchor for one in page.links if one.key == link.key), key=len)
        chosen.append(Ahead(link.url, link.host, plain(anchor, LONGEST_ANCHOR), page.url, page.title))
        if len(chosen) == PER_PAGE:
            break
    return chosen


def does_something(url: str) -> bool:
    """Whether a URL looks as if asking for it did something, or as if it were meant for one person."""
    path, _, query = url.partition("://")[2].partition("/")[2].partition("?")
    parts = {unquote(part).lower().partition(".")[0].replace("_", "-") for part in path.split("/")}
    names = {unquote(pair.partition("=")[0]).lower() for pair in _PARAMETERS.split(query)}
    return bool(parts & _DOES or names & (_DOES | _MEANT_FOR_ONE))


def _promises(page: Page, interest: Interest) -> FloatArray:
    """(n,) how much the words of the n links, and those around them, are like an interest, in [0, 1]."""
    length = query_length(interest)
    before = np.concatenate(([0.0], np.cumsum(query_weights(interest, page.terms))))
    around = np.array([before[link.context_end] - before[link.context_start] for link in page.links])
    norms = np.array([link.context_norm for link in page.links]) * length
    contexts: FloatArray = np.divide(around, norms, out=np.zeros(len(around)), where=norms > 0).clip(0.0, 1.0)
    return ANCHOR * anchor_similarities(interest, page) + (1.0 - ANCHOR) * contexts


@dataclass(frozen=True, slots=True)
class Seen:
    """A page ahead; ``found`` is when, in seconds since 1970."""

    url: str
    link: Ahead
    title: str
    matter: Matter
    found: float


class PagesAhead:
    """The newest of them."""

    def __init__(self) -> None:
        self._pages: OrderedDict[str, Seen] = OrderedDict()

    def __len__(self) -> int:
        return len(self._pages)

    def add(self, seen: Seen) -> None:
        self._pages[seen.url] = seen
        while len(self._pages) > MOST_AHEAD:
            self._pages.popitem(last=False)

    def remove(self, url: str) -> None:
        """A page is none that lies ahead any more."""
        self._pages.pop(url, None)

    def forget(self, which: Callable[[Seen], bool]) -> None:
        self._pages = OrderedDict((url, seen) for url, seen in self._pages.items() if not which(seen))

    def suggestions(
        self, interest: Interest, rarity: Callable[[str], float], read: Iterable[tuple[str, Matter]], here: str
    ) -> list[dict[str, Any]]:
        """The pages that are like an interest, the best first, as the extension shows them.

        rarity : of words
        read : URLs and matter of what was read, which is not suggested, nor are copies of it
        here : URL of the page that the person sees; links that stand there say so
        """
        urls, said = set[str](), set[frozenset[tuple[str, int]]]()
        for url, matter in read:
            urls.add(url)
            said.add(matter.fingerprint)
        pages = [(seen, vector(seen.matter.words, rarity)) for seen in self._pages.values()]
        alike = [(likeness(interest, page), seen, page) for seen, page in pages]
        found = []
        for like, seen, page in sorted(alike, key=lambda one: (-one[0], one[1].url)):
            if like >= LEAST_LIKE and seen.url not in urls and seen.matter.fingerprint not in said:
                said.add(seen.matter.fingerprint)
                found.append(_told(seen, like, shared(interest, page, REASONS), here))
        return found[:MOST_SUGGESTIONS]


def _told(seen: Seen, alike: float, words: Sequence[str], here: str) -> dict[str, Any]:
    return {
        "url": seen.url,
        "title": seen.title,
        "host": host_of(seen.url),
        "anchor": seen.link.anchor,
        "source": "" if seen.link.source == here else (seen.link.source_title or seen.link.source),
        "shares": [seen.matter.written.get(word, word) for word in words],
        "likeness": round(alike, 3),
    }

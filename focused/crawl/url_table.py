"""What the crawl remembers of every URL it has seen, in arrays by id; the text lies in the store."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import IntEnum
from typing import Any, NamedTuple

import numpy as np

from focused.crawl.arrays import IntArray
from focused.crawl.columns import Columns
from focused.crawl.hosts import Hosts
from focused.crawl.key_index import KeyIndex
from focused.page.page import Link
from focused.page.urls import Address

Named = Address | Link


class NewUrl(NamedTuple):
    """A URL that was given an id: a row of the table ``urls``."""

    id: int
    key: int
    host: int
    url: str


class UrlNaming:
    """Gives ids to URLs and collects the new ones."""

    def __init__(self, urls: UrlTable, hosts: Hosts) -> None:
        self._urls, self._hosts = urls, hosts
        self._new: list[NewUrl] = []

    def meet(self, named: Sequence[Named]) -> tuple[IntArray, list[int]]:
        """Return the ids of URLs that an event names, and the positions of those that no event named before."""
        before = len(self._urls)
        ids, unmet = self._urls.meet(np.fromiter((one.key for one in named), np.int64, len(named)))
        for position in unmet:
            self._note(int(ids[position]), named[position], before)
        return ids, unmet

    def reserve(self, named: Named) -> int:
        """Return the id of a URL that no event names yet."""
        before = len(self._urls)
        url = int(self._urls.intern(np.array([named.key]))[0])
        self._note(url, named, before)
        return url

    def drain(self) -> list[NewUrl]:
        """The URLs that got an id since the last call, in order of id."""
        new, self._new = self._new, []
        return new

    def _note(self, url: int, named: Named, before: int) -> None:
        host = self._urls.host[url] = self._hosts.intern(named.host)
        if url >= before:
            self._new.append(NewUrl(url, named.key, host, named.url))


#: Verdicts of the scope are kept as small numbers: 0 means not asked yet, 1 allowed, others are reasons to drop.
UNASKED, IN_SCOPE = 0, 1

NO_SOURCE = -1  #: a seed, or a request of the user's own: found on no page

VERDICT = "verdict"  #: name of a column


class State(IntEnum):
    """State of a URL. Only a URL that was picked counts as seen for good; others may come (back) to the frontier."""

    FREE = 0  #: never waited, or was dropped or evicted
    WAITING = 1
    PICKED = 2  #: handed out, no answer yet
    DONE = 3  #: fetched, failed, or an alias of another URL


class UrlTable:
    """Ids of URLs by key, and columns by id: host, depth, the page it was found on, state, what the scope said of it, and whatever
    the frontier and the strategy keep beside these.
    """

    def __init__(self) -> None:
        self._index = KeyIndex()
        self.columns = Columns()
        add = self.columns.add
        self.host = add("host", np.int32, -1, saved=False)  # the journal has it
        self.depth = add("depth", np.int32)  #: links from a seed on the shortest known path
        self.source = add("source", np.int32, NO_SOURCE)  #: page whose link gave the score that counts
        self.state = add("state", np.uint8, State.FREE)
        #: An event has named it; a journal that is read again makes all URLs known beforehand.
        self.met = add("met", np.bool_)
        self.verdict = add(VERDICT, np.uint8, UNASKED)  #: of the scope

    def __len__(self) -> int:
        return len(self._index)

    def find(self, key: int) -> int:
        """Return the id of a URL's key, or -1."""
        return self._index.find(key)

    def is_met(self, key: int) -> bool:
        """Whether an event has named the URL of a key."""
        url = self.find(key)
        return url >= 0 and bool(self.met[url])

    def intern(self, keys: IntArray) -> IntArray:
        """Return ids (n,) of the keys; see `KeyIndex.intern`."""
        ids, _ = self._index.intern(keys)
        self.columns.reach(len(self._index))
        return ids

    def meet(self, keys: IntArray) -> tuple[IntArray, list[int]]:
        """Return ids (n,) of the keys, and the positions of those that no event named before, in order."""
        ids = self.intern(keys)
        unmet = np.flatnonzero(~self.met[ids])
        _, first = np.unique(ids[unmet], return_index=True)  # a page may link to one several times
        self.met[ids] = True
        return ids, unmet[np.sort(first)].tolist()

    def snapshot(self) -> dict[str, Any]:
        """All columns but what a journal can tell quickly; keys and hosts are read from the store's list of URLs."""
        columns = self.columns.snapshot(len(self))
        # Reasons to drop are numbered as they come up, so a restored crawl asks the scope again.
        columns[VERDICT] = np.where(columns[VERDICT] == IN_SCOPE, IN_SCOPE, UNASKED).astype(np.uint8)
        return columns

    def restore(self, state: Mapping[str, Any]) -> None:
        """Take up what `snapshot` gave; URLs that became known later keep the state of a new one."""
        self.columns.restore(state)

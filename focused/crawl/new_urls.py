"""Gives ids to URLs and hosts, in one place, and tells which URLs are new: a journal has to write these down."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol

import numpy as np

from focused.crawl.arrays import IntArray
from focused.crawl.hosts import Hosts
from focused.crawl.url_table import UrlTable


class Named(Protocol):
    """An address, or a link to one."""

    @property
    def key(self) -> int: ...
    @property
    def host(self) -> str: ...
    @property
    def url(self) -> str: ...


class NewUrl(NamedTuple):
    """A URL that was given an id: a row of the table ``urls``."""

    id: int
    key: int
    host: int
    url: str


class UrlNaming:
    """Knows URLs by id."""

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
        """The URLs that were given an id since this was asked last, in order of id."""
        new, self._new = self._new, []
        return new

    def _note(self, url: int, named: Named, before: int) -> None:
        host = self._urls.host[url] = self._hosts.intern(named.host)
        if url >= before:
            self._new.append(NewUrl(url, named.key, host, named.url))

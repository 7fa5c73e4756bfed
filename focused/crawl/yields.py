"""Marginal yield: where pages bring nothing new any more, the crawl fetches no more of them.

Every URL lies in several *places*: its directory, the first part of its path, all URLs of its form, its host, its registered
domain, and the links to this domain from one part of the pages of a host. Each place has a budget that grows: a new page adds to
it, up to `GROWTH` times what it began with, and a page that brings nothing new takes from it. A place whose budget is spent is
closed. So one that never brings anything new is closed after a few pages, and one that does it now and then stays open.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from focused.crawl.arrays import IntArray
from focused.crawl.columns import Columns
from focused.crawl.hosts import Hosts
from focused.crawl.key_index import KeyIndex
from focused.crawl.url_forms import domain_of, form_of
from focused.crawl.url_table import UrlTable
from focused.page.urls import number_of

BLAME = -1.5  #: worth of a page that turns out to be a copy of a later one
#: Worth of a redirect to where others go first: no page was spent, but where a program makes such URLs there is no end of requests.
PUT_OFF = -0.5
GROWTH = 6.0  #: a budget grows to at most this many times what it began with

DIRECTORY, SECTION, FORM, LINKS, HOST, DOMAIN = range(6)
OF_URL, OF_HOST = (DIRECTORY, SECTION, FORM, LINKS), (HOST, DOMAIN)
#: What a person calls such a place, and what its budget begins with, in multiples of the topic's.
KINDS = (
    "its directory",
    "its part of the site",
    "URLs of its form",
    "such links of its page",
    "its host",
    "its domain",
)
BUDGETS = (0.7, 1.0, 1.0, 1.0, 1.0, 1.3)
NOWHERE = 0  #: id of a place that is never closed


class Yields:
    """The places of one crawl.

    Parameters
    ----------
    patience : pages without anything new after which a new host is closed; 0: nothing is ever closed
    urls, hosts : of the crawl

    Attributes
    ----------
    closed : places that are closed
    """

    def __init__(self, patience: int, urls: UrlTable, hosts: Hosts) -> None:
        self._on, self._budgets = patience > 0, np.array(BUDGETS) * patience
        self.closed = 0
        self._urls, self._hosts = urls, hosts
        self._index = KeyIndex()
        self._places = Columns()
        self._spent = self._places.add("spent", np.float32)  # of the budget; below zero where it has grown
        self._shut = self._places.add("shut", np.bool_)
        self._key = self._places.add("key", np.int64)
        self._of_url = [urls.columns.add(f"place.{kind}", np.int32) for kind in OF_URL]
        self._of_host = {kind: hosts.columns.add(f"place.{kind}", np.int32) for kind in OF_HOST}
        self._ids([""])  # NOWHERE

    def meet(self, found: Sequence[tuple[int, str, str]]) -> None:
        """Note the places of URLs, while their texts are at hand.

        found : id and text of each, and what links there: the host and the path of tags; empty for a seed
        """
        if not self._on or not found:
            return
        ids, names = np.array([url for url, _, _ in found], np.int64), []
        hosts = self._urls.host[ids]
        for host in dict.fromkeys(hosts.tolist()):
            if self._of_host[HOST][host] == NOWHERE:
                self._meet_host(host)
        for host, (_, text, link) in zip(hosts.tolist(), found, strict=True):
            directory, section, form = form_of(text)
            names += [f"directory {host} {directory}", section and f"section {host} {section}"]
            names += [f"form {host} {form}", link and f"links {link} {domain_of(self._hosts.names[host])}"]
        for kind, places in zip(OF_URL, self._ids(names).reshape(-1, len(OF_URL)).T, strict=True):
            self._of_url[kind][ids] = places

    def learn(self, picked: int, page: int, value: float) -> list[tuple[int, int]]:
        """Take in what a page was worth, from 1 to -2; return the places that this closes: kind and id.

        Where the URL that was picked redirected to a page of another domain, only its form says something of more such pages: its
        site has not written them.
        """
        asked, host = self._urls.host[[picked, page]].tolist()
        if asked == host or domain_of(self._hosts.names[asked]) == domain_of(self._hosts.names[host]):
            return self._charge(picked, range(len(KINDS)), value)
        if self._on:
            self._meet_host(host)
        return self._charge(picked, (FORM,), value) + self._charge(page, OF_HOST, value)

    def put_off(self, picked: int) -> list[tuple[int, int]]:
        """Take in that a URL redirected to where others go first; return the place that this closes, if any."""
        return self._charge(picked, (FORM,), PUT_OFF)

    def _charge(self, url: int, kinds: Iterable[int], value: float) -> list[tuple[int, int]]:
        """Take in for places of these kinds what came of a URL."""
        if not self._on:
            return []
        one = np.array([url])
        places = [(kind, int(self.places(one, kind)[0])) for kind in kinds]
        return [(kind, place) for kind, place in places if place != NOWHERE and self._closes(kind, place, value)]

    def blame(self, domain: str) -> list[tuple[int, int]]:
        """Take in that a page of a domain turned out to be a copy; return the place that this closes, if any."""
        if not self._on or not domain:
            return []
        place = int(self._ids([f"domain {domain}"])[0])
        return [(DOMAIN, place)] if self._closes(DOMAIN, place, BLAME) else []

    def _closes(self, kind: int, place: int, value: float) -> bool:
        """Whether what a page was worth closes a place."""
        budget = float(self._budgets[kind])
        self._spent[place] = spent = max(-GROWTH * budget, float(self._spent[place]) - value)
        shut, before = spent >= budget, bool(self._shut[place])
        self._shut[place] = shut
        self.closed += int(shut) - int(before)
        return shut and not before

    def places(self, urls: IntArray, kind: int) -> NDArray[np.int32]:
        """(n,) the places of a kind in which URLs lie."""
        return self._of_url[kind].take(urls) if kind in OF_URL else self._of_host[kind].take(self._urls.host[urls])

    def against(self, urls: IntArray) -> dict[int, str]:
        """Why those of the URLs may not wait that lie in a closed place, by position."""
        found: dict[int, str] = {}
        if self.closed:
            for kind in (*OF_URL, *OF_HOST):
                for position in np.flatnonzero(self._shut.take(self.places(urls, kind))).tolist():
                    found.setdefault(position, why_closed(kind))
        return found

    def snapshot(self) -> dict[str, Any]:
        return {"places": self._places.snapshot(len(self._index)), "closed": self.closed}

    def restore(self, state: Mapping[str, Any]) -> None:
        """Take up what `snapshot` gave; places of URLs and hosts are columns of theirs."""
        self._places.restore(state["places"])
        self._index = KeyIndex()
        self._index.intern(state["places"]["key"])
        self.closed = state["closed"]

    def _meet_host(self, host: int) -> None:
        name = self._hosts.names[host]
        places = self._ids([f"host {name}", f"domain {domain_of(name)}"])
        for kind, place in zip((HOST, DOMAIN), places.tolist(), strict=True):
            self._of_host[kind][host] = place

    def _ids(self, names: Sequence[str]) -> IntArray:
        """(n,) ids of places; NOWHERE for the empty name."""
        keys = np.fromiter((number_of(name.encode(errors="surrogatepass")) for name in names), np.int64, len(names))
        ids, new = self._index.intern(keys)
        self._places.reach(len(self._index))
        self._key[ids[new]] = keys[new]
        return ids


def why_closed(kind: int) -> str:
    """Why a URL is dropped that lies in a closed place."""
    return f"nothing new from {KINDS[kind]}"

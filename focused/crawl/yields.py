"""Marginal yield: where pages bring nothing new any more, the crawl asks for no more of them.

Every URL lies in several *places*: its directory, the first part of its path, all URLs of its form, its host, its registered
domain, its address, and what the same host links to. Each place has a level (the CUSUM of Page 1954): a page that brings nothing
new raises it by one, a new page lowers it by `CREDIT`, never below zero. A place whose level reaches its patience is closed:
so one that never brings anything new is closed soon, and one where every third page is new stays open for ever.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from hashlib import blake2b
from typing import Any

import numpy as np
from numpy.typing import NDArray
from tldextract import TLDExtract

from focused.crawl.arrays import IntArray
from focused.crawl.columns import Columns
from focused.crawl.hosts import Hosts
from focused.crawl.key_index import KeyIndex
from focused.crawl.url_forms import form_of
from focused.crawl.url_table import NO_SOURCE, UrlTable

CREDIT = 2.0  #: a new page pays for so many that are not

DIRECTORY, SECTION, FORM, HOST, DOMAIN, ADDRESS, LINKS = range(7)
OF_URL, OF_HOST = (DIRECTORY, SECTION, FORM), (HOST, DOMAIN, ADDRESS)
#: What a person calls such a place, and its patience in multiples of the topic's.
KINDS = ("its directory", "its part of the site", "URLs of its form", "its host", "its domain", "its address", "links of this host")
PATIENCE = (1.0, 1.5, 1.5, 3.0, 4.0, 6.0, 2.0)
NOWHERE = 0  #: id of a place that is never closed

_registered_domain = TLDExtract(suffix_list_urls=(), cache_dir=None, include_psl_private_domains=True)


class Yields:
    """The places of one crawl.

    Parameters
    ----------
    patience : pages in a row without anything new after which a directory is closed; 0: nothing is ever closed
    urls, hosts : of the crawl

    Attributes
    ----------
    closed : places that are closed
    """

    def __init__(self, patience: int, urls: UrlTable, hosts: Hosts) -> None:
        self._on, self._limits = patience > 0, np.array(PATIENCE) * patience
        self.closed = 0
        self._urls, self._hosts = urls, hosts
        self._index = KeyIndex()
        self._places = Columns()
        self._level = self._places.add("level", np.float32)
        self._shut = self._places.add("shut", np.bool_)
        self._key = self._places.add("key", np.int64)
        self._of_url = [urls.columns.add(f"place.{kind}", np.int32) for kind in OF_URL]
        self._of_host = {kind: hosts.columns.add(f"place.{kind}", np.int32) for kind in (*OF_HOST, LINKS)}
        self._ids(["nowhere"])

    def meet(self, urls: Sequence[int], texts: Sequence[str]) -> None:
        """Note where URLs lie; their texts are not known later."""
        if not self._on or not urls:
            return
        ids, names = np.array(urls, np.int64), []
        hosts = self._urls.host[ids]
        for host in dict.fromkeys(hosts.tolist()):
            if self._of_host[HOST][host] == NOWHERE:
                self._meet_host(host)
        for host, text in zip(hosts.tolist(), texts, strict=True):
            form = form_of(text)
            names += [f"directory {host} {form.directory}", f"section {host} {form.section}", f"form {host} {form.shape}"]
        for kind, places in zip(OF_URL, self._ids(names).reshape(-1, len(OF_URL)).T, strict=True):
            self._of_url[kind][ids] = places

    def resolved(self, host: int, address: str) -> None:
        """Note the address that a host answered from."""
        if self._on and address:
            self._of_host[ADDRESS][host] = self._ids([f"address {address}"])[0]

    def learn(self, url: int, *, new: bool) -> list[tuple[int, int]]:
        """Take in whether a page brought anything new; return the places that this closes, as kind and id."""
        closing: list[tuple[int, int]] = []
        if not self._on:
            return closing
        one = np.array([url])
        for kind, limit in enumerate(self._limits.tolist()):
            place = int(self.places(one, kind)[0])
            if place == NOWHERE:
                continue
            self._level[place] = level = max(0.0, float(self._level[place]) + (-CREDIT if new else 1.0))
            shut, before = level >= limit, bool(self._shut[place])
            if shut != before:
                self._shut[place] = shut
                self.closed += 1 if shut else -1
                closing += [(kind, place)] * shut
        return closing

    def places(self, urls: IntArray, kind: int) -> NDArray[np.int32]:
        """(n,) the places of a kind in which URLs lie; NOWHERE for links within a host."""
        if kind in OF_URL:
            return self._of_url[kind].take(urls)
        if kind in OF_HOST:
            return self._of_host[kind].take(self._urls.host[urls])
        sources = self._urls.source[urls]
        from_hosts = self._urls.host[sources]
        outside = (sources != NO_SOURCE) & (from_hosts != self._urls.host[urls])
        return np.where(outside, self._of_host[LINKS].take(from_hosts), NOWHERE)

    def against(self, urls: IntArray) -> dict[int, str]:
        """Why URLs may not wait that lie in a closed place, by position."""
        found: dict[int, str] = {}
        if self.closed:
            for kind in (*OF_URL, *OF_HOST):
                for position in np.flatnonzero(self._shut.take(self.places(urls, kind))).tolist():
                    found.setdefault(position, reason(kind))
        return found

    def links_are_closed(self, host: int) -> bool:
        """Whether links of a host to others are followed no more."""
        return bool(self._shut[self._of_host[LINKS][host]])

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
        places = self._ids([f"host {name}", f"domain {domain_of(name)}", f"links of {name}"])
        for kind, place in zip((HOST, DOMAIN, LINKS), places.tolist(), strict=True):
            self._of_host[kind][host] = place

    def _ids(self, names: Sequence[str]) -> IntArray:
        """(n,) ids of places."""
        digests = (blake2b(name.encode(errors="surrogatepass"), digest_size=8).digest() for name in names)
        keys = np.fromiter((int.from_bytes(digest, "big", signed=True) for digest in digests), np.int64, len(names))
        ids, new = self._index.intern(keys)
        self._places.reach(len(self._index))
        self._key[ids[new]] = keys[new]
        return ids


def reason(kind: int) -> str:
    """Why a URL is dropped that lies in a closed place."""
    return f"nothing new from {KINDS[kind]}"


@lru_cache(10_000)
def domain_of(host: str) -> str:
    """The registered domain of a host, such as ``example.co.uk``; the host itself where it has none (an address, ``localhost``)."""
    return _registered_domain(host).top_domain_under_public_suffix or host

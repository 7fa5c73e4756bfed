"""Trust in registered domains: it starts at the user's seeds, and links hand it on."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from focused.crawl.arrays import FloatArray, IntArray
from focused.crawl.columns import Columns
from focused.crawl.key_index import KeyIndex

DAMPING = 0.85  #: share of its trust that a domain hands on at most, as in PageRank
ONE_GIVER = 0.3  #: share that counts of what the largest giver gives, after capping that at what all others give
ROUNDS = 15  #: more would change less than 0.85 to the power of 15: 9 %, and much less where links lead back
_BITS = 31  #: of the number of a domain


class TrustRank:
    """TrustRank on the graph of domains (Gyöngyi et al. 2004, "Combating web spam with TrustRank").

    All trust comes from the seeds, and a domain hands on what it got: to each domain that it links to, in proportion to the pages
    that do, out of all its pages and such links. So a link farm has no more trust in total than it got from the good pages that
    link into it, however many domains it has. A domain is a number, from 0 on.
    """

    def __init__(self) -> None:
        self._domains = Columns()
        self._is_seed = self._domains.add("is_seed", np.bool_)
        self._pages = self._domains.add("pages", np.int64)
        self._count = 0  # domains
        self._index = KeyIndex()
        self._links = Columns()
        self._key = self._links.add("key", np.int64)  # numbers of both domains
        self._weight = self._links.add("weight", np.int64)  # pages that link so

    def reach(self, count: int) -> None:
        """Set the number of domains."""
        self._domains.reach(count)
        self._count = count

    def add_seed(self, domain: int) -> None:
        self._is_seed[domain] = True

    def add_page(self, domain: int, targets: IntArray) -> None:
        """Take in a page of a domain, and the other domains (n,) that it links to, each once."""
        self._pages[domain] += 1
        keys = (np.int64(domain) << _BITS) | targets.astype(np.int64)
        ids, new = self._index.intern(keys)
        self._links.reach(len(self._index))
        self._key[ids[new]] = keys[new]
        self._weight[ids] += 1

    def ranked(self) -> FloatArray:
        """(domains,) the trust of each, at most 1 in total, 0 without a seed. The largest giver hardly counts, except for seeds.

        One good site may be careless, or hacked: its links alone earn a domain nothing.
        """
        links, ranked = len(self._index), np.zeros(self._count)
        seeds = np.flatnonzero(self._is_seed[: self._count])
        if not len(seeds):
            return ranked
        source, target = self._key[:links] >> _BITS, self._key[:links] & ((1 << _BITS) - 1)
        weight = self._weight[:links].astype(np.float64)
        # A replay knows all domains from the start; sums over more zeros may differ in their last bits.
        count = int(max(seeds[-1], source.max(initial=0), target.max(initial=0))) + 1
        begin = np.zeros(count)
        begin[seeds] = 1.0 / len(seeds)
        out = self._pages[:count] + np.bincount(source, weight, count)
        share = DAMPING * weight / out[source]
        trust: FloatArray = begin
        for _ in range(ROUNDS):
            given = np.bincount(target, trust[source] * share, count)
            trust = given + (1.0 - given.sum()) * begin
        flow = trust[source] * share
        total, largest = np.bincount(target, flow, count), np.zeros(count)
        np.maximum.at(largest, target, flow)
        others = total - largest
        ranked[:count] = np.where(begin > 0, trust, others + ONE_GIVER * np.minimum(largest, others))
        return ranked

    def snapshot(self) -> dict[str, Any]:
        return {
            "domains": self._domains.snapshot(self._count),
            "links": self._links.snapshot(len(self._index)),
        }

    def restore(self, state: Mapping[str, Any]) -> None:
        self._domains.restore(state["domains"])
        self._count = len(state["domains"]["pages"])
        self._links.restore(state["links"])
        self._index = KeyIndex()
        self._index.intern(state["links"]["key"])

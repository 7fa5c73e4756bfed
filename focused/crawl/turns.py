"""Turns: a registered domain that has spent its pages lets all others go first.

A domain gets pages in proportion to its trust, and earns more by new words. It begins with a few free pages, unless the domains at
its IP address have used these up together: names on one machine count as one. Domains of seeds, which the user named, always go on.

A domain that has spent its pages need not wait yet: a good site without links to it looks the same. The evidence against a domain
is that it seems endless. The more of a site was read, the more of its links lead to known pages; where a program writes pages on
request, nearly all links stay new for ever. Such a domain lets others go first at once, and its words earn nothing. Others do so
only when pages taken beyond the domains' own are a fifth of all. This bounds what traps take that look like sites. Hosts of a page
each are bounded apart: see `Newcomers`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from focused.crawl.arrays import BoolArray, FloatArray, IntArray
from focused.crawl.columns import ALL, Columns
from focused.crawl.frontier import Frontier
from focused.crawl.hosts import Hosts
from focused.crawl.newcomers import Newcomers
from focused.crawl.trust_rank import TrustRank
from focused.crawl.url_forms import domain_of

#: Share of all pages that domains may take beyond their own before those that have an end let others go first, too.
OVERDRAFT = 0.2
LATELY = 10  #: pages of a domain whose links say whether it has an end
#: Share of new links among those to the domain itself, on average of these pages, from which it seems endless. Of 190 domains
#: on ten crawls of the documentation web four had more after 10 pages, none after 20; of trap webs nine in ten traps have .8.
ENDLESS = 0.6
SHARE = 2.0  #: of all pages so far that domains have by their trust, as a multiple
WORDS = 2.0  #: new words that earn a page; see `KnownWords` for what is new
MOST_EARNED = 5.0  #: pages that one page can earn
MOST_SAVED = 60.0  #: pages that a domain can have saved up by its words
RANK_AFTER = 20  #: pages after which trust is reckoned anew; later after a twentieth more
WORTH_WAITING = 5  #: busy hosts whose turn it is for which a crawl waits; for fewer it would be too slow
#: Pages by which a domain may have overdrawn: those that any may begin with, and more where all others have overdrawn as well.
DEBTS = (2.0, *(2.0**power for power in range(3, 20)), np.inf)
#: Of DEBTS: so much may a domain have overdrawn that goes before newcomers all the same, unless it seems endless (16 pages).
LENT = 2
NOWHERE = 0  #: number of an unknown address
MANY = 500  #: domains to be reckoned anew from which on it is quicker to reckon all


class Turns:
    """How many pages each registered domain has left, and each address.

    hosts : of the crawl
    on : whether domains take turns at all
    """

    def __init__(self, hosts: Hosts, *, on: bool) -> None:
        self._hosts, self._on = hosts, on
        self._domain = hosts.columns.add("turns.domain", np.int32, -1, saved=False)
        self._numbers: dict[str, int] = {}
        self._known = 0  # hosts that have a domain
        self._trust, self.newcomers = TrustRank(), Newcomers(hosts)
        self._domains = Columns()
        self._written: set[int] = set()  # domains whose debts are to be reckoned anew (see `_reckon`)
        self._left = self._domains.add("left", np.float64, written=self._written)  # without those by trust
        self._granted = self._domains.add("granted", np.float64, written=self._written)  # by trust
        self._read = self._domains.add("read", np.int64, written=self._written)  # pages that link to their own domain
        # Share of these links that were new, lately.
        self._unmet = self._domains.add("unmet", np.float64, written=self._written)
        self._address = self._domains.add("address", np.int32, NOWHERE, saved=False, written=self._written)
        self._debt = self._domains.add("debt", np.int8, saved=False)  # how many of DEBTS it has overdrawn by
        self._endless = self._domains.add("endless", np.bool_, saved=False)
        self._counted = self._domains.add(
            "counted", np.float64, saved=False
        )  # what it has left, in the sum of its address
        self._together = [np.inf]  # by address, pages that its domains have left
        self._by_host: tuple[NDArray[np.int8], BoolArray] | None = None  # debts and endlessness; None: to be gathered
        self._addresses: dict[str, int] = {}
        self._taken = self._ranked = 0  # pages of all domains, and how many there were when trust was reckoned
        self._overdrawn = 0  # of these, taken by a domain that had spent its own

    def begin(self, hosts: Iterable[int]) -> None:
        """Trust the domains of seeds, which never let others go first."""
        if not self._on:
            return
        for host in hosts:
            domain = self._of(host)
            self._left[domain] = np.inf
            self._trust.add_seed(domain)

    def took(self, host: int) -> None:
        """Take in that a page of a host is picked."""
        if not self._on:
            return
        domain = self._of(host)
        own = float(self._left[domain] + self._granted[domain])
        self._overdrawn += own < -DEBTS[0] and not self._is_endless(domain)
        self._left[domain] -= 1
        self._taken += 1
        if self._taken >= max(self._ranked + RANK_AFTER, self._ranked * 1.05):
            self._ranked = self._taken
            self._meet()
            self._granted[: len(self._numbers)] = SHARE * self._taken * self._trust.ranked()

    def lies_on(self, host: int, address: str) -> None:
        """Note the IP address of a host; its domain keeps the first one that was noted."""
        if self._on and self._address[domain := self._of(host)] == NOWHERE:
            self._address[domain] = self._addresses.setdefault(address, len(self._addresses) + 1)

    def led(self, asked: int, host: int, targets: IntArray, new: BoolArray, giver: int) -> None:
        """Take in that a request to host ``asked`` ended on a page of ``host``, which links to URLs (n,) of hosts ``targets``.

        Where the domains differ, the page is spent by its own one. Otherwise an open redirect would lend the turns of its site to
        whatever it leads to. A page of host ``giver`` had the link: a domain that links to itself by way of another has a new link
        of its own.
        """
        domain, of_asked = self._of(host), self._of(asked)
        if self._left[domain] < np.inf:
            self.newcomers.showed(host)
        if of_asked != domain:
            self.refused(asked)
            self._left[domain] -= 1
            if self._of(giver) == domain:
                self._found(domain, 1.0)
        own = self._domain[targets] == domain
        if own.any():
            self._found(domain, new[own].mean())

    def refused(self, host: int) -> None:
        """Take in that a pick of a host was no page of its domain."""
        self._left[self._of(host)] += 1

    def _found(self, domain: int, new: float) -> None:
        """Take in a page with links to its own domain, and the share of ``new`` ones among them."""
        self._read[domain] += 1
        self._unmet[domain] += (new - self._unmet[domain]) / min(self._read[domain], LATELY)

    def said(self, host: int, words: float, targets: IntArray) -> None:
        """Take in that a page of a host brought something new, with about ``words`` new words, and links to hosts ``targets``."""
        domain = self._of(host)
        left = float(self._left[domain])
        if not self._is_endless(domain):
            self._left[domain] = max(left, min(MOST_SAVED, left + min(MOST_EARNED, words / WORDS)))
        others = np.unique(self._domain[targets])
        self._trust.add_page(domain, others[others != domain])

    def vouched(self, host: int, targets: IntArray) -> None:
        """Take in that a page of a host, whatever it said, links to hosts ``targets``."""
        if self.trusts(host):
            domain, hosts = self._of(host), np.unique(targets)
            self.newcomers.vouch(domain, hosts[self._domain[hosts] != domain])

    def take(self, frontier: Frontier) -> int | None:
        """Let a frontier pass over the hosts of domains that let others go first; return the best URL of the others.

        Where nothing else may be taken now, the domains that have overdrawn least get a turn, unless enough others are busy: then
        return None.
        """
        for passed in chain(self._behind_newcomers(), self._overdrawn_by_steps()):
            frontier.passed = passed
            if (best := frontier.best()) is not None:
                return best
            if frontier.hosts_held >= WORTH_WAITING:
                frontier.passed = None
                return None
        frontier.passed = None
        return frontier.best()

    @property
    def _all_may_wait(self) -> bool:
        """Whether all domains let others go first once they have spent their pages, not only those that seem endless."""
        return self._on and self._overdrawn > OVERDRAFT * self._taken

    def _state_by_host(self) -> tuple[NDArray[np.int8], BoolArray]:
        """(hosts,) by how many of DEBTS the domain of each has overdrawn, and whether it seems endless."""
        self._reckon()
        if self._by_host is None:
            domains = self._domain[: len(self._hosts)]
            self._by_host = self._debt.take(domains), self._endless.take(domains)
        return self._by_host

    def _overdrawn_by_steps(self) -> Iterator[BoolArray]:
        """(hosts,) which have overdrawn by more than each of DEBTS, and let others go first; nothing where none has."""
        (debts, endless), all_may_wait = self._state_by_host(), self._all_may_wait
        before = -1
        for debt in range(len(DEBTS)):
            passed = debts > debt if all_may_wait else (debts > debt) & endless
            count = int(np.count_nonzero(passed))
            if not count:
                return
            if count != before:  # else nothing more may be taken than for a smaller debt
                yield passed
            before = count

    def _behind_newcomers(self) -> Iterator[BoolArray]:
        """(hosts,) which are passed over so that no newcomer that waits has a turn before those that are no worse."""
        newcomers = self.newcomers.wait(self._taken)
        if newcomers is None:
            return
        debts, endless = self._state_by_host()
        count = len(newcomers)
        behind = np.where(endless[:count], debts[:count] > 0, (debts[:count] > LENT) & self._all_may_wait)
        yield behind | (newcomers & np.isfinite(self._left[self._domain[:count]]))

    def trusts(self, host: int) -> bool:
        """Whether the domain of a host is that of a seed, or trusted ones link to it."""
        return self._trusts(self._of(host))

    def trusts_domain(self, name: str) -> bool:
        """The same of a domain by its name."""
        return name in self._numbers and self._trusts(self._numbers[name])

    def _trusts(self, domain: int) -> bool:
        return bool(self._left[domain] == np.inf or self._granted[domain] > 0)

    def leads_abroad(self, host: int, other: int) -> bool:
        """Whether two hosts are of different domains."""
        return self._of(host) != self._of(other)

    def _is_endless(self, domains: int | slice) -> Any:
        """Whether domains seem to have no end: though many of their pages were read, most of their own links are new."""
        return (self._read[domains] >= LATELY) & (self._unmet[domains] > ENDLESS)

    def is_over(self, host: int) -> bool:
        """Whether the domain of a host lets others go first."""
        domain = self._of(host)
        self._reckon()
        if self.newcomers.waits(host, self._taken) and self._left[domain] < np.inf:
            return True
        return bool(self._debt[domain]) and (self._all_may_wait or bool(self._endless[domain]))

    def _reckon(self) -> None:
        """Bring up to date by how much domains have overdrawn, and which seem endless: those of which something was written.

        A domain without a page of its own has no more left than all of its address together.
        """
        self._meet()
        if not self._written:
            return
        self._together += [0.0] * (len(self._addresses) + 1 - len(self._together))
        if ALL in self._written or len(self._written) > MANY:
            count = slice(len(self._numbers))
            at, own = self._address[count], self._own(count)
            together = np.bincount(at, own, len(self._together))
            together[NOWHERE] = np.inf
            self._together, self._counted[count] = together.tolist(), np.where(at == NOWHERE, 0, own)
            self._debt[count], self._endless[count] = overdrawn(own, together[at]), self._is_endless(count)
            self._by_host = None
        else:
            for domain in sorted(self._written):
                self._reckon_one(domain)
        self._written.clear()

    def _reckon_one(self, domain: int) -> None:
        """The same for one domain, and for its neighbours where what all at their address have left makes a difference."""
        own, address, reckoned = float(self._own(domain)), int(self._address[domain]), np.array([domain])
        before = together = self._together[address]
        if address != NOWHERE and own != (counted := float(self._counted[domain])):
            self._together[address] = together = before + own - counted
            self._counted[domain] = own
            if overdrawn(before, before) != overdrawn(together, together):
                reckoned = np.flatnonzero(self._address[: len(self._numbers)] == address)
        debts, endless = overdrawn(self._own(reckoned), together), bool(self._is_endless(domain))
        if endless != self._endless[domain] or (debts != self._debt[reckoned]).any():
            self._debt[reckoned], self._endless[domain], self._by_host = debts, endless, None

    def _own(self, domains: int | slice | IntArray) -> Any:
        """Pages that domains have left, whatever others at their address have taken."""
        return self._left[domains] + self._granted[domains]

    def _of(self, host: int) -> int:
        """The domain of a host."""
        self._meet()
        return int(self._domain[host])

    def _meet(self) -> None:
        """Give a number to the domain of each host that is new."""
        if self._known == len(self._hosts):
            return
        for host in range(self._known, len(self._hosts)):
            self._domain[host] = self._numbers.setdefault(domain_of(self._hosts.names[host]), len(self._numbers))
        self._known, self._by_host = len(self._hosts), None
        self._reach()

    def _reach(self) -> None:
        self._domains.reach(len(self._numbers))
        self._trust.reach(len(self._numbers))

    def snapshot(self) -> dict[str, Any]:
        self._meet()
        return {
            "domains": self._domains.snapshot(len(self._numbers)),
            "trust": self._trust.snapshot(),
            "taken": self._taken,
            "ranked": self._ranked,
            "overdrawn": self._overdrawn,
            "newcomers": self.newcomers.snapshot(),
        }

    def restore(self, state: Mapping[str, Any]) -> None:
        """Take up what `snapshot` gave; numbers of domains follow from those of hosts."""
        self._meet()
        self._domains.restore(state["domains"])
        self._trust.restore(state["trust"])
        self._taken, self._ranked = state["taken"], state["ranked"]
        self._overdrawn = state["overdrawn"]
        self.newcomers.restore(state["newcomers"])
        self._reach()  # hosts that were met later are known already


def overdrawn(own: FloatArray | float, together: FloatArray | float) -> Any:
    """By how many of DEBTS domains have overdrawn that have so much left, and so much all at their address."""
    return np.searchsorted(DEBTS, -np.where(np.less(own, 1), np.minimum(own, together), own))

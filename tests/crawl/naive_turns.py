"""Turns that a reader sees to be right: everything is reckoned anew for every question, over all domains. For tests only."""

from __future__ import annotations

import numpy as np

from focused.crawl import turns
from focused.crawl.arrays import BoolArray, FloatArray
from focused.crawl.frontier import Frontier


class NaiveTurns(turns.Turns):
    """Says the same as `Turns`, slowly."""

    def take(self, frontier: Frontier) -> int | None:
        balances = np.where(self._may_wait(), self._balances(), np.inf)
        domains = self._domain[: len(self._hosts)]
        debts = turns.DEBTS if (balances < -turns.DEBTS[0]).any() else ()
        behind = [(balances < -debt)[domains] for debt in debts]
        if (newcomers := self.newcomers.wait(self._taken)) is not None:
            lent = np.where(self._is_endless(slice(len(balances))), turns.DEBTS[0], turns.DEBTS[turns.LENT])
            behind.insert(0, (balances < -lent)[domains] | (newcomers & np.isfinite(self._left[domains])))
        for passed in behind:
            frontier.passed = passed
            if (best := frontier.best()) is not None:
                return best
            if frontier.hosts_held >= turns.WORTH_WAITING:
                frontier.passed = None
                return None
        frontier.passed = None
        return frontier.best()

    def is_over(self, host: int) -> bool:
        domain = self._of(host)
        if self.newcomers.waits(host, self._taken) and self._left[domain] < np.inf:
            return True
        return bool(self._may_wait()[domain] and self._balances()[domain] < -turns.DEBTS[0])

    def _may_wait(self) -> BoolArray:
        self._meet()
        waits: BoolArray = self._is_endless(slice(len(self._numbers)))
        return waits | (self._on and self._overdrawn > turns.OVERDRAFT * self._taken)

    def _balances(self) -> FloatArray:
        self._meet()
        count = len(self._numbers)
        at, own = self._address[:count], self._left[:count] + self._granted[:count]
        together = np.bincount(at, own, len(self._addresses) + 1)
        together[turns.NOWHERE] = np.inf
        balances: FloatArray = np.where(own < 1, np.minimum(own, together[at]), own)
        return balances

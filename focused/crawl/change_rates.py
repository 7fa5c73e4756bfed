"""How often pages change, from what was found when they were asked for again."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from focused.crawl.arrays import FloatArray, IntArray

USUAL = 1 / 30  #: changes a day of a page without history
AHEAD = 30.0  #: days for which a version fetched now is of use


@dataclass(slots=True, frozen=True)
class SeenChanges:
    """What was seen of n pages since they were fetched first.

    times : (n,) how often each was asked for again and gave an answer
    changes : (n,) how often it had changed
    days : (n,) between the first answer and the last
    hosts : (n,) ids of their hosts
    """

    times: IntArray
    changes: IntArray
    days: FloatArray
    hosts: IntArray

    def rates(self) -> FloatArray:
        """(n,) changes a day.

        A page with few looks gets nearly the rate of its host, and a host with few looks nearly the rate of all hosts: an
        estimate weighs as much as its number of looks, and the one above it as much as one look.
        """
        everything = _mixed(self.times.sum(), self.changes.sum(), self.days.sum(), USUAL)
        hosts, place = np.unique(self.hosts, return_inverse=True)
        times, changes, days = (
            np.bincount(place, values, len(hosts)) for values in (self.times, self.changes, self.days)
        )
        return _mixed(self.times, self.changes, self.days, _mixed(times, changes, days, everything)[place])


def chance_of_change(rates: FloatArray, days: FloatArray) -> FloatArray:
    """(n,) probability that pages have changed, ``days`` after the last look. Changes are a Poisson process."""
    return np.asarray(-np.expm1(-rates * days))


def use_that_lasts(rates: FloatArray, days: FloatArray) -> FloatArray:
    """(n,) the use of a re-fetch, ``days`` after the last look: from 0 to 1.

    The chance that there is a new version, times the share of the next `AHEAD` days for which it stays the newest: a page that
    changes all the time would be out of date at once.
    """
    return np.asarray(
        chance_of_change(rates, days) * chance_of_change(rates, np.full(len(rates), AHEAD)) / (rates * AHEAD)
    )


def _mixed(times: ArrayLike, changes: ArrayLike, days: ArrayLike, beyond: ArrayLike) -> FloatArray:
    """Mix the rate that was seen with the rate ``beyond`` it, of the host or of all hosts, which counts as one look.

    Source: Cho & Garcia-Molina 2003, "Estimating Frequency of Change", section 4.2, of looks at equal intervals.
    """
    times, changes = np.asarray(times, np.float64), np.asarray(changes, np.float64)
    interval = np.maximum(np.asarray(days, np.float64) / np.maximum(times, 1), 1e-3)
    seen = -np.log((times - changes + 0.5) / (times + 0.5)) / interval
    return np.asarray((times * seen + beyond) / (times + 1))  # positive, as what is beyond is

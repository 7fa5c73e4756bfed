"""How far knowledge from elsewhere is trusted: as far as it foretells what this crawl finds."""

from __future__ import annotations

from math import exp

VARIANCE = 0.065  #: mean square of (relevance - what is expected), on development topics of Wikispeedia and on WebKB
MOST = 3.0  #: the log of the odds stays between -3 and 3, so that some pages can turn it


class Trust:
    """How much more probable it is that what knowledge expects is right, than that all links are alike.

        share = max(0, 2 · P - 1),   P = odds / (1 + odds)
        odds = e³ · Π over pages of exp((error without² - error with²) / (2 · VARIANCE)),   between e⁻³ and e³

    It starts high, since knowledge is to help while nothing else is known; where the odds are even it counts nothing.

    Source: ours; Bayes' rule for two models with normal errors.
    """

    def __init__(self) -> None:
        self._log_odds = MOST

    @property
    def share(self) -> float:
        """In [0, 1)."""
        return max(0.0, 2 / (1 + exp(-self._log_odds)) - 1)

    def learn(self, error_without: float, error_with: float) -> None:
        """Take in a page: how far its relevance was from what was expected without and with knowledge."""
        moved = self._log_odds + (error_without**2 - error_with**2) / (2 * VARIANCE)
        self._log_odds = min(MOST, max(-MOST, moved))

    def state(self) -> float:
        return self._log_odds

    def restore(self, state: float) -> None:
        self._log_odds = state

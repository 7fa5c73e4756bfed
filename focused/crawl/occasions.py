"""When a crawl asks search providers for more links: it begins, nothing is left, the harvest has fallen, or enough has come since.

It knows nothing but the totals of the crawl and the journal, so that a crawl that goes on asks as if it had not stopped.
"""

from __future__ import annotations

import numpy as np

from focused.crawl.crawl import Crawl
from focused.crawl.totals import Totals
from focused.topic.topic import QuestionOptions

BEGINNING = "the crawl begins"
NOTHING_LEFT = "nothing is left to fetch"
FALLEN = "the harvest has fallen"
ENOUGH = "enough relevant pages since the last question"


class Occasions:
    """Says when it is time for a question.

    Parameters
    ----------
    asked : questions so far, all runs together
    pages, relevant : pages and relevant ones when the last of them was asked
    """

    def __init__(self, options: QuestionOptions, asked: int = 0, pages: int = 0, relevant: int = 0) -> None:
        self.options = options
        self.asked = asked  #: whoever asks counts on
        self._pages, self._relevant = pages, relevant

    @property
    def may_ask(self) -> bool:
        """The budget has questions left."""
        return self.asked < self.options.most

    def due(self, crawl: Crawl) -> str:
        """Why it is time for a question, for a person; empty where it is not."""
        if not self.may_ask or crawl.budget_is_taken:
            return ""
        if not self.asked and not self._pages:
            return BEGINNING
        if crawl.is_stuck:
            return NOTHING_LEFT
        totals, options = crawl.totals, self.options
        if totals.pages - self._pages < max(1, options.pause):
            return ""
        if options.every and totals.relevant - self._relevant >= options.every:
            return ENOUGH
        return FALLEN if options.fall and self._has_fallen(totals) else ""

    def passes(self, totals: Totals) -> None:
        """The occasion is over, whether there was a question to ask or not; the next comes after the pause."""
        self._pages, self._relevant = totals.pages, totals.relevant

    def _has_fallen(self, totals: Totals) -> bool:
        """Whether the last pages bring little, measured by the best of as many in a row, of all that the totals remember."""
        counts = np.concatenate([[0], np.cumsum(totals.recent)])
        window = min(self.options.window, len(counts) - 1)
        sums = counts[window:] - counts[:-window]
        return bool(sums[-1] <= self.options.fall * sums.max())

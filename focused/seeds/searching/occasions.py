"""When a crawl asks search providers for more links: it fails, as nothing is left, or as its last pages brought next to
nothing; and when it begins, where a person wants that.

It knows nothing but the totals of the crawl and the journal, so that a crawl that goes on asks as if it had not stopped.
"""

from __future__ import annotations

from focused.crawl.budget import Totals
from focused.crawl.crawl import Crawl
from focused.topic.topic import QuestionOptions

BEGINNING = "the crawl begins"
NOTHING_LEFT = "nothing is left to fetch"
LITTLE = "its last pages brought next to nothing"


class Occasions:
    """Says when it is time for a question.

    asked : questions so far, all runs together
    pages : when the last of them was asked
    """

    def __init__(self, options: QuestionOptions, asked: int = 0, pages: int = 0) -> None:
        self.options = options
        self.asked = asked  #: whoever asks counts on
        self._pages = pages

    @property
    def may_ask(self) -> bool:
        """The budget has questions left."""
        return self.asked < self.options.most

    def due(self, crawl: Crawl) -> str:
        """Why it is time for a question, for a person; empty where it is not."""
        if not self.may_ask or crawl.budget_is_taken:
            return ""
        if self.options.at_start and not self.asked and not self._pages:
            return BEGINNING
        if crawl.is_stuck:
            return NOTHING_LEFT
        window, totals = self.options.harvest_window, crawl.totals
        brings_little = totals.harvest_of_last(window) < self.options.harvest_floor
        return LITTLE if brings_little and totals.pages - self._pages >= window else ""

    def passes(self, totals: Totals) -> None:
        """The occasion is over, whether there was a question to ask or not; the next comes after as many pages as it looks at."""
        self._pages = totals.pages

"""What a person's judgements say of a crawl: its harvest rate, and how far the crawl's own relevance can be believed."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from focused.collection.store import Store
from focused.crawl.arrays import FloatArray
from focused.desk.judging.agreement import Agreement, agreement, best_threshold
from focused.desk.judging.population import Population, places
from focused.desk.judging.sheet import Line
from focused.exceptions import AuditError
from focused.explain.harvest_watch import Counts, Share, stratified, weighted_share

CHANCE = 0.01


@dataclass(frozen=True)
class JudgedPage:
    """A page of the sample that a person has judged.

    place : in the population
    relevance, called : what the crawl's page model says of it by now
    """

    place: int
    stratum: int
    relevant: bool
    relevance: float
    called: bool


@dataclass(frozen=True)
class Audit:
    """A judged sample of a collection.

    Parameters
    ----------
    pages : the collection's, by now
    sizes : stratum -> pages in it when the sample was drawn
    judged : pages of the sample that were judged, at least one of each stratum
    left : places of those that were not
    """

    pages: Population
    sizes: dict[int, int]
    judged: Sequence[JudgedPage]
    left: Sequence[int]

    @property
    def drawn(self) -> int:
        """Pages in the sample."""
        return len(self.judged) + len(self.left)

    @property
    def distinct(self) -> int:
        """Pages that brought something new and were there when the sample was drawn."""
        return sum(self.sizes.values())

    @property
    def fetched(self) -> int:
        """All pages that were there then."""
        return int(self.pages.fetched[self.distinct - 1])

    @property
    def strata(self) -> dict[int, Counts]:
        """Stratum -> what is known of it, least relevant first."""
        found = {}
        for stratum in sorted(self.sizes):
            answers = [page.relevant for page in self.judged if page.stratum == stratum]
            found[stratum] = Counts(self.sizes[stratum], len(answers), sum(answers))
        return found

    @cached_property
    def harvest(self) -> Share:
        """The harvest rate as a person sees it; one that brings nothing new is a page, and not relevant."""
        return stratified(list(self.strata.values())).times(self.distinct / self.fetched)

    @property
    def own_harvest(self) -> float:
        """The harvest rate of the same pages by the crawl's own page model."""
        return float(self.pages.called[: self.distinct].sum()) / self.fetched

    def relevant_share(self, *, called: bool) -> Share | None:
        """The share of relevant pages among those that the crawl calls relevant, or among the others; None if none is judged."""
        chosen = [index for index, page in enumerate(self.judged) if page.called is called]
        return weighted_share([self.judged[i].relevant for i in chosen], [float(self.weights[i]) for i in chosen])

    @cached_property
    def newest_left(self) -> int:
        """How many of the newest pages of the sample are not judged, if that is no chance; else 0.

        After a new draw in a crawl that has gone on, judgements are of older pages, which may be better or worse than the new.
        That all the newest n were left out by chance has a probability, and below `CHANCE` nobody should believe it.
        """
        newest = max(page.place for page in self.judged)
        left, drawn, judged = sum(place > newest for place in self.left), self.drawn, len(self.judged)
        return left if _log_choose(drawn - left, judged) - _log_choose(drawn, judged) < math.log(CHANCE) else 0

    def agreement(self, threshold: float) -> Agreement:
        return agreement(threshold, self._relevance, self._relevant, self.weights)

    def best_threshold(self, present: float) -> Agreement | None:
        """A better threshold than the present one, or that one; None where too little is judged to say."""
        return best_threshold(present, self._relevance, self._relevant, self.weights)

    @cached_property
    def weights(self) -> FloatArray:
        """(n,) pages that each judged page stands for."""
        counts = self.strata
        return np.array([counts[page.stratum].pages / counts[page.stratum].judged for page in self.judged])

    @property
    def _relevance(self) -> FloatArray:
        return np.array([page.relevance for page in self.judged])

    @property
    def _relevant(self) -> FloatArray:
        return np.array([page.relevant for page in self.judged], np.float64)


def audit_of(store: Store, pages: Population, lines: Sequence[Line], file: str) -> Audit:
    """Count the judgements of a sheet.

    file : the sheet's, for messages
    Raises AuditError if the sheet is of another crawl, or a stratum has no judged page.
    """
    sample = [line for line in lines if line.stratum is not None]
    if not any(line.relevant is not None for line in sample):
        raise AuditError(f"{file}: none of its {len(sample)} pages is judged; write yes or no into the column relevant")
    where = places(store, {line.url for line in lines})
    if strangers := [line.url for line in lines if line.url not in where]:
        raise AuditError(f"{file}: {strangers[0]} is no page of this collection; the file is of another crawl")
    sizes = {line.stratum: line.stratum_pages for line in sample if line.stratum is not None}
    if sum(sizes.values()) > len(pages):
        raise AuditError(
            f"{file}: its strata have {sum(sizes.values()):,} pages, the collection {len(pages):,}; the file is of another crawl"
        )
    judged = [
        JudgedPage(place, line.stratum, line.relevant, float(pages.relevance[place]), bool(pages.called[place]))
        for line in sample
        if line.stratum is not None and line.relevant is not None
        for place in [where[line.url]]
    ]
    if missing := sorted(sizes.keys() - {page.stratum for page in judged}):
        raise AuditError(
            f"{file}: no page of stratum {missing[0]} is judged, so nothing can be said of its {sizes[missing[0]]:,} pages; "
            "judge at least one of each stratum"
        )
    return Audit(pages, sizes, judged, [where[line.url] for line in sample if line.relevant is None])


def _log_choose(things: int, chosen: int) -> float:
    """The logarithm of the number of ways to choose k things."""
    return math.lgamma(things + 1) - math.lgamma(chosen + 1) - math.lgamma(things - chosen + 1)

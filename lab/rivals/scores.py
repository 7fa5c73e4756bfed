"""What each crawl found, by the server's log and the label files that no crawler saw."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice

from focused.reading.urls import UrlRules
from lab.judging.run import Run
from lab.judging.spelling import Spelling
from lab.measures.normalised_area import normalised_area
from lab.measures.target_recall import target_recall
from lab.rivals.access_log import AccessLog
from lab.rivals.crawls import Files, Outcome
from lab.topics.labelled_files import LabelledFile

POINTS = (100, 200, 400, 1000, 2000)  #: pages after which targets are counted


@dataclass(frozen=True)
class Score:
    """One crawl, judged.

    group : of its topic, such as ``easy`` seeds; empty if the labels name none
    found : targets among the first so many pages, by their number; a crawl that ended before keeps what it had
    area : normalised area over the pages that crawls were allowed, in [0, 1]
    pages : distinct ones answered with 200, of those allowed
    requests : all that the server answered, or had begun to, until the crawler had ended
    reachable : targets that links lead to
    """

    outcome: Outcome
    group: str
    found: dict[int, int]
    area: float
    pages: int
    requests: int
    reachable: int


def points(pages: int) -> list[int]:
    """Those of POINTS that crawls of so many pages have, and their end."""
    return [*(point for point in POINTS if point < pages), pages]


class Judge:
    """Judges the crawls of one topic."""

    def __init__(self, labelled: LabelledFile) -> None:
        labels = labelled.read()
        self._known = labels.judgements
        self._rules = UrlRules(labelled.topic.reading.fold_index, labelled.topic.reading.strip_parameters)
        self._label = Spelling(self._known, self._rules).label
        group = labels.origin.get("seeds", "")
        self.group = group if isinstance(group, str) else ""

    def score(self, files: Files, outcome: Outcome) -> Score:
        """Read the log of a crawl and count. Raises EvaluationError for what is no log."""
        log, allowed = AccessLog(files.log, self._rules).update(), outcome.conditions.pages
        urls = [self._label(url) for url in islice(log.pages.values(), allowed)]
        run = Run(outcome.crawler, outcome.topic, outcome.order, urls)
        recall = target_recall(run, self._known) * len(self._known.reachable_targets)
        counts = [0, *(round(value) for value in recall.tolist())]
        return Score(
            outcome,
            self.group,
            {point: counts[min(point, len(counts) - 1)] for point in points(allowed)},
            normalised_area(run, self._known, allowed),
            len(urls),
            log.requests,
            len(self._known.reachable_targets),
        )

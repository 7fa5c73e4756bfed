"""What verdicts of a person on fetched pages do to a crawl: a teacher learns from them, and judges pages from then on."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from focused.page.page import Page
from focused.topic.topic import Topic


class PageJudge:
    """Judges the pages of one crawl.

    model : relevance of a page in [0, 1]
    version : names the model; the crawl takes up no snapshot of another version
    teacher : learns from a person's verdicts on pages, and judges pages then; without a teacher verdicts change nothing
    """

    def __init__(self, topic: Topic, model: Callable[[Page], float], version: str, teacher: Teacher | None) -> None:
        self.topic, self.model, self.version = topic, model, version
        self.teacher = teacher or Teacher()

    def relevance_of(self, page: Page) -> float:
        """How relevant a page is, in [0, 1], by what judges pages now."""
        return self.assess(page, self.model(page))[0]

    def assess(self, page: Page, by_model: float) -> tuple[float, float | None]:
        """The relevance of a page, and the probability that it is on topic by what a person taught; None if nothing was."""
        said = self.teacher.probability(page, by_model)
        return (by_model if said is None else self.teacher.relevance(said)), said


JUDGED = "judged"  #: kind of an event: a person said of a page whether it is on topic
SAID = {True: "yes", False: "no", None: ""}  #: what they said, as the journal has it


@dataclass(frozen=True, slots=True)
class Lesson:
    """What came of learning from all verdicts so far.

    judged, yes : pages that were learned from, and how many of them are on topic
    before, after : average precision on these pages, of the page model and of what was learned from the others among them
    kept : whether what was learned judges pages from now on
    """

    judged: int
    yes: int
    before: float
    after: float
    kept: bool


class Teacher:
    """Learns from verdicts; this one learns nothing. Its answers depend only on the verdicts and their order."""

    def judged(self, url: int, page: Page, relevance: float, said: bool | None) -> Lesson | None:
        """Take in a verdict on a page, or its withdrawal; return the lesson if it was time to learn.

        relevance : of the page, by the page model of the topic
        """
        return None

    def probability(self, page: Page, relevance: float) -> float | None:
        """Probability that a page is on topic; None while no lesson is kept."""
        return None

    def probability_of(self, ids: NDArray[np.int32], weights: NDArray[np.float32], relevance: float) -> float:
        """The same from the terms of a page, as in `strategy.Judge`; call it only while a lesson is kept."""
        return relevance

    def relevance(self, probability: float) -> float:
        """The relevance of a page with this probability; 0.5 gives the topic's threshold."""
        return probability

    def snapshot(self) -> dict[str, Any]:
        return {}

    def restore(self, state: Mapping[str, Any]) -> None:
        """Take up what `snapshot` gave."""

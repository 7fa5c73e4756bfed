"""What verdicts of a person on fetched pages do to a crawl: a teacher learns from them, and judges pages from then on."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from focused.page.page import Page
from focused.topic.topic import Topic


class PageJudge:
    """Judges the pages of one crawl.

    model : relevance of a page in [0, 1]
    version : names the model; another name makes snapshots of before useless
    teacher : learns from a person's verdicts on pages, and judges pages then; without one they change nothing
    """

    def __init__(self, topic: Topic, model: Callable[[Page], float], version: str, teacher: Teacher | None) -> None:
        self.topic, self.model, self.version = topic, model, version
        self.teacher = teacher or NoTeacher()

    def relevance_of(self, page: Page) -> float:
        """How relevant a page is, in [0, 1], by what judges pages now."""
        return self.assess(page, self.model(page))[0]

    def assess(self, page: Page, by_model: float) -> tuple[float, float | None]:
        """The relevance of a page, and how probably it is on topic by what a person taught; None where nobody did."""
        said = self.teacher.probability(page, by_model)
        return (by_model if said is None else self.teacher.relevance(said)), said


JUDGED = "judged"  #: kind of an event: a person said of a page whether it is on topic
SAID = {True: "yes", False: "no", None: ""}  #: what they said, as the journal has it


@dataclass(frozen=True, slots=True)
class Lesson:
    """What came of learning from all verdicts so far.

    judged, yes : pages that were learned from, and how many of them are on topic
    before, after : average precision on them, of the page model and of what was learned, which did not see the pages it ranks
    kept : whether what was learned judges pages from now on
    """

    judged: int
    yes: int
    before: float
    after: float
    kept: bool


class Teacher(Protocol):
    """Learns from verdicts. All that it says follows from the verdicts and their order."""

    def judged(self, url: int, page: Page, relevance: float, said: bool | None) -> Lesson | None:
        """Take in a verdict on a page, or that it is taken back; return what came of it when it was time to learn.

        relevance : of the page, by the page model of the topic
        """

    def probability(self, page: Page, relevance: float) -> float | None:
        """How probably a page is on topic; None while nothing that was learned is kept."""

    def probability_of(self, ids: NDArray[np.int32], weights: NDArray[np.float32], relevance: float) -> float:
        """The same of a page of which the terms are kept, as in `strategy.Judge`; only while something that was learned is."""

    def relevance(self, probability: float) -> float:
        """The relevance of such a page; that of one half is the topic's threshold."""

    def snapshot(self) -> dict[str, Any]: ...

    def restore(self, state: Mapping[str, Any]) -> None: ...


class NoTeacher:
    """Learns nothing."""

    def judged(self, url: int, page: Page, relevance: float, said: bool | None) -> Lesson | None:
        return None

    def probability(self, page: Page, relevance: float) -> float | None:
        return None

    def probability_of(self, ids: NDArray[np.int32], weights: NDArray[np.float32], relevance: float) -> float:
        return relevance

    def relevance(self, probability: float) -> float:
        return probability

    def snapshot(self) -> dict[str, Any]:
        return {}

    def restore(self, state: Mapping[str, Any]) -> None:
        """There is nothing to take up."""

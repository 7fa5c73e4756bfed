"""What pages are worth to a topic: by its page model, or by what a person taught since."""

from __future__ import annotations

from collections.abc import Callable

from focused.crawl.teaching import NoTeacher, Teacher
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

"""What labelled pages teach, in one model: which pages are on topic, and which links lead to them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from focused.relevance.plain_state import PlainState, state_in
from focused.scorers.link_regression import LinkRegression
from focused.scorers.page_regression import PageRegression


@dataclass(slots=True, frozen=True)
class TopicRegressions:
    """Two regressions that were learned from the same pages.

    Attributes
    ----------
    pages : over the terms of pages
    links : over the words of links; None where too few labelled pages link to each other
    """

    pages: PageRegression
    links: LinkRegression | None

    def state(self) -> dict[str, Any]:
        return {"pages": self.pages.state(), "links": self.links and self.links.state()}

    @classmethod
    def restored(cls, state: PlainState) -> TopicRegressions:
        """The regressions of a `state`; ValueError where it is none."""
        links = None if state.get("links") is None else LinkRegression.restored(state_in(state, "links"))
        return cls(PageRegression.restored(state_in(state, "pages")), links)

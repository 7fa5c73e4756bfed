"""What labelled pages teach, in one model: which pages are on topic, and which links lead to them."""

from __future__ import annotations

from dataclasses import dataclass

from focused.strategies.adaptive.link_regression import LinkRegression
from focused.strategies.adaptive.page_regression import PageRegression


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

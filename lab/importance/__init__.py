"""The importance of a page: one file for each way to tell it, holding the function of that name. A new file is found by itself.

An importance is a pure function of `Evidence`: URL -> a number that is the greater, the better the page, for each page that any
of the compared crawls fetched. No crawler sees it. `lab.measures.average_relevance` averages it over a crawl.

Source: Pant, Srinivasan & Menczer 2004, "Crawling the Web", section 4.1.
"""

from __future__ import annotations

from collections.abc import Callable

from focused.exceptions import EvaluationError
from focused.topic.registry import Registry
from lab.judging.evidence import Evidence

Importance = Callable[[Evidence], dict[str, float]]

_registry = Registry(__name__, __path__, "importance", "importances", EvaluationError)


def names() -> list[str]:
    """Names of all of them, in alphabetical order."""
    return _registry.names()


def get_importance(name: str) -> Importance:
    """Return one; EvaluationError, naming the nearest and listing all, if there is none of that name."""
    importance: Importance = getattr(_registry.module(name), name)
    return importance

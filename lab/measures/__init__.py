"""The measures of a crawl: one file each, holding the function of that name. A new file is found without being registered.

A measure is a pure function of runs and judgements. A curve is an array with the value after each page fetched, to be
read with `lab.judging.counting.value_at`; a figure is one number.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from focused.exceptions import EvaluationError
from focused.topic.registry import Registry

Measure = Callable[..., Any]

_registry = Registry(__name__, __path__, "measure", "measures", EvaluationError)


def names() -> list[str]:
    """Names of all measures, in alphabetical order."""
    return _registry.names()


def get_measure(name: str) -> Measure:
    """Return a measure; EvaluationError, naming the nearest and listing all, if there is none of that name."""
    measure: Measure = getattr(_registry.module(name), name)
    return measure

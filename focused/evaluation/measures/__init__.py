"""The measures of a crawl: one file each, holding the function of that name. A new file is found without being registered.

A measure is a pure function of runs and judgements. A curve is an array with the value after each page fetched, to be
read with `focused.evaluation.counting.value_at`; a figure is one number.
"""

from __future__ import annotations

import pkgutil
from collections.abc import Callable
from importlib import import_module
from typing import Any

from focused.evaluation.errors import EvaluationError
from focused.mistakes import nearest, shown

Measure = Callable[..., Any]


def names() -> list[str]:
    """Names of all measures, in alphabetical order."""
    # Asked of the package's importer and not of a directory: a deployed egg stays zipped.
    return sorted(module.name for module in pkgutil.iter_modules(__path__))


def get_measure(name: str) -> Measure:
    """Return a measure; EvaluationError, naming the nearest and listing all, if there is none of that name."""
    if name not in names():
        guess = nearest(name, names())
        hint = f"; did you mean {guess}?" if guess else "."
        raise EvaluationError(f"measure {shown(name)} is unknown{hint} Measures: {', '.join(names())}")
    measure: Measure = getattr(import_module(f"{__name__}.{name}"), name)
    return measure

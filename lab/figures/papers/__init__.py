"""The figures that can be made again: one file each, holding one `Figure` class. A new file is found by itself."""

from __future__ import annotations

from focused.exceptions import EvaluationError
from focused.topic.registry import Registry
from lab.figures.figure import Figure

_registry = Registry((__name__,), "figure", "figures", EvaluationError)


def names() -> list[str]:
    """Names of all figures, in alphabetical order."""
    return _registry.names()


def get_figure(name: str) -> Figure:
    """Return a figure; EvaluationError, naming the nearest and listing all, if there is none of that name."""
    return _registry.get_class(name, Figure)()  # type: ignore[type-abstract]

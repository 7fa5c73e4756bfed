"""The kinds of trained models: one file each, named as its kind is. A new file is found without being registered anywhere."""

from __future__ import annotations

from focused.exceptions import TrainingError
from focused.papers.training.kind import Kind
from focused.topic.registry import Registry

_registry = Registry((__name__,), "kind", "kinds", TrainingError)


def names() -> list[str]:
    """Names of all kinds, in alphabetical order."""
    return _registry.names()


def get_kind(name: str) -> type[Kind]:
    """Return the class of a kind; TrainingError, naming the nearest and listing all, if there is none of that name."""
    return _registry.get_class(name, Kind)  # type: ignore[type-abstract]  # what it finds is a subclass

"""The kinds of trained models: one file each, named as its kind is. A new file is found without being registered anywhere."""

from __future__ import annotations

import pkgutil
from importlib import import_module

from focused.errors import FocusedError
from focused.mistakes import shown, unknown
from focused.training.kind import Kind


def names() -> list[str]:
    """Names of all kinds, in alphabetical order."""
    return sorted(module.name for module in pkgutil.iter_modules(__path__))


def get_kind(name: str) -> type[Kind]:
    """Return the class of a kind; FocusedError, naming the nearest or listing all, if there is none of that name."""
    if name not in names():
        raise FocusedError(f"kind {shown(name)} is {unknown(name, names(), plural='kinds')}")
    module = import_module(f"{__name__}.{name}")
    (kind,) = (
        value
        for value in vars(module).values()
        if isinstance(value, type) and issubclass(value, Kind) and value.__module__ == module.__name__
    )
    return kind

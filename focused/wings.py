"""The wings: packages of focused that the crawler works without. Delete the folder of one, and what does not need it goes on.

The core imports none. A wing that brings more than commands and strategies says what in its ``wing.py``, which imports nothing at
its top: ``COMPONENTS``, settings of Scrapy that name its classes, and functions that the core asks by name (`ask`). Its folder
``commands`` has its commands (`focused.commands`), ``strategies`` its strategies (`focused.strategies`).
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from importlib import import_module
from importlib.machinery import PathFinder
from importlib.util import find_spec
from types import ModuleType
from typing import Any

from focused.exceptions import FocusedError

#: From the ground up: one may import from those before it.
WINGS = ("inspection", "export", "simulation", "seeds", "papers", "together", "rendering", "desk", "testing")
#: Wings that are libraries, too: each with those that it imports from. A command that needs one that is missing says so.
NEEDS = {
    "simulation": ("inspection",),
    "seeds": ("inspection", "simulation"),
    "papers": ("simulation",),
    "desk": ("inspection", "export", "seeds", "papers"),
}


@cache
def present() -> tuple[ModuleType, ...]:
    """The module ``wing`` of each that has one, and has all that it needs."""
    return tuple(import_module(name) for name in parts("wing") if is_whole(name.split(".")[1]))


def is_whole(wing: str) -> bool:
    """Whether a wing is there with all that it needs."""
    return find_spec(f"focused.{wing}") is not None and all(map(is_whole, NEEDS.get(wing, ())))


def components(setting: str) -> dict[str, int | str]:
    """What the wings add to a setting of Scrapy that is a table, such as EXTENSIONS."""
    tables = (getattr(wing, "COMPONENTS", {}).get(setting, {}) for wing in present())
    return {name: value for table in tables for name, value in table.items()}


def ask(name: str, *arguments: Any) -> Any:
    """The first answer but None of the wings' functions of this name; None where none has one."""
    answers = (getattr(wing, name)(*arguments) for wing in present() if hasattr(wing, name))
    return next((answer for answer in answers if answer is not None), None)


def parts(kind: str) -> list[str]:
    """Full names of what the wings have under this name, such as ``commands``; no wing is imported to find it."""
    wings = filter(None, (find_spec(f"focused.{name}") for name in WINGS))
    found = (PathFinder.find_spec(f"{wing.name}.{kind}", wing.submodule_search_locations) for wing in wings)
    return [part.name for part in found if part]


def borrow(module: str, what: str) -> Any:
    """A module of a wing, by its name below ``focused``.

    Raises FocusedError, naming ``what`` a person wants, where the wing is not there, or one that it needs.
    """
    with all_there(f"{what}: "):
        return import_module(f"focused.{module}")


@contextmanager
def all_there(what: str = "") -> Iterator[None]:
    """Raise FocusedError where the block imports from a wing that is not there; ``what`` begins its line."""
    try:
        yield
    except ModuleNotFoundError as error:
        package, wing = [*(error.name or "").split("."), ""][:2]
        if package != "focused" or wing not in WINGS or find_spec(f"focused.{wing}"):
            raise
        raise FocusedError(
            f"{what}this installation of focused comes without its part {wing!r}; install the whole package"
        ) from None

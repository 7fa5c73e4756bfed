"""Finds what lies in a package of one file each, by the name of the file: strategies, yardsticks, measures.

A new file is found without being registered anywhere.
"""

from __future__ import annotations

import pkgutil
from collections.abc import Iterable
from dataclasses import dataclass
from importlib import import_module
from types import ModuleType
from typing import TypeVar

from focused.exceptions import FocusedError
from focused.topic.mistakes import nearest, shown

T = TypeVar("T")


@dataclass(frozen=True)
class Registry:
    """The modules of a package.

    Parameters
    ----------
    package, path : its name and where it lies (``__name__`` and ``__path__`` in its ``__init__.py``)
    kind, plural : what it holds, in words for a person
    error : raised for a name that is unknown
    """

    package: str
    path: Iterable[str]
    kind: str
    plural: str
    error: type[FocusedError]

    def names(self) -> list[str]:
        """Names of all modules, in alphabetical order."""
        # Asked of the package's importer and not of a directory: a deployed egg stays zipped.
        return sorted(module.name for module in pkgutil.iter_modules(self.path))

    def module(self, name: str) -> ModuleType:
        """Return a module; raises an error that names the nearest and lists all, if there is none of that name."""
        names = self.names()
        if name not in names:
            guess = nearest(name, names)
            hint = f"; did you mean {guess}?" if guess else "."
            listed = f"{self.plural.capitalize()}: {', '.join(names)}"
            raise self.error(f"{self.kind} {shown(name)} is unknown{hint} {listed}")
        return import_module(f"{self.package}.{name}")

    def get_class(self, name: str, base: type[T]) -> type[T]:
        """Return the one class of this base that a module, or a package of that name, defines; others may be imported there."""
        module = self.module(name)
        (found,) = (
            value
            for value in vars(module).values()
            if isinstance(value, type)
            and issubclass(value, base)
            and f"{value.__module__}.".startswith(f"{module.__name__}.")
        )
        return found

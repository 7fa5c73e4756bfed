"""The strategies: one file each, named as its strategy is. A new file is found without being registered anywhere."""

from __future__ import annotations

import pkgutil
from importlib import import_module

from focused.crawl.strategy import Strategy
from focused.errors import TopicError
from focused.mistakes import nearest, shown


def names() -> list[str]:
    """Names of all strategies, in alphabetical order."""
    # Asked of the package's importer and not of a directory: a deployed egg stays zipped.
    return sorted(module.name for module in pkgutil.iter_modules(__path__))


def get_strategy(name: str) -> type[Strategy]:
    """Return the class of a strategy; TopicError, naming the nearest and listing all, if there is none of that name."""
    if name not in names():
        guess = nearest(name, names())
        hint = f"; did you mean {guess}?" if guess else "."
        raise TopicError(f"strategy {shown(name)} is unknown{hint} Strategies: {', '.join(names())}")
    module = import_module(f"{__name__}.{name}")
    (strategy,) = (
        value
        for value in vars(module).values()
        if isinstance(value, type) and issubclass(value, Strategy) and value.__module__ == module.__name__
    )
    return strategy

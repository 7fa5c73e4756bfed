"""A pytest plugin: what tests made when they were imported is made anew, by the code as it is now.

mutmut imports everything once, runs the tests, and then tries each change in a fork of that process. So a test module would hold
what the unchanged code had answered, such as a classifier that all its tests look at, and a cache as well.
"""

from __future__ import annotations

import sys

OURS = ("focused", "lab")  #: packages whose modules stay, without what their caches hold


def pytest_sessionstart() -> None:
    for name, module in list(sys.modules.items()):
        package = name.partition(".")[0]
        if package == "tests":
            del sys.modules[name]
        elif package in OURS:
            for value in list(vars(module).values()):
                if hasattr(value, "cache_clear"):
                    value.cache_clear()

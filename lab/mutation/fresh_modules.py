"""A pytest plugin: what tests made when they were imported is made anew, by the code as it is now, and counts for all of them.

mutmut imports everything once, runs the tests, and then tries each change in a fork of that process. So a test module would hold
what the unchanged code had answered, such as a classifier that all its tests look at, and a cache as well. Nor would mutmut know
that those tests depend on the code that made the classifier: it notes only what is called while a test runs.
"""

from __future__ import annotations

import sys

OURS = ("focused", "lab")  #: packages whose modules stay, without what their caches hold

called_by_imports: set[str] = set()  #: functions, as mutmut names them


def pytest_sessionstart() -> None:
    for name, module in list(sys.modules.items()):
        package = name.partition(".")[0]
        if package == "tests":
            del sys.modules[name]
        elif package in OURS:
            for value in list(vars(module).values()):
                if hasattr(value, "cache_clear"):
                    value.cache_clear()


def pytest_collection_finish() -> None:
    called_by_imports.update(_called())


def pytest_runtest_setup() -> None:
    _called().update(called_by_imports)


def _called() -> set[str]:
    """What mutmut notes of the test that runs."""
    called: set[str] = sys.modules["mutmut.state"].state()._stats
    return called

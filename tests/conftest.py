"""No test asserts wall time: a busy machine would fail it. Hypothesis tries few examples here and many in `make test-slow`."""

import pytest
from hypothesis import settings

settings.register_profile("focused", deadline=None, max_examples=15)
settings.register_profile("thorough", deadline=None, max_examples=300)
settings.load_profile("focused")

#: What takes long, begun first: whoever began it last would work on when all others have ended.
FIRST = ("installed", "crawls", "rendering", "dashboard", "test_scrapyd.py", "test_wings.py")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    items.sort(
        key=lambda item: next((place for place, name in enumerate(FIRST) if name in item.path.parts), len(FIRST))
    )

"""A state that changes its shape has another version: else a crawl that goes on would read back what it cannot understand."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.contract.state_shapes import CORE, FILE, STRATEGIES, of_core, of_strategy

KNOWN: dict[str, dict[str, Any]] = json.loads(FILE.read_text())
REMEDY = "then run: python -m tests.contract.state_shapes"


@pytest.mark.parametrize("name", [CORE, *STRATEGIES])
def test_a_state_that_changed_its_shape_has_a_new_version(name: str) -> None:
    assert name in KNOWN, f"{name} is new: {REMEDY}"
    found, known = of_core() if name == CORE else of_strategy(name), KNOWN[name]
    where = "state.STATE_VERSION" if name == CORE else "its state_version"
    if found["shape"] != known["shape"]:
        assert found["version"] > known["version"], f"the state of {name} has changed: raise {where}, {REMEDY}"
    assert found == known, f"a new version of {name}: {REMEDY}"


def test_nothing_is_written_down_of_what_is_gone() -> None:
    assert KNOWN.keys() == {CORE, *STRATEGIES}

"""The shapes of all states that snapshots hold. ``python -m tests.contract.state_shapes`` writes them down.

Run it after `Strategy.state_version` (or `state.STATE_VERSION`) was raised for a state that has changed its shape.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from focused import strategies
from focused.crawl import state as core
from focused.strategies import get_strategy
from focused.testing.toy_world import Visits, arrive, toy_web
from tests.contract.crawlers import NAMES, crawler, world_for
from tests.crawl.web import make_crawl

FILE = Path(__file__).with_name("state_shapes.json")
STRATEGIES = [name for name in NAMES if name.partition(" ")[0] in strategies.names()]
CORE = "the core"


def shapes() -> dict[str, dict[str, Any]]:
    """Version and shape of the state of the core and of every strategy, with and without a trained model."""
    return {CORE: of_core()} | {name: of_strategy(name) for name in STRATEGIES}


def of_core() -> dict[str, Any]:
    crawl = make_crawl(None, "breadth_first")
    return {"version": core.STATE_VERSION, "shape": shape({**crawl.snapshot(), "strategy": {}})}


def of_strategy(name: str) -> dict[str, Any]:
    kind, visits = crawler(name), Visits()
    crawling = kind(kind.Options(), world_for(kind))
    for page in toy_web().values():
        arrive(crawling, visits.of(page), visits)
    columns = crawling.world.urls.columns.snapshot(1) | crawling.world.hosts.columns.snapshot(1)
    own = {column: values for column, values in columns.items() if column.startswith("strategy.")}
    return {
        "version": get_strategy(kind.name).state_version,
        "shape": shape({"state": crawling.state(), "columns": own}),
    }


def shape(value: Any) -> Any:
    """What a value is made of: names and types, and the size of a row; not how many there are of anything."""
    if isinstance(value, np.ndarray):
        return (
            f"{value.dtype.kind}{value.dtype.itemsize * 8 if value.dtype.kind in 'iuf' else ''} array of {value.ndim}"
        )
    if isinstance(value, Mapping):
        named = {("NUMBER" if str(key).isdigit() else str(key)): shape(item) for key, item in value.items()}
        return dict(sorted(named.items()))
    if isinstance(value, list | tuple):
        return [shape(value[0])] if value else []
    return type(value).__name__


if __name__ == "__main__":
    FILE.write_text(json.dumps(shapes(), indent=1) + "\n")

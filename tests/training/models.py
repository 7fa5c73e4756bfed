"""Trained models on disk, for tests of what uses them."""

from pathlib import Path
from typing import Any

from focused.collection.trained_model import Card, save_model, versions
from focused.strategies import get_strategy
from tests.contract.crawlers import toy_model


def card_of(kind: str = "classifier", name: str = "sun", **values: Any) -> Card:
    """The card of a model that nobody trained."""
    about = {
        "kind": kind,
        "name": name,
        "command": (name, kind, "--folder", "my pages"),
        "made": "2026-11-21T12:00:00",
        "language": "en",
        "options": {},
        "sources": ("my pages",),
        "data": "0" * 64,
        "counts": {"pages": 3},
        "scores": {"accuracy": 0.9},
        "versions": versions(),
    }
    return Card(**{**about, **values})


def save_toy_model(strategy: str, folder: Path, **classes: Any) -> str:
    """Save the model that a strategy needs, made of the toy web (see `toy_model`); return its name."""
    found = get_strategy(strategy)
    save_model(folder, card_of(found.trained, "toy"), toy_model(found, **classes))
    return "toy"

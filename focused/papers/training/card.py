"""The card of a model that was just trained: what it was learned from, how good it is, and the command that makes it again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from focused.collection.trained_model import Card, versions
from focused.papers.training.examples import Examples
from focused.papers.training.kind import Kind


def card_of(
    kind: Kind, name: str, command: Sequence[str], examples: Examples, model: Any, scores: Mapping[str, float]
) -> Card:
    """The card of a model that a kind has learned from these examples.

    command : arguments of the `scrapy train` that makes it again
    scores : by cross-validation; empty where nobody measured
    """
    classes = {f"pages of {label}": count for label, count in examples.counts().items()}
    return Card(
        kind=kind.name,
        name=name,
        command=tuple(command),
        made=datetime.now(UTC).isoformat(timespec="seconds"),
        language=examples.language,
        stemming=examples.stemming,
        options=kind.options.model_dump(),
        sources=tuple(examples.sources),
        data=examples.digest(),
        counts={"pages": len(examples.documents), **classes, **kind.counts(model)},
        scores=dict(scores),
        versions=versions(),
    )

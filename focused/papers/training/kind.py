"""What a kind of trained model is: it says what it needs, learns from examples, and tells how good it is."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, ClassVar

from pydantic import BaseModel, ConfigDict

from focused.collection.trained_model import Card, versions
from focused.papers.training.examples import Examples

ShowProgress = Callable[[str], None]  #: shows a person how far it is


class KindOptions(BaseModel):
    """What can be chosen when a model is trained, as ``--set NAME=VALUE``; every field says what it is."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class Kind(ABC):
    """Base class of all kinds. A subclass is one file of `focused.papers.training.kinds`, named as it is.

    A strategy takes its model by `Strategy.trained` = the name of the kind, and finds it in `World.model`; one that is learned
    from crawls by `Strategy.knows`, in `World.knowledge`.
    """

    name: ClassVar[str]
    about: ClassVar[str]  #: in one line: what it is, and for which strategies
    from_crawls: ClassVar[bool] = False  #: it learns from what links led to in earlier crawls, and from no other source
    Options: ClassVar[type[KindOptions]] = KindOptions

    def __init__(self, options: KindOptions | None = None) -> None:
        self.options: Any = options or self.Options()

    @abstractmethod
    def check(self, examples: Examples, folds: int) -> None:
        """Raise TrainingError if there is too little to learn from, or for ``folds`` parts: how much there is and is needed."""

    @abstractmethod
    def fit(self, examples: Examples) -> Any:
        """Learn from examples that passed `check`; the same examples give the same model.

        What is returned is a plain value, or has ``state`` and ``restored`` (`focused.relevance.plain_state`), so that it is kept
        as data. Its class must be at the top of a module that crawls have too, not of this package.
        """

    @abstractmethod
    def scores(self, examples: Examples, count: int, said: ShowProgress) -> Mapping[str, float]:
        """Quality on examples that were not learned from, by cross-validation over ``count`` parts, by name of measure."""

    def counts(self, model: Any) -> dict[str, int]:
        """What a model is made of, for its card."""
        return {}


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

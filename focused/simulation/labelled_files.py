"""Topic files with label files beside them: one for the crawler, one for those who judge it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from focused import strategies
from focused.exceptions import EvaluationError
from focused.page.urls import UrlRules
from focused.simulation.labels import LABELS_SUFFIX, Judgements, Labels, read_labels
from focused.topic.plain_files import shown_path
from focused.topic.topic import Topic
from focused.topic.topic_file import SUFFIX, load_topic

PARTS = ("university", "layout")  #: what the origin of a topic may say of the part of the web that is meant


@dataclass(frozen=True)
class LabelledFile:
    """A topic, and what of its labels a crawl may know: which part of the web is meant.

    labels : the label file
    part : options of the web, as `WebOpener.open` takes them
    split : of the data set; topics of ``report`` are for final figures only
    """

    topic: Topic
    labels: Path
    part: Mapping[str, str]
    split: str

    def read(self) -> Labels:
        """The labels; URLs are canonical as the topic makes them. Raises EvaluationError."""
        return _canonical(read_labels(self.labels), self.topic)


def _as_it_says(path: Path) -> Topic:
    return load_topic(path.stem, strategies, topics_dir=path.parent)


def labelled_files(names: Sequence[str], load: Callable[[Path], Topic] = _as_it_says) -> list[LabelledFile]:
    """Read the topics that files, folders and patterns such as ``topics/*-near.toml`` name, each once.

    load : reads a topic file; by default as it says

    Raises EvaluationError for a name that leads to no topic, a topic without labels and two topics of one name; TopicError for
    a topic file with mistakes.
    """
    found: dict[str, Path] = {}
    for name in names:
        for path in _paths(name):
            if found.setdefault(path.stem, path).absolute() != path.absolute():
                raise EvaluationError(
                    f"two topics are called {path.stem}: {found[path.stem]} and {path}; leave one out"
                )
    return [_labelled(path, load(path)) for path in found.values()]


def _paths(name: str) -> list[Path]:
    """Topic files with labels, in alphabetical order."""
    if Path(name).is_dir():
        paths = [path for path in sorted(Path(name).glob(f"*{SUFFIX}")) if _labels_of(path).exists()]
    else:
        paths = sorted(path for path in Path(name).parent.glob(Path(name).name) if path.suffix == SUFFIX)
    if not paths:
        raise EvaluationError(
            f"{name}: no topic with labels there: NAME{SUFFIX} and NAME{LABELS_SUFFIX} beside it are needed"
        )
    return paths


def _labels_of(topic: Path) -> Path:
    return topic.with_name(topic.stem + LABELS_SUFFIX)


def _labelled(path: Path, topic: Topic) -> LabelledFile:
    file = _labels_of(path)
    if not file.exists():
        raise EvaluationError(
            f"{shown_path(path)}: {file.name} is missing beside it; it says what crawls are judged by"
        )
    return labelled(topic, file)


def labelled(topic: Topic, file: Path) -> LabelledFile:
    """A topic with its label file. Raises EvaluationError for a file that is none, or that is about another topic."""
    labels = read_labels(file)
    if labels.judgements.topic != topic.name:
        raise EvaluationError(f"{shown_path(file)}: 'topic' is {labels.judgements.topic!r}, not {topic.name!r}")
    facts = {name: labels.origin.get(name) for name in (*PARTS, "split")}
    for name, value in facts.items():
        if value is not None and not isinstance(value, str):
            raise EvaluationError(f"{shown_path(file)}: {name!r} in 'origin' must be text")
    part = {name: value for name in PARTS if (value := facts[name])}
    return LabelledFile(topic, file, part, facts["split"] or "")


def _canonical(labels: Labels, topic: Topic) -> Labels:
    rules = UrlRules(topic.reading.fold_index, topic.reading.strip_parameters)
    found = labels.judgements

    def named(urls: Iterable[str]) -> frozenset[str]:
        return frozenset(rules.canonical(url) or url for url in urls)

    reachable = None if found.reachable is None else named(found.reachable)
    judgements = Judgements(found.topic, named(found.targets), named(found.also), named(found.neutral), reachable)
    return Labels(judgements, labels.description, labels.origin)

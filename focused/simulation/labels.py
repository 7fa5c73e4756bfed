"""Labels: what is known of the pages of a web about one topic, in a file that no part of a crawler sees.

A crawler's own estimate of relevance is no label. All URLs are canonical, by the same rules as those of the crawls that are judged.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from focused.exceptions import EvaluationError
from focused.topic.mistakes import shown
from focused.topic.plain_files import read_text, shown_path

LABELS_SUFFIX = ".labels.json"


@dataclass(frozen=True)
class Judgements:
    """What is known of the pages of a web about one topic; a URL in none of the sets is not relevant.

    Parameters
    ----------
    targets : relevant URLs to be found; seeds are not among them
    also : relevant too, but not to be found: they count for the harvest rate and not for recall
    neutral : neither for nor against (translations, indexes): the harvest rate passes over them
    reachable : targets that links lead to from the seeds; None if not known, then all are taken for reachable

    Raises EvaluationError if there are no targets, or a URL has two labels, or something reachable is no target.
    """

    topic: str
    targets: frozenset[str]
    also: frozenset[str] = frozenset()
    neutral: frozenset[str] = frozenset()
    reachable: frozenset[str] | None = None

    def __post_init__(self) -> None:
        if not self.targets:
            raise EvaluationError(f"judgements of topic {self.topic}: there are no targets; name at least one URL")
        labels = {"targets": self.targets, "also": self.also, "neutral": self.neutral}
        for one, other in (("targets", "also"), ("targets", "neutral"), ("also", "neutral")):
            if both := labels[one] & labels[other]:
                raise EvaluationError(
                    f"judgements of topic {self.topic}: {shown(min(both))} is in {one} and in {other}; leave it in one"
                )
        if strangers := self.reachable_targets - self.targets:
            raise EvaluationError(
                f"judgements of topic {self.topic}: {shown(min(strangers))} is in reachable, but not in targets"
            )

    @cached_property
    def relevant(self) -> frozenset[str]:
        """URLs that count for the harvest rate."""
        return self.targets | self.also

    @property
    def reachable_targets(self) -> frozenset[str]:
        """Targets that a crawl can reach, as far as is known."""
        return self.targets if self.reachable is None else self.reachable


@dataclass(frozen=True)
class Labels:
    """What a label file says."""

    judgements: Judgements
    description: str  #: empty if there is none
    origin: Mapping[str, Any]  #: empty if it is not told


def read_labels(path: Path) -> Labels:
    """Read a label file; EvaluationError in one line if it is none."""
    try:
        labels = json.loads(read_text(path))
    except (ValueError, RecursionError) as error:
        raise EvaluationError(f"{shown_path(path)}: not JSON: {error}") from None
    if not isinstance(labels, dict) or not isinstance(labels.get("topic"), str):
        raise EvaluationError(f"{shown_path(path)}: not a label file: 'topic' must name one")
    sets = {name: _urls(labels, name, path) for name in ("targets", "also", "neutral", "reachable")}
    targets = sets["targets"]
    if not targets:
        raise EvaluationError(f"{shown_path(path)}: 'targets' is empty; there is nothing to find")
    also, neutral = sets["also"] or frozenset(), sets["neutral"] or frozenset()
    judgements = Judgements(labels["topic"], targets, also, neutral, sets["reachable"])
    origin = labels.get("origin", {})
    if not isinstance(origin, dict):
        raise EvaluationError(f"{shown_path(path)}: 'origin' must be a table of names and texts")
    return Labels(judgements, str(labels.get("description", "")), origin)


def _urls(labels: Mapping[str, Any], name: str, path: Path) -> frozenset[str] | None:
    urls = labels.get(name)
    if urls is not None and not (isinstance(urls, list) and all(isinstance(url, str) for url in urls)):
        raise EvaluationError(f"{shown_path(path)}: {name!r} must be a list of URLs")
    return None if urls is None else frozenset(urls)

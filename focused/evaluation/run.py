"""What an evaluation starts from: a Run says what a crawl fetched, Judgements say what of that was wanted.

Judgements come from labels and target lists that no part of a crawler sees; a crawler's own estimate of relevance is none.
All URLs are canonical: those of a run and those of its judgements must be made by the same rules.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from focused.evaluation.errors import EvaluationError
from focused.mistakes import shown


@dataclass(frozen=True)
class Run:
    """What one crawl of one topic did.

    Parameters
    ----------
    strategy, topic : names
    seed : of the random repeat; runs that differ only in it are averaged before topics are tested
    urls : (N,) URLs whose content was received, in order of arrival, each once; robots.txt, redirects and failures are not here
    duplicates : URL -> the first URL of the run with exactly the same bytes, for pages whose content had been fetched before
    cpu_seconds : of the whole crawl; None if not measured

    Raises EvaluationError where these contradict each other.
    """

    strategy: str
    topic: str
    seed: int
    urls: Sequence[str]
    duplicates: Mapping[str, str] = field(default_factory=dict)
    cpu_seconds: float | None = None

    def __post_init__(self) -> None:
        times = Counter(self.urls)
        if len(times) < len(self.urls):
            url = times.most_common(1)[0][0]
            raise EvaluationError(f"{self}: {shown(url)} is fetched {times[url]} times; a run lists each URL once")
        strangers = {*self.duplicates, *self.duplicates.values()} - times.keys()
        if strangers:
            raise EvaluationError(f"{self}: {shown(min(strangers))} is among the duplicates, but was not fetched")
        if self.cpu_seconds is not None and not 0 <= self.cpu_seconds < math.inf:
            raise EvaluationError(f"{self}: CPU seconds must be a number from 0 on, not {self.cpu_seconds}")

    def __str__(self) -> str:
        return f"run of {self.strategy} on topic {self.topic}, seed {self.seed}"


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

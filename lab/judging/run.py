"""What an evaluation starts from: a Run says what a crawl fetched.

All URLs are canonical: those of a run and those of the `Judgements` that it is judged by must be made by the same rules.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from focused.exceptions import EvaluationError
from focused.topic.mistakes import shown


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

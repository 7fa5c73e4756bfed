"""What an evaluation starts from: a Run says what a crawl fetched, a Spelling how labels spell it; what of it counts, page by page.

All URLs are canonical: those of a run and those of the `Judgements` that it is judged by must be made by the same rules.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from focused.crawl.arrays import FloatArray
from focused.exceptions import EvaluationError
from focused.page.urls import UrlRules
from focused.simulation.labels import Judgements
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


class Spelling:
    """A page is known by its key: a crawl may have found it under a URL spelt differently from that of the label."""

    def __init__(self, judgements: Judgements, rules: UrlRules) -> None:
        self._key = rules.key
        self._by_key = {self._key(url): url for url in judgements.relevant | judgements.neutral}

    def label(self, url: str) -> str:
        """A URL as the labels spell it; one that has no label as it is."""
        return self._by_key.get(self._key(url), url)

    def of(self, urls: Iterable[str]) -> dict[str, str]:
        """URLs that the labels spell differently, with that spelling."""
        return {url: label for url in urls if (label := self.label(url)) != url}


BoolArray = NDArray[np.bool_]


def flags(run: Run, urls: frozenset[str]) -> BoolArray:
    """(N,) whether each page of a run is one of these URLs."""
    return np.fromiter((url in urls for url in run.urls), np.bool_, len(run.urls))


def relevant_flags(run: Run, judgements: Judgements) -> BoolArray:
    """(N,) whether each page is relevant; of pages with the same bytes only the first relevant one is."""
    check_topic(run, judgements)
    counted: set[str] = set()
    found = flags(run, judgements.relevant)
    for position in np.flatnonzero(found).tolist():
        url = run.urls[position]
        content = run.duplicates.get(url, url)
        found[position] = content not in counted
        counted.add(content)
    return found


def check_topic(run: Run, judgements: Judgements) -> None:
    """Raise EvaluationError if a run is measured by the judgements of another topic."""
    if run.topic != judgements.topic:
        raise EvaluationError(f"{run} cannot be measured by the judgements of topic {judgements.topic}")


def value_at(curve: FloatArray, pages: int) -> float:
    """A curve's value after so many pages (from 1 on); of a crawl that ended before, its last one, and 0.0 if it has none."""
    if pages < 1:
        raise EvaluationError(f"a curve is read at 1 page or more, not at {pages}")
    return float(curve[min(pages, len(curve)) - 1]) if len(curve) else 0.0

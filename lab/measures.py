"""The measures of a crawl: pure functions of runs and judgements. Those of `scrapy compare` are in `focused.simulation.measures`.

A curve is an array with the value after each page fetched, to be read with `judged_run.value_at`; a figure is one number.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import urlsplit

import numpy as np

from focused.crawl.arrays import FloatArray
from focused.exceptions import EvaluationError
from focused.simulation.judged_run import Run, relevant_flags, value_at
from focused.simulation.labels import Judgements
from focused.simulation.measures import area_under_recall, harvest_rate, target_recall
from focused.topic.mistakes import shown

ROUNDING = 1e-9  # a share such as 0.1 * 3 of 3 targets is reached with rounding errors


def search_length(run: Run, judgements: Judgements, share: float = 0.5) -> float:
    """Pages fetched when the recall of reachable targets first reaches `share`; infinite if it never does.

    Parameters
    ----------
    share : in (0, 1]

    Source: Menczer & Belew 2000, as told in Pant, Srinivasan & Menczer 2004, section 4.2.
    """
    if not 0 < share <= 1:
        raise EvaluationError(f"a share of the targets is more than 0 and at most 1, not {share}")
    reached = np.flatnonzero(target_recall(run, judgements) >= share - ROUNDING)
    return float(reached[0] + 1) if len(reached) else math.inf


def precision_at_recall(run: Run, judgements: Judgements, recall: float = 0.5) -> float:
    """Harvest rate, in [0, 1], when the recall of reachable targets first reaches `recall`; 0 if it never does.

    Parameters
    ----------
    recall : in (0, 1]; 0.1, 0.5 and 1.0 are usual

    Source: Almpanidis et al. 2007, equation 21 and table 3; 0 for a recall never reached is the rule of TREC.
    """
    pages = search_length(run, judgements, recall)
    return value_at(harvest_rate(run, judgements), int(pages)) if math.isfinite(pages) else 0.0


def f1_at_recall(run: Run, judgements: Judgements, recall: float = 0.5) -> float:
    """2 P R / (P + R), in [0, 1], when the recall R of reachable targets first reaches `recall`; 0 if it never does.

    R is what was reached, which may lie above `recall`: 2 of 3 targets where half were asked for.

    Parameters
    ----------
    recall : in (0, 1]; 0.1, 0.5 and 1.0 are usual

    Source: Almpanidis et al. 2007, equation 23 and table 3.
    """
    precision = precision_at_recall(run, judgements, recall)
    if not precision:
        return 0.0
    reached = value_at(target_recall(run, judgements), int(search_length(run, judgements, recall)))
    return 2 * precision * reached / (precision + reached)


def normalised_area(run: Run, judgements: Judgements, budget: int) -> float:
    """`area_under_recall` divided by that of a crawl which fetches nothing but reachable targets; in [0, 1].

    Where more targets can be reached than the budget has pages, no recall comes near 1; this measure may. Seeds and the pages
    on the way to targets keep even an oracle below 1.

    Parameters
    ----------
    budget : as of `area_under_recall`
    """
    area = area_under_recall(run, judgements, budget)
    best = np.minimum(1.0, np.arange(1, budget + 1) / len(judgements.reachable_targets))
    return area / float(best.mean())


def average_relevance(run: Run, importance: Mapping[str, float], window: int | None = None) -> FloatArray:
    """(N,) mean importance of the first 1, 2, ... N pages; in the range of the importance.

    Parameters
    ----------
    importance : URL -> how important the page is, by one of `lab.importance`
    window : mean of only the last so many pages (200 in Diligenti et al. 2000), all that there are near the start; None: of all

    Raises EvaluationError if a page of the run has none.

    Source: Pant, Srinivasan & Menczer 2004, "Crawling the Web", section 4.2; over a window, Diligenti, Coetzee, Lawrence, Giles
    & Gori 2000, "Focused Crawling Using Context Graphs", figure 5.
    """
    if window is not None and window < 1:
        raise EvaluationError(f"the window of the average relevance must be 1 page or more, not {window}")
    missing = [url for url in run.urls if url not in importance]
    if missing:
        raise EvaluationError(
            f"{run}: {len(missing)} of its pages have no relevance, {shown(missing[0])} for one; "
            "compute it for the pages of all runs that are compared"
        )
    values = np.fromiter((importance[url] for url in run.urls), np.float64, len(run.urls))
    sums, counts = np.cumsum(values), np.arange(1, len(values) + 1)
    if window is not None:
        sums[window:] = sums[window:] - sums[:-window]
        counts = np.minimum(counts, window)
    return np.asarray(sums / counts, np.float64)


def average_precision_at(run: Run, similarities: Mapping[str, float]) -> FloatArray:
    """(N,) mean of sim(description, page) over the first 1, 2, ... N pages; in [0, 1].

    It needs no labels, and has nothing to do with the average precision of ranked retrieval. The average over topics
    is taken afterwards.

    Parameters
    ----------
    similarities : URL -> sim(d, p), made by `lab.judging` from all runs that are compared

    Raises EvaluationError if a page of the run is not among them.

    Source: Pant & Menczer 2003, equation 1.
    """
    return average_relevance(run, similarities)


def distinct_relevant_hosts(run: Run, judgements: Judgements) -> FloatArray:
    """(N,) hosts with at least one relevant page, after each page; whole numbers.

    It tells a crawl that found many sources from one that emptied a single site.
    """
    relevant = relevant_flags(run, judgements)
    new = np.zeros(len(relevant))
    hosts: set[str | None] = set()
    for position in np.flatnonzero(relevant).tolist():
        host = urlsplit(run.urls[position]).hostname
        new[position] = host not in hosts
        hosts.add(host)
    return np.cumsum(new)


def robustness(first: Run, second: Run) -> FloatArray:
    """(N,) overlap of what two runs fetched from two disjoint halves of the seeds, after each page; in [0, 1].

    The overlap of the first n pages of each is 2 |A and B| / (|A| + |B|), thus the share of n where both have n pages; a
    run that ended earlier stays as it is. N is the length of the longer run.

    Raises EvaluationError if the runs are of different strategies or topics.

    Source: Chakrabarti et al. 1999; Pant, Srinivasan & Menczer 2004, section 4.2 (which leave open how to normalise).
    """
    if (first.strategy, first.topic) != (second.strategy, second.topic):
        raise EvaluationError(f"robustness compares one strategy on one topic with itself, not {first} with {second}")
    length = max(len(first.urls), len(second.urls))
    order = {url: position for position, url in enumerate(first.urls)}
    common = np.zeros(length)
    for position, url in enumerate(second.urls):
        if url in order:
            common[max(position, order[url])] += 1  # in the overlap as soon as both have it
    pages = np.arange(1, length + 1)
    sizes = np.minimum(pages, len(first.urls)) + np.minimum(pages, len(second.urls))
    return np.asarray(2 * np.cumsum(common) / sizes, np.float64)


def cpu_per_page(run: Run) -> float:
    """Milliseconds of CPU per page fetched. EvaluationError if they were not measured, or nothing was fetched.

    Only runs of one machine can be compared, and only if all found their pages analysed, or none did.
    """
    if run.cpu_seconds is None or not run.urls:
        lack = "no pages" if run.cpu_seconds is not None else "no CPU seconds"
        raise EvaluationError(f"{run}: there are {lack}, so there is no CPU per page")
    return 1000 * run.cpu_seconds / len(run.urls)


#: All measures, by name.
MEASURES: Mapping[str, Callable[..., Any]] = {
    measure.__name__: measure
    for measure in (
        *(
            area_under_recall,
            average_precision_at,
            average_relevance,
            cpu_per_page,
            distinct_relevant_hosts,
            f1_at_recall,
        ),
        *(harvest_rate, normalised_area, precision_at_recall, robustness, search_length, target_recall),
    )
}


def names() -> list[str]:
    """Names of all measures, in alphabetical order."""
    return sorted(MEASURES)

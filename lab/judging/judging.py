"""Judges all crawls of one topic together: figures and curves of each, by labels that none of them saw."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from focused.crawl.arrays import FloatArray, IntArray
from focused.exceptions import EvaluationError
from focused.page.reader import Reader
from focused.simulation.analysed_web import AnalysedWeb
from focused.simulation.judged_run import Run, Spelling, value_at
from focused.simulation.labelled_files import LabelledFile
from focused.simulation.labels import Judgements
from focused.simulation.measures import area_under_recall, harvest_rate, target_recall
from focused.simulation.web_opener import WebOpener
from focused.topic.topic import Topic
from lab.crawlers.web_links import links_of, reachable_urls
from lab.experiment.crawl_record import CrawlRecord, read_record
from lab.experiment.experiment import Levels
from lab.importance import IMPORTANCES
from lab.judging.calibration import page_calibration
from lab.judging.evidence import Evidence, PageTerms, similarities
from lab.measures import (
    average_precision_at,
    average_relevance,
    cpu_per_page,
    distinct_relevant_hosts,
    f1_at_recall,
    normalised_area,
    precision_at_recall,
    robustness,
    search_length,
)

#: Curves are kept at every page up to the first number, then at every 10th up to the next, and so on.
DENSE, STEP = 1000, 10


@dataclass(frozen=True)
class JudgedCrawl:
    """One crawl: figures by name, and curves by name, read after `grid` pages."""

    strategy: str
    topic: str
    repeat: int
    figures: Mapping[str, float]
    curves: Mapping[str, FloatArray]


@dataclass(frozen=True)
class JudgedTopic:
    """What came out for one topic.

    budget : pages that all its crawls are measured over: those allowed or, if no crawl found so many, of the longest
    targets, reachable, unrecorded : targets, those that can be reached, and labels that name a URL which is not recorded
    """

    name: str
    budget: int
    targets: int
    reachable: int
    unrecorded: int
    crawls: list[JudgedCrawl]


@dataclass(frozen=True)
class Judging:
    """The task to judge the crawls of one topic.

    records : files of its crawls, repeats in order
    halves : files of pairs of crawls from either half of the seeds
    pages : that each crawl was allowed; 0 = no limit
    """

    labelled: LabelledFile
    records: Sequence[Path]
    halves: Sequence[tuple[Path, Path]]
    pages: int
    levels: Levels

    def __str__(self) -> str:
        return f"judging of {self.labelled.topic.name}"

    def __call__(self, opener: WebOpener) -> JudgedTopic:
        """Raises EvaluationError if there is nothing to judge by, StorageError for a damaged record."""
        labelled, topic = self.labelled, self.labelled.topic
        reader = Reader(topic.reading, keep=topic.keywords)
        web = opener.open(topic, reader, labelled.part)
        labels = labelled.read()
        known, unrecorded = _known(labels.judgements, topic, web)
        records = [read_record(path) for path in self.records]
        spelt = Spelling(known, web.reader.rules)
        runs = [record.run(spelt.of(record.urls)) for record in records]
        longest = max(len(run.urls) for run in runs)
        budget = min(self.pages or longest, longest)
        likeness = _likeness(reader.analyser.terms(labels.description), records, web)
        importance = self._importance(topic, known, records, spelt, web)
        opener.save()
        overlaps = {first.strategy: overlap for first, overlap in self._overlaps()}
        crawls = []
        for record, run in zip(records, runs, strict=True):
            curves = _curves(run, known, self.levels, likeness and _respelt(likeness, spelt.of(record.urls)))
            for name, values in importance.items():
                curves |= _relevance(run, self.levels, name, _respelt(values, spelt.of(record.urls)))
            figures = (
                _figures(run, known, self.levels, budget, curves) | _facts(record) | _calibration(record, run, known)
            )
            figures |= _own_harvest(record, figures["harvest_rate"])
            if run.strategy in overlaps:
                figures["robustness"] = overlaps[run.strategy]
            at = np.minimum(grid(budget), len(run.urls)) - 1
            thinned = {name: curve[at] for name, curve in curves.items()}
            crawls.append(JudgedCrawl(run.strategy, run.topic, run.seed, figures, thinned))
        reachable = len(known.reachable_targets)
        return JudgedTopic(topic.name, budget, len(known.targets), reachable, unrecorded, crawls)

    def _importance(
        self, topic: Topic, known: Judgements, records: Sequence[CrawlRecord], spelt: Spelling, web: AnalysedWeb
    ) -> dict[str, dict[str, float]]:
        """The importance of each page fetched, by each of the names that were asked for."""
        if not self.levels.importance:
            return {}
        names = {label: url for record in records for url, label in spelt.of(record.urls).items()}
        relevant = frozenset(names.get(url, url) for url in known.relevant)
        evidence = Evidence(topic, relevant, web, dict.fromkeys(url for record in records for url in record.urls))
        return {name: IMPORTANCES[name](evidence) for name in self.levels.importance}

    def _overlaps(self) -> Iterator[tuple[Run, float]]:
        for pair in self.halves:
            first, second = (read_record(path).run({}) for path in pair)
            yield first, float(robustness(first, second)[-1])


def grid(pages: int) -> IntArray:
    """Numbers of pages after which curves are kept: all up to 1,000, then every 10th up to 10,000, every 100th, ..."""
    parts = [np.arange(1, min(pages, DENSE) + 1)]
    end = DENSE
    while end < pages:
        step = STEP * end // DENSE
        parts.append(np.arange(end + step, min(pages, end * STEP) + 1, step))
        end *= STEP
    return np.concatenate(parts)


def _known(judgements: Judgements, topic: Topic, web: AnalysedWeb) -> tuple[Judgements, int]:
    """The judgements with what can be reached, and how many labels name a URL that is not recorded.

    Where the labels do not tell which targets can be reached, links are followed: that reads the whole web, once.
    """
    labelled = sorted(judgements.relevant | judgements.neutral)
    rules = web.reader.rules
    is_recorded = web.holds(np.fromiter(map(rules.key, labelled), np.int64, len(labelled)))
    if judgements.reachable is None:
        links = links_of(web, topic.scope)
        judgements = replace(judgements, reachable=reachable_urls(links, rules, topic.seeds, judgements.targets))
    if not judgements.reachable_targets:
        raise EvaluationError(
            f"none of its {len(judgements.targets)} targets can be reached from the seeds, so there is no recall"
        )
    return judgements, len(labelled) - int(np.count_nonzero(is_recorded))


def _respelt(likeness: Mapping[str, float], spelt: Mapping[str, str]) -> Mapping[str, float]:
    return {**likeness, **{label: likeness[url] for url, label in spelt.items()}} if spelt else likeness


def _likeness(description: Sequence[str], records: Sequence[CrawlRecord], web: AnalysedWeb) -> dict[str, float]:
    """Similarity to the description of all pages that any of the crawls fetched; empty without a description."""
    if not description:
        return {}
    urls = dict.fromkeys(url for record in records for url in record.urls)
    return similarities(description, PageTerms(urls, web))


def _curves(run: Run, known: Judgements, levels: Levels, likeness: Mapping[str, float]) -> dict[str, FloatArray]:
    curves = {
        "target_recall": target_recall(run, known),
        "target_recall_of_all": target_recall(run, known, of_all=True),
        "harvest_rate": harvest_rate(run, known),
        **{f"harvest_rate_{window}": harvest_rate(run, known, window) for window in levels.windows},
        "distinct_relevant_hosts": distinct_relevant_hosts(run, known),
    }
    if likeness:
        curves["average_precision"] = average_precision_at(run, likeness)
    return curves


def _relevance(run: Run, levels: Levels, name: str, importance: Mapping[str, float]) -> dict[str, FloatArray]:
    """The average relevance by an importance, of all pages so far and over each window."""
    sliding = {f"average_{name}_{window}": average_relevance(run, importance, window) for window in levels.windows}
    return {f"average_{name}": average_relevance(run, importance), **sliding}


def _figures(
    run: Run, known: Judgements, levels: Levels, budget: int, curves: Mapping[str, FloatArray]
) -> dict[str, float]:
    figures = {
        "area_under_recall": area_under_recall(run, known, budget),
        "normalised_area": normalised_area(run, known, budget),
    }
    windows = tuple(f"_{window}" for window in levels.windows)  # where such a curve stands at the end tells nothing
    figures |= {name: value_at(curve, budget) for name, curve in curves.items() if not name.endswith(windows)}
    figures["search_length"] = search_length(run, known, levels.search)
    for level in levels.recall:
        figures[f"precision_at_recall_{level:g}"] = precision_at_recall(run, known, level)
        figures[f"f1_at_recall_{level:g}"] = f1_at_recall(run, known, level)
    figures["cpu_per_page"] = cpu_per_page(run)
    return figures


def _calibration(record: CrawlRecord, run: Run, known: Judgements) -> dict[str, float]:
    """What the crawl's own estimates are worth; nothing of a crawl that has none which could be compared."""
    try:
        found = page_calibration(run, record.relevance, known) if record.relevance else None
    except EvaluationError:  # all its pages are neutral
        found = None
    return {"own_roc_auc": found.auc, "own_calibration_error": found.expected_error} if found else {}


def _own_harvest(record: CrawlRecord, harvest: float) -> dict[str, float]:
    """The crawl's own harvest rate, and how far it lies above (+) or below (-) that by labels, whose neutral pages do not count."""
    own = record.own_relevant / len(record.urls)
    return {"own_harvest_rate": own, "own_harvest_less_true": own - harvest, "own_harvest_distance": abs(own - harvest)}


def _facts(record: CrawlRecord) -> dict[str, float]:
    """Figures that say nothing about quality."""
    pages = len(record.urls)
    return {
        "pages": pages,
        "failures": record.failures,
        "duplicates": len(record.duplicates),
        "hidden_links": record.hidden / record.links if record.links else math.nan,
    }

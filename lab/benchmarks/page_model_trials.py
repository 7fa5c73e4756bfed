"""Tries page models on one topic: how they rank the same pages, and what a crawl by `adaptive` makes of each.

No model sees a label but those of the examples that it is given, and these are taken out of what it is judged by.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from random import Random

import numpy as np
from sklearn.metrics import average_precision_score, brier_score_loss

from focused.crawl.strategy import Strategy, StrategyOptions, Visit
from focused.crawl.world import World
from focused.reading.page import Page
from focused.run.assemble import assemble
from focused.simulation.analysed_web import AnalysedWeb, Fetched
from focused.simulation.labels import Judgements
from focused.simulation.simulator import Simulator
from focused.strategies.adaptive.adaptive import Adaptive
from focused.strategies.adaptive.topic_model import Text, TopicModel
from focused.strategies.dom import Dom
from focused.topic.topic import Budget, Topic
from lab.benchmarks.rival_page_models import MODELS, TAKES_EXAMPLES, MakesPageModel, PageModel
from lab.judging.calibration import calibration
from lab.judging.run import Run
from lab.measures.area_under_recall import area_under_recall
from lab.topics.labelled_topics import LabelledTopic

EXAMPLES = 10  #: labelled pages of the topic
FEWEST_TARGETS = 5  #: that must be left to judge by
LABELS = "labels"  #: the model that knows them: what no page model can beat
RANKING = ("roc_auc", "average_precision", "brier", "calibration_error")
AREA = "area"


@dataclass(frozen=True)
class Arrived:
    """A page of the fixed crawl."""

    page: Page
    is_seed: bool


@dataclass(frozen=True)
class Figures:
    """What came out for a model on a topic.

    examples : it was given so many
    judged_without : so many examples were taken out of the labels, which two rows must share to be compared
    values : RANKING and AREA; NaN for what cannot be told
    """

    topic: str
    model: str
    examples: int
    judged_without: int
    values: Mapping[str, float]


class Labels:
    """Knows what is relevant."""

    def __init__(self, relevant: frozenset[str]) -> None:
        self._relevant = relevant

    def learn(self, page: Page, *, is_seed: bool) -> float:
        return float(page.url in self._relevant)


class Trial:
    """All models on one topic.

    Parameters
    ----------
    web : that the topic is of
    pages : of the fixed crawl
    crawl_pages : of each crawl by `adaptive`; 0 makes none
    """

    def __init__(self, labelled: LabelledTopic, topic: Topic, web: AnalysedWeb, pages: int, crawl_pages: int) -> None:
        self.labelled, self.topic, self.web = labelled, topic, web
        self.pages, self.crawl_pages = pages, crawl_pages
        self.seeds = {web.reader.rules.canonical(seed) for seed in topic.seeds}

    def figures(self) -> Iterator[Figures]:
        """Yield the figures of each model, without examples and with them, as they come."""
        arrived, full = self._arrived(), self.labelled.judgements
        examples = self._examples()
        left = without(full, examples)
        for name in (*MODELS, LABELS):
            ranks = self._ranks(name, arrived, [])
            run = self._crawl(name, [])
            yield self._judged(name, 0, 0, ranks, run, full)
            if not examples or name not in TAKES_EXAMPLES:
                continue
            yield self._judged(name, 0, len(examples), ranks, run, left)
            terms = [page.terms for page in map(self._page, sorted(examples)) if page is not None]
            ranks, run = self._ranks(name, arrived, terms), self._crawl(name, terms)
            yield self._judged(name, len(examples), len(examples), ranks, run, left)

    def _arrived(self) -> list[Arrived]:
        """What the fixed crawl fetched, in order, without exact duplicates."""
        fetches = self._simulator(Dom, self.pages, []).fetches()
        urls = [(fetch.final_url, fetch.url) for fetch in fetches if fetch.outcome == "page" and not fetch.duplicate_of]
        pages = ((self._page(final), url in self.seeds) for final, url in urls)
        return [Arrived(page, is_seed) for page, is_seed in pages if page is not None]

    def _examples(self) -> frozenset[str]:
        """Targets drawn at random to be examples; none if too few would be left to find."""
        targets = sorted(self.labelled.judgements.reachable_targets)
        if len(targets) < EXAMPLES + FEWEST_TARGETS:
            return frozenset()
        return frozenset(Random(f"examples {self.topic.name}").sample(targets, EXAMPLES))

    def _ranks(self, name: str, arrived: Sequence[Arrived], examples: Sequence[Sequence[str]]) -> dict[str, float]:
        """The relevance that a model gives each page, by URL: first it answers, then the next page comes."""
        reader = self.web.reader
        keywords = dict.fromkeys(reader.analyser.terms(" ".join(self.topic.keywords)), 1)
        model = self._model(name, keywords, examples)
        return {one.page.url: model.learn(one.page, is_seed=one.is_seed) for one in arrived}

    def _crawl(self, name: str, examples: Sequence[Sequence[str]]) -> list[str]:
        """URLs that `adaptive` with this page model fetches, in order."""
        if not self.crawl_pages:
            return []
        strategy = Adaptive if name == "ours" else adaptive_with(partial(self._model, name))
        fetches = self._simulator(strategy, self.crawl_pages, examples).fetches()
        return [fetch.final_url for fetch in fetches if fetch.outcome == "page"]

    def _model(self, name: str, keywords: Mapping[str, int], examples: Sequence[Sequence[str]]) -> PageModel:
        return Labels(self.labelled.judgements.relevant) if name == LABELS else MODELS[name](keywords, examples)

    def _simulator(self, strategy: type[Strategy], pages: int, examples: Sequence[Sequence[str]]) -> Simulator:
        def world(keywords: Mapping[str, int], _texts: object, **rest: object) -> World:
            return World(keywords, examples, **rest)  # type: ignore[arg-type]

        topic = self.topic.model_copy(update={"budget": Budget(pages=pages)})
        return Simulator(assemble(topic, strategy, world=world)[1], self.web)

    def _page(self, url: str) -> Page | None:
        answer = self.web.ask(url)
        return answer.page if isinstance(answer, Fetched) else None

    def _judged(
        self, name: str, examples: int, out: int, ranks: Mapping[str, float], run: Sequence[str], by: Judgements
    ) -> Figures:
        values = ranking(ranks, by)
        known = bool(run and by.reachable_targets)
        values[AREA] = area_under_recall(Run(name, by.topic, 0, run), by, self.crawl_pages) if known else math.nan
        return Figures(self.topic.name, name, examples, out, values)


def adaptive_with(model: MakesPageModel) -> type[Adaptive]:
    """`adaptive` that takes the relevance of pages from another model. Links are weighed by the words of its own."""

    class Judged(Adaptive):
        def __init__(self, options: StrategyOptions, world: World) -> None:
            super().__init__(options, world)
            self._judge = model(world.keywords, world.examples)

        def _assess(self, visit: Visit, model: TopicModel, *, is_seed: bool) -> tuple[Text, float]:
            words, _ = super()._assess(visit, model, is_seed=is_seed)
            if visit.duplicate:
                return words, 0.0
            return words, self._judge.learn(visit.page, is_seed=is_seed)

    return Judged


def without(judgements: Judgements, examples: frozenset[str]) -> Judgements:
    """The judgements with examples neither wanted nor unwanted."""
    return replace(
        judgements,
        targets=judgements.targets - examples,
        neutral=judgements.neutral | examples,
        reachable=judgements.reachable_targets - examples,
    )


def ranking(relevance: Mapping[str, float], judgements: Judgements) -> dict[str, float]:
    """How pages are ranked, neutral ones left out; NaN without a relevant page or without another."""
    urls = [url for url in relevance if url not in judgements.neutral]
    labels = np.array([url in judgements.relevant for url in urls], np.float64)
    if not 0 < labels.sum() < len(labels):
        return dict.fromkeys(RANKING, math.nan)
    estimates = np.array([relevance[url] for url in urls])
    found = calibration(estimates, labels)
    precision = float(average_precision_score(labels, estimates))
    return dict(
        zip(
            RANKING,
            (found.auc, precision, float(brier_score_loss(labels, estimates)), found.expected_error),
            strict=True,
        )
    )

"""LocalPulse: learns while it crawls which words of links lead to relevant pages, and what a relevant page looks like."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np
from pydantic import Field, model_validator

from focused.crawl.arrays import FloatArray, IntArray
from focused.crawl.strategy import Changes, Rescoring, Strategy, StrategyOptions, Visit, Waiting
from focused.crawl.url_table import NO_SOURCE
from focused.crawl.world import World
from focused.papers.strategies.local_pulse.context_values import ContextValues, Evidence, Ties, Value
from focused.papers.strategies.local_pulse.link_contexts import MOST, LinkContexts
from focused.papers.strategies.local_pulse.positive_samples import PositiveSamples

#: What fetched pages (n,) with relevance R (n,) were worth: Q (n,)
Worth = Callable[[IntArray, FloatArray], FloatArray]


class LocalPulse(Strategy):
    """Learn from the pages fetched so far what the words of the links to them were worth, and follow the most promising link.

        score = q, once something was learned; page before that
        q = mean R of the pages in the class that naive Bayes finds likeliest for the words of all known anchors of the link

    With ties = page the score is q + page · half the way to the next class.

    Every N pages the best of them become samples of the topic, R of all pages is computed anew, naive Bayes learns which words lead
    to which class of R, and all that waits is scored by it. What a page leads to does not count.

    Parts
        page: relevance of the linking page, by the topic's page model
        q: what following the link is expected to be worth; 0 before something was learned

    Source: named in Ye, Li, Huang & Xu 2006, "Improved Focused Web Crawling Based on Incremental Q-Learning", section 4.2;
    all else as iq_learning.
    """

    name = "local_pulse"
    parts: ClassVar[tuple[str, ...]] = ("page", "q")
    rescore_lag = 10

    class Options(StrategyOptions):
        learn_every: int = Field(100, ge=1, le=100_000, description="pages between two times that all is learned (X)")
        classes: int = Field(5, ge=2, le=100, description="intervals that Q is cut into (k)")
        value: Value = Field(
            "likeliest", description="a link has the mean Q of its likeliest class, or of all by probability"
        )
        ties: Ties = Field(
            "first", description="links of a class: first found first, or those on the most relevant pages"
        )
        distilled: float = Field(0.05, ge=0, le=1, description="at most this share of a batch of pages becomes samples")
        seed_samples: bool = Field(True, description="relevant seeds are samples from the beginning")
        anchor_terms: int = Field(50, ge=1, le=MOST, description="terms kept of all anchors of a URL")
        page_terms: int = Field(50, ge=1, le=10_000, description="terms kept of a page, the most frequent ones")

        @model_validator(mode="after")
        def _has_classes(self) -> Self:
            if self.ties == "page" and self.value != "likeliest":
                raise ValueError("ties = page needs value = likeliest: links of expected value are in no class")
            return self

    def __init__(self, options: StrategyOptions, world: World) -> None:
        super().__init__(options, world)
        self.rescore_every = self.options.learn_every
        self._contexts = LinkContexts(self.options.anchor_terms)
        self._samples = PositiveSamples(world.keywords, world.examples, self.options.page_terms)
        self._values: ContextValues | None = None
        self._evidence: Evidence = np.empty((0, 0), np.float32)  # by id of a URL
        self._weighed = 0  # pairs of the log of contexts that are in the evidence

    def visited(self, visit: Visit) -> Changes:
        self._contexts.add(visit.page, visit.targets)
        if not visit.duplicate:
            is_sample = self.options.seed_samples and visit.depth == 0 and visit.relevant
            self._samples.add(visit.id, visit.page.terms, positive=is_sample)
        return self._of_links(visit)

    def listed(self, visit: Visit) -> Changes:
        self._contexts.add(visit.page, visit.targets)
        return self._of_links(visit)

    def _of_links(self, visit: Visit) -> Changes:
        pages = np.full(len(visit.targets), visit.relevance)
        if self._values is None:
            return Changes(visit.targets, pages, np.column_stack((pages, np.zeros_like(pages))))
        self._weigh(self._values, int(visit.targets.max(initial=-1)))
        q = self._values.predict(self._evidence[visit.targets], self.options.value)
        scores = self._values.ties_broken(q, pages) if self.options.ties == "page" else q
        # More anchors make a better estimate, not only a higher one.
        return Changes(visit.targets, scores, np.column_stack((pages, q)), replace=True)

    def rescore(self, waiting: Waiting) -> Callable[[], Rescoring] | None:
        batch, worth = self._samples.batch(self.options.distilled), self._worth()
        # Seeds, and what the user's own code asked for, wait with the scores they were given.
        found = self.world.urls.source[waiting.ids] != NO_SOURCE
        ids, pages = waiting.ids[found], waiting.parts[found, 0]
        urls, terms = self._contexts.since()
        classes, value, ties = self.options.classes, self.options.value, self.options.ties

        def job() -> Rescoring:
            relevance, samples = batch.judge()
            values = learned_values(batch.urls, worth(batch.urls, relevance), urls, terms, classes)
            if values is None:
                return Rescoring(Changes.none(2), Learned(samples, None, np.empty((0, 0), np.float32), 0))
            count = 1 + max(urls.max(initial=-1), ids.max(initial=-1))
            evidence = values.evidence(urls, terms, count)
            q = values.predict(evidence[ids], value)
            scores = values.ties_broken(q, pages) if ties == "page" else q
            changes = Changes(ids, scores, np.column_stack((pages, q)))
            return Rescoring(changes, Learned(samples, values, evidence, len(urls)))

        return job

    def _worth(self) -> Worth:
        """How Q of fetched pages is computed, in another thread."""
        return lambda _, relevance: relevance

    def adopt(self, learned: Learned) -> None:
        self._samples.adopt(learned.samples)
        if learned.values is not None:
            self._values, self._evidence, self._weighed = learned.values, learned.evidence, learned.weighed

    def _weigh(self, values: ContextValues, last: int) -> None:
        """Add what has come to the contexts to the evidence, which then has rows up to this URL at least."""
        urls, terms = self._contexts.since(self._weighed)
        self._weighed += len(urls)
        if (missing := max(last, urls.max(initial=-1)) + 1 - len(self._evidence)) > 0:
            rows = max(missing, len(self._evidence) // 8)
            self._evidence = np.concatenate([self._evidence, np.zeros((rows, len(values.values)), np.float32)])
        np.add.at(self._evidence, urls, values.log_likelihoods[terms])

    def state(self) -> dict[str, Any]:
        return {
            "contexts": self._contexts.snapshot(),
            "samples": self._samples.snapshot(),
            "values": None if self._values is None else self._values.state(),
            "evidence": self._evidence,
            "weighed": self._weighed,
        }

    def restore(self, state: Mapping[str, Any]) -> None:
        self._contexts.restore(state["contexts"])
        self._samples.restore(state["samples"])
        self._values = None if state["values"] is None else ContextValues.restored(state["values"])
        self._evidence, self._weighed = state["evidence"], state["weighed"]


@dataclass(slots=True, frozen=True)
class Learned:
    """What came of a batch: samples, the mapping, and the evidence of how many pairs of the contexts."""

    samples: list[int]
    values: ContextValues | None
    evidence: Evidence
    weighed: int


def learned_values(
    pages: IntArray, q: FloatArray, urls: IntArray, terms: IntArray, classes: int
) -> ContextValues | None:
    """The mapping from words to Q that fetched pages (n,) with Q (n,) teach; None where no link led to one of them.

    urls, terms : (p,) each, the pairs of the contexts of all links
    """
    sample_of = np.full(1 + max(pages.max(initial=-1), urls.max(initial=-1)), -1)
    fetched = pages >= 0
    sample_of[pages[fetched]] = np.flatnonzero(fetched)
    samples = sample_of[urls]
    known = samples >= 0
    linked, samples = np.unique(samples[known], return_inverse=True)
    if not len(linked):
        return None
    return ContextValues.fit(q[linked], samples, terms[known], classes)

"""Combined: what stands around a link, how good a hub its page is, and what a classifier says, added up. Read this one first."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from focused.crawl.arrays import FloatArray, IntArray
from focused.crawl.strategy import Changes, Rescoring, Strategy, StrategyOptions, Visit, Waiting
from focused.crawl.world import World
from focused.exceptions import ModelError
from focused.reading.page import Page
from focused.scoring.dom_similarity import context_similarities
from focused.scoring.hashed_terms import HASHED, hashed
from focused.scoring.hub_score import count_seed_hosts, hub_score
from focused.strategies.adaptive.topic_regressions import TopicRegressions

WORDS = 12  #: of a link that the classifier looks at: those of the anchor, then those that follow its context's start
NONE = -1  #: instead of a word


class Combined(Strategy):
    """Add up three scores of a link.

        score = context_weight · context + hub_weight · hub + classifier_weight · classifier

    Parts
        context: cos(keywords, text under the link's aggregation node), by term frequencies
        hub: n(n-1) / (1 + n²), n = number of distinct seed hosts that its page points to
        classifier: P(the page behind the link is relevant | words of the link)

    The classifier is a trained model (kind ``logistic``), or else naive Bayes that learns from every page what the words of the
    link to it led to; it rescores the queue every `rescore_every` pages.

    Source: context and hub: Pant & Menczer 2003, "Topical Crawling for Business Intelligence", sections 4.4 and 4.5; naive Bayes:
    McCallum & Nigam 1998; the sum of the three is ours.
    """

    name = "combined"
    parts: ClassVar[tuple[str, ...]] = ("context", "hub", "classifier")
    meanings: ClassVar[Mapping[str, str]] = {
        "context": "the words around the link are those of the topic",
        "hub": "its page points to several seed hosts",
        "classifier": "links with such words led to relevant pages",
    }
    trained = "logistic"
    model_class = TopicRegressions

    class Options(StrategyOptions):
        context_weight: float = Field(0.6, ge=0, le=1, description="weight of the text around the link")
        hub_weight: float = Field(0.3, ge=0, le=1, description="weight of the hub score of its page")
        classifier_weight: float = Field(0.1, ge=0, le=1, description="weight of what the classifier says")
        rescore_every: int = Field(50, ge=1, le=100_000, description="rescore the queue every this many pages")
        model: str = Field("", description="name of a model made by scrapy train logistic; empty: learn while crawling")

    def __init__(self, options: StrategyOptions, world: World) -> None:
        super().__init__(options, world)
        chosen = self.options
        self._weights = np.array([chosen.context_weight, chosen.hub_weight, chosen.classifier_weight])
        self._learns = world.model is None
        if not self._learns and world.model.links is None:
            raise ModelError(
                f"model {chosen.model!r} has learned nothing of links, which combined needs; train it on more pages"
            )
        self.rescore_every = self.options.rescore_every if self._learns else 0
        self._words = world.column("words", np.int32, NONE, shape=(WORDS,))  # of the first link to each URL
        # How often each word stood in links to other and to relevant pages.
        self._counts = np.zeros((2, HASHED), np.float32)
        self._totals = np.zeros(2)  # of all words
        self._pages = np.zeros(2)  # other and relevant pages that a link led to

    def score(self, visit: Visit) -> tuple[FloatArray, FloatArray]:
        page, world = visit.page, self.world
        if self._learns:
            if not visit.again:
                self._learn(visit)
            self._read(visit)
        context = context_similarities(world.keywords, page)
        hub = hub_score(count_seed_hosts(page, world.seed_hosts))
        likely = self._likely(self._words[visit.targets]) if self._learns else world.model.links.promise(page)
        parts = np.column_stack((context, np.full(len(context), hub), likely))
        return parts @ self._weights, parts

    def rescore(self, waiting: Waiting) -> Callable[[], Rescoring]:
        found = waiting.ids[self._words[waiting.ids][:, 0] != NONE]  # seeds have no words
        rows = np.isin(waiting.ids, found, assume_unique=True)
        parts = waiting.parts[rows].copy()
        parts[:, 2] = self._likely(self._words[found])
        changes = Changes(found, parts @ self._weights, parts)
        return lambda: Rescoring(changes)

    def _learn(self, visit: Visit) -> None:
        """Count the words of the link that led to this page for what the page turned out to be."""
        words = self._words[visit.picked]
        words = words[words != NONE]
        if len(words):
            outcome = int(visit.relevant)
            self._counts[outcome, words] += 1
            self._totals[outcome] += len(words)
            self._pages[outcome] += 1

    def _read(self, visit: Visit) -> None:
        """Note the words of links to URLs that no page has linked to before."""
        is_new = self._words[visit.targets][:, 0] == NONE
        terms = hashed(visit.page.terms)
        for position in reversed(np.flatnonzero(is_new).tolist()):  # of several links to one URL the first counts
            self._words[visit.targets[position]] = words_of(visit.page, position, terms)

    def _likely(self, words: IntArray) -> FloatArray:
        """(n,) P(relevant | words), by naive Bayes with Laplace's rule, of n links; NONE is no word."""
        logs = np.log((1 + self._counts[:, words]) / (HASHED + self._totals[:, None, None]))
        evidence = np.where(words == NONE, 0.0, logs[1] - logs[0]).sum(axis=1)
        prior = np.log((1 + self._pages[1]) / (1 + self._pages[0]))
        return np.asarray(1 / (1 + np.exp(-(prior + evidence))))

    def state(self) -> dict[str, Any]:
        known = np.flatnonzero(self._counts.any(axis=0))
        return {"words": known, "counts": self._counts[:, known], "totals": self._totals, "pages": self._pages}

    def restore(self, state: Mapping[str, Any]) -> None:
        self._counts[:, state["words"]] = state["counts"]
        self._totals, self._pages = state["totals"].copy(), state["pages"].copy()


def words_of(page: Page, position: int, terms: NDArray[np.int32]) -> NDArray[np.int32]:
    """(WORDS,) numbers of the distinct words of a link: its anchor's, then its context's; NONE where there are fewer.

    terms : numbers of all terms of the page
    """
    link = page.links[position]
    spans = terms[link.anchor_start : link.anchor_end], terms[link.context_start : link.context_end][: 2 * WORDS]
    distinct = list(dict.fromkeys(np.concatenate(spans).tolist()))[:WORDS]
    return np.array([*distinct, *[NONE] * (WORDS - len(distinct))], np.int32)

"""SS1: shark-search over the whole graph; a link inherits from all known parents, grandparents and so on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from typing import Any, ClassVar, Literal

import numpy as np
from pydantic import Field

from focused.crawl.arrays import FloatArray, IntArray
from focused.crawl.strategy import Changes, Rescoring, StrategyOptions, Visit, Waiting
from focused.crawl.world import World
from focused.exceptions import ModelError
from focused.page.page import Page
from focused.papers.models.reordering import Reordering, ReorderingOptions
from focused.papers.models.term_documents import edges_of
from focused.papers.strategies.pagerank import dense_numbers
from focused.scorers.plain_state import PlainState, number_in, state_in, whole_in
from focused.scorers.similarity import page_similarity, similarity_within


@dataclass(slots=True, frozen=True)
class TermSpace:
    """The numbers that BM25 needs of a collection.

    Attributes
    ----------
    documents : how many
    mean_length : terms of a document on average
    frequencies : term -> documents that it occurs in; only of the terms that count
    """

    documents: int
    mean_length: float
    frequencies: Mapping[str, int]

    @classmethod
    def of(cls, texts: Sequence[Sequence[str]], terms: int = 0, least: int = 1) -> TermSpace:
        """The space of these texts (lists of terms).

        terms : count only this many most frequent ones, 0 for all
        least : and only those that so many texts hold
        """
        totals = Counter(term for text in texts for term in text)
        frequencies = Counter(term for text in texts for term in dict.fromkeys(text))
        kept = [term for term, _ in totals.most_common(terms or None)]
        length = sum(map(len, texts)) / len(texts) if texts else 0.0
        return cls(len(texts), length, {term: frequencies[term] for term in kept if frequencies[term] >= least})

    def state(self) -> dict[str, Any]:
        return {"documents": self.documents, "mean_length": self.mean_length, "frequencies": dict(self.frequencies)}

    @classmethod
    def restored(cls, state: PlainState) -> TermSpace:
        """The space of a `state`; ValueError where it is none."""
        frequencies = state_in(state, "frequencies")
        known = {term: whole_in(frequencies, term) for term in frequencies}
        return cls(whole_in(state, "documents"), number_in(state, "mean_length"), known)


Combination = Literal["sum", "max"]

TOGETHER = 512  #: ancestors that are looked at together, a bit each; a multiple of 64
LEAST = 1e-6  #: a generation that hands on a smaller share is the last
#: (256, 8) the bits of each byte
BITS = np.unpackbits(np.arange(256, dtype=np.uint8)[:, np.newaxis], axis=1)


class Ss1(Reordering):
    """Order all that waits by the decayed relevance of all fetched pages that lead to it.

        score = parents + ancestors
        parents = d · sum of the relevance of all pages that link to it
        ancestors = d² · sum over all pages from which a path of two links leads to it + d³ · the same with three + ...

    The relevance of a page is cos(keywords, page): of all terms, or only of those of a trained model
    (kind ``space``).

    Parts
        parents: what it inherits from the pages that link to it
        ancestors: what it inherits from grandparents and older ones

    Source: Almpanidis, Kotropoulos & Pitas 2007, "Combining text and link analysis for focused crawling", section 5.1.
    """

    name = "ss1"
    parts: ClassVar[tuple[str, ...]] = ("parents", "ancestors")
    uses_graph = True
    rescore_lag = 10  # picks; to walk over a large graph takes a while
    trained = "space"
    model_class = TermSpace

    class Options(ReorderingOptions):
        decay: float = Field(0.5, gt=0, lt=1, description="factor for each link between an ancestor and the link (d)")
        generations: int = Field(
            0, ge=0, le=100, description="inherit from this many generations; 1: from parents only, 0: from all"
        )
        pages: int = Field(3000, ge=1, le=100_000, description="number of latest pages that hand on their relevance")
        combination: Combination = Field("sum", description="add up what all ancestors give, or take the most of it")
        model: str = Field("", description="name of a trained model of kind space; empty: none")

    def __init__(self, options: StrategyOptions, world: World) -> None:
        super().__init__(options, world)
        self._similarities = world.column("similarity", np.float64)  # cos(keywords, page) of fetched pages
        space: TermSpace | None = world.model
        if space is not None and world.keywords and not space.frequencies.keys() & world.keywords.keys():
            raise ModelError(
                f"strategy {self.name}: the model {self.options.model!r} knows none of the topic's keywords; make it for this "
                f"topic: scrapy train {self.options.model} space -a topic=TOPIC --crawl FOLDER (see scrapy train --help)"
            )

    def score(self, visit: Visit) -> tuple[FloatArray, FloatArray]:
        self._similarities[visit.id] = self._similarity(visit.page)
        return super().score(visit)

    def relevance(self, pages: IntArray) -> FloatArray:
        """(p,) relevance of fetched pages by id, not negative; a copy."""
        return np.asarray(self._similarities[pages])

    def _similarity(self, page: Page) -> float:
        space: TermSpace | None = self.world.model
        if space is None:
            return page_similarity(self.world.keywords, page)
        return similarity_within(self.world.keywords, page, space.frequencies)

    def rescore(self, waiting: Waiting) -> Callable[[], Rescoring]:
        options = self.options
        pages = self.world.graph.pages[-options.pages :]
        (sources, targets), relevance_of_pages = edges_of(self.world.graph, pages), self.relevance(pages)

        def job() -> Rescoring:
            number, nodes = dense_numbers(pages, targets, waiting.ids)
            relevance = np.zeros(nodes)
            relevance[number[pages]] = relevance_of_pages
            inherited = inherited_relevance(
                relevance,
                number[sources],
                number[targets],
                decay=options.decay,
                generations=options.generations,
                combination=options.combination,
            )
            parts = np.column_stack(inherited)[number[waiting.ids]]
            scores = parts.sum(axis=1) if options.combination == "sum" else parts.max(axis=1)
            return Rescoring(Changes(waiting.ids, scores, parts))

        return job


def inherited_relevance(
    relevance: FloatArray,
    sources: IntArray,
    targets: IntArray,
    *,
    decay: float,
    generations: int = 0,
    combination: Combination = "sum",
) -> tuple[FloatArray, FloatArray]:
    """What each of n nodes inherits from its parents, and what from its older ancestors: two arrays (n,), not negative.

        generation k(v) = d^k · sum of relevance(u) over all u from which a path of k links leads to v

    The parents give generation 1, the older ancestors the sum of the generations from 2 on. In each, an ancestor counts once,
    by however many paths; circles of links put it into many. Where all further generations are the same ancestors, they are
    a geometric series. With the combination ``max``, every sum is a maximum.

    Parameters
    ----------
    relevance : (n,) not negative, 0 for what was not fetched
    sources, targets : (e,) ends of the edges, each edge once, numbers from 0 to n - 1
    decay : d, in (0, 1)
    generations : the last one that counts; 0: all
    """
    order = np.argsort(targets, kind="stable")
    sources, (heads, starts) = sources[order], np.unique(targets[order], return_index=True)
    ancestors = np.unique(sources)  # what links to nothing hands on nothing
    combine = np.add if combination == "sum" else np.maximum
    inherited = np.zeros((2, len(relevance)))
    for first in range(0, len(ancestors), TOGETHER):
        some = ancestors[first : first + TOGETHER]
        own = np.zeros((len(some), TOGETHER), bool)
        own[np.arange(len(some)), np.arange(len(some))] = True
        here = np.zeros((len(relevance), TOGETHER // 64), np.uint64)  # which of them are ancestors in this generation
        here[some] = np.packbits(own, axis=1).view(np.uint64)
        given_by = np.zeros(TOGETHER)
        given_by[: len(some)] = relevance[some]
        of_bytes = combine.reduce(BITS * given_by.reshape(-1, 1, 8), axis=2)  # (bytes, 256)
        for generation in count(1):
            last, here = here, np.zeros_like(here)
            here[heads] = np.bitwise_or.reduceat(last[sources], starts)
            given = combine.reduce(of_bytes[np.arange(len(of_bytes)), here[heads].view(np.uint8)], axis=1)
            given *= decay**generation
            kept = inherited[min(generation, 2) - 1]
            kept[heads] = combine(kept[heads], given)
            if generation == generations or decay**generation < LEAST or not here.any():
                break
            if not generations and np.array_equal(here, last):
                if combination == "sum":
                    inherited[1, heads] += given * decay / (1 - decay)
                break
    return inherited[0], inherited[1]

"""PLSI + PHITS: latent factors of terms and citations, learned from what was fetched, tell what a link is about."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, ClassVar

import numpy as np
from pydantic import Field
from scipy.sparse import csr_array, vstack

from focused.crawl.arrays import FloatArray
from focused.crawl.strategy import Changes, Rescoring, StrategyOptions, Visit, Waiting
from focused.crawl.world import World
from focused.papers.models.background import Background
from focused.papers.models.link_matrix import Direction, edges_of, link_matrix, links_between
from focused.papers.models.reordering import Reordering, ReorderingOptions
from focused.papers.models.term_documents import TermDocuments
from focused.papers.strategies.plsi_phits.tempered_em import (
    Observations,
    factor_cosines,
    fit,
    fold_in,
    inverse_temperatures,
)

DECIMALS = 6  #: links with the same citations differ by rounding only; kept equal, the first found comes first


class PlsiPhits(Reordering):
    """Order all that waits by how alike its mixture of latent factors is to that of the keywords.

        score = cosine
        cosine = cos(P(z|q), P(z|d)) over factors z; q: the keywords, d: the link
        L = a · sum TF(t,d) log P(t|d) + (1-a) · sum LF(d,c) log P(c|d) is maximised over the fetched pages

    Tempered EM fits factors to the terms and the citations of fetched pages. Keywords are folded in by their terms, a link by the
    fetched pages that link to it.

    Parts
        cosine: cosine of keywords and link, from 0 to 1
        parents: number of fitted pages that link to it

    Source: Almpanidis, Kotropoulos & Pitas 2007, "Combining text and link analysis for focused crawling", section 2.3,
    equations 14 to 16, and section 5.2; the model is that of Cohn & Hofmann 2001.
    """

    name = "plsi_phits"
    parts: ClassVar[tuple[str, ...]] = ("cosine", "parents")
    uses_graph = True
    rescore_lag = 10  # picks; EM takes seconds

    class Options(ReorderingOptions):
        factors: int = Field(50, ge=1, le=1000, description="number of latent factors")
        terms: int = Field(1000, ge=1, le=100_000, description="number of terms: the most frequent stems")
        a: float = Field(0.5, ge=0, le=1, description="weight of terms; citations have the rest")
        normalise: bool = Field(
            False, description="let each page's terms and its citations sum to 1, as Cohn and Hofmann do"
        )
        b: float = Field(
            0.8, gt=0, le=1, description="EM begins at inverse temperature 1 and ends before it falls below this"
        )
        eta: float = Field(0.9, gt=0, lt=1, description="factor of the inverse temperature between two rounds of EM")
        steps: int = Field(10, ge=1, le=1000, description="EM steps at each inverse temperature, at most")
        links: Direction = Field("in", description="the citations of a page: links to it, its own, or both")
        own: bool = Field(True, description="a page describes itself too, so that its links have a share in its terms")
        corpus: int = Field(
            500,
            ge=1,
            le=100_000,
            description="examples and the first pages, up to this many, say which terms are frequent",
        )
        pages: int = Field(1000, ge=1, le=100_000, description="fit the factors to this many latest pages")

    def __init__(self, options: StrategyOptions, world: World) -> None:
        super().__init__(options, world)
        self._background = Background(world.keywords, world.texts, self.options.corpus)
        self._pages = TermDocuments(self._background.vocabulary)

    def score(self, visit: Visit) -> tuple[FloatArray, FloatArray]:
        self._background.add(visit.page.terms)
        self._pages.add(visit.id, visit.page.terms)
        return super().score(visit)

    def rescore(self, waiting: Waiting) -> Callable[[], Rescoring] | None:
        if not self.world.keywords or not len(waiting.ids):
            return None
        options, seed = self.options, self.world.seed
        pages = self.world.graph.pages[-options.pages :]
        self._pages.keep(pages)
        background = self._background.counts()
        terms = self._background.terms(background, options.terms)
        query = self._background.query(terms)
        examples = background[: len(self.world.texts)]
        texts = self._pages.matrix(pages)
        edges = edges_of(self.world.graph, pages)

        def seen(terms: csr_array, citations: csr_array) -> Observations:
            return Observations.weighted(terms, citations, options.a, normalise=options.normalise)

        def job() -> Rescoring:
            frontier = link_matrix(edges, pages, waiting.ids)
            parents = frontier.sum(axis=0)
            cited = parents > 0  # the others were found on pages of long ago, and keep their scores
            citations = links_between(edges, pages, options.links, own=options.own).T
            of_examples = csr_array((examples.shape[0], len(pages)))
            documents = seen(vstack([examples, texts])[:, terms], vstack([of_examples, citations]))
            temperatures = inverse_temperatures(options.b, options.eta)
            factors = fit(documents, options.factors, temperatures, options.steps, seed)
            keywords = seen(csr_array(query[np.newaxis]), csr_array((1, len(pages))))
            links = seen(csr_array((int(cited.sum()), len(terms))), frontier[:, cited].T)
            mixtures = [fold_in(factors, documents, temperatures[-1], options.steps) for documents in (keywords, links)]
            cosines = factor_cosines(*mixtures).round(DECIMALS)
            return Rescoring(Changes(waiting.ids[cited], cosines, np.column_stack((cosines, parents[cited]))))

        return job

    def state(self) -> dict[str, Any]:
        return {"background": self._background.snapshot(), "pages": self._pages.snapshot()}

    def restore(self, state: Mapping[str, Any]) -> None:
        self._background.restore(state["background"])
        self._pages.restore(state["pages"])

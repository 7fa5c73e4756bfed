"""PLSI + PHITS: latent factors of terms and citations, learned from what was fetched, tell what a link is about.

PLSI + PHITS: one set of latent factors that explains the terms of documents and their citations, fitted by tempered EM.

Each document d is a mixture of factors, P(z|d), and each factor has its terms, P(t|z), and its citations, P(c|z):

    P(t|d) = sum_z P(t|z) P(z|d),   P(c|d) = sum_z P(c|z) P(z|d)
    L = a sum TF(t,d) log P(t|d) + (1-a) sum LF(d,c) log P(c|d)

Source: Almpanidis, Kotropoulos & Pitas 2007, "Combining text and link analysis for focused crawling - An application for
vertical search engines", section 2.3, equations 14 to 16, after Cohn & Hofmann 2001, "The missing link - A probabilistic
model of document content and hypertext connectivity"; tempering: Hofmann 2001, "Unsupervised learning by probabilistic latent
semantic analysis", section 3.6.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from pydantic import Field
from scipy.sparse import csr_array, vstack

from focused.crawl.arrays import FloatArray
from focused.crawl.strategy import Changes, Rescoring, StrategyOptions, Visit, Waiting
from focused.crawl.world import World
from focused.papers.models.reordering import Reordering, ReorderingOptions
from focused.papers.models.term_documents import (
    Background,
    Direction,
    TermDocuments,
    edges_of,
    link_matrix,
    links_between,
)
from focused.scorers.vectors import single_thread

ENTRIES = 1 << 15  #: of a matrix looked at together: what belongs to them fits in a processor's cache
GAIN = 1e-4  #: a step that betters the objective by a smaller share of it is the last at its inverse temperature


@dataclass(slots=True, frozen=True)
class Factors:
    """What factors are made of, and documents of them; all columns of the first two and all rows of the third sum to 1."""

    terms: FloatArray  #: (m, k) P(t|z)
    citations: FloatArray  #: (c, k) P(c|z)
    documents: FloatArray  #: (d, k) P(z|d)


@dataclass(slots=True, frozen=True)
class Observations:
    """What is seen of d documents: weighted counts, a TF(t,d) and (1-a) LF(d,c)."""

    terms: csr_array  #: (d, m)
    citations: csr_array  #: (d, c)

    @classmethod
    def weighted(cls, terms: csr_array, citations: csr_array, a: float, *, normalise: bool) -> Observations:
        """Weigh counts of terms by a, those of citations by 1-a; ``normalise``: after each document's sum to 1 (Cohn & Hofmann)."""
        if normalise:
            terms, citations = unit_sums(terms), unit_sums(citations)
        return cls((a * terms).tocsr(), ((1 - a) * citations).tocsr())


def inverse_temperatures(least: float, eta: float) -> list[float]:
    """b = 1, eta, eta², ... as long as it is not below ``least``."""
    values = [1.0]
    while values[-1] * eta >= least and eta < 1:
        values.append(values[-1] * eta)
    return values


def random_factors(observed: Observations, count: int, seed: int) -> Factors:
    """Where EM starts: factors drawn at random, documents made of all of them alike."""
    chance = np.random.default_rng(seed)
    (documents, terms), citations = observed.terms.shape, observed.citations.shape[1]
    return Factors(
        distributions(chance.uniform(0.5, 1.5, (count, terms))).T,
        distributions(chance.uniform(0.5, 1.5, (count, citations))).T,
        np.full((documents, count), 1 / count),
    )


def em_step(observed: Observations, factors: Factors, b: float, *, fold_in: bool = False) -> tuple[Factors, float]:
    """One tempered EM step: better factors, and the objective of those that it was given.

    b : inverse temperature in (0, 1]; the E-step takes P(z|d,t) in proportion to (P(t|z) P(z|d))^b
    fold_in : leave P(t|z) and P(c|z) as they are, learn only what documents are made of

    The objective is the sum of counts · log(sum_z (P(t|z) P(z|d))^b) / b; for b = 1 it is L. No step lowers it. What no factor
    explains (only in folding in) counts for nothing, and a document of which nothing else is seen stays as it is.
    """
    documents = factors.documents**b
    new_documents, objective, new = np.zeros_like(documents), 0.0, []
    for counts, features in ((observed.terms, factors.terms), (observed.citations, factors.citations)):
        tempered = features**b
        explained = _explained(counts, documents, tempered)
        known = explained > 0
        objective += float(counts.data[known] @ np.log(explained[known])) / b
        ratios = csr_array((np.zeros_like(explained), counts.indices, counts.indptr), counts.shape)
        np.divide(counts.data, explained, out=ratios.data, where=known)
        new_documents += documents * (ratios @ tempered)
        new.append(features if fold_in else distributions((tempered * (ratios.T @ documents)).T).T)
    seen = new_documents.any(axis=1, keepdims=True)
    return Factors(new[0], new[1], np.where(seen, distributions(new_documents), factors.documents)), objective


def climb(
    observed: Observations, factors: Factors, temperatures: Sequence[float], steps: int, *, fold_in: bool = False
) -> Factors:
    """Take EM steps, a limited number at each inverse temperature, until they gain little."""
    with single_thread():
        for b in temperatures:
            last = -np.inf
            for _ in range(steps):
                factors, objective = em_step(observed, factors, b, fold_in=fold_in)
                if objective - last <= GAIN * abs(objective):
                    break
                last = objective
    return factors


def fit(observed: Observations, count: int, temperatures: Sequence[float], steps: int, seed: int) -> Factors:
    """Learn factors from documents."""
    return climb(observed, random_factors(observed, count, seed), temperatures, steps)


def fold_in(factors: Factors, observed: Observations, b: float, steps: int) -> FloatArray:
    """(d, k) P(z|d) of documents that the factors were not learned from; a document that nothing is known of gets the mean P(z)."""
    prior = np.tile(factors.documents.mean(axis=0), (observed.terms.shape[0], 1))
    start = Factors(factors.terms, factors.citations, prior)
    return climb(observed, start, [b], steps, fold_in=True).documents


def factor_cosines(query: FloatArray, documents: FloatArray) -> FloatArray:
    """(d,) cosines in [0, 1] of P(z|q) (1, k) and P(z|d) (d, k)."""
    lengths = np.linalg.norm(query) * np.linalg.norm(documents, axis=1)
    cosines: FloatArray = np.clip(documents @ query[0] / lengths, 0.0, 1.0)
    return cosines


def distributions(weights: FloatArray) -> FloatArray:
    """Rows of weights that are not negative, brought to sum 1; a row of zeros becomes uniform."""
    sums = weights.sum(axis=1, keepdims=True)
    uniform: FloatArray = np.full_like(weights, 1 / max(weights.shape[1], 1))
    np.divide(weights, sums, out=uniform, where=sums > 0)
    return uniform


def unit_sums(counts: csr_array) -> csr_array:
    """Rows brought to sum 1; rows of zeros stay."""
    sums = counts.sum(axis=1)
    return csr_array(counts.multiply(np.divide(1, sums, out=np.zeros_like(sums), where=sums > 0)[:, np.newaxis]))


def _explained(counts: csr_array, documents: FloatArray, features: FloatArray) -> FloatArray:
    """(e,) sum_z features[column, z] · documents[row, z] of each stored entry of a matrix."""
    rows = np.repeat(np.arange(counts.shape[0]), np.diff(counts.indptr))
    explained = np.empty(len(rows))
    for start in range(0, len(rows), ENTRIES):
        part = slice(start, start + ENTRIES)
        np.einsum("ek,ek->e", documents[rows[part]], features[counts.indices[part]], out=explained[part])
    return explained


DECIMALS = 6  #: links with the same citations differ by rounding only; kept equal, the first found comes first


class PlsiPhits(Reordering):
    """Order all that waits by how alike its mixture of latent factors is to that of the keywords.

        score = cosine
        cosine = cos(P(z|q), P(z|d)) over factors z; q: the keywords, d: the link
        L = a · sum TF(t,d) log P(t|d) + (1-a) · sum LF(d,c) log P(c|d) is maximised over the fetched pages

    Tempered EM fits factors to the terms and the citations of fetched pages. LF is 1 or 0: a page that cites another twice counts
    once. Keywords are folded in by their terms, a link by the fetched pages that link to it.

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

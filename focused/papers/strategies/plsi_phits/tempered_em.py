"""PLSI + PHITS: one set of latent factors that explains the terms of documents and their citations, fitted by tempered EM.

Each document d is a mixture of factors, P(z|d), and each factor has its terms, P(t|z), and its citations, P(c|z):

    P(t|d) = sum_z P(t|z) P(z|d),   P(c|d) = sum_z P(c|z) P(z|d)
    L = a sum TF(t,d) log P(t|d) + (1-a) sum LF(d,c) log P(c|d)

Source: Almpanidis, Kotropoulos & Pitas 2007, "Combining text and link analysis for focused crawling - An application for
vertical search engines", section 2.3, equations 14 to 16, after Cohn & Hofmann 2001, "The missing link - A probabilistic
model of document content and hypertext connectivity"; tempering: Hofmann 2001, "Unsupervised learning by probabilistic latent
semantic analysis", section 3.6.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_array

from focused.crawl.arrays import FloatArray
from focused.relevance.vectors import single_thread

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

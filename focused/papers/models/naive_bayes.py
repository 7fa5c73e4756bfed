"""Multinomial naive Bayes over terms: which class a text belongs to, from how often the terms occur in each class.

    log P(c | d) = log P(c) + Σ over terms of d  log P(t | c)  + constant
    P(t | c) = (1 + n_tc) / (|V| + n_c)

Source: McCallum & Nigam 1998, "A Comparison of Event Models for Naive Bayes Text Classification", equations 5 and 6; the same
as equation 5 of the IQ-learning paper with plain counts as weights.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from focused.crawl.arrays import FloatArray, IntArray
from focused.relevance.plain_state import PlainState, array_in, texts_in

TermTally = tuple[IntArray, FloatArray]  #: rows of a text's known terms, each once, and how often each occurs


@dataclass(slots=True, frozen=True)
class NaiveBayes:
    """A trained classifier.

    Attributes
    ----------
    vocabulary : term -> row; terms outside say nothing
    log_priors : (c,) log P(c)
    log_likelihoods : (t + 1, c) log P(t | c); the last row, of zeros, is that of all other terms
    """

    vocabulary: dict[str, int]
    log_priors: FloatArray
    log_likelihoods: NDArray[np.float32]

    @classmethod
    def fit(cls, texts: Sequence[Sequence[str]], classes: Sequence[int], count: int, *, least: int = 1) -> NaiveBayes:
        """Learn from n texts (lists of terms) of the classes 0 to ``count`` - 1; priors are the shares of texts.

        least : a term must occur in so many texts to be in the vocabulary
        """
        vocabulary = vocabulary_of(texts, least)
        return cls.of_tallies(vocabulary, [tally(vocabulary, text) for text in texts], classes, count)

    @classmethod
    def of_tallies(
        cls, vocabulary: dict[str, int], tallies: Sequence[TermTally], classes: Sequence[int], count: int
    ) -> NaiveBayes:
        """Learn from texts whose terms are counted already.

        Several classifiers may share a vocabulary: terms that no text of this one has do not count in |V| and say nothing.
        """
        counts = np.zeros((len(vocabulary), count))
        for (places, numbers), column in zip(tallies, classes, strict=True):
            counts[places, column] += numbers
        likelihoods = np.zeros((len(vocabulary) + 1, count), np.float32)
        met = counts.any(axis=1)
        likelihoods[:-1][met] = np.log(1.0 + counts[met]) - np.log(max(1, met.sum()) + counts.sum(axis=0))
        texts_of = np.bincount(np.asarray(classes, np.int64), minlength=count)
        with np.errstate(divide="ignore"):  # a class without texts is impossible
            return cls(vocabulary, np.log(texts_of / max(1, len(tallies))), likelihoods)

    def state(self) -> dict[str, Any]:
        return {"terms": sorted(self.vocabulary, key=self.vocabulary.__getitem__), **self.state_beside_terms()}

    def state_beside_terms(self) -> dict[str, Any]:
        return {"log_priors": self.log_priors, "log_likelihoods": self.log_likelihoods}

    @classmethod
    def restored(cls, state: PlainState) -> NaiveBayes:
        """The classifier of a `state`; ValueError where it is none."""
        return cls.restored_over(rows_of(texts_in(state, "terms")), state)

    @classmethod
    def restored_over(cls, vocabulary: dict[str, int], state: PlainState) -> NaiveBayes:
        """The classifier of a `state_beside_terms`."""
        priors = array_in(state, "log_priors", np.float64, None)
        likelihoods = array_in(state, "log_likelihoods", np.float32, len(vocabulary) + 1, len(priors))
        return cls(vocabulary, priors, likelihoods)

    def evidence(self, terms: Iterable[str]) -> NDArray[np.float32]:
        """(n, c) log P(t | c) of n terms; the sum over a text's terms is what the text says."""
        return self.log_likelihoods[rows(self.vocabulary, terms)]

    def probabilities(self, terms: Sequence[str], length: int = 0) -> FloatArray:
        """(c,) P(c | text); priors for a text that says nothing. ``length``: see `posterior`."""
        return self.judge(tally(self.vocabulary, terms), length)

    def judge(self, text: TermTally, length: int = 0) -> FloatArray:
        """The same for a text whose terms are counted already."""
        places, numbers = text
        return posterior(self.log_priors, numbers @ self.log_likelihoods[places], float(numbers.sum()), length)


def vocabulary_of(texts: Sequence[Sequence[str]], least: int = 1) -> dict[str, int]:
    """Rows of the terms that occur in at least so many texts, in the order in which they were met."""
    occurrences = Counter(term for text in texts for term in dict.fromkeys(text))
    terms = (term for term, texts_with_it in occurrences.items() if texts_with_it >= least)
    return rows_of(terms)


def rows_of(terms: Iterable[str]) -> dict[str, int]:
    """Rows of different terms, in their order."""
    return {term: row for row, term in enumerate(dict.fromkeys(terms))}


def tally(vocabulary: Mapping[str, int], terms: Iterable[str]) -> TermTally:
    """Count the terms of a text that a vocabulary knows."""
    counts = Counter(map(vocabulary.get, terms))
    counts.pop(None, None)
    places = np.fromiter((row for row in counts if row is not None), np.int64, len(counts))
    return places, np.fromiter(counts.values(), np.float64, len(counts))


def rows(vocabulary: Mapping[str, int], terms: Iterable[str]) -> list[int]:
    """The row of each term in `NaiveBayes.log_likelihoods`."""
    other = len(vocabulary)
    return [vocabulary.get(term, other) for term in terms]


def posterior(
    log_priors: FloatArray,
    evidence: FloatArray,
    known: float | FloatArray = 0.0,
    length: int = 0,
) -> FloatArray:
    """(..., c) P(c | text) of texts whose terms' log-likelihoods sum up to ``evidence`` (..., c).

    known : (...) number of terms summed up; of account only with a length
    length : if above 0, a longer text counts as one of so many terms with the same distribution: naive Bayes takes each
        term for a new proof, so that long texts come out as certain, and no two of them can be told apart
    """
    if length:
        evidence = evidence * np.asarray(np.minimum(1.0, length / np.maximum(known, 1)))[..., np.newaxis]
    joint = log_priors + evidence
    weights = np.exp(joint - joint.max(axis=-1, keepdims=True))
    result: FloatArray = weights / weights.sum(axis=-1, keepdims=True)
    return result

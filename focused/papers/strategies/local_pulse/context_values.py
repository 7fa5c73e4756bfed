"""What the words of a link say of what following it is worth: Q cut into classes, and naive Bayes from words to class.

    class of a sample = the one of k equal parts of [0, 1] that its Q falls into, Q normalised
    P(c | context) ~ P(c) · Π over terms of the context of P(t | c)                             (equations 3 and 4)
    P(t | c) = (1 + weight of t in c) / (|V| + weight of all terms in c)                        (equation 5)
    weight of a term = tf · log(N / df), over the contexts of the N samples

Source: Ye, Li, Huang & Xu 2006, "Improved Focused Web Crawling Based on Incremental Q-Learning", section 3.3.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, Self

import numpy as np
from numpy.typing import NDArray

from focused.crawl.arrays import FloatArray, IntArray
from focused.relevance.vectors import HASHED

Value = Literal["likeliest", "expected"]
Ties = Literal["first", "page"]

#: (..., c) sum of log P(t | c) over the terms of a context
Evidence = NDArray[np.float32]


@dataclass(slots=True, frozen=True)
class ContextValues:
    """A learned mapping from link contexts to Q.

    Attributes
    ----------
    values : (c,) mean Q of each class, ascending; classes without samples are left out
    log_priors : (c,) log P(c), the shares of samples
    log_likelihoods : (HASHED, c) log P(t | c), by hashed term; 0 for terms that no sample has, which say nothing
    """

    values: FloatArray
    log_priors: FloatArray
    log_likelihoods: Evidence

    @classmethod
    def fit(cls, q: FloatArray, samples: IntArray, terms: IntArray, classes: int) -> Self:
        """Learn from N samples, at least one, and the terms of their contexts.

        Parameters
        ----------
        q : (N,) any finite numbers
        samples, terms : (n,) each, the sample that a term stands in and the hashed term, once for each occurrence
        classes : k; intervals without samples make no class
        """
        low, width = q.min(), np.ptp(q)
        interval = np.minimum((q - low) / (width or 1.0) * classes, classes - 1).astype(np.int64)
        _, member_of = np.unique(interval, return_inverse=True)
        members = np.bincount(member_of)
        vocabulary, columns = np.unique(terms, return_inverse=True)
        pairs = np.unique(samples * len(vocabulary) + columns)
        rarity = np.log(len(q) / np.bincount(pairs % max(1, len(vocabulary)), minlength=len(vocabulary)))
        shape = len(vocabulary), len(members)
        counts = np.bincount(columns * shape[1] + member_of[samples], minlength=shape[0] * shape[1]).reshape(shape)
        weights = counts * rarity[:, np.newaxis]
        likelihoods = np.zeros((HASHED, shape[1]), np.float32)
        likelihoods[vocabulary] = np.log(1.0 + weights) - np.log(max(1, shape[0]) + weights.sum(axis=0))
        return cls(np.bincount(member_of, weights=q) / members, np.log(members / len(q)), likelihoods)

    def evidence(self, urls: IntArray, terms: IntArray, count: int) -> Evidence:
        """(count, c) evidence of the contexts of URLs 0 to count - 1, of which pairs of URL and hashed term are given."""
        columns = [np.bincount(urls, self.log_likelihoods[terms, c], count) for c in range(len(self.values))]
        return np.column_stack(columns).astype(np.float32)

    def predict(self, evidence: Evidence, value: Value = "likeliest") -> FloatArray:
        """(n,) Q of n contexts: the mean Q of the likeliest class, or of all classes by their probabilities."""
        joint = self.log_priors + evidence
        if value == "likeliest":
            return np.asarray(self.values[joint.argmax(axis=1)], np.float64)
        shares = np.exp(joint - joint.max(axis=1, keepdims=True))
        return np.asarray(shares @ self.values / shares.sum(axis=1), np.float64)

    def ties_broken(self, q: FloatArray, pages: FloatArray) -> FloatArray:
        """(n,) scores of n links with the Q of their likeliest classes, (n,): within a class in the order of the pages.

        The page a link stands on, (n,) in [0, 1], lifts it by up to half the way to the next class, so never into it; the last
        class has another one above it by 1. Ours.
        """
        room = np.diff(self.values, append=self.values[-1] + 1.0) / 2
        return np.asarray(q + room[np.searchsorted(self.values, q)] * pages, np.float64)

    def state(self) -> dict[str, Any]:
        """As arrays, of the known terms only."""
        known = np.flatnonzero(self.log_likelihoods.any(axis=1))
        kept = {"terms": known, "log_likelihoods": self.log_likelihoods[known]}
        return kept | {"values": self.values, "log_priors": self.log_priors}

    @classmethod
    def restored(cls, state: Mapping[str, Any]) -> Self:
        likelihoods = np.zeros((HASHED, len(state["values"])), np.float32)
        likelihoods[state["terms"]] = state["log_likelihoods"]
        return cls(state["values"], state["log_priors"], likelihoods)

"""An agent of InfoSpiders: keywords, a small neural net that judges links by them, and energy.

Source: Pant, Srinivasan & Menczer 2004, "Crawling the Web", section 3.5; F. Menczer, R. K. Belew, "Adaptive Retrieval Agents",
Machine Learning 2000.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any, Self

import numpy as np

from focused.crawl.arrays import FloatArray, IntArray
from focused.page.page import Page
from focused.papers.strategies.info_spiders.keyword_proximity import keyword_proximities
from focused.relevance.similarity import page_similarity

NEW_WEIGHT = 1.0  #: of an input that nothing was learned of: a keyword near a link is a good sign


class SpiderAgent:
    """One agent. The net has one input a keyword and one output: tanh(Σ weight · input + bias).

    Parameters
    ----------
    keywords : term -> count, in the order of the inputs
    energy : it dies when it has none left

    Attributes
    ----------
    weights : (k + 1,) of k inputs, and the bias
    """

    def __init__(self, keywords: Mapping[str, int], energy: float) -> None:
        self.keywords = dict(keywords)
        self.energy = energy
        self.weights: FloatArray = np.append(np.full(len(keywords), NEW_WEIGHT), 0.0)
        self._number = {term: number for number, term in enumerate(self.keywords)}

    def similarity(self, page: Page) -> float:
        """cos(keywords, page) in [0, 1]."""
        return page_similarity(self.keywords, page)

    def inputs(self, page: Page, window: int) -> FloatArray:
        """(n, k) inputs of the page's n links; see `keyword_proximities`."""
        return keyword_proximities(self._number, page, window)

    def judge(self, inputs: FloatArray) -> FloatArray:
        """(n,) outputs in (-1, 1) of the net for n links."""
        outputs: FloatArray = np.tanh(inputs @ self.weights[:-1] + self.weights[-1])
        return outputs

    def learn(self, numbers: IntArray, values: FloatArray, similarity: float, rate: float) -> None:
        """One step of back-propagation: the link with these inputs led to a page of this similarity.

        numbers, values : (m,) each, the inputs that are not 0
        """
        output = np.tanh(self.weights[numbers] @ values + self.weights[-1])
        step = rate * (similarity - output) * (1 - output**2)
        self.weights[numbers] += step * values
        self.weights[-1] += step

    def child(self, page: Page) -> Self:
        """An offspring that has half of the energy, and as new keyword the page's most frequent term that is none yet."""
        self.energy /= 2
        child = type(self)(self.keywords, self.energy)
        new = next((term for term, _ in Counter(page.terms).most_common() if term not in self.keywords), None)
        child.weights = self.weights.copy()
        if new is not None:
            child.keywords[new] = 1
            child._number[new] = len(child._number)
            child.weights = np.insert(child.weights, -1, NEW_WEIGHT)
        return child

    def state(self) -> dict[str, Any]:
        return {"keywords": list(self.keywords.items()), "energy": self.energy, "weights": self.weights}

    @classmethod
    def restored(cls, state: Mapping[str, Any]) -> Self:
        agent = cls(dict(state["keywords"]), state["energy"])
        agent.weights = np.array(state["weights"])
        return agent

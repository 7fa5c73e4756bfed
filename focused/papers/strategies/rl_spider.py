"""RL spider: a link is worth what following it led to on sites explored before, told from the words around it.

A mapping that is learned before the crawl says what that is in the long run:

    Q(link) = gamma ** (links from the page it leads to, to the nearest target);  0 where no target can be reached
    Q is cut into classes; naive Bayes over the words says how probable each is; value = Σ over c of P(c | words) · mean Q of c
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np
from pydantic import Field

from focused.crawl.arrays import FloatArray
from focused.crawl.strategy import Strategy, StrategyOptions, Visit
from focused.page.page import Page
from focused.papers.models.taxonomy import NaiveBayes, posterior, rows
from focused.scorers.link_scorer import spans
from focused.scorers.plain_state import PlainState, array_in, state_in, whole_in


@dataclass(slots=True, frozen=True)
class PathValues:
    """The learned mapping.

    Attributes
    ----------
    values : (k,) mean Q of each class, the first class that of links to targets
    classifier : from words to class
    window : see `spans`
    """

    values: FloatArray
    classifier: NaiveBayes
    window: int

    @classmethod
    def fit(
        cls, texts: Sequence[Sequence[str]], q: FloatArray, classes: Sequence[int], count: int, window: int
    ) -> PathValues:
        """Learn from n links: their words (see `words_of`), Q and the class of each among 0 to ``count`` - 1."""
        members = np.bincount(np.asarray(classes, np.int64), minlength=count)
        sums = np.bincount(np.asarray(classes, np.int64), weights=q, minlength=count)
        return cls(sums / np.maximum(members, 1), NaiveBayes.fit(texts, classes, count, least=2), window)

    def state(self) -> dict[str, Any]:
        return {"values": self.values, "classifier": self.classifier.state(), "window": self.window}

    @classmethod
    def restored(cls, state: PlainState) -> PathValues:
        """The mapping of a `state`; ValueError where it is none."""
        classifier = NaiveBayes.restored(state_in(state, "classifier"))
        values = array_in(state, "values", np.float64, len(classifier.log_priors))
        return cls(values, classifier, whole_in(state, "window"))

    def probabilities(self, page: Page) -> FloatArray:
        """(n, k) P(class | words) of the n links of a page.

        One pass over the page's terms: with running sums of their log-likelihoods, any span costs one difference.
        """
        bayes, links = self.classifier, page.links
        places = np.array(rows(bayes.vocabulary, page.terms), np.int64)
        sums = np.zeros((len(places) + 1, len(self.values)))
        np.cumsum(bayes.log_likelihoods[places], axis=0, out=sums[1:])
        anchor_start, anchor_end, start, end = spans(links, self.window)
        return posterior(bayes.log_priors, sums[anchor_end] - sums[anchor_start] + sums[end] - sums[start])


def words_of(page: Page, window: int) -> list[list[str]]:
    """The words of each link: those of its anchor, and those of its context (which holds the anchor again: it counts twice)."""
    terms = page.terms
    columns = (column.tolist() for column in spans(page.links, window))
    return [terms[a:b] + terms[c:d] for a, b, c, d in zip(*columns, strict=True)]


class RlSpider(Strategy):
    """Give every link the discounted reward that its words promise, by a mapping learned before the crawl and then fixed.

        score = value = Σ over classes c of P(c | words of the link) · mean Q of c
        Q(link) = gamma ** (links from its page to the nearest relevant page), learned by `scrapy train paths`

    Parts
        target: P(the link leads straight to a relevant page | its words)
        value: expected Q, from 0 to 1

    Source: Rennie & McCallum 1999, "Using Reinforcement Learning to Spider the Web Efficiently", as described in Pant, Srinivasan &
    Menczer 2004, "Crawling the Web", section 5.2, and in the IQ-learning paper, sections 2 and 3.3.
    """

    name = "rl_spider"
    parts: ClassVar[tuple[str, ...]] = ("target", "value")
    trained = "paths"
    model_class = PathValues
    needs_model = True

    class Options(StrategyOptions):
        model: str = Field("", description="name of a model made by scrapy train paths; it must be given")
        value: Literal["expected", "likeliest"] = Field(
            "expected",
            description="Q of a link: the mean over all classes by their probability, or that of the likeliest",
        )

    def score(self, visit: Visit) -> tuple[FloatArray, FloatArray]:
        model = self.world.model
        probabilities = model.probabilities(visit.page)
        likeliest = self.options.value == "likeliest"
        values = model.values[probabilities.argmax(axis=1)] if likeliest else probabilities @ model.values
        return values, np.column_stack((probabilities[:, 0], values))

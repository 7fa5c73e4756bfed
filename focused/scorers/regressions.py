"""Logistic regressions, trained on labelled pages, that predict which pages are on topic and which links lead to them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from focused.crawl.arrays import FloatArray, IntArray
from focused.page.page import Page
from focused.scorers.link_scorer import spans, words_of
from focused.scorers.plain_state import PlainState, array_in, number_in, state_in, whole_in
from focused.scorers.vectors import HASHED, hashed, unit

FEATURES = 2 * HASHED  #: terms of the page, by their numbers, and then terms of its head
MOST_ITERATIONS = 1000  #: of the solver; 100, its default, may not be enough


@dataclass(slots=True, frozen=True)
class PageRegression:
    """Predicts the probability that a page is on topic, from its terms.

        x_t = (1 + ln n_t) · idf_t,   idf_t = 1 + ln((1 + N) / (1 + N_t)),   n_t times in the page, in N_t of N pages
        P(on topic | page) = 1 / (1 + exp(-(b + w · x / |x|)))

    A term among the first ones of a page, which are its title, is a separate feature, beside the same term of the text.

    Source: the weights are those of Manning, Raghavan & Schütze 2008, "Introduction to Information Retrieval", section 6.4.1, with
    the smoothed idf of scikit-learn; features for the title are ours.

    Attributes
    ----------
    idf : (FEATURES,) inverse document frequency; 0 for an unknown term, which then does not count
    weights : (FEATURES,) w
    intercept : b
    head : number of first terms of a page that are its head
    """

    idf: NDArray[np.float32]
    weights: NDArray[np.float32]
    intercept: float
    head: int

    @classmethod
    def fit(
        cls, texts: Sequence[Sequence[str]], on_topic: Sequence[bool], *, cost: float, head: int, least: int
    ) -> PageRegression:
        """Learn from n texts (lists of terms), and whether each is on topic; both kinds must occur.

        cost : what an error on the pages costs against the size of the weights: C of scikit-learn
        least : texts that a feature must occur in
        """
        from scipy.sparse import csr_array  # only training waits for these two
        from sklearn.linear_model import LogisticRegression

        found = [_features(terms, head) for terms in texts]
        places = np.concatenate([one for one, _ in found])
        texts_with = np.bincount(places, minlength=FEATURES)
        known = texts_with >= least
        idf = np.where(known, 1 + np.log((1 + len(texts)) / (1 + texts_with)), 0).astype(np.float32)
        columns = np.flatnonzero(known)
        weights = np.zeros(FEATURES, np.float32)
        if not len(columns):  # the texts have no term in common: only the share of texts on topic is known
            return cls(idf, weights, float(np.log(sum(on_topic) / (len(texts) - sum(on_topic)))), head)
        values = np.concatenate([unit(counts * idf[one]) for one, counts in found])
        starts = np.cumsum([0, *(len(one) for one, _ in found)])
        matrix = csr_array((values, places, starts), shape=(len(texts), FEATURES))[:, columns]
        # No class weights: they would make both sides count the same, and the result would be no probability.
        learner = LogisticRegression(C=cost, max_iter=MOST_ITERATIONS).fit(matrix, np.asarray(on_topic, bool))
        weights[columns] = learner.coef_[0]
        return cls(idf, weights, float(learner.intercept_[0]), head)

    def state(self) -> dict[str, Any]:
        return {"idf": self.idf, "weights": self.weights, "intercept": self.intercept, "head": self.head}

    @classmethod
    def restored(cls, state: PlainState) -> PageRegression:
        """The regression of a `state`; ValueError if it is none."""
        idf, weights = (array_in(state, name, np.float32, FEATURES) for name in ("idf", "weights"))
        return cls(idf, weights, number_in(state, "intercept"), whole_in(state, "head"))

    def relevance(self, terms: Sequence[str]) -> float:
        """P(on topic | page) in [0, 1], from the terms of a page in their order."""
        places, counts = _features(terms, self.head)
        logit = self.intercept + float(self.weights[places] @ unit(counts * self.idf[places]))
        return float(1 / (1 + np.exp(-logit)))


def _features(terms: Sequence[str], head: int) -> tuple[IntArray, FloatArray]:
    """Features that a text has, each once and in ascending order, with 1 + ln n_t."""
    numbers = hashed(terms).astype(np.int64)
    places, counts = np.unique(np.concatenate((numbers, numbers[:head] + HASHED)), return_counts=True)
    return places, 1 + np.log(counts)


FIELDS = 4  #: places of words: anchor, context, URL, title of the source


@dataclass(slots=True, frozen=True)
class LinkRegression:
    """Predicts the probability that a link leads to a page on topic, from its words.

        P(on topic | link) = 1 / (1 + exp(-(b + Σ over its words of w)))

    A word counts by its place: in the anchor, around it, in the URL, or in the title of the page with the link. A page some links
    before a page on topic is worth gamma ** links: it counts with this share as a page on topic, and with the rest as another one.
    So a link to a list of such pages promises something, too.

    Source: ours; the worth of a link as in Rennie & McCallum 1999 (see `rl_spider`).

    Attributes
    ----------
    weights : (FIELDS, HASHED) w, by the place and the number of a word; 0 for words that are not known
    intercept : b
    window : terms of a link's context before and after its anchor
    head : number of first terms of a page that are its title
    """

    weights: NDArray[np.float32]
    intercept: float
    window: int
    head: int

    @classmethod
    def fit(
        cls, pages: Sequence[Page], worth: Mapping[str, float], *, cost: float, window: int, head: int, least: int
    ) -> LinkRegression | None:
        """Learn from the links of pages to URLs whose worth is known; None if nothing can be learned from them.

        Nothing can be learned from links that are all worth 0, or all worth 1, or that have no word in common.

        worth : in [0, 1], by URL: 1 for a page on topic
        cost : what an error on the links costs against the size of the weights: C of scikit-learn
        least : links that a word must occur in, at each place
        """
        from scipy.sparse import csr_array, vstack  # only training waits for these two
        from sklearn.linear_model import LogisticRegression

        rows: list[IntArray] = []
        values: list[float] = []
        for page in pages:
            known = [link.url != page.url and link.url in worth for link in page.links]
            rows += [row for row, is_known in zip(_words(page, window, head), known, strict=True) if is_known]
            values += [worth[link.url] for link, is_known in zip(page.links, known, strict=True) if is_known]
        shares = np.array(values)
        if not shares.any() or (shares == 1).all():
            return None
        places, starts = np.concatenate(rows), np.cumsum([0, *map(len, rows)])
        matrix = csr_array((np.ones(len(places)), places, starts), shape=(len(rows), FIELDS * HASHED))
        matrix.sum_duplicates()
        columns = np.flatnonzero(np.bincount(matrix.indices, minlength=FIELDS * HASHED) >= least)
        if not len(columns):
            return None
        weights = np.zeros(FIELDS * HASHED, np.float32)
        promises, does_not = np.flatnonzero(shares > 0), np.flatnonzero(shares < 1)
        # A link worth a share of a page on topic is two examples, one of each class, that weigh 1 together.
        learner = LogisticRegression(C=cost, max_iter=MOST_ITERATIONS).fit(
            vstack([matrix[promises], matrix[does_not]], format="csr")[:, columns],
            np.repeat([True, False], [len(promises), len(does_not)]),
            np.concatenate((shares[promises], 1 - shares[does_not])),
        )
        weights[columns] = learner.coef_[0]
        return cls(weights.reshape(FIELDS, HASHED), float(learner.intercept_[0]), window, head)

    def state(self) -> dict[str, Any]:
        return {"weights": self.weights, "intercept": self.intercept, "window": self.window, "head": self.head}

    @classmethod
    def restored(cls, state: PlainState) -> LinkRegression:
        """The regression of a `state`; ValueError if it is none."""
        weights = array_in(state, "weights", np.float32, FIELDS, HASHED)
        return cls(weights, number_in(state, "intercept"), whole_in(state, "window"), whole_in(state, "head"))

    def promise(self, page: Page) -> FloatArray:
        """(n,) P(on topic | link) of the n links of a page."""
        anchor, context, url, title = self.weights
        terms = hashed(page.terms)
        sums = np.zeros((2, len(terms) + 1))
        np.cumsum(anchor[terms], out=sums[0, 1:])
        np.cumsum(context[terms], out=sums[1, 1:])
        anchor_start, anchor_end, start, end = spans(page.links, self.window)
        of_anchors = sums[0, anchor_end] - sums[0, anchor_start]
        of_contexts = sums[1, end] - sums[1, start]
        of_urls = np.array([url[hashed(words_of(link.url))].sum() for link in page.links], np.float64)
        logits = self.intercept + of_anchors + of_contexts + of_urls + title[terms[: self.head]].sum()
        return np.asarray(1 / (1 + np.exp(-logits)))


def _words(page: Page, window: int, head: int) -> list[IntArray]:
    """The words of each link of a page as columns, place after place; a word may occur twice."""
    terms = hashed(page.terms).astype(np.int64)
    title = terms[:head] + 3 * HASHED
    return [
        np.concatenate((terms[a:b], terms[c:d] + HASHED, hashed(words_of(link.url)) + 2 * HASHED, title))
        for link, a, b, c, d in zip(page.links, *(column.tolist() for column in spans(page.links, window)), strict=True)
    ]


@dataclass(slots=True, frozen=True)
class TopicRegressions:
    """Two regressions that were learned from the same pages.

    Attributes
    ----------
    pages : over the terms of pages
    links : over the words of links; None where too few labelled pages link to each other
    """

    pages: PageRegression
    links: LinkRegression | None

    def on_topic(self, terms: Sequence[str]) -> float:
        """P(on topic | page); 0 where no term is known, of which the intercept would tell nothing."""
        return self.pages.relevance(terms) if self.pages.idf[hashed(terms)].any() else 0.0

    def state(self) -> dict[str, Any]:
        return {"pages": self.pages.state(), "links": self.links and self.links.state()}

    @classmethod
    def restored(cls, state: PlainState) -> TopicRegressions:
        """The regressions of a `state`; ValueError if it is none."""
        links = None if state.get("links") is None else LinkRegression.restored(state_in(state, "links"))
        return cls(PageRegression.restored(state_in(state, "pages")), links)

"""LocalPulse: learns while it crawls which words of links lead to relevant pages, and what a relevant page looks like.

The words of the links to each URL: the terms of all anchors on all of its parents, gathered as these are fetched.

What the words of a link say of what following it is worth: Q cut into classes, and naive Bayes from words to class.

    class of a sample = the one of k equal parts of [0, 1] that its Q falls into, Q normalised
    P(c | context) ~ P(c) · Π over terms of the context of P(t | c)                             (equations 3 and 4)
    P(t | c) = (1 + weight of t in c) / (|V| + weight of all terms in c)                        (equation 5)
    weight of a term = tf · log(N / df), over the contexts of the N samples

Source: Ye, Li, Huang & Xu 2006, "Improved Focused Web Crawling Based on Incremental Q-Learning", section 3.3 (link context).
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, Self

import numpy as np
from numpy.typing import NDArray
from pydantic import Field, model_validator

from focused.crawl.arrays import FloatArray, IntArray
from focused.crawl.strategy import Changes, Rescoring, Strategy, StrategyOptions, Visit, Waiting
from focused.crawl.url_table import NO_SOURCE
from focused.crawl.world import World
from focused.page.page import Page
from focused.papers.models.positive_samples import PositiveSamples
from focused.scorers.vectors import HASHED, number

MOST = 255  #: terms of one URL that may be kept


class LinkContexts:
    """A log of pairs (URL, term) in order of arrival, 8 bytes each, and a byte for each URL.

    Parameters
    ----------
    most : terms kept of one URL, at most MOST; further ones are not taken. It bounds the memory: on many sites all pages
        link to some, always with the same words.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._urls = array("i")
        self._terms = array("i")
        self._lengths = bytearray()  # by id of a URL: number of terms kept

    def __len__(self) -> int:
        """Pairs in the log."""
        return len(self._urls)

    def add(self, page: Page, targets: IntArray) -> None:
        """Add the anchors of a page's n links, which lead to ``targets`` (n,); equal ones are added each time."""
        lengths, terms = self._lengths, page.terms
        if len(targets) and (missing := int(targets.max()) + 1 - len(lengths)) > 0:
            lengths.extend(bytes(missing))
        for url, link in zip(targets.tolist(), page.links, strict=True):
            start, room = link.anchor_start, self._most - lengths[url]
            end = min(link.anchor_end, start + room)
            if start < end:
                self._urls.extend([url] * (end - start))
                self._terms.extend(map(number, terms[start:end]))
                lengths[url] += end - start

    def since(self, position: int = 0) -> tuple[IntArray, IntArray]:
        """URLs and hashed terms, (n,) each, of the pairs from a position of the log on; copies."""
        return np.array(self._urls[position:], np.int64), np.array(self._terms[position:], np.int64)

    def snapshot(self) -> dict[str, Any]:
        return {
            "urls": np.array(self._urls, np.int32),
            "terms": np.array(self._terms, np.int32),
            "lengths": np.frombuffer(bytes(self._lengths), np.uint8),
        }

    def restore(self, state: Mapping[str, Any]) -> None:
        self._urls, self._terms = (array("i", state[name].tobytes()) for name in ("urls", "terms"))
        self._lengths = bytearray(state["lengths"].tobytes())


ValueKind = Literal["likeliest", "expected"]
Ties = Literal["first", "page"]

#: (..., c) sum of log P(t | c) over the terms of a context
EvidenceArray = NDArray[np.float32]


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
    log_likelihoods: EvidenceArray

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

    def evidence(self, urls: IntArray, terms: IntArray, count: int) -> EvidenceArray:
        """(count, c) evidence of the contexts of URLs 0 to count - 1, of which pairs of URL and hashed term are given."""
        columns = [np.bincount(urls, self.log_likelihoods[terms, c], count) for c in range(len(self.values))]
        return np.column_stack(columns).astype(np.float32)

    def predict(self, evidence: EvidenceArray, value: ValueKind = "likeliest") -> FloatArray:
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


#: What fetched pages (n,) with relevance R (n,) were worth: Q (n,)
Worth = Callable[[IntArray, FloatArray], FloatArray]


class LocalPulse(Strategy):
    """Learn from the pages fetched so far what the words of the links to them were worth, and follow the most promising link.

        score = q, once something was learned; page before that
        q = mean R of the pages in the class that naive Bayes finds likeliest for the words of all known anchors of the link

    With ties = page the score is q + page · half the way to the next class.

    Every N pages the best of them become samples of the topic, R of all pages is computed anew, naive Bayes learns which words lead
    to which class of R, and all that waits is scored by it. What a page leads to does not count.

    Parts
        page: relevance of the linking page, by the topic's page model
        q: what following the link is expected to be worth; 0 before something was learned

    Source: named in Ye, Li, Huang & Xu 2006, "Improved Focused Web Crawling Based on Incremental Q-Learning", section 4.2;
    all else as iq_learning.
    """

    name = "local_pulse"
    parts: ClassVar[tuple[str, ...]] = ("page", "q")
    rescore_lag = 10

    class Options(StrategyOptions):
        learn_every: int = Field(100, ge=1, le=100_000, description="pages between two times that all is learned (X)")
        classes: int = Field(5, ge=2, le=100, description="intervals that Q is cut into (k)")
        value: ValueKind = Field(
            "likeliest", description="a link has the mean Q of its likeliest class, or of all by probability"
        )
        ties: Ties = Field(
            "first", description="links of a class: first found first, or those on the most relevant pages"
        )
        distilled: float = Field(0.05, ge=0, le=1, description="at most this share of a batch of pages becomes samples")
        seed_samples: bool = Field(True, description="relevant seeds are samples from the beginning")
        anchor_terms: int = Field(50, ge=1, le=MOST, description="terms kept of all anchors of a URL")
        page_terms: int = Field(50, ge=1, le=10_000, description="terms kept of a page, the most frequent ones")

        @model_validator(mode="after")
        def _has_classes(self) -> Self:
            if self.ties == "page" and self.value != "likeliest":
                raise ValueError("ties = page needs value = likeliest: links of expected value are in no class")
            return self

    def __init__(self, options: StrategyOptions, world: World) -> None:
        super().__init__(options, world)
        self.rescore_every = self.options.learn_every
        self._contexts = LinkContexts(self.options.anchor_terms)
        self._samples = PositiveSamples(world.keywords, world.examples, self.options.page_terms)
        self._values: ContextValues | None = None
        self._evidence: EvidenceArray = np.empty((0, 0), np.float32)  # by id of a URL
        self._weighed = 0  # pairs of the log of contexts that are in the evidence

    def visited(self, visit: Visit) -> Changes:
        self._contexts.add(visit.page, visit.targets)
        if not visit.duplicate:
            is_sample = self.options.seed_samples and visit.depth == 0 and visit.relevant
            self._samples.add(visit.id, visit.page.terms, positive=is_sample)
        return self._of_links(visit)

    def listed(self, visit: Visit) -> Changes:
        self._contexts.add(visit.page, visit.targets)
        return self._of_links(visit)

    def _of_links(self, visit: Visit) -> Changes:
        pages = np.full(len(visit.targets), visit.relevance)
        if self._values is None:
            return Changes(visit.targets, pages, np.column_stack((pages, np.zeros_like(pages))))
        self._weigh(self._values, int(visit.targets.max(initial=-1)))
        q = self._values.predict(self._evidence[visit.targets], self.options.value)
        scores = self._values.ties_broken(q, pages) if self.options.ties == "page" else q
        # More anchors make a better estimate, not only a higher one.
        return Changes(visit.targets, scores, np.column_stack((pages, q)), replace=True)

    def rescore(self, waiting: Waiting) -> Callable[[], Rescoring] | None:
        batch, worth = self._samples.batch(self.options.distilled), self._worth()
        # Seeds, and what the user's own code asked for, wait with the scores they were given.
        found = self.world.urls.source[waiting.ids] != NO_SOURCE
        ids, pages = waiting.ids[found], waiting.parts[found, 0]
        urls, terms = self._contexts.since()
        classes, value, ties = self.options.classes, self.options.value, self.options.ties

        def job() -> Rescoring:
            relevance, samples = batch.judge()
            values = learned_values(batch.urls, worth(batch.urls, relevance), urls, terms, classes)
            if values is None:
                return Rescoring(Changes.none(2), Learned(samples, None, np.empty((0, 0), np.float32), 0))
            count = 1 + max(urls.max(initial=-1), ids.max(initial=-1))
            evidence = values.evidence(urls, terms, count)
            q = values.predict(evidence[ids], value)
            scores = values.ties_broken(q, pages) if ties == "page" else q
            changes = Changes(ids, scores, np.column_stack((pages, q)))
            return Rescoring(changes, Learned(samples, values, evidence, len(urls)))

        return job

    def _worth(self) -> Worth:
        """How Q of fetched pages is computed, in another thread."""
        return lambda _, relevance: relevance

    def adopt(self, learned: Learned) -> None:
        self._samples.adopt(learned.samples)
        if learned.values is not None:
            self._values, self._evidence, self._weighed = learned.values, learned.evidence, learned.weighed

    def _weigh(self, values: ContextValues, last: int) -> None:
        """Add what has come to the contexts to the evidence, which then has rows up to this URL at least."""
        urls, terms = self._contexts.since(self._weighed)
        self._weighed += len(urls)
        if (missing := max(last, urls.max(initial=-1)) + 1 - len(self._evidence)) > 0:
            rows = max(missing, len(self._evidence) // 8)
            self._evidence = np.concatenate([self._evidence, np.zeros((rows, len(values.values)), np.float32)])
        np.add.at(self._evidence, urls, values.log_likelihoods[terms])

    def state(self) -> dict[str, Any]:
        return {
            "contexts": self._contexts.snapshot(),
            "samples": self._samples.snapshot(),
            "values": None if self._values is None else self._values.state(),
            "evidence": self._evidence,
            "weighed": self._weighed,
        }

    def restore(self, state: Mapping[str, Any]) -> None:
        self._contexts.restore(state["contexts"])
        self._samples.restore(state["samples"])
        self._values = None if state["values"] is None else ContextValues.restored(state["values"])
        self._evidence, self._weighed = state["evidence"], state["weighed"]


@dataclass(slots=True, frozen=True)
class Learned:
    """What came of a batch: samples, the mapping, and the evidence of how many pairs of the contexts."""

    samples: list[int]
    values: ContextValues | None
    evidence: EvidenceArray
    weighed: int


def learned_values(
    pages: IntArray, q: FloatArray, urls: IntArray, terms: IntArray, classes: int
) -> ContextValues | None:
    """The mapping from words to Q that fetched pages (n,) with Q (n,) teach; None where no link led to one of them.

    urls, terms : (p,) each, the pairs of the contexts of all links
    """
    sample_of = np.full(1 + max(pages.max(initial=-1), urls.max(initial=-1)), -1)
    fetched = pages >= 0
    sample_of[pages[fetched]] = np.flatnonzero(fetched)
    samples = sample_of[urls]
    known = samples >= 0
    linked, samples = np.unique(samples[known], return_inverse=True)
    if not len(linked):
        return None
    return ContextValues.fit(q[linked], samples, terms[known], classes)

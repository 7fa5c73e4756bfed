"""As ACHE crawls adaptively: it learns from the links it has followed which words lead to relevant pages."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, ClassVar
from urllib.parse import unquote, urlsplit

import numpy as np
from scipy.sparse import csr_array
from sklearn.svm import SVC

from focused.crawl.arrays import FloatArray
from focused.crawl.strategy import Changes, Rescoring, StrategyOptions, Visit, Waiting
from focused.page.page import Link, Page
from lab.crawlers.yardstick import Yardstick, YardstickWorld

URL, ANCHOR, AROUND = "url ", "anchor ", "around "  #: what a feature begins with: where its word stands
MOST_WORDS = {URL: 150, ANCHOR: 150, AROUND: 100}  #: the most frequent ones of each kind make the features
LEAST_COUNT = 2  #: links in which a word must occur to be a feature
MOST_SAMPLES = 5000  #: of each class
WINDOW = 10  #: terms before and after the anchor that are around it, within the link's context (ours)

_URL_WORD = re.compile(r"[^\W\d_]{2,}")


def link_words(page: Page, link: Link) -> tuple[str, ...]:
    """The words of a link, each once with where it stands: path and query of its URL, anchor, and terms around it."""
    parts = urlsplit(unquote(link.url).lower())
    start = max(link.context_start, link.anchor_start - WINDOW)
    end = min(link.context_end, link.anchor_end + WINDOW)
    found = [URL + word for word in _URL_WORD.findall(f"{parts.path} {parts.query}")]
    found += [ANCHOR + term for term in page.terms[link.anchor_start : link.anchor_end]]
    found += [AROUND + term for term in page.terms[start:end]]
    return tuple(dict.fromkeys(found))


@dataclass(frozen=True)
class AcheLinkClassifier:
    """A linear support vector machine over the presence of words.

    weights, bias : of the decision: above 0 for links that are expected to be relevant
    """

    weights: Mapping[str, float]
    bias: float

    def probability(self, words: Iterable[str]) -> float:
        """A number in [0, 1], the higher the surer. A logistic curve of the decision; ACHE fits it by Platt's method,
        which changes no order.
        """
        decision = self.bias + sum(self.weights.get(word, 0.0) for word in words)
        return 0.5 * (1 + math.tanh(decision / 2))


def trained(samples: Sequence[tuple[tuple[str, ...], bool]]) -> AcheLinkClassifier | None:
    """Learn from links followed, in the order fetched: the words of each and whether its page was relevant.

    A link that led to no relevant page is taken only while there are fewer of these than of others, so that the classes are of
    one size at most. None where one class is missing, or no word is frequent.
    """
    good: list[tuple[str, ...]] = []
    bad: list[tuple[str, ...]] = []
    for words, is_relevant in samples:
        kept = good if is_relevant else bad
        if len(kept) < MOST_SAMPLES and (is_relevant or len(bad) < len(good)):
            kept.append(words)
    features = _most_frequent(good + bad)
    if not good or not bad or not features:
        return None
    columns = {word: column for column, word in enumerate(features)}
    rows = [[columns[word] for word in words if word in columns] for words in good + bad]
    starts = np.cumsum([0, *map(len, rows)], dtype=np.int32)  # scikit-learn takes no 64-bit indices
    places = np.fromiter((column for row in rows for column in row), np.int32, starts[-1])
    presence = csr_array((np.ones(starts[-1]), places, starts), shape=(len(rows), len(features)))
    machine = SVC(kernel="linear", C=1.0).fit(presence, [True] * len(good) + [False] * len(bad))
    weights = machine.coef_.toarray()[0].tolist()
    return AcheLinkClassifier(dict(zip(features, weights, strict=True)), float(machine.intercept_[0]))


def _most_frequent(links: Iterable[tuple[str, ...]]) -> list[str]:
    counts = Counter(word for words in links for word in words)
    ranked = sorted((word for word, count in counts.items() if count >= LEAST_COUNT), key=lambda w: (-counts[w], w))
    return [
        word
        for kind, most in MOST_WORDS.items()
        for word in islice((word for word in ranked if word.startswith(kind)), most)
    ]


class AcheLike(Yardstick):
    """Follow links of relevant pages only, best first by a classifier of links that is learned anew every 500 pages.

        score = link, once a classifier is learned; page before that

    Parts
        page: relevance of the page that the link stands on, by the topic's page model
        link: what the classifier says of the words in the link's URL, its anchor and around it, in [0, 1]; 0 before

    Kept of ACHE: hard focus, a linear support vector machine over the presence of the 150, 150 and 100 most frequent words
    in URLs, anchors and around them, classes of one size, a new one every 500 pages which scores all that waits. Not
    kept: its page classifier (the topic's page model decides what is relevant), the random part of its first scores, and
    that of links expected to be irrelevant the surest come first. Ours: links of seeds are followed in any case. A link is
    known by the words where it was found first.

    Source: ACHE, `LinkClassifierBuilder`, `LinkClassifierFeatureSelector` and `LinkClassifierTrainer`,
    https://github.com/VIDA-NYU/ache; L. Barbosa, J. Freire, "An Adaptive Crawler for Locating Hidden-Web Entry Points",
    WWW 2007.
    """

    name = "ache_like"
    parts: ClassVar[tuple[str, ...]] = ("page", "link")
    rescore_every = 500

    def __init__(self, options: StrategyOptions, world: YardstickWorld) -> None:
        super().__init__(options, world)
        self._words: dict[int, tuple[str, ...]] = {}  # by id of a URL
        self._outcomes: dict[int, bool] = {}  # of URLs fetched, in order: was the page relevant?
        self._classifier: AcheLinkClassifier | None = None

    def visited(self, visit: Visit) -> Changes:
        if visit.id in self._words:
            self._outcomes[visit.id] = visit.relevant
        return super().visited(visit)

    def score(self, visit: Visit) -> tuple[FloatArray, FloatArray]:
        count = len(visit.links)
        if visit.depth and not visit.relevant:
            return np.full(count, np.nan), np.zeros((count, 2))
        for url, link in zip(visit.targets.tolist(), visit.links, strict=True):
            if url not in self._words:
                self._words[url] = link_words(visit.page, link)
        pages = np.full(count, visit.relevance)
        classifier = self._classifier
        if classifier is None:
            return pages, np.column_stack((pages, np.zeros(count)))
        known = (self._words[url] for url in visit.targets.tolist())
        links = np.fromiter(map(classifier.probability, known), float, count)
        return links, np.column_stack((pages, links))

    def rescore(self, waiting: Waiting) -> Callable[[], Rescoring] | None:
        samples = [(self._words[url], is_relevant) for url, is_relevant in self._outcomes.items()]
        found = np.fromiter((url in self._words for url in waiting.ids.tolist()), np.bool_, len(waiting.ids))
        ids, pages = waiting.ids[found], waiting.parts[found, 0]
        words = [self._words[url] for url in ids.tolist()]

        def job() -> Rescoring:
            classifier = trained(samples)
            if classifier is None:
                return Rescoring(Changes.none(len(self.parts)))
            links = np.fromiter(map(classifier.probability, words), float, len(words))
            return Rescoring(Changes(ids, links, np.column_stack((pages, links)), replace=True), classifier)

        return job

    def adopt(self, learned: AcheLinkClassifier | None) -> None:
        self._classifier = learned or self._classifier

    def state(self) -> dict[str, Any]:
        classifier = self._classifier
        return {
            "urls": np.fromiter(self._words, np.int64, len(self._words)),
            "words": ["\n".join(words) for words in self._words.values()],
            "fetched": np.fromiter(self._outcomes, np.int64, len(self._outcomes)),
            "relevant": np.fromiter(self._outcomes.values(), np.bool_, len(self._outcomes)),
            "classifier": None if classifier is None else [dict(classifier.weights), classifier.bias],
        }

    def restore(self, state: Mapping[str, Any]) -> None:
        words = (tuple(text.split("\n")) if text else () for text in state["words"])
        self._words = dict(zip(state["urls"].tolist(), words, strict=True))
        self._outcomes = dict(zip(state["fetched"].tolist(), state["relevant"].tolist(), strict=True))
        self._classifier = AcheLinkClassifier(*state["classifier"]) if state["classifier"] else None

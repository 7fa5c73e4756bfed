"""As ACHE crawls adaptively: it learns from the links it has followed which words lead to relevant pages."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, ClassVar

import numpy as np

from focused.crawl.arrays import FloatArray
from focused.crawl.strategy import Changes, Rescoring, StrategyOptions, Visit, Waiting
from lab.crawlers.ache_link_classifier import AcheLinkClassifier, link_words, trained
from lab.crawlers.yardstick import Yardstick, YardstickWorld


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

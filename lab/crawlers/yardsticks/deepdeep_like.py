"""As deep-deep crawls: Q-learning of which anchor texts lead, now or later, to relevant pages."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from sklearn.feature_extraction.text import HashingVectorizer

from focused.crawl.arrays import FloatArray, IntArray
from focused.crawl.strategy import Changes, Ready, Rescoring, StrategyOptions, Visit, Waiting
from lab.crawlers.yardstick import Yardstick, YardstickWorld

Features = NDArray[np.int32]  #: (f,) numbers of the features that a link has, each once

RATE = 0.1  #: of a step towards what was observed
BEFORE_LEARNING = 0.05  #: value of everything that nothing is known of


class LinearQ:
    """Value of a link: sum of the weights of its features / √f, plus a bias.

    weights : (n + 1,) of n features, and the bias; BEFORE_LEARNING is the value of every link if there are none
    """

    def __init__(self, weights: NDArray[np.float64] | None = None) -> None:
        self.weights = weights

    def values(self, links: Sequence[Features]) -> NDArray[np.float64]:
        """(k,) values of links."""
        if self.weights is None:
            return np.full(len(links), BEFORE_LEARNING)
        return np.fromiter(map(self._value, links), float, len(links))

    def learn(self, links: Iterable[Features], observed: Iterable[float], size: int) -> None:
        """Go one step of stochastic gradient descent on the squared error for each link; ``size``: n."""
        weights = self.weights = np.zeros(size + 1) if self.weights is None else self.weights
        for features, value in zip(links, observed, strict=True):
            step = RATE * (value - self._value(features))
            weights[-1] += step
            if len(features):
                weights[features] += step / math.sqrt(len(features))

    def copy(self) -> LinearQ:
        return LinearQ(None if self.weights is None else self.weights.copy())

    def _value(self, features: Features) -> float:
        assert self.weights is not None
        total = float(self.weights[features].sum()) / math.sqrt(len(features)) if len(features) else 0.0
        return total + float(self.weights[-1])


GAMMA = 0.4  #: what a relevant page one link further on counts
EPSILON = 0.2  #: probability of a random link
REPLAYED = 300  #: experiences from which is learned after each page
HASHED = 2**16  #: features of anchor texts
SAME_HOST = HASHED  #: number of the feature that a link stays on its host


@dataclass(slots=True)
class Experience:
    """A link that was followed."""

    url: int
    reward: float
    links: IntArray  #: ids of the URLs on the page that it led to
    best: float  #: value of the best of these, by the Q function that chooses links; 0 if there are none


class DeepDeepLike(Yardstick):
    """Learn the value of links from what they led to, and follow the best; every fifth link is a random one.

        score = Q(link);  Q(link) <- relevance of its page + 0.4 · max Q(links of its page)

    Parts
        q: Q(link), a linear function of the n-grams of 3 to 5 characters of the anchor and of whether it stays on its host

    Kept of deep-deep: the linear Q function, its learning rate and first value, the discount, learning from 300 random
    experiences after each page, and that the function which chooses links is replaced by the learned one every 100
    pages, when all that waits is scored anew. Not kept: double learning (the best of a page's links is chosen and valued
    by the same function), the draw of a host by the softmax of the hosts' best links, the tiny regularisation. Ours: the
    kind of n-grams and 65,536 hashed features; the reward is the relevance by the topic's page model.

    Source: deep-deep, `qlearning.py` and the spider `q`, https://github.com/TeamHG-Memex/deep-deep
    """

    name = "deepdeep_like"
    parts: ClassVar[tuple[str, ...]] = ("q",)
    choice = "every fifth link is a random one"
    rescore_every = 100

    def __init__(self, options: StrategyOptions, world: YardstickWorld) -> None:
        super().__init__(options, world)
        self._features: dict[int, Features] = {}  # by id of a URL, as it was found first
        self._experiences: list[Experience] = []
        self._learned, self._chooses = LinearQ(), LinearQ()
        self._hashing = HashingVectorizer(
            analyzer="char_wb", ngram_range=(3, 5), n_features=HASHED, binary=True, norm=None, alternate_sign=False
        )

    def visited(self, visit: Visit) -> Changes:
        changes = super().visited(visit)
        if visit.id in self._features:
            best = float(changes.scores.max(initial=0.0))
            self._experiences.append(Experience(visit.id, visit.relevance, visit.targets.copy(), best))
            self._replay()
        return changes

    def score(self, visit: Visit) -> tuple[FloatArray, FloatArray]:
        ids = visit.targets.tolist()
        new = {url: link for url, link in zip(ids, visit.links, strict=True) if url not in self._features}
        if new:
            hashed = self._hashing.transform([link.anchor for link in new.values()])
            for (url, link), start, end in zip(new.items(), hashed.indptr, hashed.indptr[1:], strict=False):
                on_host = [SAME_HOST] if link.host == visit.page.host else []
                self._features[url] = np.append(hashed.indices[start:end], on_host).astype(np.int32)
        values = self._chooses.values([self._features[url] for url in ids])
        return values, values[:, np.newaxis]

    def choose(self, ready: Ready) -> int | None:
        chance = self.world.chance(self.name)
        if chance.random() >= EPSILON:
            return None
        ids = ready.ready().ids
        return int(ids[chance.randrange(len(ids))]) if len(ids) else None

    def rescore(self, waiting: Waiting) -> Callable[[], Rescoring] | None:
        learned = self._learned.copy()
        known = np.fromiter((url in self._features for url in waiting.ids.tolist()), np.bool_, len(waiting.ids))
        ids = waiting.ids[known]
        links = [self._features[url] for url in ids.tolist()]

        def job() -> Rescoring:
            values = learned.values(links)
            return Rescoring(Changes(ids, values, values[:, np.newaxis], replace=True), learned)

        return job

    def adopt(self, learned: LinearQ) -> None:
        self._chooses = learned
        for experience in self._experiences:
            links = [self._features[url] for url in experience.links.tolist()]
            experience.best = float(learned.values(links).max(initial=0.0))

    def _replay(self) -> None:
        """Learn from experiences drawn at random, the same ones whenever the crawl stands here."""
        chance, count = self.world.chance("replay"), len(self._experiences)
        drawn = [self._experiences[number] for number in chance.sample(range(count), min(count, REPLAYED))]
        links = [self._features[experience.url] for experience in drawn]
        self._learned.learn(links, (each.reward + GAMMA * each.best for each in drawn), HASHED + 1)

    def state(self) -> dict[str, Any]:
        experiences, features = self._experiences, list(self._features.values())
        return {
            "urls": np.fromiter(self._features, np.int64, len(features)),
            "features": np.concatenate([np.empty(0, np.int32), *features]),
            "feature_counts": np.array([len(each) for each in features], np.int64),
            "followed": np.array([each.url for each in experiences], np.int64),
            "rewards": np.array([each.reward for each in experiences], float),
            "best": np.array([each.best for each in experiences], float),
            "links": np.concatenate([np.empty(0, np.int64), *(each.links for each in experiences)]),
            "link_counts": np.array([len(each.links) for each in experiences], np.int64),
            "learned": self._learned.weights,
            "chooses": self._chooses.weights,
        }

    def restore(self, state: Mapping[str, Any]) -> None:
        features = np.split(np.array(state["features"], np.int32), np.cumsum(state["feature_counts"]))
        self._features = dict(zip(state["urls"].tolist(), features, strict=False))
        links = np.split(np.array(state["links"], np.int64), np.cumsum(state["link_counts"]))
        numbers = (state[name].tolist() for name in ("followed", "rewards", "best"))
        rows = zip(*numbers, links, strict=False)
        self._experiences = [Experience(url, reward, found, best) for url, reward, best, found in rows]
        weights = (None if state[name] is None else np.array(state[name]) for name in ("learned", "chooses"))
        self._learned, self._chooses = map(LinearQ, weights)

"""The link classifier of ACHE: from the words in and around a link to the chance that it leads to a relevant page."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from urllib.parse import unquote, urlsplit

import numpy as np
from scipy.sparse import csr_array
from sklearn.svm import SVC

from focused.reading.page import Link, Page

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

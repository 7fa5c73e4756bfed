"""DOM context: how similar to the topic are the anchors of a URL, the text around them in the tag tree, and the URL's words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

import numpy as np

from focused.crawl.arrays import FloatArray, IntArray
from focused.crawl.world import World
from focused.scorers.link_scorer import LinkHistory, LinkScorer, PageLinks, lengths
from focused.scorers.similarity import context_similarities
from focused.scorers.vectors import HASHED, hashed

LONGEST_NUMBER = 20  #: digits

_IS_NUMBER = np.zeros(HASHED, bool)  # of a URL, see `words_of`
_IS_NUMBER[hashed(["0" * digits for digits in range(1, LONGEST_NUMBER + 1)])] = True
_OF_TOPIC = 1  # among the three similarities


class DomContext(LinkScorer):
    """Similarities of the best anchor and of the words of the URL, each with three vectors, and of the text around its links.

    The vectors are the keywords, the words that the topic's pages have (`TopicModel.weights`), and the meaning of the topic
    (`TopicModel.meaning`): cosines of vectors with inverse document frequencies, and for meaning the sum of closeness / √words.
    A context is the text under the link's aggregation node in the tag tree: ``aggregated`` is Pant & Menczer's similarity of all
    of it with the keywords, by term frequencies, of the best link; ``contexts_topic`` the mean similarity with the words of the
    topic, of at most 20 terms on either side of the anchor.

    Source: Pant & Menczer 2003, section 4.4; the others are ours. 32 bytes a URL.
    """

    title = "DOM context"
    prior: ClassVar[Mapping[str, float]] = {
        "anchor_keywords": 0.0,
        "anchor_topic": 0.0,
        "anchor_meaning": 0.0,
        "aggregated": 0.0,
        "url_keywords": 0.0,
        "url_topic": 0.0,
        "url_meaning": 0.0,
        "contexts_topic": 0.0,  # mean over all pages that link to it
    }
    parts: ClassVar[Mapping[str, tuple[str, ...]]] = {
        "anchor": ("anchor_keywords", "anchor_topic", "anchor_meaning"),
        "context": ("aggregated", "contexts_topic"),
        "url": ("url_keywords", "url_topic", "url_meaning"),
    }
    meanings: ClassVar[Mapping[str, str]] = {
        "anchor": "the words of its links are those of the topic",
        "context": "the words around its links are those of the topic",
        "url": "the words of its URL are those of the topic",
    }

    def __init__(self, world: World, history: LinkHistory) -> None:
        super().__init__(world, history)
        self._kept = world.column("similarities", np.float32, shape=(len(self.prior) - 1,))  # the best of all its links
        self._context_sum = world.column("context_sum", np.float32)

    def add_links(self, links: PageLinks) -> None:
        urls, count = links.urls, len(links.visit.links)
        found = _similarities(links, np.concatenate((links.anchors, links.contexts[links.first], links.url_words)))
        of_anchors, of_contexts, of_urls = np.split(found, (count, count + len(urls)), axis=1)
        aggregated = context_similarities(self.world.keywords, links.visit.page)[np.newaxis]
        of_links = np.concatenate((of_anchors, aggregated))
        seen = slice(len(of_links))
        self._kept[urls, seen] = np.maximum(self._kept[urls, seen], links.best(of_links))
        self._kept[urls[links.is_new], seen.stop :] = of_urls[:, links.is_new].T
        self._context_sum[urls] += of_contexts[_OF_TOPIC]

    def columns(self, ids: IntArray) -> FloatArray:
        mean = self._context_sum.take(ids) / (self.history.sources.take(ids) + 1.0)
        return np.concatenate((self._kept.take(ids).T, mean[np.newaxis]))


def _similarities(links: PageLinks, spans: IntArray) -> FloatArray:
    """(3, n) cosines of n spans of a text with the keywords and with the words of the topic, and closeness of their meaning
    to it. Repeated terms are not merged in the length of a span, which spares counting them.
    """
    model, tokens = links.model, links.tokens
    idf = np.where(_IS_NUMBER.take(tokens), 0.0, model.idf(tokens))  # else they would be the rarest words of all
    keywords = float(np.linalg.norm(model.idf(model.keywords))) or 1.0
    sums = np.zeros((4, len(tokens) + 1))
    squares = idf * idf
    np.cumsum(squares, out=sums[0, 1:])
    np.cumsum(np.where(model.is_keyword[tokens], squares, 0.0), out=sums[1, 1:])
    np.cumsum(idf * model.weights[tokens], out=sums[2, 1:])
    np.cumsum(links.closeness, out=sums[3, 1:])
    squared, of_keywords, of_topic, of_meaning = sums[:, spans[:, 1]] - sums[:, spans[:, 0]]
    norms = np.sqrt(np.maximum(squared, 1e-9))
    of_keywords /= norms * keywords
    of_topic /= norms
    of_meaning /= np.sqrt(np.maximum(1, lengths(spans)))
    return np.asarray(np.clip((of_keywords, of_topic, of_meaning), 0.0, 1.0))

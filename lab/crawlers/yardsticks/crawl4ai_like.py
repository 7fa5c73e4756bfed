"""As crawl4ai crawls best-first: the topic's words are looked for in the URL alone."""

from __future__ import annotations

from typing import ClassVar
from urllib.parse import unquote

import numpy as np

from focused.crawl.arrays import FloatArray
from focused.crawl.strategy import Visit
from lab.crawlers.yardstick import Yardstick, keyword_share

PER_LINK = 1e-6  #: taken off a score for each link from a seed; too little to count unless shares are equal


class Crawl4aiLike(Yardstick):
    """Count the topic's words in a link's URL, and take ten URLs at a time.

        score = share of the words that occur in the URL - depth / 1,000,000

    Parts
        words: that share, in [0, 1]; the percent-encoding of the URL is undone, upper and lower case are the same
        depth: links from a seed; of equal shares the smaller depth comes first

    Kept of ``BestFirstCrawlingStrategy`` with a ``KeywordRelevanceScorer``: this score, the order by score and then by
    depth, and the batches of ten that are taken before the queue is looked at again. Not kept: of equal score and
    depth crawl4ai takes URLs in alphabetical order, here they come first in, first out; it waits for all ten answers,
    here the next ten may be sent before; its ``max_depth`` and ``include_external`` are the topic's scope here.

    Source: crawl4ai, `deep_crawling/bff_strategy.py` and `scorers.py`, https://github.com/unclecode/crawl4ai
    """

    name = "crawl4ai_like"
    parts: ClassVar[tuple[str, ...]] = ("words", "depth")
    batch = 10

    def score(self, visit: Visit) -> tuple[FloatArray, FloatArray]:
        words, depth = self.world.words, visit.depth + 1
        shares = np.fromiter((keyword_share(words, unquote(link.url)) for link in visit.links), float, len(visit.links))
        return shares - PER_LINK * depth, np.column_stack((shares, np.full(len(shares), depth, float)))

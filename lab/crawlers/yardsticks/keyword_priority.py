"""Keyword priority: what a Scrapy user writes in twenty lines, and it is better than most of the field."""

from __future__ import annotations

from typing import ClassVar
from urllib.parse import unquote

import numpy as np

from focused.crawl.arrays import FloatArray
from focused.crawl.strategy import Visit
from lab.crawlers.yardstick import Yardstick, keyword_share


class KeywordPriority(Yardstick):
    """Count the topic's words in a link's anchor and URL. The page that the link stands on does not matter.

        score = share of the words that occur in the anchor text or in the URL

    Parts
        words: that share, in [0, 1]

    Words are compared as a person's own spider would do it, `word in text.lower()`: no stemming, and "student" is found
    in "students" as "art" is in "party". The URL is taken whole, host and all, with its percent-encoding undone. Ties:
    first in, first out; a link found again keeps its better score (Scrapy's own duplicate filter would keep the first).

    Source: ours; Scrapy's ``Request.priority``, https://docs.scrapy.org/en/latest/topics/request-response.html
    """

    name = "keyword_priority"
    parts: ClassVar[tuple[str, ...]] = ("words",)

    def score(self, visit: Visit) -> tuple[FloatArray, FloatArray]:
        texts = (f"{link.anchor} {unquote(link.url)}" for link in visit.links)
        shares = np.fromiter((keyword_share(self.world.words, text) for text in texts), float, len(visit.links))
        return shares, shares[:, np.newaxis]

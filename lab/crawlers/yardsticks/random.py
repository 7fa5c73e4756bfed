"""Random: links are fetched in any order. What is no better than this knows nothing."""

from __future__ import annotations

from hashlib import blake2b
from typing import ClassVar

import numpy as np

from focused.crawl.arrays import FloatArray
from focused.crawl.strategy import Visit
from lab.crawlers.yardstick import Yardstick

BITS = 48  #: of a hash that make a number; so many that a float holds them exactly, and equal scores hardly happen


class RandomOrder(Yardstick):
    """Give each URL a number of its own, uniform in [0, 1): the order of a shuffled list of all URLs of the web.

        score = hash(seed, URL)

    It depends on the seed and on the URL alone, not on when or where the link was found. Of all links known at the
    start each is as likely to come next as any other; later on those just found have a better chance than those that
    have lost many draws already.

    Source: ours.
    """

    name = "random"
    parts: ClassVar[tuple[str, ...]] = ()

    def score(self, visit: Visit) -> tuple[FloatArray, FloatArray]:
        draws = np.fromiter((self._draw(link.key) for link in visit.links), float, len(visit.links))
        return draws, np.empty((len(draws), 0))

    def _draw(self, key: int) -> float:
        digest = blake2b(f"{self.world.seed} {key}".encode(), digest_size=BITS // 8).digest()
        return int.from_bytes(digest, "big") / (1 << BITS)

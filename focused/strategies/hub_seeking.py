"""Hub-seeking: the DOM strategy, which also follows all links of a page that points to several seed hosts."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
from pydantic import Field

from focused.crawl.arrays import FloatArray
from focused.crawl.strategy import Visit
from focused.scorers.similarity import count_seed_hosts, hub_score
from focused.strategies.dom import Dom


class HubSeeking(Dom):
    """Raise all links of a good hub, which is a page that points to many of the seed hosts, to the score of the hub.

        score = max(hub, alpha · page + (1 - alpha) · context)
        hub = n(n-1) / (1 + n²), n = number of distinct seed hosts the page points to

    Parts
        hub: hub score of the linking page: 0 for n = 0 or 1, 0.4 for 2, 0.6 for 3, towards 1
        page: cos(keywords, linking page)
        context: cos(keywords, all text under the link's aggregation node)

    Source: Pant & Menczer 2003, "Topical Crawling for Business Intelligence", section 4.5, figure 3 and equation 5.
    """

    name = "hub_seeking"
    parts: ClassVar[tuple[str, ...]] = ("hub", *Dom.parts)

    class Options(Dom.Options):
        own_host: bool = Field(
            True, description="count the page's own host too, if it is a seed host and the page links within it"
        )

    def score(self, visit: Visit) -> tuple[FloatArray, FloatArray]:
        scores, parts = super().score(visit)
        hub = hub_score(count_seed_hosts(visit.page, self.world.seed_hosts, own_host=self.options.own_host))
        return np.maximum(hub, scores), np.column_stack((np.full(len(scores), hub), parts))

"""Oracle of labels: it knows what every page is, one step ahead, and nothing of where links lead further on."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from focused.crawl.arrays import FloatArray
from focused.crawl.strategy import Visit
from lab.crawlers.yardstick import JudgedYardstick

SOURCE_WEIGHT = 0.5  #: of the page a link stands on: links of a relevant page come after targets and before others


class OracleLabels(JudgedYardstick):
    """Fetch targets first, then what stands on relevant pages, then the rest.

        score = 1 if the link's URL is a target, else 0.5 if the page it stands on is relevant, else 0

    Parts
        target: 1 if the URL is a target
        source: 1 if the page that the link stands on is relevant (a target, or relevant beside the targets)

    What a perfect classifier of pages would give a crawler that also recognises a target by its link. Behind a page that
    is not relevant it finds nothing.

    Source: ours.
    """

    name = "oracle_labels"
    parts: ClassVar[tuple[str, ...]] = ("target", "source")

    def score(self, visit: Visit) -> tuple[FloatArray, FloatArray]:
        count = len(visit.links)
        targets = np.fromiter((link.key in self.world.targets for link in visit.links), float, count)
        source = np.full(count, float(visit.page.key in self.world.relevant))
        return np.maximum(targets, SOURCE_WEIGHT * source), np.column_stack((targets, source))

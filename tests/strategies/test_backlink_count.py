"""Backlink count: how many fetched pages link to what waits, looked up every N pages."""

from __future__ import annotations

import numpy as np

from focused.crawl.strategy import Waiting
from focused.strategies.backlink_count import BacklinkCount
from tests.contract.world import Visits, make_page, toy_world


def waiting(*ids: int) -> Waiting:
    return Waiting(np.array(ids), np.zeros(len(ids)), np.zeros((len(ids), 1)))


def test_each_page_that_links_to_a_url_counts_once() -> None:
    strategy, visits = BacklinkCount(BacklinkCount.Options(), toy_world()), Visits()
    for name, links in ("a", ["x", "x", "y"]), ("b", ["x", "z"]), ("c", []):
        targets = [f"http://{link}.example/" for link in links]
        strategy.visited(visits.of(make_page(f"http://{name}.example/", ("tax", targets))))
    ids = [visits.id(f"http://{name}.example/") for name in ("x", "y", "z", "never-linked")]
    changes = strategy.rescore(waiting(*ids))().changes
    assert changes.scores.tolist() == [2, 1, 1, 0]
    assert changes.parts.tolist() == [[2], [1], [1], [0]]

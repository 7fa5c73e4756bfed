"""A university of WebKB, crawled live to the dead end: every page that can be reached is fetched, once."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from lab.benchmarks.webkb_live import crawl
from lab.webs.webkb import WebKB

DATASETS = os.environ.get("FOCUSED_DATASETS")


@pytest.mark.skipif(not DATASETS, reason="needs webkb.tar.xz in the folder that FOCUSED_DATASETS names")
def test_a_live_crawl_fetches_every_reachable_page_of_a_university_once(tmp_path: Path) -> None:
    web = WebKB(Path(DATASETS or "") / "webkb.tar.xz", "texas")
    outcome = crawl(web, "texas", "hub_seeking", tmp_path)
    assert (outcome.lost, outcome.beyond, outcome.twice) == ([], [], [])
    assert outcome.fetched == outcome.reachable == 776
    assert outcome.end.startswith("dead end")

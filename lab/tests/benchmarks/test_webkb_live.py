"""A university of WebKB, crawled live to the dead end: every page that can be reached is fetched, once."""

from __future__ import annotations

from pathlib import Path

from lab.benchmarks.webkb_live import crawl
from lab.webs.webkb import WebKB
from tests.small_wikispeedia import full_data


def test_a_live_crawl_fetches_every_reachable_page_of_a_university_once(tmp_path: Path) -> None:
    web = WebKB(full_data("webkb"), "texas")
    outcome = crawl(web, "texas", "hub_seeking", tmp_path)
    assert (outcome.lost, outcome.beyond, outcome.twice) == ([], [], [])
    assert outcome.fetched == outcome.reachable == 776
    assert outcome.end.startswith("dead end")

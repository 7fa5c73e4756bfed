"""What a crawl can arrive at: pages, by links and redirects, from its seeds."""

from __future__ import annotations

import pytest

from focused.reading.reader import Reader, ReadingOptions
from focused.simulation.analysed_web import AnalysedWeb
from focused.topic.topic import Scope
from lab.crawlers.web_links import links_of, reachable_urls
from tests.live.mock_web import page, redirect
from tests.simulation.simulated import SmallWeb

ROOT = "http://a.example/"
#: start -> moved (redirects to here) -> there; island is linked from nowhere
WEB = {
    ROOT: page("start", "/moved"),
    f"{ROOT}moved": redirect("/here"),
    f"{ROOT}here": page("here", "/there"),
    f"{ROOT}there": page("there"),
    f"{ROOT}island": page("island", "/there"),
}


@pytest.mark.parametrize(
    ("seed", "expected"),
    [("", ["", "here", "there"]), ("moved", ["here", "there"]), ("island", ["island", "there"]), ("nowhere", [])],
)
def test_links_and_redirects_are_followed_to_pages(seed: str, expected: list[str]) -> None:
    web = AnalysedWeb(SmallWeb(WEB), Reader(ReadingOptions()))
    wanted = [*WEB, f"{ROOT}nowhere"]
    found = reachable_urls(links_of(web, Scope()), web.reader.rules, [f"{ROOT}{seed}"], wanted)
    assert found == {f"{ROOT}{path}" for path in expected}

"""Backlink count: how many fetched pages link to what waits, looked up every N pages."""

from focused.papers.strategies.backlink_count import BacklinkCount
from focused.testing.toy_world import Visits, crawled, make_page, rescored, toy_world, waiting


def url(name: str) -> str:
    return f"http://{name}.example/"


def test_each_page_that_links_to_a_url_counts_once() -> None:
    links = (url("a"), [url("x"), url("x"), url("y")]), (url("b"), [url("x"), url("z")]), (url("c"), [])
    visits, pages = Visits(), [make_page(name, ("tax", targets)) for name, targets in links]
    strategy = crawled(BacklinkCount(BacklinkCount.Options(), toy_world()), visits, *pages)
    urls = [url(name) for name in ("x", "y", "z", "never-linked")]
    changes = rescored(strategy, waiting(strategy, visits, urls)).changes
    assert changes.ids.tolist() == [visits.id(url) for url in urls]
    assert changes.scores.tolist() == [2, 1, 1, 0]
    assert changes.parts.tolist() == [[2], [1], [1], [0]]

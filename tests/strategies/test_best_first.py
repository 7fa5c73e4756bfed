"""Best-first: every link is worth what its page is worth."""

from typing import Any

import pytest

from focused.crawl.events import PageArrived, Started
from focused.strategies.best_first import BestFirst
from focused.testing.toy_world import make_page, toy_world, visit_of
from tests.crawl import web

WORLD = toy_world({"solar": 2, "cell": 1})


def test_every_link_has_the_similarity_of_its_page_wherever_it_stands() -> None:
    strategy = BestFirst(BestFirst.Options(), WORLD)
    page = make_page(
        "http://a.example/", ("solar cell solar", ["http://b.example/"]), ("tax law", ["http://c.example/"])
    )
    scores, parts = strategy.score(visit_of(page))
    # page = solar 2, cell 1, tax 1, law 1: (2*2 + 1*1) / (sqrt 5 sqrt 7)
    assert scores == pytest.approx([0.8451543, 0.8451543])
    assert parts == pytest.approx(scores.reshape(2, 1))


def test_one_link_is_taken_at_a_time_unless_a_batch_is_asked_for() -> None:
    assert BestFirst(BestFirst.Options(), WORLD).batch == 1
    assert BestFirst(BestFirst.Options(batch=256), WORLD).batch == 256


#: By name of a page its words and its links. What comes of the seed a is on topic, what comes of b is not.
PAGES = {"a": ("solar tax", "a1 a2 c"), "a1": ("solar", "a3 a4"), "b": ("tax", "c b1 b2 b3")}


def url(name: str) -> str:
    return f"http://{name[0]}.example/{name}"


def fetched(picks: int, **options: Any) -> str:
    """Names of the pages that a crawl from a and b fetches, with a frontier for each."""
    crawl = web.make_crawl(by_seed=True, **options)
    crawl.apply(Started([web.address(url(name)) for name in "ab"]))
    names, order = ("a", "b", "a1", "a2", "a3", "a4", "b1", "b2", "b3", "c"), []
    for _ in range(picks):
        pick = crawl.next()
        assert pick is not None
        (name,) = (name for name in names if crawl.urls.find(web.key(url(name))) == pick.id)
        words, links = PAGES.get(name, ("solar", ""))
        page = web.make_page(url(name), words, [(url(link), "x") for link in links.split()])
        crawl.apply(PageArrived(pick.id, page, 1))
        order.append(name)
    return " ".join(order)


def test_each_seed_has_a_frontier_and_its_turn_however_bad_its_links_are() -> None:
    assert fetched(9) == "a b a1 b1 a3 b2 a4 b3 a2"


def test_a_link_belongs_to_the_seed_on_whose_way_it_was_found_first() -> None:
    assert fetched(10).endswith(" c")  # of a, though b links to it as well


def test_each_gives_a_batch_in_its_turn() -> None:
    assert fetched(10, batch=2) == "a a1 b b1 a3 a4 b2 b3 a2 c"

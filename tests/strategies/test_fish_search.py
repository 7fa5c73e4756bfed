"""Fish-search: relevant pages first, and how far a path goes without one."""

import math
from dataclasses import replace

import numpy as np
import pytest

from focused.crawl.events import Started
from focused.crawl.strategy import Strategy
from focused.page.page import Page
from focused.strategies.fish_search import FishSearch
from focused.testing.toy_world import Visits, make_page, toy_world
from tests.crawl.web import address, make_crawl, run


def page(name: str, text: str, *links: str) -> Page:
    return make_page(f"http://{name}.example/", (text, [f"http://{link}.example/" for link in links]))


@pytest.fixture
def visits() -> Visits:
    return Visits()


def fish(**options: float) -> FishSearch:
    return FishSearch(FishSearch.Options(**options), toy_world({"solar": 1}))


def scores(strategy: Strategy, visits: Visits, arrived: Page, *, by: tuple[float, ...] = ()) -> list[float]:
    """What the links of a page score that was chosen by a score of these parts."""
    return strategy.score(replace(visits.of(arrived), parts=by))[0].tolist()


def test_links_of_a_relevant_page_come_before_those_of_another(visits: Visits) -> None:
    strategy = fish()
    assert scores(strategy, visits, page("a", "solar", "x", "y")) == [1, 1]
    assert scores(strategy, visits, page("b", "tax", "z")) == [0]


def test_any_keyword_makes_a_page_relevant_unless_a_threshold_is_given(visits: Visits) -> None:
    mixed = page("a", "solar tax law hat", "x")  # cos = 1 / sqrt 4 = 0.5
    assert scores(fish(), visits, mixed) == [1]
    assert scores(fish(threshold=0.49), visits, mixed) == [1]
    assert scores(fish(threshold=0.5), visits, mixed) == [0]


def test_a_path_ends_after_so_many_irrelevant_pages_in_a_row(visits: Visits) -> None:
    strategy = fish(depth=3)
    depths = []
    for name, following in ("seed", "b"), ("b", "c"), ("c", "d"):
        visit = visits.of(page(name, "tax", following))
        found, parts = strategy.score(visit)
        depths.append(parts[0].tolist())
    assert depths == [[0, 2], [0, 1], [0, 0]]
    assert np.isnan(found).all()


def test_a_relevant_page_lets_a_path_begin_anew(visits: Visits) -> None:
    strategy = fish(depth=2)
    scores(strategy, visits, page("seed", "tax", "b"))
    assert scores(strategy, visits, page("b", "solar", "c")) == [1]
    assert scores(strategy, visits, page("c", "tax", "d")) == [0]
    assert scores(strategy, visits, page("d", "tax", "e")) == pytest.approx([math.nan], nan_ok=True)


def test_a_link_of_several_pages_has_the_greatest_depth_of_all(visits: Visits) -> None:
    strategy = fish(depth=2)
    for arrived in page("seed", "tax", "b"), page("good", "solar", "b"), page("other", "tax", "b"):
        scores(strategy, visits, arrived)
    assert strategy.score(visits.of(page("b", "tax", "c")))[1].tolist() == [[0, 1]]


def test_a_link_that_leads_elsewhere_keeps_its_depth(visits: Visits) -> None:
    assert scores(fish(), visits, page("end-of-redirect", "tax", "x"), by=(0.0, 1.0)) == pytest.approx(
        [math.nan], nan_ok=True
    )


@pytest.mark.parametrize("name", ["fish_search", "shark_search"])
def test_a_seed_keeps_its_depth_whatever_page_links_to_it(name: str) -> None:
    web = {p.url: p for p in (page("a", "tax", "b"), page("b", "law", "c"), page("c", "hat"))}
    crawl = make_crawl(strategy=name, depth=2)
    crawl.apply(Started([address("http://a.example/"), address("http://b.example/")]))
    assert run(crawl, web) == ["http://a.example/", "http://b.example/", "http://c.example/"]


def test_with_depth_0_only_seeds_are_fetched(visits: Visits) -> None:
    strategy = fish(depth=0)
    for text in "solar", "tax":
        found, parts = strategy.score(visits.of(page(text, text, "x")))
        assert np.isnan(found).all()
        assert parts[0, 1] == 0

"""PLSI + PHITS as a strategy: links of pages on the topic come first, by what their parents are made of."""

from typing import Any

import pytest

from focused.crawl.strategy import Changes
from focused.crawl.world import World
from focused.page.page import Page
from focused.papers.strategies.plsi_phits import PlsiPhits
from focused.testing.toy_world import Visits, crawled, make_page, rescored, waiting

KEYWORDS = {"solar": 1}
WAITING = ["http://by-solar/", "http://by-tax/", "http://by-tax/2"]
# Two hubs; what each of them links to is on one topic, as far as it is fetched.
PAGES = [
    make_page("http://sun/", ("solar cell", ["http://s1/", "http://s2/", WAITING[0]])),
    make_page("http://taxes/", ("tax law", ["http://t1/", "http://t2/", *WAITING[1:]])),
    make_page("http://s1/", ("solar roof solar", [])),
    make_page("http://s2/", ("solar cell cell", [])),
    make_page("http://t1/", ("tax court", [])),
    make_page("http://t2/", ("law tax court", [])),
]


def plsi(world: World | None = None, **options: Any) -> PlsiPhits:
    return PlsiPhits(PlsiPhits.Options(**options), world or World(KEYWORDS))


def ordered(*pages: Page, world: World | None = None, **options: Any) -> Changes:
    visits = Visits(KEYWORDS)
    strategy = crawled(plsi(world, **options), visits, *pages)
    return rescored(strategy, waiting(strategy, visits, WAITING)).changes


def test_links_wait_behind_until_they_are_ordered() -> None:
    visits = Visits(KEYWORDS)
    scores, parts = plsi().score(visits.of(PAGES[0]))
    assert (scores.tolist(), parts.tolist()) == ([-1] * 3, [[0, 0]] * 3)


@pytest.mark.parametrize("normalise", [False, True])
@pytest.mark.parametrize("own", [False, True])
def test_a_link_beside_pages_on_the_topic_is_like_the_keywords_and_another_is_not(own: bool, normalise: bool) -> None:
    found = ordered(*PAGES, factors=2, steps=50, own=own, normalise=normalise)
    assert found.scores == pytest.approx([1, 0, 0], abs=0.05)
    assert found.scores[1] == found.scores[2]
    assert found.parts[:, 0].tolist() == found.scores.tolist()
    assert found.parts[:, 1].tolist() == [1, 1, 1]


def test_a_page_of_whose_links_none_is_fetched_tells_of_them_only_if_it_describes_itself() -> None:
    sun, tax = (make_page(f"http://{name}/", (text, [url])) for name, text, url in (
        ("sun", "solar cell solar", WAITING[0]), ("taxes", "tax law", WAITING[1]),
    ))  # fmt: skip
    without, with_own = (ordered(sun, tax, factors=2, steps=50, own=own).scores for own in (False, True))
    assert without[0] == without[1]
    assert with_own[0] > with_own[1] + 0.5


def test_examples_of_the_topic_are_documents_too() -> None:
    described = World(KEYWORDS, examples=[["solar", "photovoltaic"], ["photovoltaic", "roof"]])
    page = make_page("http://sun/", ("photovoltaic", [WAITING[0]]))
    tax = make_page("http://taxes/", ("tax law", WAITING[1:]))
    scores = ordered(page, tax, world=described, factors=2, steps=50).scores
    assert scores[0] > scores[1] + 0.5


def test_only_the_last_pages_are_documents_and_links_of_others_keep_their_scores() -> None:
    visits = Visits(KEYWORDS)
    strategy = crawled(plsi(pages=1), visits, *PAGES[2:], PAGES[0], PAGES[1])
    found = rescored(strategy, waiting(strategy, visits, WAITING)).changes
    assert found.ids.tolist() == [visits.id(url) for url in WAITING[1:]]


def test_the_seed_of_the_crawl_decides_where_em_starts() -> None:
    one, other, again = (
        ordered(*PAGES, world=World(KEYWORDS, seed=seed), steps=1).scores.tolist() for seed in (1, 2, 1)
    )
    assert one == again != other


def test_without_keywords_or_links_there_is_nothing_to_order() -> None:
    for world, urls in ((World({}), WAITING), (World(KEYWORDS), [])):
        visits = Visits(world.keywords)
        strategy = crawled(plsi(world), visits, *PAGES)
        assert strategy.rescore(waiting(strategy, visits, urls)) is None

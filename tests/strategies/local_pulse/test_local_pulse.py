"""LocalPulse: it follows pages on the topic until it has learned, and then links whose words led to pages on the topic."""

from typing import Any

import numpy as np
import pytest
from pydantic import ValidationError

from focused.crawl.crawl import Crawl
from focused.crawl.events import PageArrived, Picked, Started
from focused.crawl.strategy import Visit
from focused.page.page import Page
from focused.papers.strategies.local_pulse import LocalPulse, learned_values
from tests.crawl.web import address, key, make_crawl, make_page

SEED = "http://seed.example/"


def url(name: str) -> str:
    return f"http://{name}.example/"


def leading_to(*links: tuple[str, str], words: str = "menu") -> Page:
    return make_page(SEED, words, [(url(name), anchor) for name, anchor in links])


#: Links called "panel" lead to pages on the topic, links called "tax" do not.
HUB = leading_to(("p1", "panel"), ("t1", "tax"), ("p2", "panel"), ("t2", "tax"), ("p3", "panel"), ("t3", "tax"))
PAGES = {name: make_page(url(name), "solar", []) for name in ("p1", "p2", "p3")} | {
    name: make_page(url(name), "law", []) for name in ("t1", "t2", "t3")
}


def begun(strategy: str = "local_pulse", *, seed: Page = HUB, **options: Any) -> Crawl:
    crawl = make_crawl(strategy=strategy, **options)
    crawl.strategy.rescore_lag = 0
    crawl.apply(Started([address(SEED)]))
    fetch(crawl, "seed", seed)
    return crawl


def fetch(crawl: Crawl, name: str, page: Page | None = None) -> Visit:
    """Fetch a page, whether it comes next or not."""
    chosen = crawl.apply(Picked(crawl.urls.find(key(url(name))))).picked
    return crawl.apply(PageArrived(chosen.id, page or PAGES[name], 1)).arrived.visit


def score(crawl: Crawl, name: str) -> float:
    return crawl.frontier.score(crawl.urls.find(key(url(name))))


def parts(crawl: Crawl, name: str) -> list[float]:
    return crawl.frontier.parts(crawl.urls.find(key(url(name))))


def test_before_something_is_learned_a_link_is_worth_its_page() -> None:
    crawl = begun(seed=leading_to(("p1", "panel"), words="solar menu menu"))
    # the page is solar menu menu panel: 1 / √6
    assert score(crawl, "p1") == pytest.approx(1 / 6**0.5)
    assert parts(crawl, "p1") == pytest.approx([1 / 6**0.5, 0.0])


def test_what_waits_is_scored_by_what_its_words_led_to() -> None:
    crawl = begun(learn_every=5)
    for name in ("p1", "t1", "p2", "t2"):
        fetch(crawl, name)
    # "panel" led to pages that hold nothing but the keyword, "tax" to pages without it
    assert (score(crawl, "p3"), score(crawl, "t3")) == pytest.approx((1.0, 0.0))
    assert parts(crawl, "p3") == pytest.approx([0.0, 1.0])


def test_new_links_are_scored_by_what_was_learned_last() -> None:
    crawl = begun(learn_every=5)
    for name in ("p1", "t1", "p2"):
        fetch(crawl, name)
    fetch(crawl, "t2", make_page(url("t2"), "law", [(url("p4"), "panel"), (url("t4"), "tax")]))
    fetch(crawl, "t3", make_page(url("t3"), "law", [(url("p5"), "panel"), (url("t5"), "tax")]))
    assert [score(crawl, name) for name in ("p4", "t4", "p5", "t5")] == pytest.approx([1.0, 0.0, 1.0, 0.0])


def test_a_further_anchor_may_lower_the_score_of_a_link() -> None:
    crawl = begun(learn_every=5)
    for name in ("p1", "t1", "p2", "t2"):
        fetch(crawl, name)
    assert score(crawl, "p3") == pytest.approx(1.0)
    fetch(crawl, "t3", make_page(url("t3"), "law", [(url("p3"), "tax tax")]))
    assert score(crawl, "p3") == pytest.approx(0.0)


def with_equal_anchors(**options: str) -> Crawl:
    """Two links called "panel" wait: w1 was found first, w2 on the better page."""
    crawl = begun(learn_every=5, **options)
    fetch(crawl, "t1", make_page(url("t1"), "law law law solar", [(url("w1"), "panel")]))
    fetch(crawl, "t2", make_page(url("t2"), "law solar solar", [(url("w2"), "panel")]))
    fetch(crawl, "p1")
    fetch(crawl, "p2")
    fetch(crawl, "t3")
    return crawl


def test_links_of_equal_worth_come_as_they_were_found() -> None:
    crawl = with_equal_anchors()
    assert score(crawl, "w1") == score(crawl, "w2")


def test_the_better_page_comes_first_among_links_of_equal_worth_if_the_option_says_so() -> None:
    crawl = with_equal_anchors(ties="page")
    assert score(crawl, "w2") > score(crawl, "w1")
    assert parts(crawl, "w2")[1] == parts(crawl, "w1")[1]  # the same class all the same


def test_new_links_of_equal_worth_are_ordered_too() -> None:
    crawl = with_equal_anchors(ties="page")
    fetch(crawl, "p3", make_page(url("p3"), "solar solar solar", [(url("w3"), "panel")]))
    assert score(crawl, "w3") > score(crawl, "w2")
    assert parts(crawl, "w3")[1] == pytest.approx(parts(crawl, "w2")[1])


def test_expected_values_are_no_classes_whose_ties_a_page_could_break() -> None:
    with pytest.raises(ValidationError, match="ties = page needs value = likeliest"):
        LocalPulse.Options(value="expected", ties="page")


def test_nothing_is_learned_from_pages_that_no_link_led_to() -> None:
    crawl = begun(learn_every=1)
    assert parts(crawl, "p1") == [0.0, 0.0]


def test_seeds_that_wait_keep_their_scores() -> None:
    crawl = begun(learn_every=5)
    crawl.apply(Started([address(url("late"))]))
    for name in ("p1", "t1", "p2", "t2"):
        fetch(crawl, name)
    assert score(crawl, "late") == 1.0


@pytest.mark.parametrize(("words", "option", "samples"), [("solar", True, 1), ("solar", False, 0), ("menu", True, 0)])
def test_a_relevant_seed_is_a_sample_if_the_option_says_so(words: str, option: bool, samples: int) -> None:
    crawl = begun(seed=leading_to(("p1", "panel"), words=words), seed_samples=option)
    assert len(crawl.strategy.state()["samples"]["samples"]) == samples


def test_the_best_pages_of_a_batch_become_samples() -> None:
    crawl = begun(learn_every=5, distilled=0.4)
    for name in ("p1", "t1", "p2", "t2"):
        fetch(crawl, name)
    assert crawl.strategy.state()["samples"]["samples"] == [1, 3]  # p1 and p2, of seed p1 t1 p2 t2


def test_a_copy_of_a_page_teaches_nothing() -> None:
    crawl = begun()
    fetch(crawl, "t1", make_page(url("t1"), "law", [], body="same"))
    fetch(crawl, "t2", make_page(url("t2"), "law", [], body="same"))
    assert len(crawl.strategy.state()["samples"]["urls"]) == 2  # the seed and t1


def test_only_fetched_pages_that_links_led_to_are_samples_of_values() -> None:
    # documents: an example, URL 4, URL 2; pairs: URL 2 (terms 7 and 8), URL 3 (term 7)
    values = learned_values(
        np.array([-1, 4, 2]), np.array([0.9, 0.8, 0.3]), np.array([2, 2, 3]), np.array([7, 8, 7]), 5
    )
    assert values is not None
    assert values.values == pytest.approx([0.3])
    assert learned_values(np.array([-1, 4]), np.array([0.9, 0.8]), np.array([2]), np.array([7]), 5) is None

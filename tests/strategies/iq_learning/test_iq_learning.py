"""IQ-learning: as LocalPulse, but a link is also worth what its page leads to."""

import pytest

from focused.crawl.crawl import Crawl
from tests.crawl.web import make_page
from tests.strategies.local_pulse.test_local_pulse import begun, fetch, leading_to, score, url

#: Nothing leads to "solar" at once; links called "list" lead to pages whose links do, links called "tax" do not.
SEED = leading_to(("l1", "list"), ("t1", "tax"), ("l2", "list"), ("t2", "tax"))


MANY_CLASSES = {"classes": 100}  #: so that a small Q is not in one class with 0


def crawled(strategy: str, **options: object) -> Crawl:
    """A crawl that has fetched the seed, two pages l1 and t1, and what l1 leads to, and has learned from them."""
    crawl = begun(strategy, seed=SEED, learn_every=5, **MANY_CLASSES | options)
    fetch(crawl, "l1", make_page(url("l1"), "law", [(url("p1"), "one"), (url("p2"), "two")]))
    fetch(crawl, "t1", make_page(url("t1"), "law", []))
    fetch(crawl, "p1", make_page(url("p1"), "solar", []))
    fetch(crawl, "p2", make_page(url("p2"), "law", []))
    return crawl


@pytest.mark.parametrize(
    ("children", "worth"),
    [
        ("mean", 0.175),  # .35 · (1 + 0) / 2
        ("max", 0.35),
        ("sum", 0.35),
    ],
)
def test_a_link_is_worth_what_such_links_led_to_in_the_end(children: str, worth: float) -> None:
    crawl = crawled("iq_learning", children=children)
    assert score(crawl, "l2") == pytest.approx(worth)
    assert score(crawl, "t2") == pytest.approx(0.0)


def test_the_discount_is_an_option() -> None:
    assert score(crawled("iq_learning", gamma=0.8), "l2") == pytest.approx(0.4)


@pytest.mark.parametrize("strategy", [("local_pulse", {}), ("iq_learning", {"gamma": 0.0})])
def test_without_a_discount_it_is_local_pulse(strategy: tuple[str, dict[str, float]]) -> None:
    crawl = crawled(strategy[0], **strategy[1])
    assert score(crawl, "l2") == score(crawl, "t2") == pytest.approx(0.0)


def test_with_few_classes_a_small_future_is_in_one_class_with_none() -> None:
    # of l1, t1, p1, p2 with Q = .175, 0, 1, 0 all but p1 lie in the lowest fifth: (.175 + 0 + 0) / 3
    assert score(crawled("iq_learning", classes=5), "l2") == pytest.approx(0.0583333)


@pytest.mark.parametrize(("depth", "worth"), [(1, 0.0), (2, 0.35**2)])
def test_a_page_is_fed_back_along_a_path_as_far_as_the_depth(depth: int, worth: float) -> None:
    crawl = begun("iq_learning", seed=SEED, learn_every=5, depth=depth, **MANY_CLASSES)
    fetch(crawl, "l1", make_page(url("l1"), "law", [(url("m"), "middle")]))
    fetch(crawl, "t1", make_page(url("t1"), "law", []))
    fetch(crawl, "m", make_page(url("m"), "law", [(url("p"), "one")]))
    fetch(crawl, "p", make_page(url("p"), "solar", []))
    assert score(crawl, "l2") == pytest.approx(worth)

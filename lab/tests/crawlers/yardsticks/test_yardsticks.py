"""The small yardsticks: scores by the words of the topic, by chance, and by labels."""

from __future__ import annotations

import numpy as np
import pytest

from focused.testing.toy_world import key_of, make_page, visit_of
from lab.crawlers.web_links import WebLinks
from lab.crawlers.yardstick import JudgedWorld, YardstickWorld
from lab.crawlers.yardsticks.keyword_priority import KeywordPriority
from lab.crawlers.yardsticks.oracle_labels import OracleLabels
from lab.crawlers.yardsticks.random import RandomOrder

KEYWORD_WORLD = YardstickWorld({}, words=("solar", "cell", "größe", "wind"))


def score(words_around: str, url: str) -> float:
    """The score of a link; its anchor is the first two of the words around it."""
    visit = visit_of(make_page("http://solar.example/", ("solar cell wind", []), (words_around, [url])))
    scores, parts = KeywordPriority(KeywordPriority.Options(), KEYWORD_WORLD).score(visit)
    assert parts.tolist() == [[scores[0]]]
    return float(scores[0])


@pytest.mark.parametrize(
    ("words_around", "url", "expected"),
    [
        ("tax law", "http://b.example/", 0.0),  # nor do the page and its URL count
        ("Solar Cells", "http://b.example/", 0.5),
        ("tax law", "http://solarcells.example/", 0.5),
        ("solar law", "http://b.example/WIND/solar", 0.5),  # one word twice counts once
        ("tax law solar", "http://b.example/", 0.0),  # beyond the anchor
        ("tax law", "http://b.example/gr%C3%B6%C3%9Fe", 0.25),
        ("solar cell", "http://wind.example/gr%C3%B6%C3%9Fe", 1.0),
    ],
)
def test_the_score_is_the_share_of_words_in_anchor_and_url(words_around, url, expected):
    assert score(words_around, url) == expected


MANY_URLS = [f"http://host{number % 9}.example/{number}" for number in range(2000)]


def scores(seed: int, page: str = "http://a.example/", text: str = "solar", urls: list[str] = MANY_URLS) -> list[float]:
    world = YardstickWorld({"solar": 1}, seed=seed, words=("solar",))
    found, parts = RandomOrder(RandomOrder.Options(), world).score(visit_of(make_page(page, (text, urls))))
    assert parts.shape == (len(urls), 0)
    return found.tolist()


def test_scores_are_spread_evenly_between_0_and_1():
    drawn = np.array(scores(seed=1))
    assert 0 <= drawn.min() < 0.01
    assert 0.99 < drawn.max() < 1
    counts = np.histogram(drawn, bins=10, range=(0, 1))[0]
    assert counts.min() > 150  # of 200 on average, with a standard deviation of 13
    assert counts.max() < 250
    assert len(set(drawn.tolist())) == len(MANY_URLS)


TARGET, ALSO, OTHER = "http://a.example/target", "http://a.example/also", "http://a.example/"


def no_links() -> WebLinks:
    raise AssertionError("labels are all that it asks for")


JUDGED_WORLD = JudgedWorld(
    {},
    words=(),
    targets=frozenset({key_of(TARGET)}),
    relevant=frozenset({key_of(TARGET), key_of(ALSO)}),
    links=no_links,
)


def answer(page: str, *urls: str) -> tuple[list[float], list[list[float]]]:
    scores, parts = OracleLabels(OracleLabels.Options(), JUDGED_WORLD).score(visit_of(make_page(page, ("", urls))))
    return scores.tolist(), parts.tolist()


def test_a_target_is_best_wherever_its_link_stands():
    assert answer(OTHER, TARGET, ALSO) == ([1.0, 0.0], [[1.0, 0.0], [0.0, 0.0]])


def test_links_of_a_relevant_page_come_next():
    assert answer(ALSO, TARGET, OTHER) == ([1.0, 0.5], [[1.0, 1.0], [0.0, 1.0]])
    assert answer(TARGET, ALSO)[0] == [0.5]

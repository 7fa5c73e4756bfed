"""Keyword priority: words of the topic in anchor and URL, and nothing else."""

from __future__ import annotations

import pytest

from lab.crawlers.yardstick import YardstickWorld
from lab.crawlers.yardsticks.keyword_priority import KeywordPriority
from tests.contract.world import make_page, visit_of

WORLD = YardstickWorld({}, words=("solar", "cell", "größe", "wind"))


def score(words_around: str, url: str) -> float:
    """The score of a link; its anchor is the first two of the words around it."""
    visit = visit_of(make_page("http://solar.example/", ("solar cell wind", []), (words_around, [url])))
    scores, parts = KeywordPriority(KeywordPriority.Options(), WORLD).score(visit)
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

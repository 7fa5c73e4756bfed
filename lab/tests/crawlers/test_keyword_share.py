"""The share of keywords in a text, as a person counts it who does not think of stems."""

from __future__ import annotations

import pytest

from focused.reading.text import TextAnalyser
from lab.crawlers.yardstick import keyword_share, keyword_words


@pytest.mark.parametrize(
    ("text", "share"),
    [
        ("Solar energy", 1.0),
        ("the SOLAR cell", 0.5),
        ("http://solarpanels.example/energy", 1.0),  # within longer words
        ("energies", 0.0),  # a stem would be found here
        ("", 0.0),
        ("solar solar", 0.5),
    ],
)
def test_a_word_counts_once_wherever_it_stands(text, share):
    assert keyword_share(("solar", "energy"), text) == share


def test_without_words_nothing_is_found():
    assert keyword_share((), "solar") == 0.0


def test_the_words_are_those_of_all_keywords_each_once_without_stop_words_and_brackets():
    keywords = ("History of Art", "art (modern)", "C++", "太阳能")
    assert keyword_words(keywords, TextAnalyser("english", keywords)) == ("history", "art", "modern", "c++", "太阳能")

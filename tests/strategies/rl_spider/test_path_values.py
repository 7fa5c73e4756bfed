"""What a link is worth by the words around it: words, and the mapping, by hand."""

import numpy as np
import pytest

from focused.page.page import Link, Page
from focused.papers.models.taxonomy import NaiveBayes
from focused.papers.strategies.rl_spider import PathValues, words_of
from focused.testing.toy_world import make_page, toy_web

# Class 0 (Q = 1): "cell cell"; class 1 (Q = .25 on average): "tax tax". |V| = 2: P(cell | 0) = 3/4, P(cell | 1) = 1/4.
LEARNED = PathValues.fit(
    [["cell"], ["cell"], ["tax"], ["tax"]], np.array([1.0, 1.0, 0.5, 0.0]), [0, 0, 1, 1], 2, window=20
)


def page_of(*links: tuple[int, int, int, int]) -> Page:
    """A page of ten words w0 ... w9; links with the spans of anchor and context."""
    words = [f"w{n}" for n in range(10)]
    made = [Link("http://a.example/", 0, "a.example", "", *spans, 1.0, "a", False) for spans in links]
    return Page("http://p.example/", 1, "p.example", "text/html", "", terms=words, norm=1.0, links=made)


def test_the_words_of_a_link_are_its_anchor_and_a_window_of_its_context() -> None:
    page = page_of((4, 6, 0, 10), (4, 6, 3, 7), (2, 2, 2, 2))
    assert words_of(page, 2) == [
        ["w4", "w5", "w2", "w3", "w4", "w5", "w6", "w7"],
        ["w4", "w5", "w3", "w4", "w5", "w6"],
        [],
    ]


def test_a_class_is_worth_the_mean_of_its_links() -> None:
    assert LEARNED.values.tolist() == [1.0, 0.25]


def test_probabilities_are_those_of_naive_bayes_over_the_words() -> None:
    page = make_page("http://p.example/", ("cell", ["http://a.example/"]), ("other tax tax", ["http://b.example/"]))
    # The first has its word twice, in anchor and context: (3/4)² to (1/4)²; the second "tax" once more than the anchor says.
    assert LEARNED.probabilities(page)[0] == pytest.approx([9 / 10, 1 / 10])
    assert LEARNED.probabilities(page)[1] == pytest.approx([1 / 28, 27 / 28])


def test_all_links_at_once_are_as_each_alone() -> None:
    pages = list(toy_web().values())
    texts = [words for page in pages for words in words_of(page, 3)]
    q = np.linspace(0, 1, len(texts))
    learned = PathValues.fit(texts, q, [n % 3 for n in range(len(texts))], 3, window=3)
    for page in pages:
        expected = [learned.classifier.probabilities(words) for words in words_of(page, 3)]
        np.testing.assert_allclose(learned.probabilities(page), np.reshape(expected, (-1, 3)), rtol=1e-9)


def test_a_page_without_links_has_no_probabilities() -> None:
    assert LEARNED.probabilities(make_page("http://p.example/")).shape == (0, 2)
    assert isinstance(LEARNED.classifier, NaiveBayes)


def test_a_class_without_links_is_worth_nothing_and_words_of_one_link_are_not_learned() -> None:
    learned = PathValues.fit([["cell"], ["tax", "cell"]], np.array([0.5, 0.25]), [0, 1], 3, window=20)
    assert learned.values.tolist() == [0.5, 0.25, 0.0]
    assert learned.classifier.vocabulary == {"cell": 0}

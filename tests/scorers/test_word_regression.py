"""Word regression: words of links that led to relevant pages speak for links that have them, each at its place."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from focused.crawl.world import World
from focused.scorers import word_regression
from focused.scorers.word_regression import (
    ANCHOR,
    FIRST_FIT,
    LINKS,
    NEAR,
    NUMBERS,
    RIDGE,
    TITLE,
    URL,
    WORDS,
    WordRegression,
)
from focused.testing.toy_world import world_of_urls

TITLE_OF_ALL = [1, 2, 3, 4]
NONE = np.zeros((1, 2), np.int64)


def add(
    words: WordRegression, url: int, *anchor: int, before: int = 0, after: int = 0, of_url: tuple[int, ...] = ()
) -> None:
    """A link to a URL, on a page of a title of its own kind, with a word before and after the anchor (0: none)."""
    tokens = [*TITLE_OF_ALL, before, *anchor, after, *of_url]
    start = len(TITLE_OF_ALL) + 1
    end = start + len(anchor)
    context = [start - bool(before), end + bool(after)]
    span = [end + 1, end + 1 + len(of_url)]
    spans = (np.array([one]) for one in ([start, end], context, span))
    words.add_links(np.array([url]), np.array(tokens), *spans, end + 1)


def learned(*, good: int, bad: int, pages: int = FIRST_FIT, world: World | None = None) -> WordRegression:
    """Every second page, whose links have one word, turned out to be relevant, the others, with another word, not."""
    words = WordRegression(world or world_of_urls())
    for url in range(pages):
        add(words, url, bad if url % 2 else good)
        words.add_outcome(url, 0.0 if url % 2 else 1.0)
    return words


def score(words: WordRegression, url: int) -> float:
    return float(words.of(np.array([url]))[0])


def test_before_the_first_fit_nothing_is_expected() -> None:
    words = learned(good=10, bad=20, pages=FIRST_FIT - 1)
    add(words, 100, 10)
    assert [score(words, url) for url in (0, 100, 101)] == [0.0, 0.0, 0.0]


def test_weights_are_those_of_ridge_regression() -> None:
    """With one word a link, and the same title: the normal equations by hand."""
    words = learned(good=10, bad=20)
    relevance = np.array([0.0 if url % 2 else 1.0 for url in range(FIRST_FIT)])
    matrix = np.ones((FIRST_FIT, 2 + TITLE))  # good, bad, and the words of the title
    matrix[:, 0], matrix[:, 1] = relevance, 1 - relevance
    weights = np.linalg.solve(matrix.T @ matrix + RIDGE * np.eye(2 + TITLE), matrix.T @ (relevance - relevance.mean()))
    assert score(words, 0) == pytest.approx(weights[0] + weights[2:].sum(), abs=1e-4)
    assert score(words, 1) == pytest.approx(weights[1] + weights[2:].sum(), abs=1e-4)


@pytest.mark.parametrize("place", ["before", "after"])
def test_words_beside_the_anchor_count_and_are_others_than_the_same_in_it(place: str) -> None:
    words = WordRegression(world_of_urls())
    for url in range(FIRST_FIT):
        add(words, url, **{place: 20 if url % 2 else 10})
        words.add_outcome(url, 0.0 if url % 2 else 1.0)
    add(words, 100, 10)
    good, bad, in_anchor = (score(words, url) for url in (0, 1, 100))
    assert good > in_anchor + 0.1 > bad + 0.2


def test_words_of_the_url_count_and_are_remembered_for_further_links() -> None:
    words = WordRegression(world_of_urls())
    for url in range(FIRST_FIT):
        add(words, url, of_url=(20 if url % 2 else 10,))
        words.add_outcome(url, 0.0 if url % 2 else 1.0)
    for url, word in ((100, 10), (101, 20)):
        add(words, url, of_url=(word,))
    good, bad = score(words, 100), score(words, 101)
    assert good > bad + 0.2
    add(words, 101, 99)
    assert score(words, 101) == bad  # without the word of its URL, the second link would be better


def test_the_first_words_of_a_page_are_a_title_and_words_of_urls_are_not() -> None:
    world = world_of_urls()
    words, anchor = WordRegression(world), np.array([[1, 1]])
    for terms, url in ((2, 0), (1, 1)):
        words.add_links(np.array([url]), np.array([7, 8]), anchor, anchor, np.array([[terms, terms]]), terms)
    assert np.count_nonzero(world.urls.columns["strategy.words"][:2], axis=(1, 2)).tolist() == [2, 1]


def test_of_two_links_the_better_one_counts_and_of_more_the_first_two() -> None:
    words = learned(good=10, bad=20)
    add(words, 100, 20)
    bad = score(words, 100)
    add(words, 100, 10)
    assert score(words, 100) > bad
    add(words, 101, 20)
    for _ in range(LINKS - 1):
        add(words, 101, 20)
    add(words, 101, 10)
    assert score(words, 101) == bad


def test_only_the_first_words_of_an_anchor_count() -> None:
    words = learned(good=10, bad=20)
    add(words, 100, *range(30, 30 + ANCHOR), 10)
    add(words, 101, *range(30, 30 + ANCHOR))
    assert score(words, 100) == score(words, 101)


def test_pages_that_no_page_links_to_teach_nothing() -> None:
    words = WordRegression(world_of_urls())
    for url in range(2 * FIRST_FIT):
        words.add_outcome(url, 1.0)
    assert words.state()["examples"]["pages"].tolist() == []


@pytest.mark.parametrize(("pages", "next_fit"), [(25, 50), (249, 250), (250, 275), (275, 302), (302, 332)])
def test_it_is_fitted_every_25_pages_and_later_at_every_tenth_more(pages: int, next_fit: int) -> None:
    assert learned(good=10, bad=20, pages=pages).state()["next_fit"] == next_fit


@given(st.lists(st.integers(0, 2**18 - 1), max_size=12), st.data())
def test_any_spans_are_read(tokens: list[int], data: st.DataObject) -> None:
    place = st.integers(0, len(tokens))
    spans = [np.array([sorted((data.draw(place), data.draw(place)))]) for _ in range(3)]
    world = world_of_urls()
    words = WordRegression(world)
    words.add_links(np.array([3]), np.array(tokens, np.int64), *spans, len(tokens))
    read = world.urls.columns["strategy.words"][3]
    assert read.shape == (LINKS, WORDS) and WORDS == ANCHOR + 2 * NEAR + TITLE + URL
    assert (read <= NUMBERS).all() and not read[1].any()
    assert np.count_nonzero(read[0, :ANCHOR]) == min(ANCHOR, spans[0][0, 1] - spans[0][0, 0])


def test_a_page_without_links_or_words_is_no_matter() -> None:
    words, nothing = WordRegression(world_of_urls()), np.empty((0, 2), np.int64)
    words.add_links(np.empty(0, np.int64), np.empty(0, np.int64), nothing, nothing, nothing, 0)
    words.add_links(np.array([0]), np.empty(0, np.int64), NONE, NONE, NONE, 0)
    assert score(words, 0) == 0.0


def test_no_more_pages_are_learned_from_than_the_last_ones(monkeypatch) -> None:
    monkeypatch.setattr(word_regression, "MOST_PAGES", FIRST_FIT)
    words = learned(good=10, bad=20)
    for url in range(FIRST_FIT, 2 * FIRST_FIT):  # now it is the other way round
        add(words, url, 20 if url % 2 else 10)
        words.add_outcome(url, 1.0 if url % 2 else 0.0)
    assert score(words, 1) > score(words, 0) + 0.2

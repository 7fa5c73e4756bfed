"""SS2: pages are judged by BM25, over a trained space or over the best matches so far."""

import math

import numpy as np
import pytest

from focused.exceptions import ModelError
from focused.papers.strategies.ss1 import TermSpace
from focused.papers.strategies.ss2 import Ss2
from focused.testing.toy_world import Visits, crawled, make_page, toy_world

KEYWORDS = {"solar": 1, "cell": 1}
TEXTS = ["solar solar tax law", "cell tax", "tax law"]  # cos with the keywords: 2 / sqrt 12, 1 / sqrt 4, 0


def ss2(space: TermSpace | None = None, **options: float | str) -> Ss2:
    """A strategy that has seen three pages."""
    pages = [make_page(f"http://{number}/", (text, [])) for number, text in enumerate(TEXTS)]
    return crawled(Ss2(Ss2.Options(**options), toy_world(KEYWORDS, model=space)), Visits(), *pages)


def test_a_trained_space_says_how_rare_keywords_are_and_how_long_documents() -> None:
    # CFW: ln(11/2.5) of solar, ln(11/8.5) of cell. NDL 1: 2 * 3 / (2 + 2) = 1.5; NDL 0.5: 3 / (2 * 0.625 + 1) = 4/3
    relevance = ss2(TermSpace(10, 4.0, {"solar": 2, "cell": 8})).relevance(np.arange(3))
    assert relevance == pytest.approx([1.5 * math.log(11 / 2.5), 4 / 3 * math.log(11 / 8.5), 0])


def test_a_keyword_outside_the_space_counts_nothing() -> None:
    assert ss2(TermSpace(10, 4.0, {"solar": 2})).relevance(np.arange(3))[1] == 0


def test_without_a_model_the_pages_most_similar_to_the_keywords_are_the_space() -> None:
    # The first two are it, for the third has no keyword: of 3 terms on average, each keyword in one of two.
    first = 2 * 3 / (2 * (0.25 + 0.75 * 4 / 3) + 2)
    second = 1 * 3 / (2 * (0.25 + 0.75 * 2 / 3) + 1)
    assert ss2().relevance(np.arange(3)) == pytest.approx([first * math.log(3 / 1.5), second * math.log(3 / 1.5), 0])


def test_of_these_only_so_many_as_asked_for() -> None:
    # The first alone, which does not hold "cell"; a length of 4 is the average.
    assert ss2(documents=1).relevance(np.arange(3)) == pytest.approx([1.5 * math.log(2 / 1.5), 0, 0])


def test_k1_and_b_are_options() -> None:
    space = TermSpace(10, 4.0, {"solar": 2, "cell": 8})
    relevance = ss2(space, k1=0.0).relevance(np.arange(3))
    assert relevance == pytest.approx([math.log(11 / 2.5), math.log(11 / 8.5), 0])
    assert ss2(space, b=0.0).relevance(np.arange(3))[1] == pytest.approx(3 / (2 + 1) * math.log(11 / 8.5))


def test_a_model_that_knows_no_keyword_is_refused_with_the_command_that_makes_one() -> None:
    with pytest.raises(ModelError, match=r"'cars' knows none of the topic's keywords.*scrapy train cars space"):
        ss2(TermSpace(10, 4.0, {"car": 2}), model="cars")


def relevance_of(*texts: str, documents: int = 100) -> list[float]:
    pages = [make_page(f"http://{number}/", (text, [])) for number, text in enumerate(texts)]
    strategy = crawled(Ss2(Ss2.Options(documents=documents), toy_world(KEYWORDS)), Visits(), *pages)
    found: list[float] = strategy.relevance(np.arange(len(pages))).tolist()
    return found


def test_of_pages_equally_similar_the_first_are_the_space() -> None:
    # 40 pages with both keywords are the best. Of the next best, the first 40 hold "solar" alone, so that "cell" is in 40 of 80.
    found = relevance_of(*["tax", "solar cell", "solar"] * 40, *["tax", "cell"] * 40, documents=80)
    mean_length = (40 * 2 + 40) / 80
    saturated = 3 / (2 * (0.25 + 0.75 / mean_length) + 1)
    assert found[2] == pytest.approx(saturated * math.log(81 / 80.5))
    assert found[-1] == pytest.approx(saturated * math.log(81 / 40.5))


def test_pages_without_a_keyword_are_worth_nothing() -> None:
    assert relevance_of("tax", "law") == [0, 0]

"""SS1: what waits inherits from all fetched pages that lead to it."""

import numpy as np
import pytest

from focused.crawl.strategy import Changes
from focused.exceptions import ModelError
from focused.papers.strategies.ss1 import Ss1, TermSpace
from focused.testing.toy_world import Visits, crawled, make_page, toy_world, waiting
from focused.testing.toy_world import rescored as rescored_by

A, B, C, LEAF, SEED = (f"http://{name}/" for name in ("a", "b", "c", "leaf", "seed"))


def rescored(**options: float | str) -> Changes:
    """Scores of a link and of a seed that waits: A (cos 1) -> B (cos 0) -> leaf; C (cos 1 / sqrt 4 = 0.5) -> leaf."""
    texts = (A, "solar", [B]), (B, "tax", [LEAF]), (C, "solar tax law hat", [LEAF])
    visits, pages = Visits(), [make_page(url, (text, links)) for url, text, links in texts]
    strategy = crawled(Ss1(Ss1.Options(**options), toy_world({"solar": 1})), visits, *pages)
    return rescored_by(strategy, waiting(strategy, visits, [LEAF, SEED])).changes


def test_with_a_trained_space_only_its_terms_count_in_pages_and_in_the_query() -> None:
    space, pages = TermSpace(10, 4.0, {"solar": 2, "tax": 8}), ["solar tax law hat", "law hat", "tax"]
    visits = Visits()
    strategy = crawled(
        Ss1(Ss1.Options(), toy_world({"solar": 1, "law": 1}, model=space)),
        visits,
        *(make_page(f"http://{number}/", (text, [])) for number, text in enumerate(pages)),
    )
    # The query is "solar", the first page "solar tax"; the second is empty there.
    assert strategy.relevance(np.arange(3)) == pytest.approx([1 / np.sqrt(2), 0, 0])


def test_a_model_that_knows_no_keyword_is_refused_with_the_command_that_makes_one() -> None:
    with pytest.raises(ModelError, match=r"strategy ss1: the model 'cars' knows none .*scrapy train cars space"):
        Ss1(Ss1.Options(model="cars"), toy_world({"solar": 1}, model=TermSpace(10, 4.0, {"car": 2})))


@pytest.mark.parametrize(
    ("options", "parts", "score"),
    [
        ({}, [0.5 * 0.5, 0.25 * 1], 0.5),  # parents give d, grandparents d squared
        ({"decay": 0.8}, [0.8 * 0.5, 0.64], 1.04),
        ({"combination": "max", "decay": 0.8}, [0.8 * 0.5, 0.64], 0.64),
        ({"generations": 1}, [0.25, 0], 0.25),
    ],
)
def test_what_waits_inherits_as_the_options_say(
    options: dict[str, float | str], parts: list[float], score: float
) -> None:
    changes = rescored(**options)
    assert changes.parts == pytest.approx(np.array([parts, [0, 0]]))
    assert changes.scores == pytest.approx([score, 0])


@pytest.mark.parametrize(("combination", "score"), [("sum", 0.5 * 1 + 0.5 * 0.5), ("max", 0.5)])
def test_of_two_relevant_parents_either_both_count_or_the_better_one(combination: str, score: float) -> None:
    texts = (A, "solar"), (C, "solar tax law hat")  # cos 1 and 0.5
    visits, pages = Visits(), [make_page(url, (text, [LEAF])) for url, text in texts]
    strategy = crawled(Ss1(Ss1.Options(combination=combination), toy_world({"solar": 1})), visits, *pages)
    changes = rescored_by(strategy, waiting(strategy, visits, [SEED, LEAF])).changes
    assert changes.ids.tolist() == [visits.id(SEED), visits.id(LEAF)]
    assert changes.scores == pytest.approx([0, score])


def test_where_nothing_waits_and_no_page_has_a_link_nothing_changes() -> None:
    visits = Visits()
    strategy = crawled(Ss1(Ss1.Options(), toy_world()), visits, make_page(A, ("solar", [])))
    changes = rescored_by(strategy, waiting(strategy, visits, [])).changes
    assert changes.ids.tolist() == changes.scores.tolist() == changes.parts.tolist() == []


def test_only_so_many_latest_pages_hand_on_their_relevance() -> None:
    assert rescored(pages=2).parts == pytest.approx(np.array([[0.25, 0], [0, 0]]))  # without A, the grandparent

"""What was learned from verdicts judges pages only where it ranks pages better that it has not seen."""

import numpy as np
import pytest

from focused.collection.snapshot import decode, encode
from focused.page.page import Page
from focused.scorers.verdict_teacher import (
    EVERY,
    FEWEST,
    FEWEST_OF_KIND,
    NOTHING,
    TaughtRegression,
    VerdictTeacher,
    average_precision,
    kept_of,
)
from tests.crawl.web import make_page

THRESHOLD = 0.3
ODD = [f"football match team goal number{i} word{i % 7}" for i in range(40)]
EVEN = [f"solar panel roof energy number{i} word{i % 7}" for i in range(40)]


def page(number: int, *, lies: bool = False) -> Page:
    """A page whose words tell whether its number is even; or, as it lies, that of half its number."""
    kind = number // 2 if lies else number
    return make_page(f"http://a.example/{number}", (EVEN if kind % 2 == 0 else ODD)[number % 40], [])


def taught(count: int, *, lies: bool = False, relevance: float = 0.3) -> tuple[VerdictTeacher, list[bool]]:
    """A teacher that heard of pages whose number is even that they are on topic, and whether each lesson was kept."""
    teacher = VerdictTeacher(THRESHOLD)
    lessons = [teacher.judged(i, page(i, lies=lies), relevance, i % 2 == 0) for i in range(count)]
    return teacher, [lesson.kept for lesson in lessons if lesson is not None]


def test_it_learns_from_the_first_twenty_and_then_from_each_ten() -> None:
    assert taught(FEWEST - 1)[1] == []
    teacher, kept = taught(FEWEST + 2 * EVERY)
    assert kept == [True, True, True]
    assert teacher.probability(page(101), 0.3) < 0.3 < 0.7 < teacher.probability(page(100), 0.3)


def test_it_needs_both_kinds() -> None:
    teacher = VerdictTeacher(THRESHOLD)
    for i in range(40):
        lesson = teacher.judged(i, page(2 * i), 0.3, i >= FEWEST_OF_KIND - 1)
        assert lesson is None


def test_what_words_do_not_tell_is_not_kept() -> None:
    teacher, kept = taught(40, lies=True)
    assert kept == [False] * len(kept)
    assert kept
    assert teacher.probability(page(100), 0.3) is None


def test_a_page_model_that_is_right_stays() -> None:
    teacher = VerdictTeacher(THRESHOLD)
    lessons = [teacher.judged(i, page(i, lies=True), 0.9 - 0.8 * (i % 2), i % 2 == 0) for i in range(40)]
    assert not any(lesson.kept for lesson in lessons if lesson is not None)


def test_the_threshold_is_where_a_page_is_as_likely_on_topic_as_not() -> None:
    teacher = VerdictTeacher(THRESHOLD)
    assert [teacher.relevance(chance) for chance in (0.0, 0.5, 1.0)] == [0.0, THRESHOLD, 1.0]
    assert teacher.relevance(0.49) < THRESHOLD < teacher.relevance(0.51)


def test_a_verdict_that_is_given_twice_counts_once_and_one_taken_back_not_at_all() -> None:
    teacher = VerdictTeacher(THRESHOLD)
    for _ in range(3):
        for i in range(10):
            assert teacher.judged(i, page(i), 0.3, i % 2 == 0) is None
    for i in range(10):
        teacher.judged(i, page(i), 0.3, None)
    assert len(teacher.snapshot()["urls"]) == 0


def test_what_it_knows_survives_a_snapshot() -> None:
    teacher, _ = taught(45)
    again = VerdictTeacher(THRESHOLD)
    again.restore(decode(encode(teacher.snapshot())))
    for number in (100, 101):
        assert again.probability(page(number), 0.2) == teacher.probability(page(number), 0.2)
    said = [one.judged(i, page(i), 0.3, i % 2 == 0) for one in (teacher, again) for i in range(45, 60)]
    assert said[:15] == said[15:]
    assert any(said)


def test_a_regression_is_that_of_scikit_learn() -> None:
    linear_model = pytest.importorskip("sklearn.linear_model")
    pages = [kept_of(page(i), 0.1 * (i % 7)) for i in range(30)]
    on_topic = np.array([i % 3 == 0 for i in range(30)])
    fitted = TaughtRegression.fit(pages, on_topic)
    pages, on_topic = [*pages, NOTHING], np.append(on_topic, False)
    terms = np.unique(np.concatenate([one.ids for one in pages]))
    rows = np.zeros((31, len(terms) + 2))
    relevance = np.array([one.relevance for one in pages])
    for row, one in enumerate(pages):
        places = np.searchsorted(terms, one.ids)
        values = one.weights * fitted.idf[places]
        rows[row, places] = values / max(1e-9, np.linalg.norm(values))
    rows[:, -2], rows[:, -1] = 3.0, (relevance - relevance.mean()) / relevance.std()
    other = linear_model.LogisticRegression(C=10.0, fit_intercept=False, tol=1e-10, max_iter=10_000).fit(rows, on_topic)
    expected = other.predict_proba(rows)[:, 1]
    assert [fitted.probability(one) for one in pages] == pytest.approx(expected.tolist(), abs=1e-4)


def test_a_page_without_words_is_judged_by_the_page_model_alone() -> None:
    teacher, _ = taught(40)
    assert 0 < teacher.probability(make_page("http://a.example/empty", "", []), 0.3) < 1


def test_a_page_unlike_all_that_were_judged_is_not_taken_for_one_on_topic() -> None:
    teacher = VerdictTeacher(THRESHOLD)
    for i in range(40):  # the page model calls all of them relevant, and three of four are
        teacher.judged(i, page(i // 4 * 2 + (i % 4 == 0), lies=False), 0.3 + 0.01 * (i % 5), i % 4 != 0)
    strange = make_page("http://b.example/", "an unknown word about boats", [])
    chance = teacher.probability(strange, 0.0)
    assert chance is not None
    assert chance < 0.5


def test_average_precision_shares_ranks_among_equals() -> None:
    metrics = pytest.importorskip("sklearn.metrics")
    chance = np.random.default_rng(1)
    for _ in range(20):
        scores, on_topic = chance.integers(0, 5, 30).astype(float), chance.random(30) < 0.4
        expected = metrics.average_precision_score(on_topic, scores)
        assert average_precision(scores, on_topic) == pytest.approx(expected)

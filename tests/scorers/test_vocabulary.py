"""Words that were met: numbers and meanings, the same whatever was met before, and never more than so many remembered."""

import numpy as np
import pytest

from focused.scorers import word_vectors
from focused.scorers.vectors import hashed
from focused.scorers.word_vectors import SIZE, Vocabulary, WordVectors

VECTORS = WordVectors()


def unit(*words: str) -> np.ndarray:
    """The sum of the vectors of words, each of unit length."""
    vectors = VECTORS.of(words)
    return (vectors / np.maximum(1e-9, np.linalg.norm(vectors, axis=1, keepdims=True))).sum(axis=0)


def test_a_row_stands_for_a_word() -> None:
    words = Vocabulary()
    rows = words.rows(["solar", "größe", "solar", "\ud800"])
    assert rows[0] == rows[2]
    assert len(set(rows.tolist())) == 3
    assert words.numbers[rows].tolist() == hashed(["solar", "größe", "solar", "\ud800"]).tolist()


def test_no_words_have_no_rows() -> None:
    words = Vocabulary(VECTORS)
    assert words.rows([]).shape == (0,)
    assert words.sum(words.rows([]), np.zeros(0)).tolist() == [0.0] * SIZE


def test_the_sum_is_that_of_vectors_of_unit_length() -> None:
    words = Vocabulary(VECTORS)
    found = words.sum(words.rows(["solar", "panel"]), np.array([2.0, 1.0]))
    assert found == pytest.approx(2 * unit("solar") + unit("panel"), abs=0.01)


def test_a_word_with_a_digit_counts_for_nothing() -> None:
    words = Vocabulary(VECTORS)
    rows = words.rows(["1987", "solar"])
    np.testing.assert_array_equal(words.sum(rows, np.ones(2)), words.sum(rows[1:], np.ones(1)))


def test_cosines_are_those_with_the_query_of_now() -> None:
    words = Vocabulary(VECTORS)
    rows = words.rows(["galaxy", "football", "galaxy"])
    astronomy, sport = unit("astronomy"), unit("sport")
    first = words.cosines(rows, astronomy)
    assert first[0] == first[2] == pytest.approx(unit("galaxy") @ astronomy, abs=0.01)
    assert first[0] > first[1]
    second = words.cosines(rows, sport)
    assert second[0] < second[1] == pytest.approx(unit("football") @ sport, abs=0.01)


def test_nothing_depends_on_what_was_asked_before(monkeypatch: pytest.MonkeyPatch) -> None:
    query = unit("energy")

    def known(words: Vocabulary, text: list[str]) -> list[float]:
        rows = words.rows(text)
        return [*words.numbers[rows], *words.cosines(rows, query), *words.sum(rows, np.ones(len(rows)))]

    monkeypatch.setattr(word_vectors, "MOST_KNOWN", 3)
    monkeypatch.setattr(word_vectors, "AT_ONCE", 2)
    crowded = Vocabulary(VECTORS)
    for text in ("tax tax solar", "law cup", "solar law panel", "solar tax", "tax cup x"):
        assert known(crowded, text.split()) == known(Vocabulary(VECTORS), text.split())


def test_a_page_of_very_many_words_is_not_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(word_vectors, "MOST_KNOWN", 2000)
    words = Vocabulary()
    assert len(set(words.rows([f"w{n}" for n in range(10_000)]).tolist())) == 10_000
    words.rows(["solar"])
    assert len(words.numbers.values) < 2000

"""Vectors of words: similar ones for words of similar meaning, whatever was asked before."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from focused.exceptions import FocusedError
from focused.scorers import word_vectors
from focused.scorers.word_vectors import SIZE, WordVectors


def vectors(*words: str) -> np.ndarray:
    found = WordVectors().of(words)
    return found / np.linalg.norm(found, axis=1, keepdims=True)


def test_the_vector_of_a_stem_is_the_sum_of_those_of_its_words() -> None:
    (stem,) = WordVectors().of(["engin"])
    words = WordVectors().of(["engine", "Engine", "engines", "engineer", "engineering", "Engineering"])
    np.testing.assert_allclose(stem, words.sum(axis=0), rtol=1e-5)


def test_without_stemming_the_vector_of_a_word_is_that_of_its_own_spellings() -> None:
    whole = WordVectors(stemming=False)
    engine, stem = whole.of(["engine"])[0], WordVectors().of(["engin"])[0]
    np.testing.assert_allclose(engine, WordVectors().of(["engine", "Engine"]).sum(axis=0), rtol=1e-5)
    assert np.linalg.norm(engine) < np.linalg.norm(stem)


def test_words_of_similar_meaning_point_in_similar_directions() -> None:
    astronomy, galaxy, football, painter, artist = vectors("astronomy", "galaxy", "football", "painter", "artist")
    assert astronomy @ galaxy > 0.3
    assert painter @ artist > 0.4
    assert abs(astronomy @ football) < 0.15
    assert abs(galaxy @ artist) < 0.15


def test_a_stem_is_close_to_its_word() -> None:
    stem, word, galaxy = vectors("astronomi", "astronomy", "galaxy")
    assert stem @ word > 0.8 > stem @ galaxy


@pytest.mark.parametrize("word", ["solar", "größe", "太阳能", "x" * 10_000, "\x00", "a b", "\ud800"])
def test_every_word_has_a_vector(word: str) -> None:
    assert np.linalg.norm(WordVectors().of([word])) > 0.1


@pytest.mark.parametrize("word", ["", "1987", "b2b", "x²"])
def test_words_with_digits_and_empty_ones_mean_nothing(word: str) -> None:
    assert not WordVectors().of([word]).any()


def test_no_words_have_no_vectors() -> None:
    assert WordVectors().of([]).shape == (0, SIZE)


def test_it_neither_asks_the_network_nor_sets_up_logging() -> None:
    code = (
        "import logging, socket, sys; socket.socket.connect = None; "
        "from focused.scorers.word_vectors import WordVectors; WordVectors(); "
        "print(logging.root.handlers, 'wordllama' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["[]", "False"]


@pytest.mark.parametrize("what", ["missing", "damaged"])
def test_files_that_cannot_be_read_are_named(what: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if what == "damaged":
        (tmp_path / "weights").mkdir()
        (tmp_path / word_vectors.WEIGHTS).write_bytes(b"no tensors")

    class Spec:
        submodule_search_locations = (str(tmp_path),)

    monkeypatch.setattr(word_vectors, "find_spec", lambda _: Spec)
    monkeypatch.setattr(word_vectors, "_model", word_vectors._model.__wrapped__)  # not the one that is loaded already
    with pytest.raises(FocusedError, match="pip install"):
        WordVectors()

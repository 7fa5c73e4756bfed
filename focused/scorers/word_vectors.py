"""What terms mean: vectors of terms, which point in similar directions for similar meanings; and a table of the terms met.

The vectors are those of WordLlama (l2_supercat, 256 dimensions), made from the token embeddings of large language models. They
are made for English, and most likely from text of Wikipedia too: figures on Wikipedia's articles flatter them. We use only the two
files of its package: importing it would set up logging, and might ask the network.
"""

from __future__ import annotations

import logging
from collections import defaultdict
from collections.abc import Callable, Sequence
from functools import cache
from importlib.util import find_spec
from itertools import chain, count, islice
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Protocol

import numpy as np
from numpy.typing import NDArray

from focused.crawl.arrays import FloatArray, IntArray
from focused.crawl.columns import Column, Columns
from focused.exceptions import FocusedError, how_to_install, needs_extra
from focused.page.text import TextAnalyser
from focused.scorers.vectors import hashed

if TYPE_CHECKING:
    from tokenizers import Tokenizer


logger = logging.getLogger(__name__)

PACKAGES = ("safetensors", "tokenizers", "wordllama")  #: of the extra ``meaning``
SIZE = 256  #: dimensions of a vector
LANGUAGE = "en"  #: that the vectors are made for
WORD_START = "\u2581"  #: the first character of tokens that begin a word
NOTHING = 0  #: the token of words that mean nothing, a vector of zeros
WEIGHTS, TOKENIZER = "weights/l2_supercat_256.safetensors", "tokenizers/l2_supercat_tokenizer_config.json"

Vectors = np.ndarray[tuple[int, ...], np.dtype[np.float32]]


@cache
def are_installed() -> bool:
    """Whether the packages of the extra ``meaning`` are installed; logs one warning if not."""
    missing = [name for name in PACKAGES if find_spec(name) is None]
    if missing:
        logger.warning(
            "Links are scored without the meaning of words, which needs the packages %s: %s",
            ", ".join(missing),
            how_to_install("meaning"),
        )
    return not missing


class Meanings(Protocol):
    """What gives terms vectors, and how their cosines are to be read."""

    size: ClassVar[int]  #: dimensions of a vector
    unrelated: ClassVar[float]  #: up to this cosine with the topic, a word has nothing to do with it
    #: Cosines of a word and a keyword: above the first the word counts a little, from the second on as much as the keyword.
    related: ClassVar[float]
    same: ClassVar[float]

    def of(self, terms: Sequence[str]) -> Vectors:
        """(n, size) vectors of n terms; zeros for one that means nothing."""


class WordVectors:
    """Vectors of English terms, which are stems of words or, without ``stemming``, the words as they are written.

    Many words are tokens of the model: the vector of a stem is the sum of the words with this stem ("engin": engine, engineering,
    engineers). Any other term is cut into tokens, and its vector is the sum of their vectors.

    Raises FocusedError if the packages of the extra ``meaning`` are missing, or lack their files.
    """

    size: ClassVar = SIZE
    unrelated: ClassVar = 0.2
    related: ClassVar = 0.4
    same: ClassVar = 0.8

    def __init__(self, *, stemming: bool = True) -> None:
        self._tokenizer, self._vectors = _model()
        self._stemming = stemming

    def of(self, terms: Sequence[str]) -> Vectors:
        """(n, 256) vectors of n terms; zeros for a term with a digit."""
        if not terms:
            return np.zeros((0, SIZE), np.float32)
        words = _words_by_term(stemming=self._stemming)
        tokens = [words.get(term) or self._tokens_of(term) for term in terms]
        starts = np.cumsum([0, *map(len, tokens[:-1])])
        vectors = self._vectors.take(np.fromiter(chain.from_iterable(tokens), np.int64), axis=0)
        return np.add.reduceat(vectors.astype(np.float32), starts)

    def _tokens_of(self, term: str) -> list[int]:
        if not term.isalpha() and any(map(str.isdigit, term)):
            return [NOTHING]
        text = term.encode(errors="replace").decode()  # half a character (a lone surrogate) is none
        return self._tokenizer.encode(text, add_special_tokens=False).ids or [NOTHING]


@cache
def _model() -> tuple[Tokenizer, NDArray[np.float16]]:
    """The tokenizer and (32000, 256) vectors of its tokens; about 0.3 seconds and 20 MB."""
    with needs_extra("meaning", "what words mean"):
        from safetensors.numpy import load_file
        from tokenizers import Tokenizer

    package = find_spec("wordllama")
    assert package is not None and package.submodule_search_locations  # the packages are here
    folder = Path(package.submodule_search_locations[0])
    try:
        (tokens,) = load_file(folder / WEIGHTS).values()
        tokens[NOTHING] = 0.0
        tokenizer = Tokenizer.from_file(str(folder / TOKENIZER))
    except Exception as error:  # these libraries may raise anything for a missing or damaged file
        raise FocusedError(
            f"{folder}: the vectors of words cannot be read ({error}): pip install --force-reinstall wordllama"
        ) from error
    return tokenizer, tokens


@cache
def _words_by_term(*, stemming: bool) -> dict[str, list[int]]:
    """Numbers of the tokens that are whole words, in order, by the term that each becomes; about 0.1 seconds."""
    analyser = TextAnalyser(LANGUAGE, stemming=stemming)
    found: dict[str, list[int]] = {}
    for token, number in sorted(_model()[0].get_vocab().items(), key=itemgetter(1)):
        if token[0] == WORD_START and token[1:].isalpha():
            for term in analyser.terms(token[1:]):
                found.setdefault(term, []).append(number)
    return found


def of_unit_length(vectors: Vectors) -> Vectors:
    """(n, d) the same vectors of length 1; those of length 0 stay."""
    return np.asarray(vectors / np.maximum(1e-9, np.linalg.norm(vectors, axis=1, keepdims=True)))


MOST_KNOWN = 30_000  #: words remembered from page to page, about 14 MB with their meanings; beyond that, all are forgotten at once
AT_ONCE = 4096  #: words whose vectors are made together, to take little memory
STEPS = 127  #: a component of a vector is kept in this many steps from 0 to the largest


class Vocabulary:
    """The words that a crawl meets: a number for each, from a fixed range, and its meaning. Neither depends on earlier words.

    Rows are valid until the next call of `rows`.

    Parameters
    ----------
    vectors : what words mean; without them, words mean nothing
    keywords : words to which `nearest` compares others
    foreign : (k, d) vectors to which it compares them too

    Attributes
    ----------
    numbers : (rows or more,) checksums of words, from 0 to `vectors.HASHED` - 1
    """

    def __init__(
        self, vectors: Meanings | None = None, keywords: Sequence[str] = (), foreign: Vectors | None = None
    ) -> None:
        self._vectors = vectors
        self._query: FloatArray | None = None
        self._keywords = of_unit_length(vectors.of(keywords)) if vectors else np.zeros((0, 0), np.float32)
        if foreign is not None:
            self._keywords = np.concatenate((self._keywords, foreign))
        self._forget()

    def rows(self, words: Sequence[str]) -> IntArray:
        """(n,) the rows of n words, in order."""
        if len(self._row_of) > MOST_KNOWN:
            self._forget()
        rows = np.fromiter(map(self._row_of.__getitem__, words), np.int64, len(words))
        if new := len(self._row_of) - len(self._words):
            self._add([*islice(reversed(self._row_of), new)][::-1])
        return rows

    def sum(self, rows: IntArray, weights: FloatArray) -> FloatArray:
        """(d,) the sum of the vectors of words, each times its weight."""
        self._learn(rows)
        shares = weights.astype(np.float32) * self._scale.take(rows)
        return np.asarray(np.einsum("nd,n->d", self._steps_of(rows), shares), np.float64)

    def cosines(self, rows: IntArray, query: FloatArray) -> NDArray[np.float32]:
        """(n,) cosines of words with a query (d,) of unit length; those of the last query are remembered, by its identity."""
        if query is not self._query:
            self._query = query
            self._cosines[:] = np.nan
        return self._known(self._cosines, rows, lambda steps: np.einsum("nd,d->n", steps, query.astype(np.float32)))

    def nearest(self, rows: IntArray) -> NDArray[np.float32]:
        """(n,) the cosine of each word with the nearest keyword; zeros where words mean nothing."""
        if not len(self._keywords):
            return np.zeros(len(rows), np.float32)
        return self._known(self._nearest, rows, lambda steps: np.einsum("nd,kd->nk", steps, self._keywords).max(axis=1))

    def _known(self, column: Column, rows: IntArray, products: Callable[[Vectors], Vectors]) -> NDArray[np.float32]:
        """(n,) remembered cosines of words; ``products`` computes the missing ones from vectors."""
        unknown = np.unique(rows[np.isnan(column.take(rows))])  # a page may repeat one word without end
        if len(unknown):
            self._learn(unknown)
            column[unknown] = products(self._steps_of(unknown)) * self._scale.take(unknown)
        return column.take(rows)

    def _steps_of(self, rows: IntArray) -> Vectors:
        return self._steps.take(rows).astype(np.float32)

    def _forget(self) -> None:
        self._row_of = defaultdict[str, int](count().__next__)  # looking a word up gives it a row
        self._words: list[str] = []
        self._columns = Columns()  # by word
        self.numbers = self._columns.add("numbers", np.int64)
        size = self._vectors.size if self._vectors else 0
        self._steps = self._columns.add("steps", np.int8, shape=(size,))  # of its vector
        self._scale = self._columns.add("scale", np.float32, np.nan)  # that gives it unit length; NaN: never asked for
        self._cosines = self._columns.add("cosines", np.float32, np.nan)  # with the query; NaN: not asked for
        self._nearest = self._columns.add("nearest", np.float32, np.nan)  # cosine with the nearest keyword; the same

    def _add(self, words: Sequence[str]) -> None:
        some = slice(len(self._words), len(self._words) + len(words))
        self._words += words
        self._columns.reach(some.stop)
        self.numbers[some] = hashed(words)

    def _learn(self, rows: IntArray) -> None:
        """Make the missing vectors of these words; they are made late, as few words of a long page need one."""
        unknown = np.unique(rows[np.isnan(self._scale.take(rows))])
        for start in range(0, len(unknown), AT_ONCE):
            some = unknown[start : start + AT_ONCE]
            if self._vectors is None:
                self._scale[some] = 1.0
                continue
            vectors = self._vectors.of([self._words[row] for row in some.tolist()])
            largest = np.maximum(np.abs(vectors).max(axis=1, keepdims=True), 1e-9)
            self._steps[some] = steps = np.rint(vectors * (STEPS / largest))
            self._scale[some] = 1 / np.maximum(1.0, np.sqrt((steps * steps).sum(axis=1)))

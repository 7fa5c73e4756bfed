"""What terms mean: vectors of terms, such that those of similar meaning point in similar directions.

The vectors are those of WordLlama (l2_supercat, 256 dimensions), made from the token embeddings of large language models. They
are made for English, and most likely from text of Wikipedia too: figures on Wikipedia's articles flatter them. Only the two files
of its package are used: importing it would set up logging, and might ask the network.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from functools import cache
from importlib.util import find_spec
from itertools import chain
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from focused.exceptions import FocusedError, needs_extra
from focused.page.text import TextAnalyser

if TYPE_CHECKING:
    from tokenizers import Tokenizer

logger = logging.getLogger(__name__)

PACKAGES = ("safetensors", "tokenizers", "wordllama")  #: of the extra ``meaning``
SIZE = 256  #: dimensions of a vector
LANGUAGE = "en"  #: that the vectors are made for
WORD_START = "\u2581"  #: with which tokens begin that begin a word
NOTHING = 0  #: the token of words that mean nothing, a vector of zeros
WEIGHTS, TOKENIZER = "weights/l2_supercat_256.safetensors", "tokenizers/l2_supercat_tokenizer_config.json"

Vectors = np.ndarray[tuple[int, ...], np.dtype[np.float32]]


@cache
def are_installed() -> bool:
    """Whether the packages of the extra ``meaning`` are here. Where they are not, a warning says so, once."""
    missing = [name for name in PACKAGES if find_spec(name) is None]
    if missing:
        logger.warning(
            "Links are scored without the meaning of words, which needs the packages %s: pip install 'focused[meaning]'",
            ", ".join(missing),
        )
    return not missing


class WordVectors:
    """Vectors of terms, which are stems of words or, without ``stemming``, the words as they are written.

    Many words are tokens of the model: the vector of a stem is the sum of those that have it ("engin": engine, engineering,
    engineers). Any other term is cut into tokens, and its vector is the sum of theirs.

    Raises FocusedError where the packages of the extra ``meaning`` are missing, or lack their files.
    """

    def __init__(self, *, stemming: bool = True) -> None:
        self._tokenizer, self._vectors = _model()
        self._stemming = stemming

    def of(self, terms: Sequence[str]) -> Vectors:
        """(n, 256) vectors of n terms; zeros for one with a digit."""
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
    except Exception as error:  # whatever these libraries raise of a file that lacks or is damaged
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

"""What words mean: vectors of single words, such that words of similar meaning point in similar directions.

The vectors are those of WordLlama (l2_supercat, 256 dimensions), made from the token embeddings of large language models. They
are made for English. Only the two files of its package are used: importing it would set up logging, and might ask the network.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from importlib.util import find_spec
from itertools import repeat
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from focused.crawl.strategy import IntArray
from focused.errors import FocusedError
from focused.scoring.growing import grown

if TYPE_CHECKING:
    from tokenizers import Tokenizer

SIZE = 256  #: dimensions of a vector
LANGUAGE = "en"  #: that the vectors are made for
MOST_KNOWN = 50_000  #: words whose vector is remembered, about 20 MB; then forgotten all at once
UNKNOWN = 0  #: the token of a word without tokens
STEPS = 127  #: a component is kept as so many steps from 0 to the largest of its vector
WEIGHTS, TOKENIZER = "weights/l2_supercat_256.safetensors", "tokenizers/l2_supercat_tokenizer_config.json"

Vectors = np.ndarray[tuple[int, ...], np.dtype[np.float32]]


class WordVectors:
    """Vectors of words: a word is cut into tokens, and its vector is the sum of theirs, of unit length.

    Raises FocusedError where the package wordllama lacks its files.
    """

    def __init__(self) -> None:
        self._tokenizer, self._vectors = _model()
        self._rows: dict[str, int] = {}
        self._steps = np.zeros((0, SIZE), np.int8)
        self._lengths = np.zeros(0, np.float32)  # of the rows

    def of(self, words: Sequence[str]) -> Vectors:
        """(n, 256) vectors of n words, the same whatever was asked before."""
        rows = self._rows_of(words)
        missing = np.flatnonzero(rows < 0)
        if len(missing):
            if len(self._rows) + len(missing) > MOST_KNOWN:
                self._rows.clear()
                missing = np.arange(len(words))
            self._learn(list(dict.fromkeys(words[place] for place in missing.tolist())))
            rows = self._rows_of(words)
        vectors = self._steps[rows].astype(np.float32)
        vectors /= self._lengths[rows, np.newaxis]
        return vectors

    def _rows_of(self, words: Sequence[str]) -> IntArray:
        return np.fromiter(map(self._rows.get, words, repeat(-1)), np.int64, len(words))

    def _learn(self, words: Sequence[str]) -> None:
        rows = slice(len(self._rows), len(self._rows) + len(words))
        tokens = [self._tokens_of(word) for word in words]
        starts = np.cumsum([0, *map(len, tokens[:-1])])
        vectors = np.add.reduceat(self._vectors[np.concatenate(tokens)].astype(np.float32), starts)
        steps = np.rint(vectors * (STEPS / np.abs(vectors).max(axis=1, keepdims=True)))
        self._steps, self._lengths = (grown(array, rows.stop) for array in (self._steps, self._lengths))
        self._steps[rows] = steps
        self._lengths[rows] = np.sqrt((steps * steps).sum(axis=1))
        self._rows.update(zip(words, range(rows.start, rows.stop), strict=True))

    def _tokens_of(self, word: str) -> list[int]:
        text = word.encode(errors="replace").decode()  # half a character (a lone surrogate) is none
        return self._tokenizer.encode(text, add_special_tokens=False).ids or [UNKNOWN]


@cache
def _model() -> tuple[Tokenizer, np.ndarray[tuple[int, int], np.dtype[np.float16]]]:
    """The tokenizer and (32000, 256) vectors of its tokens; about 0.3 seconds and 20 MB."""
    from safetensors.numpy import load_file
    from tokenizers import Tokenizer

    package = find_spec("wordllama")
    folders = package.submodule_search_locations if package else None
    if not folders:
        raise FocusedError("the package wordllama is not installed: pip install -r requirements.txt")
    folder = Path(folders[0])
    try:
        (tokens,) = load_file(folder / WEIGHTS).values()
        return Tokenizer.from_file(str(folder / TOKENIZER)), tokens
    except Exception as error:  # whatever these libraries raise of a file that lacks or is damaged
        raise FocusedError(
            f"{folder}: the vectors of words cannot be read ({error}): pip install --force-reinstall wordllama"
        ) from error

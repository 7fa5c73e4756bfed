"""What words mean: vectors of single words, such that words of similar meaning point in similar directions.

The vectors are those of WordLlama (l2_supercat, 256 dimensions), made from the token embeddings of large language models. They
are made for English. Only the two files of its package are used: importing it would set up logging, and might ask the network.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from focused.crawl.strategy import IntArray
from focused.errors import FocusedError
from focused.scoring.growing import grown
from focused.scoring.term_ids import DIMENSIONS

if TYPE_CHECKING:
    from tokenizers import Tokenizer

SIZE = 256  #: dimensions of a vector
LANGUAGE = "en"  #: that the vectors are made for
MOST_KNOWN = 50_000  #: words whose vector is remembered, 13 MB; then forgotten all at once
STEPS = 127  #: a component is kept as so many steps from 0 to the largest of its vector
WEIGHTS, TOKENIZER = "weights/l2_supercat_256.safetensors", "tokenizers/l2_supercat_tokenizer_config.json"

Vectors = np.ndarray[tuple[int, ...], np.dtype[np.float32]]


class WordVectors:
    """Vectors of words, of unit length; a word is cut into tokens, and its vector is the mean of theirs.

    Raises FocusedError where the package wordllama lacks its files.
    """

    def __init__(self) -> None:
        self._tokenizer, self._tokens = _model()
        self._rows = np.full(DIMENSIONS, -1, np.int32)  # by number of a word; -1: not known
        self._known = np.zeros((0, SIZE), np.int8)
        self._scales = np.zeros(0, np.float32)  # by which the steps of a row are multiplied
        self._count = 0

    def of(self, ids: IntArray, words: Sequence[str]) -> Vectors:
        """(n, 256) vectors of n different words; ``ids`` are their numbers."""
        rows = self._rows[ids]
        missing = (rows < 0).nonzero()[0]
        if len(missing):
            if self._count + len(missing) > MOST_KNOWN:
                self._rows[:] = -1
                self._count, missing = 0, np.arange(len(ids))
            self._learn(ids[missing], [words[place] for place in missing.tolist()])
            rows = self._rows[ids]
        vectors = self._known[rows].astype(np.float32)
        vectors *= self._scales[rows, np.newaxis]
        return vectors

    def _learn(self, ids: IntArray, words: Sequence[str]) -> None:
        rows = np.arange(self._count, self._count + len(words))
        self._count += len(words)
        self._known, self._scales = grown(self._known, self._count), grown(self._scales, self._count)
        self._rows[ids] = rows
        vectors = np.stack([self._vector(word) for word in words])
        largest = np.maximum(1e-9, np.abs(vectors).max(axis=1))
        steps = np.rint(vectors * (STEPS / largest)[:, np.newaxis])
        self._known[rows] = steps
        self._scales[rows] = 1.0 / np.maximum(1e-9, np.sqrt((steps * steps).sum(axis=1)))

    def _vector(self, word: str) -> Vectors:
        tokens = self._tokenizer.encode(word, add_special_tokens=False).ids
        return np.asarray(self._tokens[tokens].sum(axis=0, dtype=np.float32))  # of no token: zeros


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

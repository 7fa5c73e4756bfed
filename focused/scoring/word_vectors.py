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

from focused.errors import FocusedError
from focused.scoring.growing import grown

if TYPE_CHECKING:
    from tokenizers import Tokenizer

SIZE = 256  #: dimensions of a vector
LANGUAGE = "en"  #: that the vectors are made for
MOST_KNOWN = 50_000  #: words whose vector is remembered, about 20 MB; then forgotten all at once
STEPS = 127  #: a component is kept as so many steps from 0 to the largest of its vector
WEIGHTS, TOKENIZER = "weights/l2_supercat_256.safetensors", "tokenizers/l2_supercat_tokenizer_config.json"

Vectors = np.ndarray[tuple[int, ...], np.dtype[np.float32]]


class WordVectors:
    """Vectors of words: a word is cut into tokens, and its vector is the sum of theirs, of unit length; of no token, zeros.

    Raises FocusedError where the package wordllama lacks its files.
    """

    def __init__(self) -> None:
        self._tokenizer, self._tokens = _model()
        self._rows: dict[str, int] = {}
        self._steps = np.zeros((0, SIZE), np.int8)
        self._lengths = np.zeros(0, np.float32)  # of the rows

    def of(self, words: Sequence[str]) -> Vectors:
        """(n, 256) vectors of n words, the same whatever was asked before."""
        missing = [word for word in dict.fromkeys(words) if word not in self._rows]
        if missing:
            if len(self._rows) + len(missing) > MOST_KNOWN:
                self._rows.clear()
                missing = list(dict.fromkeys(words))
            self._learn(missing)
        rows = np.fromiter(map(self._rows.__getitem__, words), np.int64, len(words))
        vectors = self._steps[rows].astype(np.float32)
        vectors /= self._lengths[rows, np.newaxis]
        return vectors

    def _learn(self, words: Sequence[str]) -> None:
        vectors = np.stack([self._vector(word) for word in words])
        largest = np.maximum(1e-9, np.abs(vectors).max(axis=1, keepdims=True))
        steps = np.rint(vectors * (STEPS / largest))
        known = len(self._rows)
        rows = slice(known, known + len(words))
        self._steps, self._lengths = (grown(array, rows.stop) for array in (self._steps, self._lengths))
        self._steps[rows] = steps
        self._lengths[rows] = np.maximum(1.0, np.sqrt((steps * steps).sum(axis=1)))
        self._rows.update(zip(words, range(rows.start, rows.stop), strict=True))

    def _vector(self, word: str) -> Vectors:
        text = word.encode(errors="replace").decode()  # half a character (a lone surrogate) is none
        tokens = self._tokenizer.encode(text, add_special_tokens=False).ids
        return np.asarray(self._tokens[tokens].sum(axis=0, dtype=np.float32))


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

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

if TYPE_CHECKING:
    from tokenizers import Tokenizer

SIZE = 256  #: dimensions of a vector
LANGUAGE = "en"  #: that the vectors are made for
NOTHING = 0  #: the token of words that mean nothing, a vector of zeros
WEIGHTS, TOKENIZER = "weights/l2_supercat_256.safetensors", "tokenizers/l2_supercat_tokenizer_config.json"

Vectors = np.ndarray[tuple[int, ...], np.dtype[np.float32]]


class WordVectors:
    """Vectors of words: a word is cut into tokens, and its vector is the sum of theirs.

    Raises FocusedError where the package wordllama lacks its files.
    """

    def __init__(self) -> None:
        self._tokenizer, self._vectors = _model()

    def of(self, words: Sequence[str]) -> Vectors:
        """(n, 256) vectors of n words; zeros for one with a digit."""
        if not words:
            return np.zeros((0, SIZE), np.float32)
        tokens = [self._tokens_of(word) for word in words]
        starts = np.cumsum([0, *map(len, tokens[:-1])])
        return np.add.reduceat(self._vectors[np.concatenate(tokens)], starts, dtype=np.float32)

    def _tokens_of(self, word: str) -> list[int]:
        if not word.isalpha() and any(map(str.isdigit, word)):
            return [NOTHING]
        text = word.encode(errors="replace").decode()  # half a character (a lone surrogate) is none
        return self._tokenizer.encode(text, add_special_tokens=False).ids or [NOTHING]


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
        tokens[NOTHING] = 0.0
        return Tokenizer.from_file(str(folder / TOKENIZER)), tokens
    except Exception as error:  # whatever these libraries raise of a file that lacks or is damaged
        raise FocusedError(
            f"{folder}: the vectors of words cannot be read ({error}): pip install --force-reinstall wordllama"
        ) from error

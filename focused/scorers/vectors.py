"""Terms as small numbers, and vectors of them: the same in every process and on every machine."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager
from functools import cache
from zlib import crc32

import numpy as np
from numpy.typing import NDArray
from threadpoolctl import ThreadpoolController

from focused.crawl.arrays import FloatArray

HASHED = 2**18  #: numbers there are: of 10,000 terms about 200 pairs share one


def hashed(terms: Sequence[str]) -> NDArray[np.int32]:
    """(n,) the number of each of n terms, from 0 to HASHED - 1."""
    return np.fromiter(map(number, terms), np.int32, len(terms))


def number(term: str) -> int:
    """The number of a term, whatever characters a page put into it."""
    return crc32(term.encode(errors="surrogatepass")) % HASHED


def unit(vector: FloatArray) -> FloatArray:
    """The vector with length 1; one of length 0 stays."""
    length = float(np.sqrt((vector * vector).sum()))  # not by BLAS: its threads take longer than the sum
    return vector / length if length else vector


def single_thread() -> AbstractContextManager[object]:
    """Hold BLAS, which would otherwise use all cores, to one thread for as long as a block lasts."""
    limited: AbstractContextManager[object] = _controller().limit(limits=1, user_api="blas")
    return limited


@cache
def _controller() -> ThreadpoolController:
    return ThreadpoolController()  # looks through all libraries that are loaded, which takes a while

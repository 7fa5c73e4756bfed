"""Terms as small numbers, without a vocabulary that would have to be kept: the same term has the same number in every process."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

HASHED = 2**18  #: numbers there are: of 10,000 terms about 200 pairs share one


def hashed(terms: Sequence[str]) -> NDArray[np.int32]:
    """(n,) the number of each of n terms, from 0 to HASHED - 1."""
    return np.fromiter(numbers(terms), np.int32, len(terms))


def numbers(terms: Iterable[str]) -> Iterable[int]:
    """The number of each term, one after the other."""
    return map(number, terms)


def number(term: str) -> int:
    """The number of a term, whatever characters a page put into it."""
    return crc32(term.encode(errors="surrogatepass")) % HASHED

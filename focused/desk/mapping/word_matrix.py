"""Pages as weighted words: rare words weigh more, and words that a host puts on all its pages hardly anything."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from focused.crawl.arrays import FloatArray, IntArray
from focused.desk.mapping.page_words import Said
from focused.page.text import TextAnalyser

SHRINKING = (
    5  #: pages of a host that count as if they did not have a word: one page does not tell what its host repeats
)
FEWEST = 2  #: pages that must have a word, where there are `MANY`
MANY = 50

Floats = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class WordMatrix:
    """n pages, v words: the row of a page lies in ``words`` and ``weights`` from ``start[i]`` to ``start[i + 1]``."""

    start: IntArray  #: (n + 1,)
    words: IntArray  #: positions in `vocabulary`
    weights: Floats  #: > 0; the squares of a row sum up to 1, if it has any word
    vocabulary: list[str]  #: v words as most pages write them; words of one stem are one word

    def __len__(self) -> int:
        return len(self.start) - 1

    @property
    def rows(self) -> IntArray:
        """The page of each entry."""
        return np.repeat(np.arange(len(self)), np.diff(self.start))


def word_matrix(pages: Sequence[Said], hosts: IntArray, language: str) -> WordMatrix:
    """The words of pages, weighted.

    hosts : (n,) id of the host of each page
    language : by which words are reduced to stems
    """
    stems = _Stems(language)
    sizes = np.fromiter((len(said.words) for said in pages), np.int64, len(pages))
    words = np.fromiter((stems.number(word) for said in pages for word in said.words), np.int64, int(sizes.sum()))
    counts = np.fromiter((count for said in pages for count in said.counts), np.float64, len(words))
    rows = np.repeat(np.arange(len(pages)), sizes)
    rows, words, counts = _merged(rows, words, counts, len(stems))
    weights = (1 + np.log(counts)) * _rarity(words, len(stems), len(pages)) * own_share(rows, words, hosts)
    kept = weights > 0
    rows, words, weights = rows[kept], words[kept], weights[kept]
    lengths = np.sqrt(np.bincount(rows, weights**2, len(pages)))
    weights = weights / lengths[rows]
    start = np.concatenate([[0], np.cumsum(np.bincount(rows, minlength=len(pages)))])
    return WordMatrix(start, words, weights.astype(np.float32), stems.written())


def own_share(rows: IntArray, words: IntArray, hosts: IntArray) -> FloatArray:
    """For each entry how much its word is the page's own: near 0 where nearly all pages of the host have it, 1 where no other has.

    Entries are pairs of a page and a word, each once.
    """
    if not len(rows):
        return np.empty(0)
    _, which, having = np.unique(hosts[rows] * (words.max() + 1) + words, return_inverse=True, return_counts=True)
    of_host = np.bincount(hosts)
    share: FloatArray = 1 - (having[which] - 1) / (of_host[hosts[rows]] + SHRINKING)
    return share


def _merged(rows: IntArray, words: IntArray, counts: FloatArray, size: int) -> tuple[IntArray, IntArray, FloatArray]:
    """Words of one page that have the same stem become one, with all their counts."""
    pairs, which = np.unique(rows * max(1, size) + words, return_inverse=True)
    total: FloatArray = np.bincount(which, counts, len(pairs)).astype(np.float64)
    return pairs // max(1, size), pairs % max(1, size), total


def _rarity(words: IntArray, size: int, pages: int) -> FloatArray:
    """Of each entry the inverse document frequency of its word; 0 of one that too few pages have to tell anything."""
    frequency = np.bincount(words, minlength=size)
    rarity = np.log((1 + pages) / np.maximum(frequency, 1))
    rarity[frequency < (FEWEST if pages >= MANY else 1)] = 0
    return rarity[words]


class _Stems:
    """Numbers words by their stems, and remembers how most of them are written."""

    def __init__(self, language: str) -> None:
        self._stem = TextAnalyser(language).terms
        self._numbers: dict[str, int] = {}
        self._by_word: dict[str, int] = {}
        self._seen: list[dict[str, int]] = []

    def __len__(self) -> int:
        return len(self._seen)

    def number(self, word: str) -> int:
        number = self._by_word.get(word)
        if number is None:
            stem = "".join(self._stem(word)) or word
            number = self._by_word[word] = self._numbers.setdefault(stem, len(self._numbers))
            if number == len(self._seen):
                self._seen.append({})
        seen = self._seen[number]
        seen[word] = seen.get(word, 0) + 1
        return number

    def written(self) -> list[str]:
        return [max(seen, key=lambda word: (seen[word], word)) for seen in self._seen]


def rows_of(matrix: WordMatrix, pages: Iterable[int]) -> Iterable[tuple[IntArray, Floats]]:
    """Words and weights of some pages, one after the other."""
    for page in pages:
        part = slice(matrix.start[page], matrix.start[page + 1])
        yield matrix.words[part], matrix.weights[part]

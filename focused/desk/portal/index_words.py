"""The words by which a portal's search finds a page. portal_search.js cuts questions into words the same way.

Letters lose their accents and capitals. Scripts without spaces (Chinese, Japanese, Thai, ...) become pairs of letters.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator

from focused.page.text import TextAnalyser

MOST_WORDS = 250  #: of a page: those with the greatest weight
LONGEST_TEXT = 40_000  #: characters of a text that are looked at
LONGEST_WORD = 30
HEAVIEST = 15  #: weight of a word: half of it is reached by `HALF` occurrences
HALF = 3.0

_UNSPACED = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff"
_TOKEN = re.compile(rf"[{_UNSPACED}]+|[^\W_{_UNSPACED}]+")
_FIRST_UNSPACED = "\u0e00"


def words_in(text: str) -> Iterator[str]:
    """The words of a text, in order."""
    if not text.isascii():
        parts = unicodedata.normalize("NFKD", text.lower())
        text = unicodedata.normalize("NFC", "".join(one for one in parts if unicodedata.category(one)[0] != "M"))
    for token in _TOKEN.findall(text.lower()):
        if token[0] >= _FIRST_UNSPACED and len(token) > 1 and re.match(f"[{_UNSPACED}]", token):
            yield from (token[i : i + 2] for i in range(len(token) - 1))
        elif len(token) <= LONGEST_WORD:
            yield token


def words_of(texts: Iterable[tuple[str, float]]) -> list[tuple[str, int]]:
    """Words with weights from 1 to `HEAVIEST`, in alphabetical order.

    texts : of a page, and how much a word of each counts
    """
    counts: Counter[str] = Counter()
    for text, counted in texts:
        for word in words_in(text[:LONGEST_TEXT]):
            counts[word] += counted  # type: ignore[assignment]
    best = sorted(counts.items(), key=lambda one: (-one[1], one[0]))[:MOST_WORDS]
    return sorted((word, max(1, round(HEAVIEST * count / (count + HALF)))) for word, count in best)


def terms_of(weights: Iterable[tuple[str, int]], stems: TextAnalyser) -> list[str]:
    """The stems of words, each as often as its word weighs: as a classifier reads a page."""
    return [stem for word, weight in weights for stem in stems.terms(word) for _ in range(weight)]

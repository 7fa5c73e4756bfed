"""The simplest relevance there is: the share of some words that occur in a text."""

from __future__ import annotations

import string
from collections.abc import Iterable, Sequence

from focused.reading.text import TextAnalyser

_AROUND = string.punctuation.replace("+", "").replace("#", "")  # which belong to the names of languages: C++, C#


def keyword_words(keywords: Iterable[str], analyser: TextAnalyser) -> tuple[str, ...]:
    """The words of some keywords as a person would list them: lower case, each once, without stop words."""
    words = (word.strip(_AROUND) for keyword in keywords for word in keyword.lower().split())
    return tuple(dict.fromkeys(word for word in words if analyser.terms(word)))


def keyword_share(words: Sequence[str], text: str) -> float:
    """Share of the words that occur in a text, be it within a longer word, upper and lower case alike; 0 without words."""
    text = text.lower()
    return sum(word in text for word in words) / len(words) if words else 0.0

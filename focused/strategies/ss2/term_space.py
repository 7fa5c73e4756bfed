"""Over which documents terms are weighed: how many there are, how long they are, and in how many each term occurs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass


@dataclass(slots=True, frozen=True)
class TermSpace:
    """The numbers that BM25 needs of a collection.

    Attributes
    ----------
    documents : how many
    mean_length : terms of a document on average
    frequencies : term -> documents that it occurs in; only of the terms that count
    """

    documents: int
    mean_length: float
    frequencies: Mapping[str, int]

    @classmethod
    def of(cls, texts: Sequence[Sequence[str]], terms: int = 0) -> TermSpace:
        """The space of these texts (lists of terms); ``terms``: count only this many most frequent ones, 0 for all."""
        totals = Counter(term for text in texts for term in text)
        frequencies = Counter(term for text in texts for term in dict.fromkeys(text))
        kept = [term for term, _ in totals.most_common(terms or None)]
        length = sum(map(len, texts)) / len(texts) if texts else 0.0
        return cls(len(texts), length, {term: frequencies[term] for term in kept})

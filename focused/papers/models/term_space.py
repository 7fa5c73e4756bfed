"""Over which documents terms are weighed: how many there are, how long they are, and in how many each term occurs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from focused.relevance.plain_state import State, number_in, state_in, whole_in


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

    def state(self) -> dict[str, Any]:
        return {"documents": self.documents, "mean_length": self.mean_length, "frequencies": dict(self.frequencies)}

    @classmethod
    def restored(cls, state: State) -> TermSpace:
        """The space of a `state`; ValueError where it is none."""
        frequencies = state_in(state, "frequencies")
        known = {term: whole_in(frequencies, term) for term in frequencies}
        return cls(whole_in(state, "documents"), number_in(state, "mean_length"), known)

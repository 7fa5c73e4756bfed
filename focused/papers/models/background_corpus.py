"""A background corpus: texts that show which terms go together, as a matrix of counts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.sparse import csr_array

from focused.relevance.plain_state import State, array_in, texts_in, whole_in


@dataclass(slots=True, frozen=True)
class BackgroundCorpus:
    """Counts of the most frequent terms in each document.

    Attributes
    ----------
    terms : (t,) in the order of the columns, the most frequent first
    counts : (d, t) how often each term occurs in each document
    """

    terms: tuple[str, ...]
    counts: csr_array

    @classmethod
    def of(cls, texts: Sequence[Sequence[str]], terms: int) -> BackgroundCorpus:
        """The corpus of d texts (lists of terms) over their ``terms`` most frequent terms."""
        totals = Counter(term for text in texts for term in text)
        kept = tuple(term for term, _ in totals.most_common(terms))
        column = {term: number for number, term in enumerate(kept)}
        known = [Counter(column[term] for term in text if term in column) for text in texts]
        ends = np.cumsum([0, *map(len, known)])
        columns = np.array([number for row in known for number in sorted(row)], np.int32)
        values = np.array([row[number] for row in known for number in sorted(row)], np.float64)
        return cls(kept, csr_array((values, columns, ends), shape=(len(texts), len(kept))))

    def state(self) -> dict[str, Any]:
        counts = self.counts
        return {
            "terms": list(self.terms),
            "documents": counts.shape[0],
            "values": counts.data,
            "columns": counts.indices.astype(np.int32),
            "ends": counts.indptr.astype(np.int64),
        }

    @classmethod
    def restored(cls, state: State) -> BackgroundCorpus:
        """The corpus of a `state`; ValueError where it is none."""
        terms, documents = tuple(dict.fromkeys(texts_in(state, "terms"))), whole_in(state, "documents")
        values = array_in(state, "values", np.float64, None)
        columns = array_in(state, "columns", np.int32, len(values))
        ends = array_in(state, "ends", np.int64, documents + 1)
        counts = csr_array((values, columns, ends), shape=(documents, len(terms)))
        counts.check_format(full_check=True)  # scipy's C++ trusts all places
        return cls(terms, counts)

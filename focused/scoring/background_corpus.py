"""A background corpus: texts that show which terms go together, as a matrix of counts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_array


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

"""The background corpus of a latent analysis: texts without links, which give it its terms and what they have in common."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.sparse import csr_array

from focused.crawl.arrays import FloatArray, IntArray
from focused.papers.models.term_documents import TermDocuments, TermNumbers, most_frequent
from focused.relevance.plain_state import PlainState, array_in, texts_in, whole_in


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
    def restored(cls, state: PlainState) -> BackgroundCorpus:
        """The corpus of a `state`; ValueError where it is none."""
        terms, documents = tuple(dict.fromkeys(texts_in(state, "terms"))), whole_in(state, "documents")
        values = array_in(state, "values", np.float64, None)
        columns = array_in(state, "columns", np.int32, len(values))
        ends = array_in(state, "ends", np.int64, documents + 1)
        counts = csr_array((values, columns, ends), shape=(documents, len(terms)))
        counts.check_format(full_check=True)  # scipy's C++ trusts all places
        return cls(terms, counts)


class Background:
    """A trained corpus; or else texts that describe the topic, and then the first pages of the crawl.

    Its terms are the most frequent ones of its texts, and the keywords. When it has all its texts, the vocabulary is closed:
    later pages add no terms.

    Parameters
    ----------
    keywords : stems with their counts, the query; they are the first terms of the vocabulary
    texts : terms of the description and examples; of no account beside a trained corpus
    size : so many pages of the crawl are added; of no account beside a trained corpus
    trained : a corpus made before the crawl
    """

    def __init__(
        self,
        keywords: Mapping[str, int],
        texts: Sequence[Sequence[str]],
        size: int,
        trained: BackgroundCorpus | None = None,
    ) -> None:
        self._keywords = keywords
        self.vocabulary = TermNumbers([*keywords, *(trained.terms if trained else ())])
        self.vocabulary.closed = trained is not None
        self._texts = TermDocuments(self.vocabulary)
        self._size = len(texts) + size
        self.count = trained.counts.shape[0] if trained else 0  #: of texts
        self._trained = self._over_vocabulary(trained) if trained else None
        for text in texts:
            self.add(text)

    @property
    def complete(self) -> bool:
        """It has all its texts."""
        return self.vocabulary.closed

    def add(self, terms: Sequence[str]) -> None:
        """Add the text of a page, unless the corpus is complete."""
        if self.complete:
            return
        self._texts.add(self.count, terms)
        self.count += 1
        self.vocabulary.closed = self.count >= self._size

    def counts(self) -> csr_array:
        """(n, t) how often each of the t terms of the vocabulary occurs in each text."""
        return self._texts.matrix(np.arange(self.count)) if self._trained is None else self._trained

    def terms(self, counts: csr_array, most: int) -> IntArray:
        """Numbers of the terms of a space: so many of the most frequent ones, and the keywords."""
        return most_frequent(counts, most, always=range(len(self._keywords)))

    def query(self, terms: IntArray) -> FloatArray:
        """(m,) the keywords' counts over terms given by their numbers."""
        weights = np.zeros(len(self.vocabulary))
        weights[: len(self._keywords)] = list(self._keywords.values())
        return weights[terms]

    def snapshot(self) -> dict[str, Any]:
        """All that changes; nothing of a trained corpus."""
        if self._trained is not None:
            return {}
        return {"count": self.count, "vocabulary": self.vocabulary.snapshot(), "texts": self._texts.snapshot()}

    def restore(self, state: Mapping[str, Any]) -> None:
        if self._trained is None:
            self.count = state["count"]
            self.vocabulary.restore(state["vocabulary"])
            self._texts.restore(state["texts"])

    def _over_vocabulary(self, trained: BackgroundCorpus) -> csr_array:
        entries = trained.counts.tocoo()
        numbers = np.array([self.vocabulary.number(term) for term in trained.terms], np.int64)
        shape = (self.count, len(self.vocabulary))
        return csr_array((entries.data.astype(np.float64), (entries.row, numbers[entries.col])), shape)

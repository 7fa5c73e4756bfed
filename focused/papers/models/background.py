"""The background corpus of a latent analysis: texts without links, which give it its terms and what they have in common."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from scipy.sparse import csr_array

from focused.crawl.arrays import FloatArray, IntArray
from focused.papers.models.background_corpus import BackgroundCorpus
from focused.papers.models.term_documents import TermDocuments, Vocabulary, most_frequent


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
        self.vocabulary = Vocabulary([*keywords, *(trained.terms if trained else ())])
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

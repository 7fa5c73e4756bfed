"""A corpus of texts without links, as counts of its most frequent terms: what `scrapy train corpus` makes, for hcla."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_array

from focused.scoring.term_documents import TermDocuments, Vocabulary, most_frequent


@dataclass(slots=True, frozen=True)
class Corpus:
    """Counts (n, t) of t terms in n texts."""

    terms: tuple[str, ...]
    counts: csr_array


def make_corpus(texts: Sequence[Sequence[str]], most: int) -> Corpus:
    """The corpus of these texts, given as terms, with so many of their most frequent terms."""
    documents = TermDocuments(Vocabulary())
    for number, text in enumerate(texts):
        documents.add(number, text)
    counts = documents.matrix(np.arange(len(texts)))
    chosen = most_frequent(counts, most)
    terms = documents.vocabulary.terms
    return Corpus(tuple(terms[number] for number in chosen), counts[:, chosen])

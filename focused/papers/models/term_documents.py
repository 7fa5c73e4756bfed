"""Texts as counts of terms, in flat arrays that a term-document matrix is made of."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from scipy.sparse import coo_array, csr_array, eye_array

from focused.crawl.arrays import FloatArray, IntArray
from focused.crawl.link_graph import LinkGraph
from focused.scorers.plain_state import PlainState, array_in, texts_in, whole_in

Direction = Literal["in", "out", "both"]  #: which links of a page describe it: those to it, its own, or either

Edges = tuple[IntArray, IntArray]  #: (e,) sources and (e,) targets, ids of URLs


def edges_of(graph: LinkGraph, pages: IntArray) -> Edges:
    """The links of these fetched pages; copies that another thread may use."""
    targets = [graph.targets(page) for page in pages.tolist()]
    lengths = np.array([len(some) for some in targets], np.int64)
    return np.repeat(pages, lengths), np.concatenate([np.empty(0, np.int64), *targets])


def link_matrix(edges: Edges, sources: IntArray, targets: IntArray) -> csr_array:
    """(s, t) ones where one of s sources links to one of t targets, else zeros; either names each URL once."""
    rows, columns = positions(edges[0], sources), positions(edges[1], targets)
    known = (rows >= 0) & (columns >= 0)
    return csr_array((np.ones(int(known.sum())), (rows[known], columns[known])), (len(sources), len(targets)))


def links_between(edges: Edges, pages: IntArray, direction: Direction, *, own: bool) -> csr_array:
    """(p, p) which pages (rows) describe a page (columns) by being linked with it: 1 where they are, else 0.

    direction : "in": the pages that link to it; "out": the pages that it links to; "both": either
    own : each page describes itself, too
    """
    links = link_matrix(edges, pages, pages)
    described = {"in": lambda: links, "out": lambda: links.T, "both": lambda: links.maximum(links.T)}[direction]()
    return csr_array(described + eye_array(len(pages)) if own else described)


class TermNumbers:
    """Terms and their numbers, in the order in which they were first met. A closed vocabulary takes no new terms."""

    def __init__(self, terms: Iterable[str] = ()) -> None:
        self._numbers = {term: number for number, term in enumerate(dict.fromkeys(terms))}
        self.closed = False

    def __len__(self) -> int:
        return len(self._numbers)

    def number(self, term: str) -> int | None:
        """The number of a term, which is new or known; None for a term that a closed vocabulary does not know."""
        number = self._numbers.get(term)
        if number is None and not self.closed:
            number = self._numbers[term] = len(self._numbers)
        return number

    @property
    def terms(self) -> list[str]:
        """All terms, in order of number."""
        return list(self._numbers)

    def snapshot(self) -> dict[str, Any]:
        return {"terms": self.terms, "closed": self.closed}

    def restore(self, state: Mapping[str, Any]) -> None:
        self._numbers = {term: number for number, term in enumerate(state["terms"])}
        self.closed = state["closed"]


class TermDocuments:
    """How often each term of a vocabulary occurs in each document: 12 bytes for each distinct term of a document.

    Documents have numbers, such as ids of URLs. Texts added under one number are one document.
    """

    def __init__(self, vocabulary: TermNumbers) -> None:
        self.vocabulary = vocabulary
        self._documents, self._terms, self._counts = array("i"), array("i"), array("i")

    def add(self, document: int, terms: Sequence[str]) -> None:
        """Add a text; terms that the vocabulary does not take are left out."""
        for term, count in Counter(terms).items():
            number = self.vocabulary.number(term)
            if number is not None:
                self._documents.append(document)
                self._terms.append(number)
                self._counts.append(count)

    def keep(self, documents: IntArray) -> None:
        """Forget all documents but these."""
        kept = np.isin(np.array(self._documents, np.int32), documents)
        for name in ("_documents", "_terms", "_counts"):
            setattr(self, name, array("i", np.array(getattr(self, name), np.int32)[kept].tobytes()))

    def matrix(self, documents: IntArray) -> csr_array:
        """(d, t) counts of all t terms in these documents, each named once; a row of zeros for one without text."""
        rows = positions(np.array(self._documents, np.int64), documents)
        known = rows >= 0
        columns, counts = np.array(self._terms, np.int64)[known], np.array(self._counts, np.float64)[known]
        return coo_array((counts, (rows[known], columns)), (len(documents), len(self.vocabulary))).tocsr()

    def snapshot(self) -> dict[str, Any]:
        return {
            "documents": np.array(self._documents, np.int32),
            "terms": np.array(self._terms, np.int32),
            "counts": np.array(self._counts, np.int32),
        }

    def restore(self, state: Mapping[str, Any]) -> None:
        self._documents = array("i", state["documents"].tolist())
        self._terms = array("i", state["terms"].tolist())
        self._counts = array("i", state["counts"].tolist())


def most_frequent(counts: csr_array, most: int, always: Sequence[int] = ()) -> IntArray:
    """Numbers of the terms that occur most often in all documents together, ``most`` of them, and of those in ``always``.

    counts : (d, t) as `TermDocuments.matrix` gives them. Of terms equally frequent those met first are taken; a term that
    does not occur is taken only if it is in ``always``. The result is in ascending order.
    """
    totals = counts.sum(axis=0)
    ranked = np.lexsort((np.arange(len(totals)), -totals))[:most]
    return np.union1d(ranked[totals[ranked] > 0], np.asarray(always, np.int64))


def positions(values: IntArray, among: IntArray) -> IntArray:
    """(n,) where each of n values stands in ``among``, whose values are distinct; -1 for a value that does not."""
    if not len(among):
        return np.full(len(values), -1, np.int64)
    order = np.argsort(among)
    places = order[np.minimum(np.searchsorted(among, values, sorter=order), len(among) - 1)]
    return np.where(among[places] == values, places, -1)


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

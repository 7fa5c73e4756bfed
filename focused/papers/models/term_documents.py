"""Texts as counts of terms, in flat arrays that a term-document matrix is made of."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal

import numpy as np
from scipy.sparse import coo_array, csr_array, eye_array

from focused.crawl.arrays import IntArray
from focused.crawl.link_graph import LinkGraph

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

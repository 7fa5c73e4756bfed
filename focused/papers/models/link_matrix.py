"""The links between pages as a sparse matrix whose rows are sources and whose columns are targets."""

from __future__ import annotations

from typing import Literal

import numpy as np
from scipy.sparse import csr_array, eye_array

from focused.crawl.arrays import IntArray
from focused.crawl.link_graph import LinkGraph
from focused.papers.models.term_documents import positions

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

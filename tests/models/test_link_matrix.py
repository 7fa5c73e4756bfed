"""The link matrix: rows are sources, columns are targets, and a page may be described by links of either direction."""

import numpy as np
import pytest

from focused.crawl.link_graph import LinkGraph
from focused.papers.models.term_documents import Direction, edges_of, link_matrix, links_between

PAGES = np.array([4, 2])


def graph() -> LinkGraph:
    """4 links to 2 and 9, 2 to 9 and 8, 6 to 4."""
    links = LinkGraph()
    for page, targets in ((4, [2, 9]), (2, [9, 8]), (6, [4])):
        links.add(page, np.array(targets))
    return links


def test_edges_are_those_of_the_pages_asked_for() -> None:
    sources, targets = edges_of(graph(), PAGES)
    assert (sources.tolist(), targets.tolist()) == ([4, 4, 2, 2], [2, 9, 9, 8])
    assert [len(some) for some in edges_of(graph(), np.array([], np.int64))] == [0, 0]


def test_the_matrix_has_ones_where_a_source_links_to_a_target() -> None:
    edges = edges_of(graph(), np.array([4, 2, 6]))
    assert link_matrix(edges, PAGES, np.array([8, 9, 5])).toarray().tolist() == [[0, 1, 0], [1, 1, 0]]


@pytest.mark.parametrize(
    ("direction", "expected"), [("in", [[0, 1], [0, 0]]), ("out", [[0, 0], [1, 0]]), ("both", [[0, 1], [1, 0]])]
)
def test_a_page_is_described_by_links_to_it_or_its_own_or_both(direction: Direction, expected: list[list[int]]) -> None:
    edges = edges_of(graph(), PAGES)
    assert links_between(edges, PAGES, direction, own=False).toarray().tolist() == expected
    with_itself = links_between(edges, PAGES, direction, own=True).toarray()
    assert with_itself.tolist() == (np.array(expected) + np.eye(2)).tolist()

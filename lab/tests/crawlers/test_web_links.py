"""The links of a web: between pages, each once, after redirects, in both directions."""

from __future__ import annotations

import numpy as np

from lab.crawlers.web_links import NO_PAGE, WebLinks


def nodes(*values: int) -> np.ndarray:
    return np.array(values, np.int32)


# URL 1 redirects to page 3, URL 2 fails; page 0 links to all and twice to 3, page 3 to itself and to 0.
KEYS = np.array([-7, 5, 40, 41], np.int64)
LINKS = WebLinks.joined(KEYS, nodes(0, 3, NO_PAGE, 3), [nodes(1, 2, 3, 3), nodes(), nodes(), nodes(3, 0)])


def test_a_link_leads_to_the_page_at_the_end_of_a_redirect_and_counts_once():
    forward = LINKS.forward()
    assert [forward.of(nodes(node)).tolist() for node in range(4)] == [[3], [], [], [0]]


def test_backward_are_the_pages_that_link_to_a_page():
    backward = LINKS.backward()
    assert [backward.of(nodes(node)).tolist() for node in range(4)] == [[3], [], [], [0]]
    assert WebLinks.joined(KEYS, nodes(0, 1, 2, 3), [nodes(1), nodes(), nodes(1), nodes()]).backward().of(
        nodes(1)
    ).tolist() == [0, 2]


def test_what_can_be_reached_is_what_links_lead_to_and_where_they_start():
    chain = WebLinks.joined(KEYS, nodes(0, 1, 2, 3), [nodes(1), nodes(2, 0), nodes(), nodes(0)])
    assert [np.flatnonzero(chain.reachable(nodes(start))).tolist() for start in (0, 2, 3)] == [
        [0, 1, 2],
        [2],
        [0, 1, 2, 3],
    ]
    assert not chain.reachable(nodes(NO_PAGE)).any()


def test_neighbours_of_several_nodes_follow_one_another():
    every = WebLinks.joined(KEYS, nodes(0, 1, 2, 3), [nodes(3, 1), nodes(), nodes(0), nodes()])
    assert every.forward().of(nodes(2, 1, 0, 2)).tolist() == [0, 1, 3, 0]
    assert every.forward().of(nodes()).tolist() == []


def test_urls_are_found_by_key_and_unknown_ones_lead_nowhere():
    assert LINKS.pages([5, 41, 40, 6, 99]).tolist() == [3, 3, NO_PAGE, NO_PAGE, NO_PAGE]
    assert LINKS.pages([]).tolist() == []
    assert [LINKS.node(key) for key in (-7, 5, 6, 99)] == [0, 1, NO_PAGE, NO_PAGE]


def test_a_web_without_pages_has_no_links():
    empty = WebLinks.joined(np.empty(0, np.int64), nodes(), [])
    assert empty.pages([1]).tolist() == [NO_PAGE]
    assert empty.node(1) == NO_PAGE
    assert empty.backward().of(nodes()).tolist() == []

"""Link contexts: all anchors of a URL, in order of arrival, up to a bound."""

import numpy as np

from focused.collection.snapshot import decode, encode
from focused.papers.strategies.local_pulse import LinkContexts
from focused.scorers.vectors import hashed
from focused.testing.toy_world import make_page

# The anchor of a link in this toy world is the first two words of its paragraph.
PAGE = make_page("http://a.example/", ("solar cell efficiency", ["http://b.example/", "http://c.example/"]))
TARGETS = np.array([1, 2])


def pairs(contexts: LinkContexts, position: int = 0) -> list[tuple[int, int]]:
    urls, terms = contexts.since(position)
    return list(zip(urls.tolist(), terms.tolist(), strict=True))


def hashes(*terms: str) -> list[int]:
    return [int(number) for number in hashed(terms)]


def test_the_anchors_of_all_parents_are_gathered() -> None:
    contexts = LinkContexts(50)
    contexts.add(PAGE, TARGETS)
    contexts.add(make_page("http://d.example/", ("power", ["http://b.example/"])), np.array([1]))
    solar, cell, power = hashes("solar", "cell", "power")
    assert pairs(contexts) == [(1, solar), (1, cell), (2, solar), (2, cell), (1, power)]
    assert pairs(contexts, 4) == [(1, power)]
    assert len(contexts) == 5


def test_no_more_terms_than_the_bound_are_kept_of_a_url() -> None:
    contexts = LinkContexts(3)
    for _ in range(3):
        contexts.add(PAGE, TARGETS)
    solar, cell = hashes("solar", "cell")
    assert [term for url, term in pairs(contexts) if url == 1] == [solar, cell, solar]


def test_an_anchor_without_terms_adds_nothing() -> None:
    contexts = LinkContexts(50)
    contexts.add(make_page("http://a.example/", ("", ["http://b.example/"])), np.array([9]))
    assert pairs(contexts) == []


def test_restored_contexts_go_on_with_the_same_bound() -> None:
    contexts, restored = LinkContexts(3), LinkContexts(3)
    contexts.add(PAGE, TARGETS)
    restored.restore(decode(encode(contexts.snapshot())))
    for each in (contexts, restored):
        each.add(PAGE, TARGETS)
    assert pairs(restored) == pairs(contexts)

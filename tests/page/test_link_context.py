"""Lengths of the term vectors of spans, against counting each span for itself."""

from collections import Counter
from math import hypot

import pytest
from hypothesis import given
from hypothesis import strategies as st

from focused.page.reader import Span, span_norms


def naive_norm(terms: list[str], span: Span) -> float:
    return hypot(*Counter(terms[slice(*span)]).values())


@st.composite
def laminar_spans(draw: st.DrawFn) -> tuple[list[str], list[Span]]:
    """Terms, and the spans of the elements of a random tree over them."""
    terms = draw(st.lists(st.sampled_from("abcde"), max_size=40))
    spans, open_starts = [], []
    for position in range(len(terms) + 1):
        for action in draw(st.lists(st.sampled_from(["open", "close"]), max_size=4)):
            if action == "open":
                open_starts.append(position)
            elif open_starts:
                spans.append((open_starts.pop(), position))
    return terms, draw(st.permutations(spans))


@given(laminar_spans())
def test_norms_are_those_of_counting_each_span_for_itself(case: tuple[list[str], list[Span]]) -> None:
    terms, spans = case
    assert span_norms(terms, spans) == pytest.approx({span: naive_norm(terms, span) for span in spans})


def test_an_empty_span_has_no_length() -> None:
    assert span_norms([], [(0, 0)]) == {(0, 0): 0.0}
    assert span_norms(["a", "b"], [(0, 2), (1, 1), (2, 2)]) == {(0, 2): 2**0.5, (1, 1): 0.0, (2, 2): 0.0}


def test_deep_nests_read_each_term_once() -> None:
    class Terms(list[str]):
        read = 0

        def __getitem__(self, part: slice) -> list[str]:  # type: ignore[override]
            found = super().__getitem__(part)
            self.read += len(found)
            return found

    depth = 10_000
    terms = Terms(str(i) for i in range(depth))
    norms = span_norms(terms, [(i, depth) for i in range(depth)])
    assert norms[0, depth] == pytest.approx(depth**0.5)
    assert terms.read == depth

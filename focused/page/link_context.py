"""How much text stands around each link: Euclidean lengths of the term-frequency vectors of spans of a page."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import sqrt

Span = tuple[int, int]  # half-open interval of term positions


def span_norms(terms: Sequence[str], spans: Iterable[Span]) -> dict[Span, float]:
    """sqrt(sum of tf**2 over the distinct terms) of each span.

    The spans must be laminar: of two of them one contains the other or they do not overlap, as the texts of the
    elements of a tree do. Each term is counted once, in the innermost span around it; when a span ends, the smaller
    of its counts and those of the span around it are added to the larger. That takes O(n log n) for n terms however
    deep the spans are nested, where counting each span for itself takes O(n * depth).
    """
    norms: dict[Span, float] = {}
    open_spans: list[_Counts] = []
    # Outer spans come before the spans they contain; the last one is never reached and closes all the others.
    for start, end in [*sorted(set(spans), key=lambda span: (span[0], -span[1])), (len(terms) + 1, 0)]:
        while open_spans and open_spans[-1].end <= start:
            closed = open_spans.pop()
            closed.count(terms, closed.end)
            norms[closed.start, closed.end] = sqrt(closed.squares)
            if open_spans:
                open_spans[-1].take(closed)
        if open_spans:
            open_spans[-1].count(terms, start)
        open_spans.append(_Counts(start, end))
    return norms


class _Counts:
    """Term frequencies of an open span up to a position, and the sum of their squares."""

    __slots__ = ("end", "position", "squares", "start", "tf")

    def __init__(self, start: int, end: int) -> None:
        self.start = self.position = start
        self.end = end
        self.tf: dict[str, int] = {}
        self.squares = 0

    def count(self, terms: Sequence[str], until: int) -> None:
        """Count the terms from the position to `until`."""
        tf, squares = self.tf, self.squares
        for term in terms[self.position : until]:
            before = tf.get(term, 0)
            tf[term] = before + 1
            squares += 2 * before + 1  # (before + 1)**2 - before**2
        self.squares, self.position = squares, until

    def take(self, inner: _Counts) -> None:
        """Add the counts of a span inside this one that was just closed; `inner` is of no use afterwards."""
        small, large, squares = inner.tf, self.tf, self.squares
        if len(small) > len(large):
            small, large, squares = large, small, inner.squares
        for term, more in small.items():
            before = large.get(term, 0)
            large[term] = before + more
            squares += more * (2 * before + more)
        self.tf, self.squares, self.position = large, squares, inner.end

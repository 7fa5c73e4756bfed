"""Average relevance, against numbers computed by hand."""

from __future__ import annotations

import pytest

from focused.exceptions import FocusedError
from lab.measures import average_relevance
from lab.tests.measures.crawls import crawl, page

IMPORTANCE = {page("a"): 4.0, page("b"): 2.0, page("c"): 0.0, page("d"): 1.0}


@pytest.mark.parametrize(
    ("window", "expected"),
    [
        (None, [4.0, 3.0, 2.0, 7 / 4]),
        (2, [4.0, 3.0, 1.0, 0.5]),  # the mean of a and b, of b and c, of c and d
        (1, [4.0, 2.0, 0.0, 1.0]),
        (200, [4.0, 3.0, 2.0, 7 / 4]),
    ],
)
def test_it_is_the_mean_of_the_pages_so_far_or_of_the_last_in_a_window(
    window: int | None, expected: list[float]
) -> None:
    assert average_relevance(crawl("a b c d"), IMPORTANCE, window).tolist() == pytest.approx(expected)


def test_a_window_without_a_page_is_refused() -> None:
    with pytest.raises(FocusedError, match="must be 1 page or more, not 0"):
        average_relevance(crawl("a"), IMPORTANCE, 0)

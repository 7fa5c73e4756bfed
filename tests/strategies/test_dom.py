"""DOM: the page and the text around each link, weighed by alpha."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from focused.strategies.dom import Dom
from tests.contract.world import make_page, toy_world, visit_of

WORLD = toy_world({"solar": 2, "cell": 1})
VISIT = visit_of(
    make_page("http://a.example/", ("solar cell solar", ["http://b.example/"]), ("tax law", ["http://c.example/"]))
)
# cos(q, page) = 5 / sqrt 35 = 0.8451543; cos(q, context) = 5 / 5 = 1 for the first link, 0 for the second


@pytest.mark.parametrize(
    ("alpha", "scores"),
    [
        (0.25, [0.9612886, 0.2112886]),  # 0.25 * 0.8451543 + 0.75 * 1, and + 0.75 * 0: the paper's weights
        (0.5, [0.9225771, 0.4225771]),
        (0.0, [1.0, 0.0]),  # the context alone
        (1.0, [0.8451543, 0.8451543]),  # naive best-first, as the paper notes
    ],
)
def test_alpha_weighs_the_page_against_the_context(alpha: float, scores: list[float]) -> None:
    assert Dom(Dom.Options(alpha=alpha), WORLD).score(VISIT)[0] == pytest.approx(scores)


def test_alpha_is_a_quarter_as_in_the_paper() -> None:
    assert Dom.Options().alpha == 0.25


def test_the_parts_are_page_and_context() -> None:
    parts = Dom(Dom.Options(), WORLD).score(VISIT)[1]
    assert parts[0] == pytest.approx([0.8451543, 1.0])
    assert parts[1] == pytest.approx([0.8451543, 0.0])


@pytest.mark.parametrize("alpha", [-0.1, 1.1, float("nan")])
def test_alpha_outside_0_to_1_is_refused(alpha: float) -> None:
    with pytest.raises(ValidationError, match="alpha"):
        Dom.Options(alpha=alpha)

"""DOM: the page and the text around each link, weighed by alpha."""

import numpy as np
import pytest

from focused.strategies.dom import Dom
from focused.testing.toy_world import make_page, toy_world, visit_of

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
    found, parts = Dom(Dom.Options(alpha=alpha), WORLD).score(VISIT)
    assert found == pytest.approx(scores)
    assert parts == pytest.approx(np.array([[0.8451543, 1.0], [0.8451543, 0.0]]))  # page and context
    assert Dom.Options().alpha == 0.25

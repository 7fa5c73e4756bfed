"""Importances in a comparison: asked for by name, judged with the crawls, and only then."""

from __future__ import annotations

from pathlib import Path

import pytest

from focused.exceptions import FocusedError
from lab.tests.small_comparison import compared, small_experiment


def test_an_importance_that_is_asked_for_gets_curves_and_a_figure(tmp_path: Path) -> None:
    results = compared(tmp_path, "breadth_first", measures={"importance": ["in_links"], "windows": [2]})
    (one, _) = results.crawls
    # The first page has no link to it, its three links and the two of the hub have one each.
    assert one.curves["average_in_links"].tolist() == pytest.approx([0, 1 / 2, 2 / 3, 3 / 4, 4 / 5, 5 / 6])
    assert one.curves["average_in_links_2"].tolist() == [0, 0.5, 1, 1, 1, 1]
    assert one.figures["average_in_links"] == pytest.approx(5 / 6)
    assert "average_in_links_2" not in one.figures


def test_a_comparison_that_asks_for_none_has_none(tmp_path: Path) -> None:
    results = compared(tmp_path, "breadth_first")
    assert not any(name.startswith("average_in") for crawl in results.crawls for name in crawl.curves)


def test_an_unknown_importance_is_a_mistake_of_the_experiment(tmp_path: Path) -> None:
    with pytest.raises(FocusedError, match="importance: 'in_link' is unknown; did you mean in_links"):
        small_experiment(tmp_path, measures={"importance": ["in_link"]})

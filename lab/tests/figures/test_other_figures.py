"""The other figures on a made-up web: each is drawn, and says what is there."""

from __future__ import annotations

import pytest

from lab.figures.figure import Bench
from lab.figures.papers import get_figure, names, page_importance
from lab.figures.papers.discount import GAMMAS
from lab.tests.figures.bench import bench, drawn

__all__ = ["bench", "drawn"]


def test_discounts_differ_in_nothing_but_gamma(bench: Bench) -> None:
    lines = get_figure("discount").make(bench)
    assert {path.suffix for path in bench.folder.glob("figure-6.*")} == {".png", ".svg"}
    assert [line.split()[1] for line in lines if line.startswith("| gamma-")] == [
        f"gamma-{value:g}" for value in GAMMAS
    ]
    assert any(line.startswith("| the paper says") for line in lines)


def test_every_importance_has_a_column_and_an_order_of_the_crawlers(
    bench: Bench, drawn: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(page_importance, "CRAWLERS", ("best_first", "breadth_first"))
    lines = get_figure("page_importance").make(bench)
    assert drawn == ["figure-importance"]
    (heads,) = (line for line in lines if line.startswith("| crawler"))
    for label in page_importance.IMPORTANCES.values():
        assert label in heads
        assert any(line.startswith(f"| {label}") and " > " in line for line in lines)


def test_every_figure_says_what_it_is() -> None:
    for name in names():
        figure = get_figure(name)
        assert figure.paper
        assert figure.shows
        assert figure.needs
        assert figure.minutes

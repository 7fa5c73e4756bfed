"""The plots of a comparison: all that are asked for, in both formats, the same each time."""

from __future__ import annotations

from pathlib import Path

import pytest

from focused.exceptions import StorageError
from lab.results import plots
from lab.results.plots import draw
from lab.results.results import Results
from lab.tests.small_comparison import compared


@pytest.fixture(autouse=True)
def two_plots(monkeypatch: pytest.MonkeyPatch) -> None:
    """Drawing takes its time: of the curves only two."""
    kept = ("target_recall", "average_precision")
    monkeypatch.setattr(plots, "CURVES", {name: plots.CURVES[name] for name in kept})


def results_of(folder: Path) -> Results:
    return compared(folder, measures={"windows": []})


def test_a_plot_names_every_strategy_and_is_the_same_file_every_time(tmp_path: Path) -> None:
    results = results_of(tmp_path)
    pictures = [{path.name: path.read_bytes() for path in draw(results, tmp_path / name)} for name in ("a", "b")]
    assert pictures[0] == pictures[1]
    text = pictures[0]["target_recall.svg"].decode()
    assert all(f"<!-- {strategy} -->" in text for strategy in ("best_first", "breadth_first"))
    assert pictures[0]["target_recall.png"].startswith(b"\x89PNG")


def test_a_curve_that_no_crawl_has_is_not_drawn(tmp_path: Path) -> None:
    results = results_of(tmp_path)
    for crawl in results.crawls:
        del crawl.curves["average_precision"]  # type: ignore[attr-defined]
    assert [path.name for path in draw(results, tmp_path / "plots")] == [
        f"{name}.{form}" for name in ("target_recall", "area_under_recall") for form in ("png", "svg")
    ]


def test_a_picture_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    results = results_of(tmp_path)
    (tmp_path / "plots").write_text("a file where a folder is needed")
    with pytest.raises(StorageError, match="cannot write the picture"):
        draw(results, tmp_path / "plots")

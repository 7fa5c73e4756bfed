"""Draws what a comparison found: curves with bars of one standard error, as figure 4 of Pant & Menczer (2003), and areas."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import cycle, islice, zip_longest
from pathlib import Path
from typing import Any

import numpy as np

from focused.exceptions import StorageError
from focused.topic.plain_files import shown_path
from lab.results.results import MAIN, Curve, Results

FORMATS = ("png", "svg")
BARS = 10  #: of each curve: more of them hide it
DOTS = 120  #: per inch of a PNG file
WIDTH, HEIGHT = 9, 5  #: inches of axes with their legend
#: Lines that can be told apart without colour too; the numbers differ, so that pairs recur late.
STYLES: tuple[Any, ...] = ("-", "--", "-.", ":", (0, (6, 1, 1, 1, 1, 1)))
MARKERS = "osD^vXP*<>hd"
#: The colours of Okabe and Ito (2008), which the colour-blind tell apart, but for the yellow.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#000000", "#E69F00", "#56B4E9")
CURVES = {
    "harvest_rate": "harvest rate",
    "average_precision": "average precision",
    "target_recall": "recall of reachable targets",
}


def draw(results: Results, folder: Path) -> list[Path]:
    """Draw all plots as PNG and SVG; return their files. Raises StorageError if one cannot be written."""
    curves = dict(CURVES)
    for window in results.experiment.measures.windows:
        curves[f"harvest_rate_{window}"] = f"harvest rate of the last {window} pages"
    files = [
        save_picture(folder / name, curves_of(results, name, label))
        for name, label in curves.items()
        if _has(results, name)
    ]
    return [path for made in (*files, save_picture(folder / MAIN, _areas(results))) for path in made]


def _has(results: Results, curve: str) -> bool:
    return any(curve in crawl.curves for crawl in results.crawls)


def save_picture(path: Path, *fills: Callable[[Any], None], columns: int = 1) -> list[Path]:
    """Let each of ``fills`` draw into axes of its own in a new picture, and save it in all formats; return the files.

    path : of the picture, without the ending of a format
    columns : so many axes stand side by side

    Raises StorageError if it cannot be written.
    """
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    files = [path.with_name(f"{path.name}.{form}") for form in FORMATS]
    with matplotlib.rc_context({"svg.hashsalt": path.name}):  # the same picture is the same file
        rows = -(-len(fills) // columns)
        size = WIDTH * columns, HEIGHT * rows
        figure, axes = pyplot.subplots(rows, columns, figsize=size, layout="constrained", squeeze=False)
        for place, fill in zip_longest(axes.flat, fills):
            if fill is None:
                place.set_axis_off()
            else:
                fill(place)
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            for file in files:
                figure.savefig(file, dpi=DOTS, metadata={"Date": None} if file.suffix == ".svg" else None)
        except OSError as error:
            raise StorageError(f"{shown_path(path)}: cannot write the picture: {error.strerror}") from None
        finally:
            pyplot.close(figure)
    return files


def curves_of(
    results: Results, name: str, label: str, strategies: Sequence[str] = (), title: str = ""
) -> Callable[[Any], None]:
    """What draws the mean curves of one name into axes.

    label : of the vertical axis
    strategies : those to draw; none: all
    """
    chosen = strategies or results.strategies
    found = {strategy: curve for strategy in chosen if (curve := results.curve(name, strategy))}

    def fill(axes: Any) -> None:
        looks = islice(zip(cycle(STYLES), cycle(MARKERS), cycle(COLOURS), strict=False), len(found))
        for position, ((strategy, curve), (style, marker, colour)) in enumerate(zip(found.items(), looks, strict=True)):
            at = _bars(curve, position / len(found))
            errors = np.nan_to_num(curve.errors[at])
            axes.plot(curve.pages, curve.values, linestyle=style, color=colour, linewidth=1.4)
            axes.errorbar(
                *(curve.pages[at], curve.values[at]),
                yerr=errors,
                fmt=marker,
                color=colour,
                capsize=2,
                markersize=5,
                elinewidth=0.9,
            )
            axes.plot([], [], linestyle=style, marker=marker, color=colour, label=strategy)  # for the legend
        axes.set(xlabel="pages fetched", ylabel=f"{label}, mean over {len(results.topics)} topics ± 1 SE", title=title)
        axes.set_xlim(left=0)
        axes.set_ylim(bottom=0)
        axes.grid(alpha=0.3)
        axes.legend(loc="center left", bbox_to_anchor=(1.01, 0.5), frameon=False, handlelength=4)

    return fill


def _bars(curve: Curve, shift: float) -> np.ndarray[Any, np.dtype[np.int64]]:
    """Where a curve gets its bars: evenly over its pages, shifted by a part of the distance so that bars do not cover others."""
    places = (np.arange(BARS) + (shift + 0.5) / 1.5) / BARS * curve.pages[-1]
    return np.unique(np.minimum(np.searchsorted(curve.pages, places), len(curve.pages) - 1))


def _areas(results: Results) -> Callable[[Any], None]:
    def fill(axes: Any) -> None:
        found = {name: area for name in results.strategies if (area := results.mean(MAIN, name))}
        ordered = sorted(found, key=lambda name: found[name].value)
        errors = np.nan_to_num([found[name].standard_error for name in ordered])
        axes.barh(
            ordered, [found[name].value for name in ordered], xerr=errors, color="#8da9c4", edgecolor="black", capsize=3
        )
        axes.set(xlabel=f"area under the recall curve, mean over {len(results.topics)} topics ± 1 SE")
        axes.set_xlim(left=0)
        axes.grid(axis="x", alpha=0.3)

    return fill

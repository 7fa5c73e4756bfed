"""Pictures of curves, as PNG, SVG or PDF by the ending of the file's name."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from focused.exceptions import FocusedError, needs_extra


@dataclass(frozen=True)
class Line:
    """A curve by pages fetched, and a second one that is drawn thin beside it."""

    label: str
    values: NDArray[np.float64]
    thin: NDArray[np.float64] | None = None
    thin_label: str = ""


def draw_lines(
    lines: Sequence[Line], path: Path, across: str, upwards: str, highest: float | None = None, title: str = ""
) -> None:
    """Draw curves into one picture; ``across`` and ``upwards`` name the axes.

    Raises FocusedError for an ending that is not known, or a path that cannot be written.
    """
    with needs_extra("plots", "drawing a picture"):
        import matplotlib

        matplotlib.use("Agg")
        from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(8, 4.5), layout="constrained")
    for line in lines:
        pages = np.arange(1, len(line.values) + 1)
        (drawn,) = axes.plot(pages, line.values, label=line.label, linewidth=2)
        if line.thin is not None:
            axes.plot(pages, line.thin, label=line.thin_label, color=drawn.get_color(), alpha=0.4, linewidth=1)
    axes.set(xlabel=across, ylabel=upwards, xlim=(0, None), ylim=(0, highest), title=title)
    axes.grid(alpha=0.3)
    axes.legend(frameon=False)
    try:
        figure.savefig(path, dpi=120)
    except (ValueError, OSError) as error:
        raise FocusedError(f"{path}: cannot write the picture: {error}") from error
    finally:
        pyplot.close(figure)

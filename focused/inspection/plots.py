"""Draws curves as PNG, SVG or PDF, by the ending of the file's name."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from focused.exceptions import FocusedError, needs_extra

ENDINGS = (".png", ".svg", ".pdf")  #: of the names of pictures


@dataclass(frozen=True)
class Curve:
    """A curve by pages fetched, and maybe a second, thin one beside it."""

    label: str
    values: NDArray[np.float64]
    thin: NDArray[np.float64] | None = None
    thin_label: str = ""


def check_picture(path: Path) -> None:
    """Raise FocusedError if a picture cannot be drawn; call this before the work that the picture will show."""
    with needs_extra("plots", "drawing a picture"):
        import matplotlib  # noqa: F401
    if path.suffix not in ENDINGS:
        raise FocusedError(f"{path}: give a file that ends with {', '.join(ENDINGS[:-1])} or {ENDINGS[-1]}")
    if not path.absolute().parent.is_dir():
        raise FocusedError(f"{path}: there is no folder {path.parent}")


def draw_lines(lines: Sequence[Curve], path: Path, across: str, upwards: str, highest: float | None = None) -> None:
    """Draw curves into one picture; ``across`` and ``upwards`` name the axes.

    Raises FocusedError as `check_picture` does, and for a path that cannot be written.
    """
    check_picture(path)
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(8, 4.5), layout="constrained")
    for line in lines:
        pages = np.arange(1, len(line.values) + 1)
        (drawn,) = axes.plot(pages, line.values, label=line.label, linewidth=2)
        if line.thin is not None:
            axes.plot(pages, line.thin, label=line.thin_label, color=drawn.get_color(), alpha=0.4, linewidth=1)
    axes.set(xlabel=across, ylabel=upwards, xlim=(0, None), ylim=(0, highest))
    axes.grid(alpha=0.3)
    axes.legend(frameon=False)
    try:
        figure.savefig(path, dpi=120)
    except OSError as error:
        raise FocusedError(f"{path}: cannot write the picture: {error}") from error
    finally:
        pyplot.close(figure)

"""What commands share that crawl many times: where results go, how many crawls run at a time, where what was read is kept."""

from __future__ import annotations

import argparse
import os
from pathlib import Path

from focused.collection.collection import data_folder
from focused.exceptions import FocusedError
from focused.explain.command import FocusedCommand
from focused.simulation.web_opener import CACHE


class CrawlsCommand(FocusedCommand):
    """Base class of these commands."""

    program = "python -m lab"

    def add_results_options(self, parser: argparse.ArgumentParser, folder: str) -> None:
        """Add --out, --processes and --cache; ``folder`` is where results go if nobody says otherwise."""
        parser.add_argument(
            "--out", type=Path, default=Path(folder), metavar="DIR", help=f"folder of all results (default: {folder})"
        )
        parser.add_argument(
            "--processes", type=int, default=os.cpu_count() or 1, metavar="N", help="crawls at a time (default: CPUs)"
        )
        parser.add_argument("--cache", type=Path, metavar="FOLDER", help="of what was read (default: DATA_DIR/cache)")

    def how_to_crawl(self, opts: argparse.Namespace) -> tuple[Path, int, float]:
        """The folder of the cache, crawls at a time, and seconds between two lines of progress in a log.

        Raises FocusedError if no crawl may run.
        """
        assert self.settings is not None
        if opts.processes < 1:
            raise FocusedError(f"--processes {opts.processes}: give a number from 1 on")
        cache = opts.cache or data_folder(self.settings) / CACHE
        return cache, opts.processes, self.settings.getfloat("FOCUSED_PROGRESS_SECONDS", 10.0)

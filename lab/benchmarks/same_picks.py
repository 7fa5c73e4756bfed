"""Whether two versions of the code crawl alike: compares the crawls that `python -m lab experiment` wrote with each of them.

A change of the house must change no pick: compare in a checkout of the version before, then in this one, with the same options.

Example:
    git worktree add ../before v0.1
    (cd ../before && python -m lab experiment --topics topics --out "$OLDPWD/data/before" web.warc.gz)
    python -m lab experiment --topics topics --out data/after web.warc.gz
    python -m lab.benchmarks.same_picks data/before data/after
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from focused.exceptions import EvaluationError, FocusedError
from focused.explain.plain_output import TableColumn, print_table
from lab.experiment.crawl_record import CrawlRecord, read_record

COLUMNS = ("topic", "crawl", TableColumn("pages", is_number=True), "picks")


def crawls_in(folder: Path) -> dict[tuple[str, str], CrawlRecord]:
    """The crawls of an experiment by topic and the beginning of their file's name: strategy, repeat, half of the seeds."""
    paths = sorted(folder.rglob("*.json.gz"))
    if not paths:
        raise EvaluationError(f"{folder}: no crawl there; give the --out of python -m lab experiment")
    return {(path.parent.name, path.name.split(".")[0]): read_record(path) for path in paths}


def first_difference(before: CrawlRecord, after: CrawlRecord) -> int | None:
    """The number of the first page, from 1 on, that is another one; None where all are the same."""
    pairs = enumerate(zip(before.urls, after.urls, strict=False), 1)
    shorter = min(len(before.urls), len(after.urls))
    alike = None if len(before.urls) == len(after.urls) else shorter + 1
    return next((number for number, (one, other) in pairs if one != other), alike)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("before", type=Path, help="folder of an experiment (its --out)")
    parser.add_argument("after", type=Path, help="folder of the same experiment by another version of the code")
    arguments = parser.parse_args()
    before, after = crawls_in(arguments.before), crawls_in(arguments.after)
    rows, differ = [], 0
    for key in sorted(before.keys() | after.keys()):
        if key not in before or key not in after:
            told, pages = f"only in {arguments.before if key in before else arguments.after}", None
        else:
            page, pages = first_difference(before[key], after[key]), len(before[key].urls)
            told = "the same" if page is None else f"differ from page {page:,} on"
        differ += told != "the same"
        rows.append((*key, pages, told))
    print_table(COLUMNS, rows)
    sys.exit(f"{differ:,} of {len(rows):,} crawls differ" if differ else 0)


if __name__ == "__main__":
    try:
        main()
    except FocusedError as error:
        sys.exit(str(error))

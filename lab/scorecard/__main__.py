"""The scorecard: one row for the product as it ships, all defaults on, full budgets; an hour at most on two cores.

Each part is kept when it is done, for its commit: the same command goes on where it was stopped. The row goes to
lab/scorecard.csv, and what has become worse since the last row is named. Uncommitted changes are measured, but leave no row.

Example:
    python -m lab.scorecard
    python -m lab.scorecard house start traps
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from datetime import date
from pathlib import Path

from focused.exceptions import EvaluationError, FocusedError
from lab.benchmarks.crawl_cost import compare, summary
from lab.benchmarks.generated_web import GeneratedWeb
from lab.results.results_table import markdown
from lab.scorecard.card import PARTS, before, row_of, rows_of, table, worse, write_rows
from lab.scorecard.crawls import documentation, traps, webkb, wikispeedia
from lab.scorecard.house import house
from lab.scorecard.starting import starting

ROOT = Path(__file__).parents[2]
CARD = ROOT / "lab" / "scorecard.csv"
BUDGETS, REPEAT = (200, 1200), 3  #: of the crawls that tell the cost of a page


def cost() -> dict[str, float]:
    """What a page costs."""
    results = compare(GeneratedWeb(), GeneratedWeb().seeds, BUDGETS, REPEAT)
    ours, plain = summary(results, "focused"), summary(results, "plain")
    return {
        "cpu_ratio": ours["CPU ms per page"] / plain["CPU ms per page"],
        "cpu_ms": ours["CPU ms per page"],
        "memory_mb": ours["peak memory, MB"],
    }


def suite() -> dict[str, float]:
    """How long the tests take. Raises EvaluationError where one fails: its time says nothing."""
    began, used = time.monotonic(), _cpu_of_children()
    if subprocess.run(["make", "--no-print-directory", "test"], cwd=ROOT, stdout=sys.stderr, check=False).returncode:
        raise EvaluationError("make test failed")
    return {
        "suite_minutes": (time.monotonic() - began) / 60,
        "suite_cpu_minutes": (_cpu_of_children() - used) / 60,
    }


def _cpu_of_children() -> float:
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def git(*words: str) -> str:
    return subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True, check=True).stdout.strip()


def parts_of(opts: argparse.Namespace) -> dict[str, Callable[[], Mapping[str, float]]]:
    """What measures each part."""
    data = Path(os.environ.get("FOCUSED_DATASETS", "datasets"))
    crawls = opts.out / "crawls"
    return {
        "docs": lambda: documentation(crawls, opts.docs_web, opts.docs_topics),
        "webkb": lambda: webkb(crawls, data / "webkb.tar.xz"),
        "wiki": lambda: wikispeedia(crawls, data / "wikispeedia.tar.xz"),
        "traps": traps,
        "cost": cost,
        "start": lambda: starting(ROOT),
        "house": lambda: house(ROOT),
        "suite": suite,
    }


def measure(parts: Mapping[str, Callable[[], Mapping[str, float]]], folder: Path) -> dict[str, float]:
    """The figures of these parts; those that are done lie in the folder. A part that fails is told of and left out."""
    figures: dict[str, float] = {}
    for name, part in parts.items():
        kept = folder / f"{name}.json"
        if not kept.exists():
            print(f"scorecard: {name} ...", file=sys.stderr, flush=True)
            try:
                found = part()
            except FocusedError as error:
                print(f"scorecard: {name} is left out: {error}", file=sys.stderr)
                continue
            folder.mkdir(parents=True, exist_ok=True)
            kept.write_text(json.dumps(found))
        figures |= json.loads(kept.read_text())
    return figures


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"{', '.join(PARTS)} (default: all)")
    parser.add_argument(
        "--out", type=Path, default=Path("data/scorecard"), help="what is kept (default: data/scorecard)"
    )
    parser.add_argument("--docs-web", type=Path, default=Path("datasets/docs-web.warc.gz"), metavar="WARC")
    parser.add_argument("--docs-topics", type=Path, default=Path("datasets/topics.json"), metavar="JSON")
    opts = parser.parse_args()
    if unknown := [part for part in opts.parts if part not in PARTS]:
        parser.error(f"{unknown[0]}: no part of the scorecard; there are: {', '.join(PARTS)}")
    measured_files = ("--", "focused", "lab", "tests", f":!{CARD.relative_to(ROOT)}")  # the row itself changes nothing
    commit, changed = git("log", "-1", "--format=%h", *measured_files), git("status", "--porcelain", *measured_files)
    folder = opts.out / (f"{commit}-changed-{os.getpid()}" if changed else commit)
    measured = {name: part for name, part in parts_of(opts).items() if not opts.parts or name in opts.parts}
    figures = measure(measured, folder)
    rows = rows_of(CARD)
    others = [row for row in rows if row["commit"] != commit]
    row = row_of(date.today().isoformat(), commit, figures)
    print("\n".join(markdown(table(row, before(others)))))
    if names := list(worse(row, before(others))):
        print(f"\nWorse than before by more than noise: {', '.join(names)}.")
    if changed:
        print("\nThere are changes that are not committed: no row is written.")
    elif figures:
        known = next((old for old in rows if old["commit"] == commit), {})
        write_rows(CARD, [*others, {**known, **row}])
        print(f"\nThe row of {commit} is in lab/scorecard.csv.")


if __name__ == "__main__":
    try:
        main()
    except FocusedError as error:
        sys.exit(f"scorecard: {error}")
    except KeyboardInterrupt:
        sys.exit("scorecard: interrupted; the same command goes on")

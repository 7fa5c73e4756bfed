"""Changes the code of strategies, scores and measures, one small change at a time, and says which changes no test notices.

A change that no test notices is alive: something is not tested. Some change nothing that was promised; these stand in
lab/mutation/indifferent.toml, each with its reason. Results are kept in build/mutation/results until a file or its tests change, so
that an interrupted run goes on where it was. The exit code is 1 if any change is alive that is not noted.

Example:
    make mutate ONLY=focused/scoring/hits.py
    make mutate ONLY="focused/strategies/ss1 lab/measures"
"""

from __future__ import annotations

import argparse
import csv
import importlib.util
import io
import signal
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from focused.exceptions import EvaluationError, FocusedError
from focused.reporting.progress_line import ProgressLine
from focused.reporting.tables import Column, print_table
from lab.mutation.indifferent import Indifferent
from lab.mutation.mutants import Mutant, Verdict
from lab.mutation.trials import Trials
from lab.results.results_files import write_file

ROOT = Path(__file__).parents[2]
DEFAULT = ("focused/scoring", "focused/strategies", "lab/judging/tf_idf.py", "lab/measures")
SECONDS = 20.0  #: between two lines of progress in a log
NUMBERS = ("changes", "killed", "alive", "untested", "indifferent")
CHANGES = ("where", "before", "after", "verdict")
LIVING = ("alive", "untested")


def files_of(paths: Sequence[str], root: Path = ROOT) -> list[Path]:
    """The files of Python that paths name, folders with all below them; from the root, in order, each once."""
    found: dict[Path, None] = {}
    for path in map(Path, paths):
        here = (root / path).resolve()
        if not here.is_relative_to(root) or here.relative_to(root).parts[:1] not in (("focused",), ("lab",)):
            raise EvaluationError(f"{path}: no code of focused or lab; give a file or folder such as {DEFAULT[0]}")
        files = sorted(here.rglob("*.py")) if here.is_dir() else [here]
        if not files or not all(file.suffix == ".py" and file.is_file() for file in files):
            raise EvaluationError(f"{path}: no file of Python there; give a file or folder such as {DEFAULT[0]}")
        found |= dict.fromkeys(file.relative_to(root) for file in files if file.name != "__init__.py")
    return list(found)


def numbers_of(mutants: Sequence[Mutant], noted: Indifferent) -> list[int]:
    """How many changes a file has, and how many of them are what NUMBERS names."""
    counts = Counter(
        "indifferent" if mutant.verdict in LIVING and noted.reason(mutant) else mutant.verdict for mutant in mutants
    )
    return [len(mutants), *(counts[name] for name in NUMBERS[1:])]


def alive_in(mutants: Sequence[Mutant], noted: Indifferent) -> list[tuple[str, str, str, str]]:
    """Rows of the changes that no test notices, without those that are noted."""
    return [
        (f"{mutant.file}:{mutant.line}", mutant.before, mutant.after, mutant.verdict)
        for mutant in mutants
        if mutant.verdict in LIVING and not noted.reason(mutant)
    ]


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m lab.mutation.mutate", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("paths", nargs="*", help=f"files or folders of code (default: {' '.join(DEFAULT)})")
    parser.add_argument("--quick", action="store_true", help="strategies without the tests of saving and going on")
    parser.add_argument("--processes", type=int, default=1, help="changes tried at a time (default 1)")
    parser.add_argument("--out", type=Path, default=ROOT / "build" / "mutation", help="folder (default build/mutation)")
    arguments = parser.parse_args()
    files, noted = files_of(arguments.paths or DEFAULT), Indifferent.read()
    if importlib.util.find_spec("mutmut") is None:
        raise EvaluationError("mutmut is not installed here: make mutate installs it")
    out = arguments.out.resolve()
    trials = Trials(ROOT, out, arguments.processes, quick=arguments.quick)
    progress = ProgressLine(SECONDS)
    rows: list[list[object]] = []
    alive: list[tuple[str, str, str, str]] = []
    for number, file in enumerate(files, 1):

        def show(verdicts: list[Verdict], file: Path = file, number: int = number) -> None:
            tried, living = len(verdicts) - verdicts.count("pending"), verdicts.count("alive")
            line = f"file {number} of {len(files)}, {file}: {tried} of {len(verdicts)} changes tried, {living} alive"
            progress.show(lambda: line, number - 1 + tried / max(1, len(verdicts)), len(files))

        mutants = trials.mutants(file, show)
        rows.append([str(file), *numbers_of(mutants, noted)])
        alive += alive_in(mutants, noted)
        for name, heading, table in (("files", ("file", *NUMBERS), rows), ("alive", CHANGES, alive)):
            text = io.StringIO(newline="")
            csv.writer(text).writerows([heading, *table])
            write_file(out / f"{name}.csv", text.getvalue().encode())
    progress.close()
    print_table(CHANGES, alive, "Changes that no test notices")
    print()
    print_table(("file", *(Column(name, is_number=True) for name in NUMBERS)), rows)
    print(f"\nThe tables are in {out}: files.csv, alive.csv.")
    sys.exit(f"{len(alive):,} changes are alive: write a test that notices, or note why none need" if alive else 0)


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # so that mutmut ends with this process
    try:
        main()
    except FocusedError as error:
        sys.exit(str(error))
    except KeyboardInterrupt:
        sys.exit("interrupted: the same command goes on with the files that are not done")

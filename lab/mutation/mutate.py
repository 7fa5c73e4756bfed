"""Changes the code of strategies, scores and measures, one small change at a time, and says which changes no test notices.

A change that no test notices is alive: something is not tested. Some change nothing that was promised; these stand in
lab/mutation/indifferent.toml, each with its reason. Results are kept in build/mutation/results until a file or its tests change, so
that an interrupted run goes on where it was. The exit code is 1 if any change is alive that is not noted.

Example:
    make mutate ONLY=focused/papers/strategies/focused.py
    make mutate ONLY="focused/papers/strategies/ss1 lab/measures.py"
"""

from __future__ import annotations

import argparse
import csv
import hashlib
import importlib.util
import io
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import asdict, replace
from pathlib import Path

from focused.exceptions import EvaluationError, FocusedError
from focused.explain.plain_output import ProgressLine, TableColumn, print_table
from focused.topic.plain_files import writing
from focused.wings import WINGS
from lab.mutation.mutants import Indifferent, Mutant, Verdict, read_mutants, verdicts_of
from lab.results.results_files import write_file

COPIED = ("focused", "lab", "tests", "models", "docs", "pyproject.toml", "scrapy.cfg")
#: What the contract of every strategy says of saving and going on; formulas are tested strategy by strategy.
CONTRACT = (
    "tests/contract/test_crawls.py::test_a_restored_crawl_goes_on_as_if_nothing_had_happened",
    "tests/contract/test_strategies.py::test_it_keeps_the_contract",
)
NO_TEST = "could not find any test case"  #: mutmut ends with these words where no test calls any function of a file
LOOK_SECONDS = 1.0  #: between two looks at how far mutmut is
SETTINGS = """
[tool.mutmut]
source_paths = ["focused", "lab"]
only_mutate = [{file}]
also_copy = ["models", "docs", "scrapy.cfg"]
pytest_add_cli_args = ["-p", "no:xdist", "-p", "no:cacheprovider", "-p", "no:unraisableexception", \
"-p", "lab.mutation.fresh_modules", "--hypothesis-profile=ci", "-k", {keywords}]
pytest_add_cli_args_test_selection = {tests}
timeout_multiplier = 10.0
timeout_constant = 2.0
use_setproctitle = false
use_git_change_detection = false
"""  # the profile "ci" of Hypothesis: the same examples each time


def selected_tests(file: Path, *, quick: bool = False) -> tuple[list[str], str]:
    """The tests that are about a file: paths from the root, and an expression for ``pytest -k``.

    They are the folder that corresponds to that of the file; of a strategy that is one file, ``dom.py``, the folder of tests or the
    file that corresponds, ``tests/strategies/test_dom.py``. Strategies must keep their contract besides, unless it shall be
    ``quick``. mutmut takes of all these the tests that call the function that is changed.
    """
    package, *parts = file.parts
    folder = Path("lab/tests" if package == "lab" else "tests", *parts[:-1])
    if len(parts) == 1:  # a module without a folder has a folder of tests
        return [str(folder / file.stem)], ""
    if parts[0] in WINGS and len(parts) > 2:  # tests of a wing lie by its rooms
        parts = parts[1:]
        folder = Path("tests", *parts[:-1])
    if parts[0] != "strategies":
        return [str(folder)], ""
    name = Path(parts[1]).stem
    several = folder / name if len(parts) == 2 else folder
    own = several if several.is_dir() else folder / f"test_{name}.py"
    return ([str(own)], "") if quick else ([str(own), *CONTRACT], f"not contract or [{name}")


class Trials:
    """Tries all changes of files, one file after the other.

    Parameters
    ----------
    root : of the project
    folder : of the copy of the project, and of the results, which are not made again while the file and its tests are the same
    processes : changes tried at a time
    quick : see `selected_tests`
    """

    def __init__(self, root: Path, folder: Path, processes: int = 1, *, quick: bool = False) -> None:
        self._root, self._folder, self._processes, self._quick = root, folder, processes, quick
        self._work = folder / "work"

    def mutants(self, file: Path, progress: Callable[[list[Verdict]], None]) -> list[Mutant]:
        """The mutants of a file with their verdicts; ``progress`` gets the verdicts so far now and then."""
        result, digest = self._folder / "results" / f"{file}.json", self._digest(file)
        try:
            kept = json.loads(result.read_text())
            if kept["digest"] == digest:
                return [Mutant(**mutant) for mutant in kept["mutants"]]
        except (OSError, ValueError, KeyError, TypeError):
            pass  # none was kept, or an older version kept it
        is_tested = self._run(file, progress)
        found = read_mutants(self._work, str(file))
        if not is_tested:
            found = [replace(mutant, verdict="untested") for mutant in found]
        kept = {"digest": digest, "mutants": [asdict(mutant) for mutant in found]}
        write_file(result, json.dumps(kept, indent=1).encode())
        return found

    def _digest(self, file: Path) -> str:
        """Of the file and of all tests that are about it."""
        paths = [self._root / file]
        for name in selected_tests(file, quick=self._quick)[0]:
            test = self._root / name.partition("::")[0]
            paths += sorted(test.rglob("*.py")) if test.is_dir() else [test]
        return hashlib.sha256(b"\0".join(path.read_bytes() for path in paths)).hexdigest()

    def _run(self, file: Path, progress: Callable[[list[Verdict]], None]) -> bool:
        """Let mutmut try all changes of a file; whether there is any test to try them with."""
        with writing(self._work):
            self._copy()
        tests, keywords = selected_tests(file, quick=self._quick)
        texts = {"file": json.dumps(str(file)), "tests": json.dumps(tests), "keywords": json.dumps(keywords)}
        project = (self._root / "pyproject.toml").read_text() + SETTINGS.format(**texts)
        (self._work / "pyproject.toml").write_text(project)
        shutil.rmtree(self._work / "mutants", ignore_errors=True)
        command = [sys.executable, "-m", "mutmut", "run", "--max-children", str(self._processes)]
        log = self._folder / "mutmut.log"
        with log.open("wb") as out:
            environment = os.environ | {"PYTHONHASHSEED": "0"}
            mutmut = subprocess.Popen(command, cwd=self._work, stdout=out, stderr=out, env=environment)
            try:
                while mutmut.poll() is None:
                    time.sleep(LOOK_SECONDS)
                    self._look(file, progress)
            finally:
                mutmut.terminate()
                mutmut.wait()
        if not mutmut.returncode:
            return True
        said = log.read_text(errors="replace").replace("\r", "\n").strip()
        if NO_TEST in said:
            return False
        last = said.rpartition("\n")[2]
        raise EvaluationError(f"{file}: mutmut ended with {mutmut.returncode}: {last}; all it said is in {log}")

    def _copy(self) -> None:
        """The project as it is now."""
        shutil.rmtree(self._work, ignore_errors=True)
        for name in COPIED:
            source, target = self._root / name, self._work / name
            target.parent.mkdir(parents=True, exist_ok=True)
            if source.is_dir():
                shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__"))
            else:
                shutil.copy2(source, target)

    def _look(self, file: Path, progress: Callable[[list[Verdict]], None]) -> None:
        with suppress(EvaluationError):  # mutmut has not begun, or is just writing
            progress(list(verdicts_of(self._work, str(file)).values()))


ROOT = Path(__file__).parents[2]
DEFAULT = (
    "focused/strategies",
    *(
        f"focused/scorers/{name}.py"
        for name in ("plain_state", "relevance", "similarity", "vectors", "verdict_teacher")
    ),
    *("lab/judging/evidence.py", "lab/measures.py"),
)
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
    print_table(("file", *(TableColumn(name, is_number=True) for name in NUMBERS)), rows)
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

"""Runs mutmut on a file in a copy of the project, with the tests that are about this file, and reads what came of it."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict, replace
from pathlib import Path

from focused.exceptions import EvaluationError
from focused.topic.plain_files import writing
from lab.mutation.mutants import Mutant, Verdict, read_mutants, verdicts_of
from lab.results.results_files import write_file

COPIED = ("focused", "lab", "tests", "models", "docs", "pyproject.toml", "scrapy.cfg")
#: What the contract of every strategy says of saving and going on; formulas are tested strategy by strategy.
CONTRACT = (
    "tests/contract/test_crawls.py::test_a_restored_crawl_goes_on_as_if_nothing_had_happened",
    "tests/contract/test_strategies.py::TestHowItGoesOn::test_a_restored_strategy_goes_on_as_if_nothing_had_happened",
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

    They are the folder that corresponds to that of the file; of a strategy that is one file, ``dom.py``, the file of tests that
    corresponds, ``tests/strategies/test_dom.py``. Strategies must keep their contract besides, unless it shall be ``quick``. mutmut
    takes of all these the tests that call the function that is changed.
    """
    package, *parts = file.parts
    folder = Path("lab/tests" if package == "lab" else "tests", *parts[:-1])
    if parts[0] != "strategies":
        return [str(folder)], ""
    name = Path(parts[1]).stem
    own = folder / f"test_{name}.py" if len(parts) == 2 else folder
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

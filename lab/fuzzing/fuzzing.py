"""Fuzzing of one target: cases that were kept first, then new ones until the time is over; what breaks is kept as a file."""

from __future__ import annotations

import faulthandler
import random
import time
import traceback
from collections.abc import Callable
from dataclasses import dataclass, field
from hashlib import blake2b
from pathlib import Path

from focused.exceptions import EvaluationError
from lab.fuzzing.mutations import mutated, shrunk
from lab.fuzzing.targets import Target

RUNNING = "running"  #: file that holds the case under way: it is still there if that ended the process
CASE = ".case"  #: ends the name of a file that holds a case
HANGS = 60.0  #: seconds after which a case ends the process, wherever it is
SHRINKING = 20.0  #: seconds at most to make a case shorter
POOL = 300  #: cases that are changed again

Tell = Callable[[int, int], None]  #: told how many cases were tried and how many findings there are


@dataclass(slots=True)
class Fuzzed:
    """What came of it. ``findings``: files, each with what was raised."""

    tried: int = 0
    findings: dict[Path, str] = field(default_factory=dict)


def fuzz(target: Target, folder: Path, seconds: float, seed: int = 0, tell: Tell = lambda *_: None) -> Fuzzed:
    """Try cases for a time. Raises EvaluationError where the folder cannot be written.

    folder : of findings, which are tried first; made if it is not there
    seed : of chance: the same cases in the same order
    """
    found = Fuzzed()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        _keep_what_ended_the_last_run(folder, found)
        for path in sorted(folder.glob(f"*{CASE}")):
            _try(target, path.read_bytes(), folder, found)
        _try_new_ones(target, folder, found, random.Random(seed), time.monotonic() + seconds, tell)
    except OSError as error:
        raise EvaluationError(f"{folder}: findings cannot be kept: {error.strerror or error}") from None
    return found


def _try_new_ones(target: Target, folder: Path, found: Fuzzed, chance: random.Random, end: float, tell: Tell) -> None:
    pool = list(target.cases)
    for case in pool:
        _try(target, case, folder, found)
    while time.monotonic() < end:
        case = mutated(chance.choice(pool), pool, chance)
        if _try(target, case, folder, found) and chance.random() < 0.1:
            if len(pool) < POOL:
                pool.append(case)
            else:
                pool[chance.randrange(len(target.cases), POOL)] = case
        tell(found.tried, len(found.findings))


def _try(target: Target, case: bytes, folder: Path, found: Fuzzed) -> bool:
    """Whether a case breaks nothing; one that does is kept."""
    running = folder / RUNNING
    running.write_bytes(case)
    faulthandler.dump_traceback_later(HANGS, exit=True)
    try:
        broken = _broken(target, case)
    except KeyboardInterrupt:
        running.unlink()
        raise
    finally:
        faulthandler.cancel_dump_traceback_later()
    running.unlink()
    found.tried += 1
    if broken is None:
        return True
    _keep(target, case, broken, folder, found)
    return False


def _keep(target: Target, case: bytes, broken: Exception, folder: Path, found: Fuzzed) -> None:
    """Keep the shortest case that is found to break the same thing; the traceback lies beside it."""
    end = time.monotonic() + SHRINKING

    def fails(shorter: bytes) -> bool:
        return time.monotonic() < end and _place(_broken(target, shorter)) == _place(broken)

    place = _place(broken)
    path = folder / f"{blake2b(repr(place).encode(), digest_size=6).hexdigest()}{CASE}"
    if path in found.findings:
        return
    path.write_bytes(shrunk(case, fails))
    lines = "".join(traceback.format_exception(broken))
    path.with_suffix(".txt").write_text(lines, encoding="utf-8", errors="backslashreplace")
    found.findings[path] = f"{type(broken).__name__}: {broken}"[:200]


def _broken(target: Target, case: bytes) -> Exception | None:
    try:
        target.run(case)
    except Exception as error:
        return error
    return None


def _place(broken: Exception | None) -> tuple[str, str, int] | None:
    """What is raised, and where: equal for cases that break the same thing."""
    if broken is None:
        return None
    frames = traceback.extract_tb(broken.__traceback__)
    return type(broken).__name__, Path(frames[-1].filename).name, frames[-2 if len(frames) > 1 else -1].lineno or 0


def _keep_what_ended_the_last_run(folder: Path, found: Fuzzed) -> None:
    running = folder / RUNNING
    if running.exists():
        path = folder / f"ended-{blake2b(running.read_bytes(), digest_size=6).hexdigest()}{RUNNING}"
        running.rename(path)
        found.findings[path] = f"took more than {HANGS:.0f} s, or ended the process that tried it"

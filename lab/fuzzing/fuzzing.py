"""Fuzzing of one target: cases that were kept first, then new ones until the time is over; what breaks is kept as a file."""

from __future__ import annotations

import faulthandler
import random
import time
import traceback
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from pathlib import Path

from focused.exceptions import EvaluationError
from lab.fuzzing.targets import Target

MAX_LENGTH = 60_000  #: bytes of a case; what takes O(n**2) shows by then
MANY = (2, 3, 10, 100, 1_000, 10_000)  #: times that something is repeated

#: What has broken readers before: ends, controls, marks, numbers at limits, encodings that are none, hosts that cannot be.
UNKIND = (
    *(b"\0", b"\n", b"\r\n", b"\t", b" ", b"<", b">", b"&", b"%", b"%00", b"%FF", b"'", b'"', b"\\", b"#", b"?", b"@", b":"),
    *(b"\xff", b"\xfe\xff", b"\xef\xbb\xbf", b"\xed\xa0\x80", b"\xc3", "\u0301\u0316".encode(), "\ufdfa".encode()),
    *("\u202e".encode(), "\u200b".encode(), "\u3002".encode(), "\U0001f4a9".encode(), "ß".encode(), "İ".encode(), "\x85".encode()),
    *(b"-1", b"0", b"1e999", b"nan", b"99999999999999999999", b"65536", b"0x7f.1", b"[::1]", b"[::ffff:1.2.3.4]", b"xn--a"),
    *(b"<!--", b"-->", b"<![CDATA[", b"]]>", b"<script>", b"</p>", b"<p>", b"<a href=", b"<base href=", b"<svg>", b"</body>"),
    *(b"&#0;", b"&#x110000;", b"&NotEqualTilde;", b"charset=hex", b"charset=utf-7", b"charset=utf-16", b"user:secret@"),
    *(b"..", b"/../", b"//", b"{", b"}", b"[", b"]", b"\"\"\"", b"*", b"$", b"(?", b"\x1b[2J"),
)  # fmt: skip


def mutated(case: bytes, others: Sequence[bytes], chance: random.Random) -> bytes:
    """A case with one to eight changes, at most `MAX_LENGTH` long. ``others``: to take pieces from."""
    data = bytearray(case)
    for _ in range(chance.randint(1, 8)):
        chance.choice(_CHANGES)(data, others, chance)
    return bytes(data[:MAX_LENGTH])


def shrunk(case: bytes, fails: Callable[[bytes], bool]) -> bytes:
    """A shorter case that still fails: pieces are left out, from large ones to single bytes, as long as it does."""
    size = len(case) // 2
    while size:
        start = 0
        while start < len(case):
            shorter = case[:start] + case[start + size :]
            if fails(shorter):
                case = shorter
            else:
                start += size
        size //= 2
    return case


def _span(data: bytearray, chance: random.Random) -> tuple[int, int]:
    start = chance.randint(0, len(data))
    return start, min(len(data), start + chance.choice((1, 2, 4, 16, 64, 1024)))


def _leave_out(data: bytearray, _: Sequence[bytes], chance: random.Random) -> None:
    start, end = _span(data, chance)
    del data[start:end]


def _repeat(data: bytearray, _: Sequence[bytes], chance: random.Random) -> None:
    start, end = _span(data, chance)
    piece = bytes(data[start:end])
    times = min(chance.choice(MANY), MAX_LENGTH // max(1, len(piece)))
    data[end:end] = piece * times


def _insert(data: bytearray, _: Sequence[bytes], chance: random.Random) -> None:
    place = chance.randint(0, len(data))
    data[place:place] = chance.choice(UNKIND) * chance.choice((1, 1, 1, 2, 50))


def _change(data: bytearray, _: Sequence[bytes], chance: random.Random) -> None:
    if data:
        data[chance.randrange(len(data))] = chance.randrange(256)


def _move(data: bytearray, _: Sequence[bytes], chance: random.Random) -> None:
    start, end = _span(data, chance)
    piece = bytes(data[start:end])
    del data[start:end]
    place = chance.randint(0, len(data))
    data[place:place] = piece


def _graft(data: bytearray, others: Sequence[bytes], chance: random.Random) -> None:
    other = bytearray(chance.choice(others))
    start, end = _span(other, chance)
    place = chance.randint(0, len(data))
    data[place:place] = other[start:end]


_CHANGES = (_leave_out, _repeat, _insert, _insert, _change, _move, _graft)


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

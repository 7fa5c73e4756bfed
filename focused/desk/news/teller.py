"""A process that runs one command with news on its standard input, and notes that they are told.

``python -m focused.desk.news.teller`` takes an order as JSON on its standard input, and does nothing before the order is whole.
What went wrong it says in one line.
"""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path

from focused.desk.news.looks import Look, Looks
from focused.exceptions import FocusedError, StorageError
from focused.page.plain_text import LONGEST_REASON, plain

LOCK = "watch.lock"
MOST_SECONDS = 600.0  #: for which a command may run


def told(folder: Path, reader: str, look: Look, upto: int, text: str, command: Sequence[str]) -> str:
    """Run the command and note the look; return what went wrong, empty if nothing did."""
    with _alone(folder):
        looks = Looks(folder)
        if looks.last(reader, look.mark) != look:
            return "the news were told meanwhile, by another scrapy report --new"
        looks.check_writable()
        if trouble := _run(command, text):
            return trouble
        looks.note(reader, look, upto)
    return ""


def _run(command: Sequence[str], text: str) -> str:
    kept = "the news are kept for the next time"
    name = plain(command[0], LONGEST_REASON)
    try:
        done = subprocess.run(
            command, input=text.encode(), capture_output=True, timeout=MOST_SECONDS, check=False, shell=False
        )
    except subprocess.TimeoutExpired:
        return f"{name}: still running after {MOST_SECONDS:g} s, so it was ended; {kept}"
    except (OSError, ValueError) as error:
        return f"{name}: cannot be run: {getattr(error, 'strerror', None) or error}; {kept}"
    if done.returncode:
        said = (done.stderr or done.stdout).decode(errors="replace").strip().splitlines()
        last = f": {plain(said[-1], LONGEST_REASON)}" if said else ""
        return f"{name}: ended with {done.returncode}{last}; {kept}"
    return ""


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """No other process tells news of this collection meanwhile; the lock goes with the process, however that ends."""
    try:
        with closing(sqlite3.connect(folder / LOCK, timeout=0, isolation_level=None)) as lock:
            lock.execute("BEGIN EXCLUSIVE")
            yield
    except sqlite3.Error as error:
        if "locked" in str(error):
            raise StorageError(f"{folder.name}: another scrapy report is telling its news just now") from None
        raise StorageError(
            f"{folder / LOCK}: {error}: check the permissions of the folder and the space on its disk"
        ) from None


def main() -> None:
    try:
        order = json.loads(sys.stdin.buffer.read())
    except ValueError:  # whoever gave it was killed half way: nothing was told
        return
    try:
        look = Look(**order["look"])
        said = told(Path(sys.argv[1]), order["reader"], look, order["upto"], order["text"], order["command"])
    except FocusedError as error:
        said = str(error)
    try:
        print(plain(said), flush=True)
    except OSError:  # nobody listens any more
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


if __name__ == "__main__":
    main()

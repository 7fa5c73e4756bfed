"""News told by a command of the user's own: once, however this process ends.

The command runs in a process beside this one (``python -m focused.desk.news.telling FOLDER``, which takes an order as JSON on its
standard input), and that one notes what was told: whoever kills `scrapy report` half way neither loses the news nor makes the next
look tell them twice.
"""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
from collections.abc import Sequence
from contextlib import closing
from dataclasses import asdict
from pathlib import Path

from focused.collection.collection import locked
from focused.desk.job import Job
from focused.desk.news.letter import LastLook, News, ReadMarks
from focused.exceptions import FocusedError
from focused.page.plain_text import LONGEST_REASON, plain
from focused.topic.mistakes import shown

LOCK = "watch.lock"
MOST_SECONDS = 600.0  #: for which a command may run


class TellingError(FocusedError):
    """A command could not tell the news; they are kept for the next look."""


def command_of(text: str) -> list[str]:
    """A command as a list of words. No shell reads it. Raises TellingError for one that is none."""
    try:
        words = shlex.split(text)
    except ValueError as error:
        raise TellingError(f"--command {shown(text)}: {error}") from None
    if not words:
        raise TellingError("--command: nothing is named, as in: --command 'mail -s News me@example.org'")
    return words


def tell(folder: Path, reader: str, news: News, text: str, command: list[str]) -> None:
    """Give a text to a command on its standard input; note that the reader has been told, if it ends with 0.

    Raises TellingError where it does not; then nothing is noted.
    """
    order = {"reader": reader, "look": asdict(news.look), "upto": news.upto, "text": text, "command": command}
    process = Job("focused.desk.news.telling", str(folder.absolute()), stderr=None)
    answer, _ = process.communicate(json.dumps(order).encode())
    trouble = answer.decode(errors="replace").strip()
    if process.returncode or trouble:
        raise TellingError(plain(trouble) or f"the process that tells the news ended with {process.returncode}")


def told(folder: Path, reader: str, look: LastLook, upto: int, text: str, command: Sequence[str]) -> str:
    """Run the command and note the look; return what went wrong, empty if nothing did."""
    with closing(locked(folder / LOCK, f"{folder.name}: another scrapy report is telling its news just now")):
        looks = ReadMarks(folder)
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


def main() -> None:
    try:
        order = json.loads(sys.stdin.buffer.read())
    except ValueError:  # whoever gave it was killed half way: nothing was told
        return
    try:
        look = LastLook(**order["look"])
        said = told(Path(sys.argv[1]), order["reader"], look, order["upto"], order["text"], order["command"])
    except FocusedError as error:
        said = str(error)
    try:
        print(plain(said), flush=True)
    except OSError:  # nobody listens any more
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


if __name__ == "__main__":
    main()

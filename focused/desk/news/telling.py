"""News told by a command of the user's own: once, however this process ends.

The command runs in a process beside this one, which notes by itself what was told: whoever kills `scrapy report` half way neither
loses the news nor makes the next look tell them twice.
"""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
from dataclasses import asdict
from pathlib import Path

from focused.desk.news.letter import News
from focused.exceptions import FocusedError
from focused.page.plain_text import plain
from focused.topic.mistakes import shown


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
    process = subprocess.Popen(
        [sys.executable, "-m", "focused.desk.news.teller", str(folder.absolute())],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        start_new_session=True,  # what ends this process is not to end the mail half way
    )
    answer, _ = process.communicate(json.dumps(order).encode())
    trouble = answer.decode(errors="replace").strip()
    if process.returncode or trouble:
        raise TellingError(plain(trouble) or f"the process that tells the news ended with {process.returncode}")

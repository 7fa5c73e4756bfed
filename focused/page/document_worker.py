"""What runs in the process of `document_process`: it reads documents from its standard input until that ends."""

from __future__ import annotations

import json
import resource
import sys
from contextlib import suppress

from focused.page.document_process import ANSWER, HEAD, MEMORY
from focused.page.documents import Document, read_pdf
from focused.page.page import Unreadable


def main() -> None:
    asked, answers = sys.stdin.buffer, sys.stdout.buffer
    sys.stdout = sys.stderr  # whatever a library prints is no answer
    _limit(resource.RLIMIT_AS, MEMORY)
    _limit(resource.RLIMIT_CORE, 0)
    while head := asked.read(HEAD.size):
        length, seconds = HEAD.unpack(head)
        body = asked.read(length)
        used = resource.getrusage(resource.RUSAGE_SELF)
        _limit(resource.RLIMIT_CPU, int(used.ru_utime + used.ru_stime) + 1 + seconds)
        data = json.dumps(_answer(read_pdf(body))).encode()
        answers.write(ANSWER.pack(len(data)) + data)
        answers.flush()


def _answer(found: Document | Unreadable) -> tuple[str, str, bool, str, str]:
    if isinstance(found, Unreadable):
        return "", "", False, "", found.reason
    return found.title, found.text, found.truncated, found.author, ""


def _limit(of: int, most: int) -> None:
    """Set a limit, where the system lets us: the process is killed when it uses more CPU, and gets no more memory."""
    hard = resource.getrlimit(of)[1]
    with suppress(OSError, ValueError):  # macOS knows no limit of address space
        resource.setrlimit(of, (most if hard == resource.RLIM_INFINITY else min(most, hard), hard))

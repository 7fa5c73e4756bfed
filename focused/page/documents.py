"""Title and text of PDF documents, read by a process of their own: started for the first, reused, killed.

A PDF of 2 KB can ask for any time and any memory, so the process has limits of both.
"""

from __future__ import annotations

import atexit
import json
import logging
import os
import resource
import selectors
import signal
import struct
import subprocess
import sys
import threading
import time
from contextlib import suppress
from dataclasses import astuple, dataclass
from io import BytesIO
from pathlib import Path
from types import ModuleType
from typing import IO, TYPE_CHECKING

from focused.exceptions import needs_extra
from focused.page.page import Unreadable

if TYPE_CHECKING:
    from pypdf import PdfReader

MAX_PDF_BYTES = 20_000_000
MAX_PDF_PAGES = 100  #: pages that are read
MAX_TITLE_LENGTH = 10_000  #: characters
TOO_LARGE = "PDF needs too much memory"
MAX_TEXT_LENGTH = 1_000_000  #: characters; no further page is read when the text reaches it


@dataclass(slots=True, frozen=True)
class Document:
    """What is read from a document without links. ``truncated``: it has more pages than were read.

    author : as its metadata say; empty where they say nothing
    """

    title: str
    text: str
    truncated: bool
    author: str = ""


def read_pdf(body: bytes) -> Document | Unreadable:
    """Title and text of a PDF document, white space collapsed; Unreadable if it is encrypted, broken or asks for too much."""
    pypdf = pdf_library()
    logging.getLogger("pypdf").setLevel(logging.CRITICAL)  # it warns about every flaw of every file
    try:
        reader = pypdf.PdfReader(BytesIO(body))
        if reader.is_encrypted and not reader.decrypt(""):  # many are encrypted only to forbid printing
            return Unreadable("encrypted PDF")
        return _read_pages(reader)
    except MemoryError:
        return Unreadable(TOO_LARGE)
    except Exception:  # a broken file raises anything: PdfReadError, KeyError, RecursionError, ...
        return Unreadable("broken PDF")


def pdf_library() -> ModuleType:
    """What reads PDF documents: 0.15 s to import, which only topics with documents need. FocusedError where it is missing."""
    with needs_extra("pdf", "[reading] documents"):
        import pypdf
    return pypdf


def _read_pages(reader: PdfReader) -> Document:
    metadata = reader.metadata
    texts: list[str] = []
    length = 0
    for page in reader.pages[:MAX_PDF_PAGES]:
        if length >= MAX_TEXT_LENGTH:
            break
        texts.append(page.extract_text())
        length += len(texts[-1])
    return Document(
        title=_line((metadata and metadata.title) or ""),
        text=" ".join(" ".join(texts)[:MAX_TEXT_LENGTH].split()),
        truncated=len(texts) < len(reader.pages) or length > MAX_TEXT_LENGTH,
        author=_line((metadata and metadata.author) or ""),
    )


def _line(text: str) -> str:
    return " ".join(text[:MAX_TITLE_LENGTH].split())


LIVE_SECONDS = 5  #: of CPU for a document that a crawl fetches
#: For one that is read again. What was read within `LIVE_SECONDS` is read within these too, however busy the machine is: else a
#: crawl that goes on would lose pages that it had.
AGAIN_SECONDS = 60
PATIENCE = 20  #: times as long by the clock: a process that does not even use its CPU time hangs
MEMORY = 1 << 30  #: bytes of address space

#: What stands before a document: its length, and seconds of CPU.
HEAD = struct.Struct(">QI")
#: What stands before an answer: its length.
ANSWER = struct.Struct(">Q")
TOO_SLOW = "PDF takes too long to read"
_WORKER = "from focused.page.documents import serve; serve()"


class DocumentProcess:
    """Reads one document at a time; threads wait for each other.

    program : in Python, what the process runs
    """

    def __init__(self, program: str = _WORKER) -> None:
        self._program = program
        self._process: subprocess.Popen[bytes] | None = None
        self._owner = 0
        self._lock = threading.Lock()

    def read(self, body: bytes, seconds: int = AGAIN_SECONDS) -> Document | Unreadable:
        """Title and text of a PDF document; Unreadable as `read_pdf` says, or if it is too large or too slow.

        seconds : of CPU
        """
        if len(body) > MAX_PDF_BYTES:
            return Unreadable(f"PDF larger than {MAX_PDF_BYTES // 1_000_000} MB")
        with self._lock:
            return self._ask(body, seconds)

    def close(self) -> None:
        """Kill the process; the next document starts another."""
        process, self._process = self._process, None
        if process is None or self._owner != os.getpid():  # that of the process which this one was forked from
            return
        process.kill()
        process.wait()
        for pipe in (process.stdin, process.stdout):
            if pipe is not None:
                pipe.close()

    def _ask(self, body: bytes, seconds: int) -> Document | Unreadable:
        process = self._started()
        assert process.stdin is not None and process.stdout is not None
        deadline = time.monotonic() + seconds * PATIENCE
        try:
            process.stdin.write(HEAD.pack(len(body), seconds) + body)
            process.stdin.flush()
            (length,) = ANSWER.unpack(_exactly(process.stdout, ANSWER.size, deadline))
            found = json.loads(_exactly(process.stdout, length, deadline))
        except TimeoutError:
            self.close()
            return Unreadable(TOO_SLOW)
        except (EOFError, OSError):
            out_of_time = process.wait() == -signal.SIGXCPU
            self.close()
            return Unreadable(TOO_SLOW if out_of_time else TOO_LARGE)
        except BaseException:  # such as Ctrl-C: what it says next would be the answer to another question
            self.close()
            raise
        if found == [TOO_LARGE]:  # what it took it may not give back
            self.close()
        return Document(*found) if len(found) > 1 else Unreadable(*found)

    def _started(self) -> subprocess.Popen[bytes]:
        if self._process is not None and self._owner == os.getpid() and self._process.poll() is None:
            return self._process
        self.close()
        path = os.pathsep.join(place or str(Path.cwd()) for place in sys.path)
        self._owner = os.getpid()
        self._process = subprocess.Popen(
            [sys.executable, "-c", self._program],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={**os.environ, "PYTHONPATH": path},
            start_new_session=True,  # Ctrl-C is for the crawl, which ends in its own time
        )
        return self._process


def _exactly(pipe: IO[bytes], length: int, deadline: float) -> bytes:
    """So many bytes of a pipe. Raises EOFError where it ends before, TimeoutError after a time by `time.monotonic`."""
    found = bytearray()
    with selectors.DefaultSelector() as selector:
        selector.register(pipe, selectors.EVENT_READ)
        while len(found) < length:
            if not selector.select(max(0.0, deadline - time.monotonic())):
                raise TimeoutError
            piece = os.read(pipe.fileno(), length - len(found))
            if not piece:
                raise EOFError
            found += piece
    return bytes(found)


_shared = DocumentProcess()
atexit.register(_shared.close)
read_document = _shared.read


def serve() -> None:
    """What the process runs: it reads documents from its standard input until that ends."""
    asked, answers = sys.stdin.buffer, sys.stdout.buffer
    sys.stdout = sys.stderr  # whatever a library prints is no answer
    _limit(resource.RLIMIT_AS, MEMORY)
    _limit(resource.RLIMIT_CORE, 0)
    while head := asked.read(HEAD.size):
        length, seconds = HEAD.unpack(head)
        body = asked.read(length)
        used = resource.getrusage(resource.RUSAGE_SELF)
        _limit(resource.RLIMIT_CPU, int(used.ru_utime + used.ru_stime) + 1 + seconds)
        data = json.dumps(astuple(read_pdf(body))).encode()
        answers.write(ANSWER.pack(len(data)) + data)
        answers.flush()


def _limit(of: int, most: int) -> None:
    """Set a limit, where the system lets us: the process is killed when it uses more CPU, and gets no more memory."""
    hard = resource.getrlimit(of)[1]
    with suppress(OSError, ValueError):  # macOS knows no limit of address space
        resource.setrlimit(of, (most if hard == resource.RLIM_INFINITY else min(most, hard), hard))

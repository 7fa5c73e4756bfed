"""Documents are read in a process of their own, which is stopped when it takes too much."""

import os
import threading
import time
import zlib
from collections.abc import Iterator

import pytest

from focused.page import documents
from focused.page.documents import MAX_PDF_BYTES, TOO_LARGE, TOO_SLOW, Document, DocumentProcess
from focused.page.page import Unreadable
from focused.page.reader import Reader, ReadingOptions


def pdf(pages: int, size: int) -> bytes:
    """A document whose pages all draw the same content, of so many bytes when it is unpacked."""
    drawn = b"BT /F1 12 Tf 10 100 Td (solar) Tj ET\n"
    content = zlib.compress(drawn * (size // len(drawn) + 1), 9)
    font = b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>"
    objects = [
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"<</Type/Pages/Kids[" + b"3 0 R " * pages + b"]/Count %d>>" % pages,
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]/Contents 4 0 R/Resources<</Font<</F1" + font + b">>>>>>",
        b"<</Length %d/Filter/FlateDecode>>stream\n" % len(content) + content + b"\nendstream",
    ]
    out, offsets = b"%PDF-1.4\n", []
    for number, written in enumerate(objects, start=1):
        offsets.append(len(out))
        out += b"%d 0 obj\n" % number + written + b"\nendobj\n"
    places = b"".join(b"%010d 00000 n \n" % offset for offset in offsets)
    end = b"trailer<</Size 5/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF" % len(out)
    return out + b"xref\n0 5\n0000000000 65535 f \n" + places + end


GOOD, BOMB = pdf(1, 30), pdf(100, 1_000_000)
WORDS = Document("", "solar", truncated=False)


@pytest.fixture
def process() -> Iterator[DocumentProcess]:
    process = DocumentProcess()
    yield process
    process.close()


def test_one_process_reads_one_document_after_the_other(process: DocumentProcess) -> None:
    assert process.read(GOOD) == WORDS
    first = process._process
    assert process.read(b"%PDF-1.4 broken") == Unreadable("broken PDF")
    assert process.read(GOOD) == WORDS
    assert process._process is first


def test_a_document_that_takes_too_long_is_given_up_and_the_next_is_read(process: DocumentProcess) -> None:
    before = time.process_time()
    assert len(BOMB) < 5_000
    assert process.read(BOMB, seconds=1) == Unreadable(TOO_SLOW)
    assert process.read(GOOD) == WORDS
    assert time.process_time() - before < 0.5  # of our own


def program(*lines: str) -> str:
    """What answers the first document only."""
    return "\n".join(("import os, sys, time, json", "from focused.page.documents import *", *lines))


def test_a_document_that_asks_for_too_much_memory_is_given_up() -> None:
    lines = (
        "from focused.page import documents",
        "documents._read_pages = lambda _: bytearray(MEMORY)",
    )
    hungry = DocumentProcess(program(*lines, "documents.serve()"))
    assert hungry.read(GOOD) == Unreadable(TOO_LARGE)
    assert hungry._process is None


@pytest.mark.parametrize("ends", ["os.kill(os.getpid(), 9)", "os._exit(0)", "sys.stdout.write('x'); os._exit(1)"])
def test_a_process_that_dies_costs_its_document_only(ends: str) -> None:
    dying = DocumentProcess(program("sys.stdin.buffer.read(HEAD.size)", ends))
    assert dying.read(GOOD) == Unreadable(TOO_LARGE)
    assert dying._process is None


def test_a_process_that_hangs_is_killed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(documents, "PATIENCE", 0.5)
    hanging = DocumentProcess(program("time.sleep(100)"))
    assert hanging.read(GOOD, seconds=1) == Unreadable(TOO_SLOW)
    assert hanging._process is None


def test_a_document_that_is_too_large_is_not_even_sent() -> None:
    never = DocumentProcess("raise SystemExit('started')")
    assert never.read(b"x" * (MAX_PDF_BYTES + 1)) == Unreadable("PDF larger than 20 MB")
    assert never._process is None


def test_threads_get_the_answers_to_their_own_documents(process: DocumentProcess) -> None:
    found: dict[int, object] = {}
    threads = [
        threading.Thread(target=lambda n=n: found.update({n: process.read(GOOD if n % 2 else b"%PDF")}))
        for n in range(6)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == {n: WORDS if n % 2 else Unreadable("broken PDF") for n in range(6)}


def test_a_forked_process_starts_its_own(process: DocumentProcess, monkeypatch: pytest.MonkeyPatch) -> None:
    process.read(GOOD)
    of_parent = process._process
    assert of_parent is not None
    monkeypatch.setattr(os, "getpid", lambda: 0)
    assert process.read(GOOD) == WORDS
    assert process._process is not of_parent
    process.close()
    monkeypatch.undo()
    assert of_parent.poll() is None  # it is not ours to kill
    of_parent.kill()
    of_parent.communicate()


def test_a_reader_that_is_told_what_a_document_says_does_not_ask_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("focused.page.reader.read_document", lambda _: pytest.fail("asked"))
    reader = Reader(ReadingOptions(documents=True))
    told = Document("Title", "solar power", truncated=True)
    page = reader.read("http://h/", b"%PDF-", "application/pdf", document=told)
    assert (page.title, page.text, page.truncated) == ("Title", "solar power", True)
    assert reader.read("http://h/", b"%PDF-", "application/pdf", document=Unreadable(TOO_SLOW)) == Unreadable(TOO_SLOW)

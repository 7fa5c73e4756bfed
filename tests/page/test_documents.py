"""Text of PDF documents."""

from io import BytesIO

import pytest
from pypdf import PdfWriter
from pypdf.generic import DecodedStreamObject, DictionaryObject, NameObject

from focused.page import documents
from focused.page.documents import Document, read_pdf
from focused.page.page import Unreadable


def pdf(*texts: str, title: str = "", author: str = "", password: str | None = None) -> bytes:
    """A PDF document with one page for each text."""
    writer = PdfWriter()
    font = DictionaryObject({NameObject("/Type"): NameObject("/Font"), NameObject("/Subtype"): NameObject("/Type1")})
    font[NameObject("/BaseFont")] = NameObject("/Helvetica")
    fonts = DictionaryObject({NameObject("/F1"): font})
    for text in texts:
        page = writer.add_blank_page(width=200, height=200)
        page[NameObject("/Resources")] = DictionaryObject({NameObject("/Font"): fonts})
        content = DecodedStreamObject()
        content.set_data(f"BT /F1 12 Tf 10 100 Td ({text}) Tj ET".encode())
        page[NameObject("/Contents")] = writer._add_object(content)
    writer.add_metadata({"/Title": title, "/Author": author})
    if password is not None:
        writer.encrypt(password, "owner", algorithm="AES-256")
    out = BytesIO()
    writer.write(out)
    return out.getvalue()


def test_title_and_text_of_all_pages_are_read() -> None:
    assert read_pdf(pdf("Solar  cells", "and wind", title=" A title ")) == Document(
        "A title", "Solar cells and wind", truncated=False
    )


def test_its_author_is_read() -> None:
    assert read_pdf(pdf("Sun", author=" A.  Author ")) == Document("", "Sun", truncated=False, author="A. Author")


def test_a_document_that_anyone_may_open_is_read() -> None:
    assert read_pdf(pdf("Solar", password="")) == Document("", "Solar", truncated=False)


def test_a_document_with_a_password_is_unreadable() -> None:
    assert read_pdf(pdf("Solar", password="secret")) == Unreadable("encrypted PDF")


@pytest.mark.parametrize("body", [b"x", b"%PDF-1.4", pdf("Solar")[:400]])
def test_a_broken_document_is_unreadable(body: bytes) -> None:
    assert read_pdf(body) == Unreadable("broken PDF")


def test_only_so_many_pages_and_bytes_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    body = pdf("one", "two", "three")
    monkeypatch.setattr(documents, "MAX_PDF_PAGES", 2)
    assert read_pdf(body) == Document("", "one two", truncated=True)
    monkeypatch.setattr(documents, "MAX_TEXT_LENGTH", 3)
    assert read_pdf(body) == Document("", "one", truncated=True)

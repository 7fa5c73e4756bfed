"""A page that was packed is the same page again, whatever stands in it."""

from hypothesis import given
from hypothesis import strategies as st

from focused.page.page import Page
from focused.page.reader import Reader, ReadingOptions
from focused.simulation.analysed_web import packed, packed_page, plain_value, unpacked_page

READER = Reader(ReadingOptions())


def packed_and_unpacked(page: Page) -> Page:
    return unpacked_page(*plain_value(packed(packed_page(page))))


@given(st.lists(st.tuples(st.text(), st.text(), st.booleans())), st.text())
def test_a_page_is_what_it_was(links: list[tuple[str, str, bool]], text: str) -> None:
    anchors = "".join(
        f"<li><a href='/{href}' {'rel=nofollow' * marked}>{anchor}</a></li>" for href, anchor, marked in links
    )
    page = READER.read("http://a.example/", f"<title>{text}</title>{text}<ul>{anchors}</ul>".encode("utf-8", "replace"))
    assert isinstance(page, Page)
    assert packed_and_unpacked(page) == page


def test_plain_text_that_is_no_unicode_is_kept() -> None:
    page = READER.read("http://a.example/", b"+2D0- solar", "text/plain; charset=utf-7")
    assert isinstance(page, Page)
    assert packed_and_unpacked(page) == page

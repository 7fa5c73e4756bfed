"""A person's own examples: URLs, lists, bookmarks."""

from pathlib import Path

import pytest

from focused.exceptions import FocusedError
from focused.papers.taxonomies.importing import own_examples
from tests.taxonomies.dumps import write

BOOKMARKS = """<!DOCTYPE NETSCAPE-Bookmark-file-1>
<TITLE>Bookmarks</TITLE>
<DL><p><DT><H3>Energy</H3>
  <DL><p><DT><A HREF="https://sun.example/" ADD_DATE="1">The sun</A>
         <DT><A HREF="place:sort=8">Recent</A> <DT><A HREF="relative.html">Nowhere</A></DL></DL>"""


def test_urls_lists_and_bookmarks_add_up(tmp_path: Path) -> None:
    listed = write(tmp_path / "urls.txt", "http://wind.example/#top  # mine\n")
    bookmarks = write(tmp_path / "bookmarks.html", BOOKMARKS)
    assert own_examples(["http://a.example", str(listed), str(bookmarks)]) == {
        "http://a.example/": "",
        "http://wind.example/": "",
        "https://sun.example/": "The sun",
    }


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ("ftp://a.example/", "'ftp://a.example/' is not an http\\(s\\) URL"),
        ("nowhere.txt", "'nowhere.txt': neither an http\\(s\\) URL nor a file"),
    ],
)
def test_what_is_neither_is_told(given: str, message: str) -> None:
    with pytest.raises(FocusedError, match=message):
        own_examples([given])


def test_a_file_with_a_mistake_or_without_a_link_is_told(tmp_path: Path) -> None:
    with pytest.raises(FocusedError, match=r"urls\.txt: line 2: 'rubbish' is not an http\(s\) URL"):
        own_examples([str(write(tmp_path / "urls.txt", "\nrubbish\n"))])
    with pytest.raises(FocusedError, match=r"empty\.html: holds no http\(s\) URL"):
        own_examples([str(write(tmp_path / "empty.html", "<p>nothing"))])

"""A person's own examples: URLs, and files of them such as the bookmarks of a browser."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from focused.exceptions import TaxonomyError
from focused.page.page import Page
from focused.page.reader import Reader, ReadingOptions
from focused.papers.taxonomies.importing import LONGEST_TEXT, RULES
from focused.topic.mistakes import shown
from focused.topic.plain_files import at_home, read_bytes, read_urls, shown_path

NO_PLACE = "http://bookmarks.invalid/"


def own_examples(given: Iterable[str]) -> dict[str, str]:
    """URL -> title (empty where none is told) of what a person gives: URLs, .txt files of URLs, .html files with links.

    Raises TaxonomyError for what is neither, and for a file without a link.
    """
    found: dict[str, str] = {}
    for text in given:
        if "://" in text:
            found.setdefault(_url(text), "")
            continue
        path = at_home(text)
        if not path.is_file():
            raise TaxonomyError(f"{shown(text)}: neither an http(s) URL nor a file")
        before = len(found)
        for url, title in _of_file(path):
            found.setdefault(url, title)
        if len(found) == before:
            raise TaxonomyError(f"{shown_path(path)}: holds no http(s) URL that was not given already")
    return found


def _of_file(path: Path) -> Iterator[tuple[str, str]]:
    if path.suffix.lower() not in (".html", ".htm"):
        yield from ((_url(url, f"{shown_path(path)}: line {number}: "), "") for number, url in read_urls(path))
        return
    page = Reader(ReadingOptions(max_bytes=0)).read(NO_PLACE, read_bytes(path), "text/html")
    if isinstance(page, Page):
        yield from ((link.url, link.anchor[:LONGEST_TEXT]) for link in page.links if not link.url.startswith(NO_PLACE))


def _url(text: str, where: str = "") -> str:
    url = RULES.canonical(text)
    if url is None:
        raise TaxonomyError(f"{where}{shown(text)} is not an http(s) URL")
    return url

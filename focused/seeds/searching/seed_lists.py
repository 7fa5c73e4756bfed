"""Lists of URLs as people have them: bookmarks, OPML, feeds, sitemaps, tables, plain lists. The kind is told by the content.

The file may come from anywhere: nothing is fetched for it, no entity is replaced, and no more than `MOST_URLS` are taken.
"""

from __future__ import annotations

import csv
import io
import re
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice

from scrapy.utils.sitemap import Sitemap

from focused.exceptions import SearchError
from focused.page.decoding import HTML_TYPES, decode, media_type
from focused.page.link_lists import read_link_list
from focused.page.page import Page
from focused.page.plain_text import LONGEST_TITLE, plain
from focused.page.reader import Reader, ReadingOptions
from focused.page.urls import host_of
from focused.page.xml_documents import local_name, parsed_xml
from focused.seeds.searching.result_pages import ranked
from focused.seeds.searching.search_provider import Found

MOST_BYTES = 20_000_000  #: of a file, also unpacked
MOST_URLS = 10_000  #: that are taken from one
NO_HOST = "http://file.invalid/"  #: where a file lies that lies nowhere on the Web
URL_COLUMNS = ("url", "link", "address", "final_url", "href")  #: headings of a table, the usual one first
GZIP = b"\x1f\x8b"
_URL = re.compile(r"https?://\S+", re.IGNORECASE)


@dataclass(frozen=True)
class SeedList:
    """What was in a file.

    kind : in words, such as ``bookmarks``
    sitemaps : further lists that it names, of an index of sitemaps
    """

    kind: str
    found: list[Found]
    sitemaps: tuple[str, ...] = ()


def read_list(data: bytes, content_type: str = "", url: str = NO_HOST) -> SeedList:
    """The URLs in a file.

    url : where it came from; of an HTML page there only links to other hosts count

    Raises SearchError for one that is too large, or that holds none.
    """
    if data[:2] == GZIP:
        data, content_type = _unpacked(data), ""
    if len(data) > MOST_BYTES:
        raise SearchError(f"it is longer than {MOST_BYTES:,} bytes")
    listed = _read(data, content_type, url)
    if not listed.found and not listed.sitemaps:
        raise SearchError(f"no http(s) URL is found in it (read as {listed.kind})")
    return listed


def _read(data: bytes, content_type: str, url: str) -> SeedList:
    data = data.removeprefix(b"\xef\xbb\xbf").lstrip()
    if not data.startswith((b"<", b"\xff\xfe<", b"\xfe\xff\0<")):
        return _lines(_text(data, content_type))
    if _is_html(data, content_type):
        return SeedList("a page of links", ranked_urls(_links(data, content_type, url)))
    try:
        root = parsed_xml(data)
    except ValueError as error:
        raise SearchError(str(error)) from None
    match local_name(root):
        case "opml":
            outlines = (element for element in root.iter() if local_name(element) == "outline")
            rows = (
                (one.get("htmlUrl") or one.get("url") or one.get("xmlUrl") or "", one.get("text", ""))
                for one in outlines
            )
            return SeedList("OPML", ranked_urls(rows))
        case "urlset" | "sitemapindex":
            sitemap = Sitemap(data)
            places = [str(entry["loc"]) for entry in islice(sitemap, MOST_URLS) if entry.get("loc")]
            if sitemap.type == "sitemapindex":
                return SeedList("an index of sitemaps", [], tuple(places))
            return SeedList("a sitemap", ranked_urls((place, "") for place in places))
        case "feed" | "rss" | "rdf":
            feed = read_link_list(data)
            entries = feed.entries if feed else ()
            return SeedList("a feed", ranked((one.url, one.title, one.summary) for one in entries))
        case other:
            raise SearchError(f"XML of the kind <{plain(other, 40)}> is no list of URLs that is known here")


def _is_html(data: bytes, content_type: str) -> bool:
    """Bookmarks say of themselves that they are no HTML of any standard."""
    start = data[:2000].lower()
    if b"netscape-bookmark" in start or b"<html" in start or b"<!doctype html" in start:
        return b"<opml" not in start
    return media_type(content_type, data) in HTML_TYPES and not start.startswith(b"<?xml")


def _links(data: bytes, content_type: str, url: str) -> Iterator[tuple[str, str]]:
    page = Reader(ReadingOptions(max_bytes=0)).read(url, data, content_type or "text/html")
    here = host_of(url)
    for link in page.links if isinstance(page, Page) else ():
        if link.host != here:
            yield link.url, link.anchor


def _text(data: bytes, content_type: str) -> str:
    """Characters; of bytes that are no UTF-8 those that URLs are made of come through in any case."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return decode(data, content_type or "text/plain")


def _lines(text: str) -> SeedList:
    """A table with a column of URLs, or a list with one URL a line."""
    heading = text.partition("\n")[0]
    for mark in ",;\t":
        names = [name.strip().strip('"').lower() for name in heading.split(mark)]
        column = next((names.index(name) for name in URL_COLUMNS if name in names), None)
        if column is not None:
            return SeedList("a table", ranked_urls(_cells(text, mark, column, names)))
    lines = (line for line in text.splitlines() if not line.lstrip().startswith("#"))
    urls = ((found[0], "") for line in lines if (found := _URL.search(line)))
    return SeedList("a list of URLs", ranked_urls(urls))


def _cells(text: str, mark: str, column: int, names: list[str]) -> Iterator[tuple[str, str]]:
    title = names.index("title") if "title" in names else None
    try:
        for row in islice(csv.reader(io.StringIO(text), delimiter=mark), 1, None):
            if len(row) > column:
                yield row[column].strip().lstrip("'"), row[title] if title is not None and len(row) > title else ""
    except csv.Error:  # a cell without an end: what came before it counts
        return


def ranked_urls(rows: Iterable[tuple[str, str]]) -> list[Found]:
    """URLs with their titles, each once, in their order."""
    each: dict[str, str] = {}
    for url, title in rows:
        if _URL.match(url):
            each.setdefault(url, title)
        if len(each) == MOST_URLS:
            break
    return [Found(url, plain(title, LONGEST_TITLE), "", rank) for rank, (url, title) in enumerate(each.items(), 1)]


def _unpacked(data: bytes) -> bytes:
    """What is in a gzip file, no more than is read of any. Raises SearchError."""
    try:
        return zlib.decompressobj(wbits=31).decompress(data, MOST_BYTES + 1)
    except zlib.error as error:
        raise SearchError(f"it is no gzip file that can be unpacked: {error}") from None

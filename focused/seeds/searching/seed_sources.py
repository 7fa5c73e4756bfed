"""Where a person has URLs already: a file, an address, an earlier crawl, an article of Wikipedia.

Lists of URLs as people have them: bookmarks, OPML, feeds, sitemaps, tables, plain lists. The kind is told by the content.

The file may come from anywhere: nothing is fetched for it, no entity is replaced, and no more than `MOST_URLS` are taken.

What a Wikipedia article links to outside, and what a category holds, by the API of MediaWiki.

Where its robots.txt bars the API, the page itself is read instead: for an article that gives the same links.
"""

from __future__ import annotations

import csv
import io
import json
import re
import zlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any
from urllib.parse import quote, unquote, urlencode, urlsplit

from focused.collection.collection import DATABASE, opened
from focused.collection.store import IS_VERSION
from focused.exceptions import FocusedError, SearchError
from focused.live.responses import headers_of
from focused.page.decoding import decode
from focused.page.link_lists import is_whole, local_name, of_sitemap, parsed_xml, read_link_list
from focused.page.media_types import HTML_TYPES, media_type
from focused.page.page import Page
from focused.page.plain_text import LONGEST_TITLE, plain
from focused.page.reader import Reader, ReadingOptions
from focused.page.urls import UrlRules, host_of
from focused.seeds.searching.search_providers import SearchResult, ranked
from focused.seeds.searching.seed_search import Origin
from focused.seeds.searching.web_questions import WebQuestions
from focused.topic.plain_files import at_home
from focused.topic.topic import http_url

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
    found: list[SearchResult]
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
            urls = ((one.get("htmlUrl") or one.get("url") or one.get("xmlUrl") or "", one) for one in outlines)
            return SeedList("OPML", ranked_urls((url, one.get("text", "")) for url, one in urls if is_whole(url)))
        case "urlset" | "sitemapindex" as kind:
            places = [entry.url for entry in islice(of_sitemap(root), MOST_URLS)]
            if kind == "sitemapindex":
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


def ranked_urls(rows: Iterable[tuple[str, str]]) -> list[SearchResult]:
    """URLs with their titles, each once, in their order."""
    each: dict[str, str] = {}
    for url, title in rows:
        if _URL.match(url):
            each.setdefault(url, title)
        if len(each) == MOST_URLS:
            break
    named = ((url, plain(title, LONGEST_TITLE)) for url, title in each.items())
    return [SearchResult(url, title, "", rank) for rank, (url, title) in enumerate(named, 1)]


def _unpacked(data: bytes) -> bytes:
    """What is in a gzip file, no more than is read of any. Raises SearchError."""
    try:
        return zlib.decompressobj(wbits=31).decompress(data, MOST_BYTES + 1)
    except zlib.error as error:
        raise SearchError(f"it is no gzip file that can be unpacked: {error}") from None


#: Domains of wikis whose API lies at /w/api.php and whose pages lie at /wiki/.
WIKIS = ("wikipedia.org", "wikibooks.org", "wikiversity.org", "wikivoyage.org", "wiktionary.org", "wikinews.org")
PAGES = "/wiki/"
CATEGORY = 14  #: number of the namespace
MOST_MEMBERS = 50  #: articles of a category


def is_wiki_page(url: str) -> bool:
    """Whether a URL is that of a page of one of `WIKIS`."""
    parts = urlsplit(url)
    host = parts.hostname or ""
    return parts.path.startswith(PAGES) and any(f".{host}".endswith(f".{wiki}") for wiki in WIKIS)


async def wiki_links(url: str, web: WebQuestions) -> SeedList:
    """The links of an article to other sites; of a category its articles, and the sites that most of them link to.

    Raises SearchError where neither the API nor the page can be had, or nothing is found.
    """
    title = unquote(urlsplit(url).path.removeprefix(PAGES)).replace("_", " ")
    try:
        pages = await _pages(url, web, titles=title, prop="extlinks", ellimit="max")
        if not any(page.get("ns") == CATEGORY for page in pages):
            return _listed("links of an article", _outside(pages))
        of_category = {"gcmtitle": title, "gcmtype": "page", "gcmlimit": str(MOST_MEMBERS)}
        every = {"prop": "extlinks", "ellimit": "max", "generator": "categorymembers"}
        members = await _pages(url, web, **every, **of_category)
        return _listed("a category", [*(_address(url, page) for page in members), *_outside(members)])
    except SearchError as error:
        if "robots.txt" not in str(error):
            raise
    return await _at(url, web)


async def _pages(url: str, web: WebQuestions, **question: str) -> list[dict[str, Any]]:
    """The pages in an answer of the API."""
    parts = urlsplit(url)
    query = urlencode({"action": "query", "format": "json", "formatversion": "2", **question})
    answer = await web.ask(f"{parts.scheme}://{parts.netloc}/w/api.php?{query}", accept="application/json")
    try:
        pages = json.loads(answer.body)["query"]["pages"]
    except (ValueError, RecursionError, LookupError, TypeError):
        raise SearchError("its API says nothing of such a page") from None
    return [page for page in pages if isinstance(page, dict)] if isinstance(pages, list) else []


def _outside(pages: Iterable[dict[str, Any]]) -> list[str]:
    """URLs that the pages link to, first those that most of them have."""
    counts = Counter(
        link["url"]
        for page in pages
        if isinstance(links := page.get("extlinks"), list)
        for link in links
        if isinstance(link, dict) and isinstance(link.get("url"), str)
    )
    return [f"https:{url}" if url.startswith("//") else url for url, _ in counts.most_common()]


def _address(url: str, page: dict[str, Any]) -> str:
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}{PAGES}{quote(str(page.get('title', '')).replace(' ', '_'))}"


def _listed(kind: str, urls: Iterable[str]) -> SeedList:
    found: list[SearchResult] = ranked_urls((url, "") for url in urls)
    if not found:
        raise SearchError("there is no such page, or it links to no other site")
    return SeedList(kind, found)


MOST_OF_A_CRAWL = 100  #: pages of an earlier crawl, the most relevant ones
MOST_SITEMAPS = 5  #: of an index, that are read
BEST = f"""
SELECT u.url, f.title FROM fetches f JOIN urls u ON u.id = f.final_url
WHERE {IS_VERSION} AND f.relevant ORDER BY f.relevance DESC, f.seq LIMIT {MOST_OF_A_CRAWL}"""

Listed = tuple[Origin, Sequence[SearchResult]]


def check_source(source: str, data: Path) -> None:
    """Raise SearchError for a source that cannot be one: told before anything is asked."""
    if "://" in source:
        try:
            http_url(source)
        except ValueError as error:
            raise SearchError(f"--from {source}: {error}") from None
    elif not at_home(source).exists() and _collection(source, data) is None:
        raise SearchError(f"--from {source}: no such file, and no collection of this name in {data}")


async def listed_in(source: str, data: Path, web: WebQuestions, tell: Callable[[str], None]) -> Listed | None:
    """The URLs of a source. One that cannot be read costs one line, and gives None."""
    try:
        listed = await _list_of(source, data, web)
    except (FocusedError, OSError) as error:
        tell(f"--from {source}: {getattr(error, 'strerror', None) or error}")
        return None
    return Origin(f"{listed.kind} {_short(source)}"), listed.found


async def _list_of(source: str, data: Path, web: WebQuestions) -> SeedList:
    if (folder := _collection(source, data)) is not None:
        return _best_pages(folder)
    if "://" not in source:
        path = at_home(source)
        if not path.is_file():
            raise SearchError("it is no file, but a folder or a device")
        if path.stat().st_size > MOST_BYTES:
            raise SearchError(f"it is longer than {MOST_BYTES:,} bytes")
        listed = read_list(path.read_bytes())
    elif is_wiki_page(source):
        return await wiki_links(source, web)
    else:
        listed = await _at(source, web, named=source)
    for sitemap in listed.sitemaps[:MOST_SITEMAPS]:
        if UrlRules().canonical(sitemap):
            listed.found.extend((await _at(sitemap, web)).found)
    return listed


async def _at(url: str, web: WebQuestions, *, named: str = "") -> SeedList:
    answer = await web.ask(url, named=named)
    return read_list(answer.body, headers_of(answer)[0], answer.url)


def _collection(name: str, data: Path) -> Path | None:
    """The folder of a collection, by its name or path."""
    if "://" in name:
        return None
    return next((folder for folder in (at_home(name), data / name) if (folder / DATABASE).is_file()), None)


def _best_pages(folder: Path) -> SeedList:
    with opened(folder) as store:
        found = ranked_urls((url, title or "") for url, title in store.execute(BEST))
    if not found:
        raise SearchError("this crawl found no relevant page")
    return SeedList("best pages of", found)


def _short(source: str) -> str:
    return urlsplit(source).netloc or Path(source).name

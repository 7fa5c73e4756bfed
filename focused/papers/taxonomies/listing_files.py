"""Where a taxonomy comes from: an RDF dump, a table of tabs, an unpacked dump of Curlie, or folders with lists of URLs.

The dumps of the Open Directory Project (DMOZ): content.rdf.u8, some two gigabytes of what is not quite XML.

A real parser would end at the first broken character. This one looks for tags and takes what stands between them: it resumes
at the next tag whatever came before, defines no entities, and holds one tag in memory at a time.
"""

from __future__ import annotations

import gzip
import html
import re
import zlib
from codecs import getincrementaldecoder
from collections.abc import Generator, Iterable, Iterator
from contextlib import ExitStack, closing
from pathlib import Path
from typing import IO

from focused.exceptions import TaxonomyError
from focused.papers.taxonomies.taxonomy_store import Listing
from focused.topic.plain_files import read_urls, shown_path

LONGEST_TAG = 20_000  #: characters of a tag and the text after it; a longer one is no tag

# Nothing here looks at a character many times, whatever a file holds.
_TAG = re.compile(r"(?P<name>/?[A-Za-z][\w:.-]*+)(?P<attributes>[^>]*+)>(?P<text>.*)", re.DOTALL)
_ATTRIBUTE = re.compile(r"""(?:r:id|r:resource|about)\s*+=\s*+(?:"([^"]{0,5000})"|'([^']{0,5000})')""")
_LINKS = frozenset({"link", "link1", "pdf", "pdf1"})  # of a Topic; its other tags lead to feeds and other topics


def rdf_listings(chunks: Iterable[str]) -> Iterator[Listing]:
    """The external pages of a dump, each in the category that it names itself or, in the oldest dumps, under which it stands.

    chunks : the text of the dump in pieces of any size
    """
    topic, page = "", None
    bare: dict[str, None] = {}  # links of the topic that nothing more was told of yet
    for name, attributes, text in _tags(chunks):
        if name == "Topic":
            yield from (Listing(topic, url) for url in bare)
            topic, page, bare = _value(attributes), None, {}
        elif name in _LINKS:
            bare[_value(attributes)] = None
        elif name == "ExternalPage":
            page = {"url": _value(attributes), "category": topic, "title": "", "description": ""}
        elif name == "/ExternalPage" and page is not None:
            bare.pop(page["url"], None)
            yield Listing(**page)
            page = None
        elif page is not None and (field := _FIELDS.get(name)) and text.strip():
            page[field] = html.unescape(text)
    yield from (Listing(topic, url) for url in bare)


_FIELDS = {"d:Title": "title", "d:Description": "description", "topic": "category"}


def _value(attributes: str) -> str:
    found = _ATTRIBUTE.search(attributes)
    return html.unescape(found[1] or found[2] or "") if found else ""


def _tags(chunks: Iterable[str]) -> Iterator[tuple[str, str, str]]:
    """Name, attributes and following text of each tag; comments, declarations and what is no tag are passed over."""
    rest = ""
    for chunk in chunks:
        *whole, rest = (rest + chunk).split("<")
        yield from _named(whole)
        if len(rest) > LONGEST_TAG:
            rest = ""
    yield from _named([rest])


def _named(pieces: Iterable[str]) -> Iterator[tuple[str, str, str]]:
    for piece in pieces:
        if found := _TAG.match(piece):
            yield found["name"], found["attributes"], found["text"]


GZIP = b"\x1f\x8b"  #: how a packed file begins
CHUNK = 2**18  #: bytes
LONGEST_LINE = 100_000  #: characters of a line of a table; the rest of a longer one is no row of ours
URLS, CATEGORIES = "-c.tsv", "-s.tsv"  #: how the names of Curlie's tables end


def listings_of(path: Path) -> Iterator[Listing]:
    """What a file or a folder lists, in its order, as it is written there.

    path : a dump of the Open Directory Project (RDF); a table with a row ``category TAB url [TAB title [TAB description]]``; a
        folder with an unpacked dump of Curlie; a folder of folders with .txt files of URLs, each a category. Files may be packed
        with gzip.

    A row that lacks something gives a listing without URL or category. Raises TaxonomyError in one line for a path that is
    none of these, or a file that cannot be read to its end.
    """
    if path.is_dir():
        return _curlie(path) if any(path.glob(f"*{URLS}")) else _folders(path)
    with closing(_chunks(path)) as chunks:
        is_xml = next(chunks, "").lstrip().startswith("<")
    return rdf_listings(_chunks(path)) if is_xml else (Listing(*(*row, "", "", "")[:4]) for row in _rows(path))


def _folders(folder: Path) -> Iterator[Listing]:
    """``science/physics/list.txt`` holds URLs of science/physics, one a line."""
    files = [path for path in sorted(folder.rglob("*.txt")) if path.parent != folder]
    if not files:
        raise TaxonomyError(
            f"{shown_path(folder)}: no .txt file in a subfolder, and no table of Curlie; make one subfolder for each category"
        )
    for path in files:
        category = path.parent.relative_to(folder).as_posix()
        yield from (Listing(category, url) for _, url in read_urls(path))


def _curlie(folder: Path) -> Iterator[Listing]:
    """Rows of URL, title, description and the number of a category, whose path stands in the other tables."""
    names = {row[0]: row[1] for path in sorted(folder.glob(f"*{CATEGORIES}")) for row in _rows(path) if len(row) > 1}
    for path in sorted(folder.glob(f"*{URLS}")):
        for row in _rows(path):
            url, title, description, number = (*row, "", "", "")[:4]
            yield Listing(names.get(number, ""), url, title, description)


def _rows(path: Path) -> Iterator[list[str]]:
    """The cells of a table, row by row; empty lines are passed over."""
    for line in _lines(_chunks(path)):
        if line.strip():
            yield line.split("\t")


def _lines(chunks: Iterable[str]) -> Iterator[str]:
    rest = ""
    for chunk in chunks:
        *whole, rest = (rest + chunk).split("\n")
        yield from (line.removesuffix("\r") for line in whole)
        rest = rest[:LONGEST_LINE]
    yield rest


def _chunks(path: Path) -> Generator[str, None, None]:
    """The text of a file, packed or not; what is not UTF-8 becomes a replacement character."""
    decoder = getincrementaldecoder("utf-8-sig")(errors="replace")
    try:
        with ExitStack() as opened:
            file: IO[bytes] | gzip.GzipFile = opened.enter_context(path.open("rb"))
            packed = file.read(len(GZIP)) == GZIP
            file.seek(0)
            if packed:
                file = opened.enter_context(gzip.open(path))
            while data := file.read(CHUNK):
                yield decoder.decode(data)
            yield decoder.decode(b"", final=True)
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise TaxonomyError(f"{shown_path(path)}: packed with gzip, and damaged or cut off ({error})") from None
    except OSError as error:
        raise TaxonomyError(f"{shown_path(path)}: cannot be read: {error.strerror or error}") from None

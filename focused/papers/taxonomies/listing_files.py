"""Where a taxonomy comes from: an RDF dump, a table of tabs, an unpacked dump of Curlie, or folders with lists of URLs."""

from __future__ import annotations

import gzip
import zlib
from codecs import getincrementaldecoder
from collections.abc import Generator, Iterable, Iterator
from contextlib import ExitStack, closing
from pathlib import Path
from typing import IO

from focused.exceptions import TaxonomyError
from focused.papers.taxonomies.rdf_dump import rdf_listings
from focused.papers.taxonomies.taxonomy_store import Listing
from focused.topic.plain_files import read_urls, shown_path

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
    if _begins_as_xml(path):
        return rdf_listings(_chunks(path))
    return (_listing(*row, *[""] * (4 - len(row))) for row in _rows(path))


def _listing(category: str, url: str, title: str, description: str, *_: str) -> Listing:
    return Listing(category, url, title, description)


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


def _begins_as_xml(path: Path) -> bool:
    with closing(_chunks(path)) as chunks:
        return next(chunks, "").lstrip().startswith("<")


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

"""A recorded web as a crawl sees it: each page is read once by the reader of a live crawl, later runs take it from a cache."""

from __future__ import annotations

import hashlib
import inspect
import json
import logging
import pickle
import sys
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields, replace
from functools import cache, cached_property
from importlib import import_module
from importlib.resources import files
from io import BytesIO
from operator import attrgetter
from pathlib import Path
from random import Random
from typing import Any, Generic, NoReturn, TypeVar
from urllib.parse import urldefrag, urljoin

import numpy as np
from numpy.typing import NDArray

from focused import __version__
from focused.collection.repository import storage_errors
from focused.crawl.arrays import IntArray
from focused.inspection.side_database import SideDatabase
from focused.page.media_types import declared_type
from focused.page.page import Link, Page, Unreadable
from focused.page.reader import Reader
from focused.page.refresh import refresh_of
from focused.page.text import TextAnalyser
from focused.simulation.recorded_web import Answer, RecordedWeb
from focused.topic.topic import Topic

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd


DIGITS = 16  #: hexadecimal, of a digest


@cache
def code_digest(packages: tuple[str, ...], modules: tuple[str, ...] = ()) -> str:
    """A text of `DIGITS` hexadecimal digits that changes when the source does.

    packages : import paths, with all modules that lie in them
    modules : import paths of further ones
    """
    folders = [files(package) for package in packages]
    texts = [
        file.read_text("utf-8")
        for folder in folders
        for file in sorted(folder.iterdir(), key=lambda file: file.name)
        if file.name.endswith(".py")
    ]
    return text_digest([*texts, *(inspect.getsource(import_module(module)) for module in modules)])


def text_digest(texts: Iterable[str]) -> str:
    """A digest of texts, of `DIGITS` hexadecimal digits."""
    return hashlib.blake2b("\n".join(texts).encode(), digest_size=DIGITS // 2).hexdigest()


logger = logging.getLogger(__name__)

FORMAT = 3  #: raised when what is kept changes
#: The code that reads: what it made of a page is kept only as long as it stays the same.
PACKAGES, MODULES = ("focused.page",), ("focused.simulation.analysed_web",)
BATCH = 500  #: new values that are written at a time: parallel runs wait for one another no longer than that takes
PICKLE = 5  #: its protocol, which every Python that we run on reads
LEVEL = 3  #: of compression; Zstandard is read four times as fast as zlib


def fingerprint(files: Sequence[Path], topic: Topic, variant: str = "") -> str:
    """What the analysis of a web depends on, as a short text fit for a file name.

    files : of the web, or folders of them; known by name, size and time of change
    topic : its reading options, and those keywords that are terms only because they are keywords
    variant : which part of the web is open, such as the university

    It depends on the code that reads as well: what another version of it read is not used.
    """
    kept: Any = topic.own_keywords  # of several languages: they decide how words of unknown language are read
    if not kept:
        bare = TextAnalyser(topic.reading.languages[0])
        kept = sorted(
            keyword for keyword in topic.keywords if len(topic.reading.languages) > 1 or not bare.terms(keyword)
        )
    inside = [sorted(path for path in file.rglob("*") if path.is_file()) if file.is_dir() else [file] for file in files]
    stats = [(str(path.absolute()), path.stat()) for group in inside for path in group]
    about = [FORMAT, __version__, code_digest(PACKAGES, MODULES), variant, topic.reading.model_dump(), kept]
    text = json.dumps([*about, [(name, stat.st_size, stat.st_mtime_ns) for name, stat in stats]], sort_keys=True)
    return hashlib.blake2b(text.encode(), digest_size=12).hexdigest()


def packed(value: Any) -> bytes:
    """Numbers, text, bytes, None, and lists and tuples of them, as compressed bytes."""
    # The checksum tells of damage.
    options = {int(zstd.CompressionParameter.compression_level): LEVEL, int(zstd.CompressionParameter.checksum_flag): 1}
    return zstd.compress(pickle.dumps(value, PICKLE), options=options)


def plain_value(data: bytes) -> Any:
    """What `packed` was given. Bytes of others cannot make it run code; ValueError if they are damaged."""
    try:
        return _PlainValues(BytesIO(zstd.decompress(data))).load()
    except (
        zstd.ZstdError,
        pickle.UnpicklingError,
        EOFError,
        TypeError,
        LookupError,
        AttributeError,
        MemoryError,
    ) as error:
        raise ValueError(f"damaged data: {error}") from None


class _PlainValues(pickle.Unpickler):
    """Reads values in a tenth of the time of JSON; one that asks for a class or a function is refused."""

    def find_class(self, module: str, name: str) -> NoReturn:
        raise pickle.UnpicklingError(f"{module}.{name} is no plain value")


class AnalysisCache(SideDatabase):
    """Values (numbers, text, bytes, None, and lists and tuples of them) by text, compressed.

    Values that were put are there at once for this run, and on disk after `BATCH` of them or `close`.

    Raises StorageError when the folder cannot be used or the disk is full.
    """

    JOURNAL = "WAL"

    def __init__(self, path: Path) -> None:
        self.path = path
        with storage_errors(path.parent, "create the folder of the cache"):
            path.parent.mkdir(parents=True, exist_ok=True)
        self._new: dict[str, bytes] = {}
        super().__init__(path, [FORMAT], {"analyses": "key TEXT PRIMARY KEY, value BLOB NOT NULL"}, "a cache of ours")

    def get(self, key: str) -> Any:
        """The value of a key; None where there is none, or only a damaged one."""
        rows = (
            self._rows("SELECT value FROM analyses WHERE key = ?", (key,))
            if key not in self._new
            else [(self._new[key],)]
        )
        data = rows[0][0] if rows else None
        if not isinstance(data, bytes):
            return None
        try:
            return plain_value(data)
        except ValueError:
            logger.warning("%s: the entry of %s is damaged; the page is read again", self.path, key)
            return None

    def keys(self) -> set[str]:
        """All that are on disk."""
        return {key for (key,) in self._rows("SELECT key FROM analyses") if isinstance(key, str)}

    def put(self, key: str, value: Any) -> None:
        self.put_packed(key, packed(value))

    def put_packed(self, key: str, value: bytes) -> None:
        self._new[key] = value
        if len(self._new) >= BATCH:
            self.save()

    def save(self) -> None:
        """Write to disk what was put since the last time."""
        rows, self._new = list(self._new.items()), {}
        self._write("INSERT OR REPLACE INTO analyses VALUES (?, ?)", rows)

    def close(self) -> None:
        try:
            self.save()
        finally:
            super().close()


_OF_PAGE = [field.name for field in fields(Page) if field.name != "links"]
_OF_LINK = [field.name for field in fields(Link)]
_values_of_page, _values_of_link = attrgetter(*_OF_PAGE), attrgetter(*_OF_LINK)

PackedPage = tuple[
    tuple[Any, ...], list[tuple[Any, ...]]
]  #: fields of a page in their order but links, and those of each link


def packed_page(page: Page) -> PackedPage:
    for link in page.links:  # equal texts of one page are kept once
        link.host, link.tag_path = sys.intern(link.host), sys.intern(link.tag_path)
    return _values_of_page(page), list(map(_values_of_link, page.links))


def unpacked_page(values: Sequence[Any], links: Iterable[Sequence[Any]]) -> Page:
    """The page that was packed."""
    return Page(**dict(zip(_OF_PAGE, values, strict=True)), links=[Link(*link) for link in links])


LIMIT = 256 * 2**20  #: estimated bytes for one process: all of Wikispeedia, or 7,000 pages of 32 KB with 84 links
LINK = 350  #: bytes of a link with its URL and anchor, measured
FIXED = 1_000  #: bytes of a page beside its text, terms and links
POINTER = 8  #: bytes of a term, which is interned

KeptPage = TypeVar("KeptPage")


class PageMemory(Generic[KeptPage]):
    """Values by URL. When it is full, values drawn at random give way.

    The next crawl asks for about the same pages as the one before, each of them once. What was asked for last is then
    asked for last again: of a web larger than the memory, least recently used would always keep the wrong pages.
    """

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self.size = 0  #: estimated bytes
        self._kept: dict[str, tuple[KeptPage, int]] = {}
        self._urls: list[str] = []
        self._random = Random(0)

    def get(self, url: str) -> KeptPage | None:
        found = self._kept.get(url)
        return found[0] if found else None

    def put(self, url: str, value: KeptPage, page: Page) -> None:
        """Keep a value for a URL not kept yet, whose size is that of a page. The page's terms are interned."""
        page.terms = list(map(sys.intern, page.terms))
        size = FIXED + len(page.text) + POINTER * len(page.terms) + LINK * len(page.links)
        self._kept[url] = value, size
        self._urls.append(url)
        self.size += size
        while self.size > self.limit:
            place = self._random.randrange(len(self._urls))
            self._urls[place], last = self._urls[-1], self._urls[place]
            self._urls.pop()
            self.size -= self._kept.pop(last)[1]


REDIRECTS = frozenset((301, 302, 303, 307, 308))  #: as Scrapy follows them, where they have a Location
LONGEST_REFRESH = 100  #: seconds; a refresh that waits longer is none (Scrapy's METAREFRESH_MAXDELAY)
RECORDED = ""  #: what the cache keeps the keys of all recorded URLs under; no URL is empty


@dataclass(slots=True)
class Fetched:
    """A page, and what came with it."""

    page: Page
    status: int
    size: int  #: bytes of the body
    declared: str  #: media type that the header said, empty if none


@dataclass(slots=True, frozen=True)
class Redirect:
    """The answer sends the visitor elsewhere."""

    target: str  #: absolute URL, not yet canonical
    status: int


@dataclass(slots=True, frozen=True)
class Failure:
    """No page: ``reason`` in the words of a live crawl's history."""

    reason: str
    status: int | None


class AnalysedWeb:
    """A recorded web, read.

    Parameters
    ----------
    web : the recording
    reader : of the topic
    cache : of this web and such a reader (see `fingerprint`); None reads every time
    hide_outside : pages have no links to URLs that are not recorded, as in the papers; otherwise they have, and those fail
    memory : bytes of pages that may stay in memory, for several crawls of one web (see `PageMemory`); who asks twice may then
        get the same object, and must not change it

    Attributes
    ----------
    hides : whether links that leave the recording are hidden
    links, hidden : links of all pages asked for so far, and how many of them were hidden
    cpu_seconds : spent on answering so far: the crawl's share of a simulation is the rest
    """

    def __init__(
        self,
        web: RecordedWeb,
        reader: Reader,
        cache: AnalysisCache | None = None,
        *,
        hide_outside: bool = True,
        memory: int = 0,
    ) -> None:
        self.web, self.reader = web, reader
        self.cache = cache
        self._memory: PageMemory[tuple[Fetched, int]] = PageMemory(memory)
        self.links = self.hidden = 0
        self.cpu_seconds = 0.0
        self.hides = hide_outside

    def ask(self, url: str) -> Fetched | Redirect | Failure:
        """What a request for a canonical URL gives; redirects are not followed."""
        started = time.process_time()
        answer = self._answer(url)
        self.cpu_seconds += time.process_time() - started
        return answer

    @property
    def hidden_share(self) -> float:
        """Share of links hidden among those of all pages asked for; 0 before the first."""
        return self.hidden / self.links if self.links else 0.0

    def holds(self, keys: IntArray) -> NDArray[np.bool_]:
        """(n,) which of these keys of URLs are recorded."""
        places = np.searchsorted(self._recorded, keys)
        return np.asarray(self._recorded[np.minimum(places, len(self._recorded) - 1)] == keys)

    @cached_property
    def _recorded(self) -> IntArray:
        """Keys of all URLs that are recorded, in ascending order; of a large web they take a second."""
        known = self.cache.get(RECORDED) if self.cache else None
        if isinstance(known, bytes):
            return np.frombuffer(known, np.int64)
        rules = self.reader.rules
        keys = np.unique(np.fromiter((rules.key(rules.canonical(url) or url) for url in self.web.urls()), np.int64))
        if self.cache:
            self.cache.put(RECORDED, keys.tobytes())
        return keys

    def _answer(self, url: str) -> Fetched | Redirect | Failure:
        """The answer, out of memory if it is there; without the links that are hidden."""
        remembered = self._memory.get(url)
        if remembered is None:
            answer = self._analysed(url)
            if not isinstance(answer, Fetched):
                return answer
            hidden = self._hide(answer.page)
            self._memory.put(url, (answer, hidden), answer.page)
        else:
            answer, hidden = remembered
        self.links += len(answer.page.links) + hidden
        self.hidden += hidden
        return answer

    def _hide(self, page: Page) -> int:
        """Take out the links that leave the recording; return how many."""
        if not self.hides or not page.links:
            return 0
        is_inside = self.holds(np.fromiter((link.key for link in page.links), np.int64, len(page.links)))
        links, page.links = page.links, [page.links[position] for position in np.flatnonzero(is_inside).tolist()]
        return len(links) - len(page.links)

    def _analysed(self, url: str) -> Fetched | Redirect | Failure:
        """What was read of an answer, out of the cache if it is there; with all links."""
        known = self.cache.get(url) if self.cache else None
        answer = _unpacked(known)
        if answer is None:
            answer = read_answer(self.reader, url, self.web.answer(url))
            if self.cache:
                self.cache.put(url, kept_form(answer))
        return answer


def read_answer(reader: Reader, url: str, answer: Answer | None) -> Fetched | Redirect | Failure:
    """What an answer gives a crawl that asked for a URL."""
    if answer is None:
        return Failure("not recorded", None)
    content_type = answer.header("Content-Type")
    whole, answer = answer, replace(answer, body=reader.beginning(url, answer.body, content_type))
    if target := _redirect_target(url, answer):
        return Redirect(target, answer.status)
    if not 200 <= answer.status < 300:
        return Failure(f"http {answer.status}", answer.status)
    tags = "\n".join(value for name, value in answer.headers if name.lower() == "x-robots-tag")
    page = reader.read(url, answer.body, content_type, tags)
    if isinstance(page, Unreadable):
        return Failure(page.reason, answer.status)
    page.truncated |= len(answer.body) < len(whole.body)
    return Fetched(page, answer.status, len(answer.body), declared_type(content_type))


def _redirect_target(url: str, answer: Answer) -> str | None:
    """Where an answer sends the visitor, by its status or by a refresh; None if it does not."""
    location = answer.header("Location")
    if answer.status in REDIRECTS and location:
        try:
            return urljoin(url, location)
        except ValueError:  # as http://[:PORT]/; the simulator says what is wrong with it
            return location
    found = refresh_of(url, answer.body, answer.header("Content-Type"), answer.header("Refresh"))
    if found is None or found.seconds >= LONGEST_REFRESH or urldefrag(found.target).url == urldefrag(url).url:
        return None
    return found.target


def kept_form(answer: Fetched | Redirect | Failure) -> tuple[Any, ...]:
    """What the cache keeps of an answer."""
    if isinstance(answer, Redirect):
        return ("redirect", answer.target, answer.status)
    if isinstance(answer, Failure):
        return ("failure", answer.reason, answer.status)
    return ("page", *packed_page(answer.page), answer.status, answer.size, answer.declared)


def _unpacked(value: Any) -> Fetched | Redirect | Failure | None:
    """What `kept_form` made; None for anything else."""
    match value:
        case ["page", tuple(values), list(links), int(status), int(size), str(declared)]:
            return Fetched(unpacked_page(values, links), status, size, declared)
        case ["redirect", str(target), int(status)]:
            return Redirect(target, status)
        case ["failure", str(reason), (int() | None) as status]:
            return Failure(reason, status)
    return None

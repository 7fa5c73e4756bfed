"""A recorded web as a crawl sees it: each page is read once by the reader of a live crawl, later runs take it from a cache."""

from __future__ import annotations

import sys
import time
from dataclasses import dataclass, fields
from functools import cached_property
from operator import attrgetter
from random import Random
from typing import Any, Generic, NamedTuple, TypeVar
from urllib.parse import urljoin

import numpy as np
from numpy.typing import NDArray
from w3lib.html import get_meta_refresh

from focused.crawl.arrays import IntArray
from focused.page.decoding import HTML_TYPES, declared_type, media_type
from focused.page.page import Link, Page, Unreadable
from focused.page.reader import Reader
from focused.simulation.analysis_cache import AnalysisCache
from focused.simulation.recorded_web import Answer, RecordedWeb

_HEAD = [field.name for field in fields(Page) if field.name not in ("text", "terms", "links")]
_head_of = attrgetter(*_HEAD)
_spans_of = attrgetter("anchor_start", "anchor_end", "context_start", "context_end")
_SEPARATOR = "\n"  # in no URL and no tag path; in an anchor all white space is a blank


class CachedPage(NamedTuple):
    """A page and its m links."""

    head: tuple[str | int | float | bool, ...]  #: fields of the page in their order, but text, terms and links
    text: str
    words: str  #: the w distinct terms, separated by blanks, which no term holds
    terms: bytes  #: (t,) int32, positions among them
    urls: str  #: of the links, as the next three, separated by line ends
    hosts: str
    anchors: str
    tag_paths: str
    keys: bytes  #: (m,) int64
    spans: bytes  #: (4, m) int32
    context_norms: bytes  #: (m,) float64
    nofollow: bytes  #: (m,) bool


def packed_page(page: Page) -> CachedPage:
    links = page.links
    words = {term: number for number, term in enumerate(dict.fromkeys(page.terms))}
    return CachedPage(
        head=_head_of(page),
        text=page.text,
        words=" ".join(words),
        terms=np.array([words[term] for term in page.terms], np.int32).tobytes(),
        urls=_SEPARATOR.join([link.url for link in links]),
        hosts=_SEPARATOR.join([link.host for link in links]),
        anchors=_SEPARATOR.join([link.anchor for link in links]),
        tag_paths=_SEPARATOR.join([link.tag_path for link in links]),
        keys=np.array([link.key for link in links], np.int64).tobytes(),
        spans=np.array([_spans_of(link) for link in links], np.int32).T.tobytes(),
        context_norms=np.array([link.context_norm for link in links], np.float64).tobytes(),
        nofollow=np.array([link.nofollow for link in links], np.bool_).tobytes(),
    )


def unpacked_page(columns: CachedPage) -> Page:
    """The page that was packed."""
    page = Page(**dict(zip(_HEAD, columns.head, strict=True)), text=columns.text)  # type: ignore[arg-type]
    words = np.array(columns.words.split(), object)
    page.terms = words[np.frombuffer(columns.terms, np.int32)].tolist()
    keys = np.frombuffer(columns.keys, np.int64).tolist()
    if keys:
        page.links = list(
            map(
                Link,
                columns.urls.split(_SEPARATOR),
                keys,
                map(sys.intern, columns.hosts.split(_SEPARATOR)),
                columns.anchors.split(_SEPARATOR),
                *np.frombuffer(columns.spans, np.int32).reshape(4, -1).tolist(),
                np.frombuffer(columns.context_norms, np.float64).tolist(),
                map(sys.intern, columns.tag_paths.split(_SEPARATOR)),
                np.frombuffer(columns.nofollow, np.bool_).tolist(),
            )
        )
    return page


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
LONGEST_REFRESH = 100  #: seconds; a meta refresh that waits longer is none (Scrapy's METAREFRESH_MAXDELAY)
REFRESH_LOOKED_FOR = 4096  #: first bytes of a page in which Scrapy looks for one
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
    cache : of this web and such a reader (see `analysis_cache.fingerprint`); None reads every time
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
    if target := _redirect_target(url, answer):
        return Redirect(target, answer.status)
    if not 200 <= answer.status < 300:
        return Failure(f"http {answer.status}", answer.status)
    content_type = answer.header("Content-Type")
    tags = "\n".join(value for name, value in answer.headers if name.lower() == "x-robots-tag")
    page = reader.read(url, answer.body, content_type, tags)
    if isinstance(page, Unreadable):
        return Failure(page.reason, answer.status)
    return Fetched(page, answer.status, len(answer.body), declared_type(content_type))


def _redirect_target(url: str, answer: Answer) -> str | None:
    """Where an answer sends the visitor, by its status or by a meta refresh; None if it does not."""
    location = answer.header("Location")
    if answer.status in REDIRECTS and location:
        try:
            return urljoin(url, location)
        except ValueError:  # as http://[:PORT]/; the simulator says what is wrong with it
            return location
    if media_type(answer.header("Content-Type"), answer.body) not in HTML_TYPES:
        return None
    start = answer.body[:REFRESH_LOOKED_FOR].decode("latin-1")
    interval, target = get_meta_refresh(start, url, "latin-1", ignore_tags=("noscript",))
    return target if target and interval is not None and interval < LONGEST_REFRESH else None


def kept_form(answer: Fetched | Redirect | Failure) -> tuple[Any, ...]:
    """What the cache keeps of an answer."""
    if isinstance(answer, Redirect):
        return ("redirect", answer.target, answer.status)
    if isinstance(answer, Failure):
        return ("failure", answer.reason, answer.status)
    return ("page", tuple(packed_page(answer.page)), answer.status, answer.size, answer.declared)


def _unpacked(value: Any) -> Fetched | Redirect | Failure | None:
    """What `kept_form` made; None for anything else."""
    match value:
        case ["page", tuple(columns), int(status), int(size), str(declared)]:
            return Fetched(unpacked_page(CachedPage(*columns)), status, size, declared)
        case ["redirect", str(target), int(status)]:
            return Redirect(target, status)
        case ["failure", str(reason), (int() | None) as status]:
            return Failure(reason, status)
    return None

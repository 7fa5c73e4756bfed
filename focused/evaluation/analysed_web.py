"""A recorded web as a crawl sees it: each page is read once by the reader of a live crawl, later runs take it from a cache."""

from __future__ import annotations

from dataclasses import dataclass, fields
from itertools import starmap
from operator import attrgetter
from typing import Any
from urllib.parse import urljoin

import numpy as np
from w3lib.html import get_meta_refresh

from focused.evaluation.analysis_cache import AnalysisCache
from focused.reading.decoding import HTML_TYPES, declared_type, media_type
from focused.reading.page import Link, Page, Unreadable
from focused.reading.reader import Reader
from focused.webs.web import Answer, RecordedWeb

REDIRECTS = frozenset((301, 302, 303, 307, 308))  #: as Scrapy follows them, where they have a Location
LONGEST_REFRESH = 100  #: seconds; a meta refresh that waits longer is none (Scrapy's METAREFRESH_MAXDELAY)
REFRESH_LOOKED_FOR = 4096  #: first bytes of a page in which Scrapy looks for one

_PAGE = [field.name for field in fields(Page) if field.name not in ("terms", "links")]
_page_values = attrgetter(*_PAGE)
_link_values = attrgetter(*(field.name for field in fields(Link)))


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

    Attributes
    ----------
    links, hidden : links of all pages asked for so far, and how many of them were hidden
    """

    def __init__(
        self, web: RecordedWeb, reader: Reader, cache: AnalysisCache | None = None, *, hide_outside: bool = True
    ) -> None:
        self.web, self.reader = web, reader
        self.cache = cache
        self.links = self.hidden = 0
        self._recorded: np.ndarray[Any, np.dtype[np.int64]] | None = None
        if hide_outside:
            keys = (reader.rules.key(reader.rules.canonical(url) or url) for url in web.urls())
            self._recorded = np.unique(np.fromiter(keys, np.int64))

    def ask(self, url: str) -> Fetched | Redirect | Failure:
        """What a request for a canonical URL gives; redirects are not followed."""
        known = self.cache.get(url) if self.cache else None
        answer = _unpacked(known)
        if answer is None:
            answer = self._read(url)
            if self.cache:
                self.cache.put(url, _packed(answer))
        if isinstance(answer, Fetched):
            self.links += len(answer.page.links)
            self._hide(answer.page)
        return answer

    @property
    def hides(self) -> bool:
        """Whether links that leave the recording are hidden."""
        return self._recorded is not None

    @property
    def hidden_share(self) -> float:
        """Share of links hidden among those of all pages asked for; 0 before the first."""
        return self.hidden / self.links if self.links else 0.0

    def _hide(self, page: Page) -> None:
        if self._recorded is None or not page.links:
            return
        keys = np.fromiter((link.key for link in page.links), np.int64, len(page.links))
        places = np.searchsorted(self._recorded, keys)
        is_inside = self._recorded[np.minimum(places, len(self._recorded) - 1)] == keys
        kept = [page.links[position] for position in np.flatnonzero(is_inside).tolist()]
        self.hidden += len(page.links) - len(kept)
        page.links = kept

    def _read(self, url: str) -> Fetched | Redirect | Failure:
        answer = self.web.answer(url)
        if answer is None:
            return Failure("not recorded", None)
        if target := _redirect_target(url, answer):
            return Redirect(target, answer.status)
        if not 200 <= answer.status < 300:
            return Failure(f"http {answer.status}", answer.status)
        content_type = answer.header("Content-Type")
        tags = "\n".join(value for name, value in answer.headers if name.lower() == "x-robots-tag")
        page = self.reader.read(url, answer.body, content_type, tags)
        if isinstance(page, Unreadable):
            return Failure(page.reason, answer.status)
        return Fetched(page, answer.status, len(answer.body), declared_type(content_type))


def _redirect_target(url: str, answer: Answer) -> str | None:
    """Where an answer sends the visitor, by its status or by a meta refresh; None if it does not."""
    location = answer.header("Location")
    if answer.status in REDIRECTS and location:
        return urljoin(url, location)
    if media_type(answer.header("Content-Type"), answer.body) not in HTML_TYPES:
        return None
    start = answer.body[:REFRESH_LOOKED_FOR].decode("latin-1")
    interval, target = get_meta_refresh(start, url, "latin-1", ignore_tags=("noscript",))
    return target if target and interval is not None and interval < LONGEST_REFRESH else None


def _packed(answer: Fetched | Redirect | Failure) -> list[Any]:
    if isinstance(answer, Redirect):
        return ["redirect", answer.target, answer.status]
    if isinstance(answer, Failure):
        return ["failure", answer.reason, answer.status]
    page = answer.page
    links = [_link_values(link) for link in page.links]
    # One text of all terms (which hold no blank) is read in half the time of a list.
    values = [*_page_values(page), " ".join(page.terms), links]
    return ["page", values, answer.status, answer.size, answer.declared]


def _unpacked(value: Any) -> Fetched | Redirect | Failure | None:
    """What `_packed` packed; None for anything else."""
    match value:
        case ["page", [*values, str(terms), list(links)], int(status), int(size), str(declared)]:
            page = Page(**dict(zip(_PAGE, values, strict=True)), terms=terms.split(), links=list(starmap(Link, links)))
            return Fetched(page, status, size, declared)
        case ["redirect", str(target), int(status)]:
            return Redirect(target, status)
        case ["failure", str(reason), (int() | None) as status]:
            return Failure(reason, status)
    return None

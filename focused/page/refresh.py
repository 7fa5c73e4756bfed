"""Finds what sends the visitor of a page elsewhere after some seconds: a ``Refresh`` header, or a meta element that says the same.

The grammar is that of browsers (HTML Living Standard, "shared declarative refresh steps"); of several the first counts.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass

from ada_url import join_url

from focused.page.decoding import decode
from focused.page.html import TooMuchError, Walk, feed
from focused.page.media_types import HTML_TYPES, media_type

LOOKED_AT = (
    128 * 1024
)  #: first bytes of a page in which one is looked for: its head, with all the scripts and styles there
#: Browsers with scripts do not look into a noscript (Scrapy's METAREFRESH_IGNORE_TAGS).
UNREAD = ("noscript",)
_NO_MARKUP = (
    "template",
    "title",
    "textarea",
    "iframe",
    "noembed",
    "noframes",
)  # what stands in them is not there, or text
_META = re.compile(rb"<meta[^<]*refresh")
_CONTENT = re.compile(
    r"""\s*(?P<seconds>\d+|(?=\.))[\d.]*
    (?:(?=[;,\s])\s*[;,]?\s* (?:url\s*=\s*)? (?:(?P<quote>["'])(?P<quoted>.*?)(?:(?P=quote).*|\Z)|(?P<bare>.*)))?\Z""",
    re.ASCII | re.DOTALL | re.IGNORECASE | re.VERBOSE,
)


@dataclass(frozen=True, slots=True)
class Refresh:
    """``target`` is an absolute http(s) URL, the page's own where it is to be loaded again."""

    seconds: float
    target: str


def refresh_of(
    url: str, body: bytes, content_type: str, header: str = "", unread: Collection[str] = UNREAD
) -> Refresh | None:
    """The refresh that a response at a URL declares; None without one, or for one that leads to no http(s) URL.

    header : raw Refresh header; of several the first
    unread : elements in which a meta element does not count
    """
    if header and (found := _parsed(header, url)) is not None:
        return _on_the_web(found)
    start = body[:LOOKED_AT]
    if not _META.search(start.replace(b"\0", b"").lower()) or media_type(content_type, body) not in HTML_TYPES:
        return None
    metas = _Metas(url, (*_NO_MARKUP, *unread))
    feed(metas, decode(start, content_type))
    return _on_the_web(metas.found)


def _parsed(content: str, base: str) -> Refresh | None:
    """What a header or a meta element says; None for what browsers do not understand."""
    said = _CONTENT.match(content)
    if said is None:
        return None
    written = said["bare"] if said["quoted"] is None else said["quoted"]
    try:
        target = join_url(base, written or "")
    except ValueError:
        return None
    return Refresh(float(said["seconds"] or 0), target)


def _on_the_web(found: Refresh | None) -> Refresh | None:
    return found if found and found.target.startswith(("http://", "https://")) else None


class _Metas(Walk):
    """Finds the first refresh of a document."""

    def __init__(self, url: str, unread: Collection[str]) -> None:
        super().__init__()
        self.found: Refresh | None = None
        self._url, self._base = url, ""
        self._unread, self._depth_unread = frozenset(unread), 0

    def start(self, tag: str, attributes: Mapping[str, str]) -> None:
        self._tags.append(tag)
        if tag in self._unread:
            self._depth_unread += 1
        elif tag == "base" and not self._base and not self._depth_unread:
            self._base = attributes.get("href", "")
        elif tag == "meta" and not self._depth_unread and attributes.get("http-equiv", "").lower() == "refresh":
            try:
                base = join_url(self._url, self._base)
            except ValueError:
                base = self._url
            self.found = _parsed(attributes.get("content", ""), base)
            if self.found is not None:
                raise TooMuchError

    def end(self, tag: str) -> None:
        self._tags.pop()
        self._depth_unread -= tag in self._unread

    def data(self, text: str) -> None:
        """Nothing is to be read."""

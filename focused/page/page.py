"""What one parse of a response yields: a Page with its terms and its links. Plain values, no behaviour, no Scrapy."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(slots=True)
class Link:
    """One link of a page, in canonical form, with what stands around it.

    Spans are half-open intervals ``[start, end)`` into ``Page.terms``, so that the terms of an anchor or of a context
    are never copied: ``page.terms[link.context_start:link.context_end]``.
    """

    url: str  #: absolute canonical http(s) URL
    key: int  #: identity of the URL, a signed 64-bit integer (`urls.UrlRules.key`)
    host: str  #: host name, lower case, without port
    anchor: str  #: anchor text (or the alt text of an image inside), white space collapsed
    anchor_start: int
    anchor_end: int
    context_start: int  #: span of the text under the aggregation node, the parent by default (Pant & Menczer 2003)
    context_end: int
    context_norm: float  #: Euclidean length of the term-frequency vector of that text
    tag_path: str  #: tags from the body to the link, such as ``div/ul/li/a``
    nofollow: bool  #: rel=nofollow (or ugc, sponsored)


@dataclass(slots=True)
class Page:
    """A readable page. ``terms`` holds the stems of title and text in document order, stop words removed."""

    url: str  #: canonical URL of the content, after redirects
    key: int  #: identity of that URL
    host: str
    content_type: str  #: media type in lower case, without parameters
    content_hash: str  #: hexadecimal digest of the body's bytes: equal for exact duplicates
    title: str = ""
    text: str = ""  #: the visible text, without the title, white space collapsed
    #: ``index``, ``listing`` or ``stub``, see `page_kind`; ``sitemap``, ``feed`` or ``robots.txt`` of what is no page, see
    #: `link_lists`; empty: it says something, or has no text to be judged by
    kind: str = ""
    otherwise: str = ""  #: the kind that it is of if its own text also stands on other pages of its site
    own: list[tuple[int, int]] = field(default_factory=list)  #: blocks of its own text, see `page_kind.OwnText`
    language: str = ""  #: ISO 639-1 code, declared or detected; empty when unknown
    terms: list[str] = field(default_factory=list)
    norm: float = 0.0  #: Euclidean length of the term-frequency vector of the whole page
    canonical: str = ""  #: another canonical URL at which it says that it lies (rel=canonical); empty: none
    links: list[Link] = field(default_factory=list)
    lists: list[str] = field(default_factory=list)  #: canonical URLs of sitemaps and feeds that it names, each once
    nofollow: bool = False  #: meta robots or X-Robots-Tag says nofollow (or none): none of its links is followed
    noindex: bool = False  #: meta robots or X-Robots-Tag says noindex (or none): kept, and marked in the collection
    #: the rest was not read: it is longer than `max_bytes`, or met a limit of `html` or `documents`
    truncated: bool = False


@dataclass(slots=True, frozen=True)
class Unreadable:
    """Why a response gave no Page: ``reason`` is short, stable and for a person, such as ``content type image/png``."""

    reason: str

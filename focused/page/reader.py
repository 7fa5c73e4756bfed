"""From a response to a Page: the one place that every fetched body goes through, live and in a simulation."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from hashlib import blake2b
from math import sqrt
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, field_validator

from focused.page.decoding import decode, decoded
from focused.page.documents import Document, pdf_library, read_document
from focused.page.html import HtmlDocument, HtmlLink, walked, with_terms
from focused.page.language import detect, language_code
from focused.page.link_lists import ROBOTS_TXT, LinkList, named_in_robots_txt, read_link_list
from focused.page.media_types import HTML_TYPES, LIST_TYPES, PDF, media_type
from focused.page.page import Link, Page, Unreadable
from focused.page.page_facts import directives
from focused.page.page_kind import own_text
from focused.page.plain_text import LONGEST_TITLE, plain
from focused.page.text import Analysers
from focused.page.urls import TRACKING_PARAMETERS, UrlRules, host_of

MAX_LINKS = 5_000  #: links read per page, in document order; a page with more is a link farm or a trap
#: Characters of the URLs of a page's links, of which a parameter costs as many as `PARAMETER`: its order takes 2 us.
MAX_URL_LENGTHS = 500_000
PARAMETER = 20
LISTS = LIST_TYPES | {"text/plain"}  #: media types of lists of links; a plain text may be a sitemap


class ReadingOptions(BaseModel):
    """How a topic reads pages."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    language: str | tuple[str, ...] = Field(
        "english",
        description="language of the topic: stop words and stemming; name or ISO 639-1 code, or a list of several",
    )
    stemming: bool = Field(True, description="words count by their stems: mills is mill; false: as they are written")
    levels_up: int = Field(
        1, ge=1, le=10, description="context of a link: its ancestor this many levels up (1: parent)"
    )
    max_bytes: int = Field(
        1_000_000, ge=0, description="read text from the first bytes of a page only, up to this many; 0: all"
    )
    first_bytes: int = Field(
        0, ge=0, description="download only the first bytes of an HTML page, up to this many; 0: the whole page"
    )
    fold_index: bool = Field(False, description="/index.html and the like are the same URL as /")
    strip_parameters: tuple[str, ...] = Field(
        TRACKING_PARAMETERS, description="query parameters to remove from URLs, as glob patterns"
    )
    strip_session_ids: bool = Field(True, description="remove session identifiers from URLs")
    detect_language: bool = Field(False, description="guess the language of pages that declare none")
    documents: bool = Field(False, description="read the text of PDF documents")

    @field_validator("language", mode="plain")
    @classmethod
    def _must_be_known(cls, language: Any) -> str | tuple[str, ...]:
        names = [part.strip() for part in language.split(",")] if isinstance(language, str) else language
        if not isinstance(names, list | tuple) or not all(isinstance(name, str) for name in names) or not names:
            raise ValueError(f'must be a language such as "english", or a list of some, not {language!r}')
        if len({language_code(name) for name in names}) < len(names):
            raise ValueError(f"{', '.join(names)}: names a language twice")
        return names[0] if len(names) == 1 else tuple(names)

    @property
    def languages(self) -> tuple[str, ...]:
        """ISO 639-1 codes; the first is that of the topic where there must be one."""
        names = (self.language,) if isinstance(self.language, str) else self.language
        return tuple(map(language_code, names))


class Reader:
    """Reads responses as a topic's options say.

    keep : the topic's keywords, of all languages or by code: terms even if they are stop words (see `TextAnalyser`)
    robot : our product token, in lower case: pages may say something to us alone (see `directives`)

    Raises FocusedError where the package is missing that PDF documents need.
    """

    def __init__(
        self, options: ReadingOptions, keep: Iterable[str] | Mapping[str, Iterable[str]] = (), robot: str = ""
    ) -> None:
        self.robot = robot
        self.options, self._keep = options, keep if isinstance(keep, Mapping) else tuple(keep)
        self.rules = UrlRules(options.fold_index, options.strip_parameters, options.strip_session_ids)
        self.analysers = Analysers(options.languages, self._keep, stemming=options.stemming)
        self.analyser = self.analysers.any
        if options.documents:
            pdf_library()  # where it is missing, this is the time to say so

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.options, self._keep, self.robot)  # stemmers cannot be sent to another process

    def reads_like(self, other: Reader) -> bool:
        """Whether both make the same page of every response."""
        mine, others = ((one.options, one.robot, one.analysers.way) for one in (self, other))
        return mine == others

    def beginning(self, url: str, body: bytes, content_type: str = "") -> bytes:
        """As much of a body as the topic downloads: of an HTML page maybe its first bytes, of all else the whole."""
        most = self.options.first_bytes
        is_cut = 0 < most < len(body) and not url.endswith(ROBOTS_TXT) and media_type(content_type, body) in HTML_TYPES
        return body[:most] if is_cut else body

    def read(
        self,
        url: str,
        body: bytes,
        content_type: str = "",
        x_robots_tag: str = "",
        document: Document | Unreadable | None = None,
    ) -> Page | Unreadable:
        """Read a response; never raises, whatever the bytes are.

        Parameters
        ----------
        url : final URL, after redirects
        body : decompressed body
        content_type : raw Content-Type header; when there is none the type is guessed from the body
        x_robots_tag : raw X-Robots-Tag header; several headers a line each
        document : what `read_document` said of the body, where it was asked before; it is asked here otherwise

        HTML, sitemaps and feeds have links; plain text, and PDF if asked for, has text. Any other type is a Page without text.
        """
        canonical = self.rules.canonical(url)
        if canonical is None:
            return Unreadable("not an http(s) URL")
        if not body:
            return Unreadable("empty body")
        robots = directives(x_robots_tag, robot=self.robot)
        whole, body = len(body), self.beginning(canonical, body, content_type)
        page = Page(
            url=canonical,
            key=self.rules.key(canonical),
            host=host_of(canonical),
            content_type=media_type(content_type, body),
            content_hash=content_hash(body),
            nofollow="nofollow" in robots,
            noindex="noindex" in robots,
            truncated=len(body) < whole,
        )
        if canonical.endswith(ROBOTS_TXT) and (named := named_in_robots_txt(canonical, body)) is not None:
            self._read_list(page, named)
        elif page.content_type in HTML_TYPES:
            self._read_html(page, *decoded(self._start(page, body), content_type))
        elif page.content_type in LISTS and (listed := read_link_list(body, canonical)) is not None:
            self._read_list(page, listed)
        elif page.content_type == "text/plain":
            self._set_text(page, "", " ".join(decode(self._start(page, body), content_type).split()))
        elif page.content_type == PDF and self.options.documents:
            document = document or read_document(body)
            if isinstance(document, Unreadable):
                return document
            page.truncated = document.truncated
            self._set_text(page, document.title, document.text)
        return page

    def _read_list(self, page: Page, listed: LinkList) -> None:
        """Take in a list of links, which is no page; no feed is named by its own words."""
        self._read_html(page, listed.as_markup())
        page.kind, page.language, page.truncated = listed.kind, "", listed.truncated
        page.lists = self._canonical(listed.lists, page.url)

    def _canonical(self, hrefs: Iterable[str], base: str) -> list[str]:
        """These URLs, each once, without what is none."""
        return [url for url in dict.fromkeys(self.rules.canonical(href, base) for href in hrefs) if url]

    def _start(self, page: Page, body: bytes) -> bytes:
        """As much of a body as the topic reads."""
        limit = self.options.max_bytes
        if not 0 < limit < len(body):
            return body
        page.truncated = True
        return body[:limit]

    def _set_text(self, page: Page, title: str, text: str) -> None:
        page.title, page.text = plain(title, LONGEST_TITLE), text
        page.language = self._language(text, [text])
        analyser = self.analysers.of(page.language)
        of_title = analyser.terms(title)
        page.terms = of_title + analyser.terms(text)
        page.kind, page.otherwise, page.own = own_text(HtmlDocument(terms=page.terms, title_span=(0, len(of_title))))
        everything = (0, len(page.terms))
        page.norm = span_norms(page.terms, [everything])[everything]

    def _read_html(self, page: Page, markup: str, encoding: str = "utf-8") -> None:
        walk = walked(markup, self.options.levels_up, self.robot)
        page.language = self._language(walk.document.text, walk.texts, walk.document.language)
        document = with_terms(walk, self.analysers.of(page.language).terms_of_each)
        robots = directives(*document.robots, robot=self.robot)
        page.nofollow |= "nofollow" in robots
        page.noindex |= "noindex" in robots
        page.truncated |= document.truncated
        page.title, page.text, page.terms = plain(document.title, LONGEST_TITLE), document.text, document.terms
        page.kind, page.otherwise, page.own = own_text(document)
        base = self.rules.canonical(document.base, page.url) or page.url
        declared = self.rules.canonical(document.canonical, base) if document.canonical else None
        page.canonical = declared if declared and declared != page.url else ""
        page.lists = self._canonical(document.feeds, base)
        self._set_links(page, document, base, encoding)

    def _language(self, text: str, texts: Sequence[str], declared: str = "") -> str:
        """The language of a page; a topic of several guesses that of each page that declares none."""
        if self.analysers.several:
            return self.analysers.language_of(texts, declared)
        return detect(text, declared, self.options.detect_language)

    def _set_links(self, page: Page, document: HtmlDocument, base: str, encoding: str) -> None:
        """Links to other pages; one that is repeated stays, for each of its contexts counts."""
        found: list[tuple[str, HtmlLink]] = []
        room = MAX_URL_LENGTHS
        for link in document.links:
            url = self.rules.canonical(link.href, base, encoding)
            cost = url or link.href
            room -= len(cost) + PARAMETER * cost.count("&")
            if url and url != page.url:
                found.append((url, link))
            if len(found) == MAX_LINKS or room < 0:
                break
        everything = (0, len(page.terms))
        norms = span_norms(page.terms, [everything, *((link.context_start, link.context_end) for _, link in found)])
        page.norm = norms[everything]
        for url, link in found:
            page.links.append(
                Link(
                    url=url,
                    key=self.rules.key(url),
                    host=host_of(url),
                    anchor=link.anchor,
                    anchor_start=link.anchor_start,
                    anchor_end=link.anchor_end,
                    context_start=link.context_start,
                    context_end=link.context_end,
                    context_norm=norms[link.context_start, link.context_end],
                    tag_path=link.tag_path,
                    nofollow=link.nofollow,
                )
            )


def content_hash(body: bytes) -> str:
    """What tells a body from all others: 128 bits in hexadecimal."""
    return blake2b(body, digest_size=16).hexdigest()


Span = tuple[int, int]  # half-open interval of term positions


def span_norms(terms: Sequence[str], spans: Iterable[Span]) -> dict[Span, float]:
    """sqrt(sum of tf**2 over the distinct terms) of each span.

    The spans must be laminar: of two of them one contains the other or they do not overlap, as the texts of the
    elements of a tree do. Each term is counted once, in the innermost span around it; when a span ends, the smaller
    of its counts and those of the span around it are added to the larger. That takes O(n log n) for n terms however
    deep the spans are nested, where counting each span for itself takes O(n * depth).
    """
    norms: dict[Span, float] = {}
    open_spans: list[_Counts] = []
    # Outer spans come before the spans they contain; the last one is never reached and closes all the others.
    for start, end in [*sorted(set(spans), key=lambda span: (span[0], -span[1])), (len(terms) + 1, 0)]:
        while open_spans and open_spans[-1].end <= start:
            closed = open_spans.pop()
            closed.count(terms, closed.end)
            norms[closed.start, closed.end] = sqrt(closed.squares)
            if open_spans:
                open_spans[-1].take(closed)
        if open_spans:
            open_spans[-1].count(terms, start)
        open_spans.append(_Counts(start, end))
    return norms


class _Counts:
    """Term frequencies of an open span up to a position, and the sum of their squares."""

    __slots__ = ("end", "position", "squares", "start", "tf")

    def __init__(self, start: int, end: int) -> None:
        self.start = self.position = start
        self.end = end
        self.tf: dict[str, int] = {}
        self.squares = 0

    def count(self, terms: Sequence[str], until: int) -> None:
        """Count the terms from the position to `until`."""
        tf, squares = self.tf, self.squares
        for term in terms[self.position : until]:
            before = tf.get(term, 0)
            tf[term] = before + 1
            squares += 2 * before + 1  # (before + 1)**2 - before**2
        self.squares, self.position = squares, until

    def take(self, inner: _Counts) -> None:
        """Add the counts of a span inside this one that was just closed; `inner` is of no use afterwards."""
        small, large, squares = inner.tf, self.tf, self.squares
        if len(small) > len(large):
            small, large, squares = large, small, inner.squares
        for term, more in small.items():
            before = large.get(term, 0)
            large[term] = before + more
            squares += more * (2 * before + more)
        self.tf, self.squares, self.position = large, squares, inner.end

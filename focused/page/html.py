"""One walk over an HTML document in document order: every text node becomes terms once, every link knows its spans."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from lxml import etree

from focused.page.block_names import INLINE

MAX_ANCHOR_LENGTH = 1_000  #: characters of anchor text kept; an anchor that is never closed swallows the page
MAX_TAG_PATH = 32  #: innermost tags kept of a path, so that n nested links cost O(n)
MAX_DEPTH = 5_000  #: open elements; the document ends there
MAX_HREFS = 10_000  #: links kept as they are written; those after them are text only
MAX_FEEDS = 3  #: feeds that a page names: the first is that of the site, later ones are of comments and the like
#: What a document may take: each tag costs `TAG` and the count of open elements around it, for libxml2 goes through them all for an
#: end tag that ends nothing. That is 0.1 s, or 140,000 tags that are not deep inside others; the document ends there.
MAX_WORK = 50_000_000
TAG = 350

# Nothing inside these is visible text; HTML takes noembed and noframes for raw text, not markup.
_UNSEEN = frozenset(("script", "style", "template", "title", "iframe", "noembed", "noframes"))
_LINK_ATTRIBUTE = {"a": "href", "area": "href", "frame": "src", "iframe": "src"}
_PIECE = 32_768  # bytes; an exception only stops the parser at the end of the piece that it is given
_METADATA = frozenset(("html", "body", "base", "link", "meta"))
_NO_TITLES = frozenset(("svg", "template"))  # a title in them is that of a picture, or of nothing
# What all pages of a site share stands there; inside of a text, all but menus are parts of it.
_AROUND, _TEXTS = frozenset(("nav", "header", "footer", "aside")), frozenset(("main", "article"))
# All other elements are just text and path.
_SPECIAL = _UNSEEN | _LINK_ATTRIBUTE.keys() | _METADATA | _AROUND | _TEXTS | {"img", "input"}
# Where one of these begins or ends in the middle of a word, the word goes on, as in H<sub>2</sub>O. An anchor has terms of its own.
_INLINE = INLINE - {"a", "img", "label", "rp", "rt"}
# How a text node stands to the one before it; all elements that are not named begin and end a block.
_JOINED, _BY_SPACE, _BY_BLOCK = 0b00, 0b01, 0b11
_APART_BY = {"a": _JOINED, "img": _BY_SPACE, "label": _BY_SPACE, "rp": _BY_SPACE, "rt": _BY_SPACE}
_NOFOLLOW = frozenset(("nofollow", "ugc", "sponsored"))
_FEEDS = frozenset(("application/rss+xml", "application/atom+xml"))

#: The terms of n texts in order, and n + 1 numbers: how many of them come before each text, and in all.
TermsOfEach = Callable[[list[str]], tuple[list[str], list[int]]]


@dataclass(slots=True)
class HtmlLink:
    """A link as it is written. Spans are intervals of positions in `HtmlDocument.terms`, as in `page.Link`."""

    href: str
    tag_path: str
    nofollow: bool
    anchor_start: int
    context_start: int
    anchor_end: int = 0
    context_end: int = 0
    anchor: str = ""


@dataclass(slots=True)
class HtmlDocument:
    title: str = ""
    base: str = ""  #: href of the first base element
    canonical: str = ""  #: href of the first link element with rel=canonical (RFC 6596)
    feeds: list[str] = field(default_factory=list)  #: hrefs of the first link elements that name a feed
    language: str = ""  #: lang of the html element, as it is written
    robots: list[str] = field(default_factory=list)  #: content of each meta element that is named robots, or as we are
    text: str = ""  #: visible text without the title, white space collapsed; alt texts of images in links included
    terms: list[str] = field(default_factory=list)  #: of the title and the text
    links: list[HtmlLink] = field(default_factory=list)  #: in document order
    title_span: tuple[int, int] = (0, 0)  #: of the terms
    #: where the terms of each block begin: what a browser shows on lines of its own
    blocks: list[int] = field(default_factory=list)
    around: list[tuple[int, int]] = field(default_factory=list)  #: spans of terms around the text, as of a menu
    asks_password: bool = False  #: it has a field for one
    truncated: bool = False  #: a limit was met: the rest was not read


def walked(markup: str, levels_up: int = 1, robot: str = "") -> HtmlWalk:
    """Read a document as a browser without scripts does, however broken it is; its texts are no terms as yet.

    What stands in comments, scripts, styles, templates and inside iframes is not there; noscript is read, and so is a template that
    browsers show as a shadow root. The context of a link is the text of its `levels_up`-th ancestor (1 is the parent), of the body
    at most.

    robot : our product token, in lower case, by which a page may address us
    """
    walk = HtmlWalk(levels_up, robot)
    walk.document.truncated = feed(walk, markup)
    return walk


def with_terms(walk: HtmlWalk, terms_of_each: TermsOfEach) -> HtmlDocument:
    """The document, its texts as terms."""
    document = walk.document
    document.terms, before = terms_of_each(walk.texts)
    for link in document.links:  # their spans counted texts
        link.anchor_start, link.anchor_end = before[link.anchor_start], before[link.anchor_end]
        link.context_start, link.context_end = before[link.context_start], before[link.context_end]
    document.title_span = (before[walk.title], before[walk.title + 1]) if walk.title >= 0 else (0, 0)
    document.around = [(before[start], before[end]) for start, end in document.around]
    document.blocks = [begin for begin, apart in zip(before, walk.apart, strict=False) if apart == _BY_BLOCK]
    return document


def feed(walk: Walk, markup: str) -> bool:
    """Let lxml's parser tell a target of a document, within the limits of this file; whether one was met. Raises nothing."""
    # The stubs ask for a method `comment`, which lxml does not.
    parser = etree.HTMLParser(target=walk, huge_tree=True, encoding="utf-8")  # type: ignore[arg-type]
    data = markup.replace("\0", "\ufffd").encode("utf-8", "replace")  # libxml2 takes 0.3 us for every null
    work = 0
    try:
        for start in range(0, len(data), _PIECE):
            piece, depth = data[start : start + _PIECE], walk.depth
            parser.feed(piece)
            work += piece.count(b"<") * (TAG + max(depth, walk.depth))
            if work > MAX_WORK:
                raise TooMuchError
        parser.close()
    except TooMuchError:
        walk.close()
        return True
    except etree.LxmlError:  # what was read so far is what there is
        walk.close()
    return False


def is_shadow_root(tag: str, attributes: Mapping[str, str]) -> bool:
    """Whether an element is a template that browsers show, but for what it says of its page (HTML Standard, section 4.12.3)."""
    return tag == "template" and attributes.get("shadowrootmode", "").strip().lower() in ("open", "closed")


class TooMuchError(Exception):
    """A target raises it to end the walk: a limit is met."""


class Walk(ABC):
    """A target of lxml's parser, which calls it in document order and builds no tree. Keeps the path from the root as a stack."""

    def __init__(self) -> None:
        self._tags: list[str] = []  # of the open elements, outermost first

    @property
    def depth(self) -> int:
        """Open elements."""
        return len(self._tags)

    @abstractmethod
    def end(self, tag: str) -> None:
        """The innermost open element ends."""

    def close(self) -> None:
        """The document ends, whatever is open."""
        while self._tags:
            self.end(self._tags[-1])


class HtmlWalk(Walk):
    """Collects texts and links."""

    def __init__(self, levels_up: int, robot: str) -> None:
        super().__init__()
        self._robots = frozenset(("robots", robot or "robots"))  # names of meta elements that hold for us
        self.document = HtmlDocument()
        self.texts: list[str] = []  #: of the page, title included, one per text node; those that share a word are one
        self.apart: list[int] = []  #: of each, whether a browser shows it apart from the one before: see `_APART_BY`
        self._is_apart = _BY_BLOCK  # the next
        self._levels_up = levels_up
        self._starts: list[int] = []  # number of texts when each of them was opened
        self._body = 0  # where the body stands among them; a page of frames has none
        # Of _UNSEEN, _AROUND and _TEXTS: the number of the outermost open element, from 1 on.
        self._unseen = self._around = self._text = 0
        self._in_title = False
        self._chunks: list[str] = []  # of the current text node, seen or not; the parser cuts it at entities
        self.data = self._chunks.append  # the parser calls it for every chunk
        self.title = -1  #: which of the texts it is
        self._anchor: HtmlLink | None = None
        self._anchor_depth = 0
        self._contexts: dict[int, list[HtmlLink]] = {}  # depth of an aggregation node -> links that wait for its end

    def start(self, tag: str, attributes: Mapping[str, str]) -> None:
        if tag not in _INLINE:
            self._end_text()
            self._is_apart |= _APART_BY.get(tag, _BY_BLOCK)
        elif self._chunks and self._chunks[-1][-1:].isspace():
            self._end_text()
        if len(self._tags) == MAX_DEPTH:
            raise TooMuchError
        self._tags.append(tag)
        self._starts.append(len(self.texts))
        if tag in _SPECIAL:
            self._start_special(tag, attributes)

    def end(self, tag: str) -> None:
        if tag not in _INLINE:
            self._end_text()
            self._is_apart |= _APART_BY.get(tag, _BY_BLOCK)
        elif self._chunks and self._chunks[-1][-1:].isspace():
            self._end_text()
        number = len(self._tags)
        self._tags.pop()
        start = self._starts.pop()
        depth = number - 1
        if number == self._around:
            self._around = 0
            self.document.around.append((start, len(self.texts)))
        elif number == self._text:
            self._text = 0
        elif number == self._unseen:
            self._unseen = 0
            self._in_title = False
        if self._anchor and depth == self._anchor_depth:
            self._end_anchor()
        if depth in self._contexts:
            position = len(self.texts)
            for link in self._contexts.pop(depth):
                link.context_end = position

    def close(self) -> None:
        super().close()
        self._end_text()
        body = [f" {text}" if apart else text for text, apart in zip(self.texts, self.apart, strict=True)]
        if self.title >= 0:
            body[self.title] = " "
        self.document.text = " ".join("".join(body).split())

    def _end_text(self) -> None:
        if not self._chunks:
            return
        text = "".join(self._chunks)
        self._chunks.clear()
        if self._unseen and not self._in_title:
            return
        if text.isspace():
            self._is_apart |= _BY_SPACE
            return
        if self._in_title:
            self.title = len(self.texts)
            self.document.title = " ".join(text.split())
        self.texts.append(text)
        self.apart.append(self._is_apart)
        self._is_apart = _JOINED

    def _start_special(self, tag: str, attributes: Mapping[str, str]) -> None:
        if self._unseen:
            return
        if tag in _LINK_ATTRIBUTE:
            self._start_link(tag, attributes)
        if tag in _UNSEEN and not is_shadow_root(tag, attributes):
            self._unseen = len(self._tags)
            self._in_title = tag == "title" and not self.document.title and _NO_TITLES.isdisjoint(self._tags)
        elif tag == "img" and self._anchor and "alt" in attributes:
            self._chunks.append(attributes["alt"])
            self._end_text()
        elif tag == "input":
            self.document.asks_password |= attributes.get("type", "").strip().lower() == "password"
        elif tag in _METADATA and "template" not in self._tags:
            self._start_metadata(tag, attributes)
        elif tag in _TEXTS:
            self._text = self._text or len(self._tags)
        elif tag in _AROUND and not self._around and (tag == "nav" or not self._text):
            self._around = len(self._tags)

    def _start_metadata(self, tag: str, attributes: Mapping[str, str]) -> None:
        if tag == "body":
            self._body = len(self._tags) - 1
        elif tag == "html":
            self.document.language = attributes.get("lang") or attributes.get("xml:lang", "")
        elif tag == "base":
            self.document.base = self.document.base or attributes.get("href", "")
        elif tag == "link":
            self._start_relation(attributes.get("rel", "").lower().split(), attributes)
        elif attributes.get("name", "").strip().lower() in self._robots:
            self.document.robots.append(attributes.get("content", ""))

    def _start_relation(self, relations: list[str], attributes: Mapping[str, str]) -> None:
        document, href = self.document, attributes.get("href", "")
        if "canonical" in relations and not document.canonical:
            document.canonical = href
        is_feed = "alternate" in relations and attributes.get("type", "").strip().lower() in _FEEDS
        if is_feed and href and len(document.feeds) < MAX_FEEDS:
            document.feeds.append(href)

    def _start_link(self, tag: str, attributes: Mapping[str, str]) -> None:
        href, depth = attributes.get(_LINK_ATTRIBUTE[tag]), len(self._tags) - 1
        if href is None and "xlink:href" in attributes and "svg" in self._tags:
            href = attributes["xlink:href"]
        if href is None or len(self.document.links) == MAX_HREFS:
            return
        if tag == "a" and self._anchor:  # links cannot be nested: a new one ends the one before, as in browsers
            self._end_anchor()
        node = max(depth - self._levels_up, min(self._body, depth))
        link = HtmlLink(
            href=href,
            tag_path="/".join(self._tags[max(self._body + 1, depth + 1 - MAX_TAG_PATH) :]),
            nofollow="rel" in attributes and not _NOFOLLOW.isdisjoint(attributes["rel"].lower().split()),
            anchor_start=len(self.texts),
            anchor_end=len(self.texts),
            context_start=self._starts[node],
        )
        self.document.links.append(link)
        self._contexts.setdefault(node, []).append(link)
        if tag == "a":
            self._anchor, self._anchor_depth = link, depth
        elif tag == "area":
            link.anchor = " ".join(attributes.get("alt", "").split())[:MAX_ANCHOR_LENGTH]

    def _end_anchor(self) -> None:
        if self._anchor:
            words = " ".join(self.texts[self._anchor.anchor_start :]).split()
            self._anchor.anchor = " ".join(words)[:MAX_ANCHOR_LENGTH]
            self._anchor.anchor_end = len(self.texts)
            self._anchor = None

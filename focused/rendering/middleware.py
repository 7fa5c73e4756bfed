"""Downloader middleware: a response that is an empty JavaScript shell becomes what a browser makes of it.

Recognises an empty JavaScript shell: a page whose text and links only a browser would bring, judged by its plain markup.

The signs are those that crawlers of the Web go by (little visible text, hardly a link, scripts, the empty element that a
framework fills, a noscript message); no sign alone is enough, for a short static page has some of them as well.
"""

from __future__ import annotations

import logging
import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from http import HTTPStatus
from itertools import islice
from typing import TYPE_CHECKING, Self, cast

from lxml import etree
from scrapy import Request, signals
from scrapy.crawler import Crawler
from scrapy.downloadermiddlewares.redirect import RedirectMiddleware
from scrapy.http import Headers, HtmlResponse, Response, TextResponse

from focused.collection.store import Store
from focused.crawl.scope import FILE_TYPE
from focused.live.own_requests import PAGE_METHODS
from focused.live.rendering_outcome import IN_VAIN, NotRendered, RenderingOutcome
from focused.live.responses import ID, OUTCOME, TAKEN, headers_of, stored
from focused.live.scrapy_engine import redirect_of_script
from focused.live.session import Session, session_of
from focused.page.media_types import HTML_TYPES, media_type
from focused.page.urls import host_of
from focused.rendering.asked import ASKED, Method, methods_of, tell_once
from focused.rendering.program import INSTALL_PACKAGE

if TYPE_CHECKING:
    from focused.rendering.renderer import Rendered, Renderer

ENOUGH_LINKS = 10  #: anchors in the markup with which a page is no shell, whatever else it holds
FEW_LINKS = 5  #: a shell may have this many (a logo, a language, legal notes)
LITTLE_TEXT = 600  #: characters of visible text that a shell may have (a loading screen, a cookie notice)
HARDLY_TEXT = 200  #: characters below which a page that mostly consists of scripts is one
NO_TEXT = 40  #: characters below which a page without links says nothing
MORE_TEXT = 200  #: characters of text by which a rendered page must exceed the plain one to have been worth it,
MORE_LINKS = 3  #: or links
MOST_ROOTS = 5  #: elements that frameworks may fill are looked at, for they may be nested
MOST_READ = 1_000_000  #: characters of markup that are looked at

_SCRIPT = re.compile(r"<script\b", re.IGNORECASE)
_ANCHOR = re.compile(r"<a\s[^>]*\bhref\b", re.IGNORECASE)
_ROOT_IDS = frozenset(
    ("root", "app", "application", "app-root", "react-root", "react-app", "vue-app", "main-app", "mount", "__next")
) | {"__nuxt", "___gatsby", "svelte", "q-app", "ember-app", "ng-app", "elm", "single-spa-application"}
_ROOT_TAG = re.compile(r"[a-z][a-z0-9]*-(root|app)|app-[a-z0-9-]+")  # custom elements, such as Angular's app-root
_MESSAGE = re.compile(r"java\s?script", re.IGNORECASE)
_UNSEEN = frozenset(("script", "style", "template", "noscript", "title", "head", "iframe", "svg"))


@dataclass(frozen=True, slots=True)
class Outline:
    """What there is to see on a page without running its scripts."""

    text: int = 0  #: characters of visible text, white space collapsed
    links: int = 0  #: anchors with different addresses, places on the same page left out
    scripts: int = 0  #: elements that load or hold JavaScript
    code: int = 0  #: characters of inline scripts
    has_empty_root: bool = False  #: an element that frameworks fill has hardly any text
    asks_for_javascript: bool = False  #: a noscript element speaks of JavaScript


def may_be_shell(markup: str) -> bool:
    """A quick look that spares most pages the parse: False is certain."""
    if not _SCRIPT.search(markup):
        return False
    return sum(1 for _ in zip(range(ENOUGH_LINKS), _ANCHOR.finditer(markup), strict=False)) < ENOUGH_LINKS


def is_shell(markup: str) -> bool:
    """Whether a plain page is an empty shell that a browser would fill."""
    if not may_be_shell(markup):
        return False
    page = outline(markup)
    if not page.scripts or page.links > FEW_LINKS or page.text > LITTLE_TEXT:
        return False
    if not page.links and page.text < NO_TEXT:
        return True
    mostly_scripts = page.text < HARDLY_TEXT and page.code > 5 * page.text
    return page.has_empty_root or page.asks_for_javascript or mostly_scripts


def gained(plain: Outline, rendered: Outline) -> bool:
    """Whether rendering brought what the plain page did not have."""
    return rendered.text >= plain.text + MORE_TEXT or rendered.links >= plain.links + MORE_LINKS


def outline(markup: str) -> Outline:
    """Look at a document; never raises, whatever the markup is."""
    parser = etree.HTMLParser(encoding="utf-8", huge_tree=True, remove_comments=True, remove_pis=True)
    try:
        root = etree.fromstring(markup[:MOST_READ].encode("utf-8", "replace"), parser)
    except (etree.LxmlError, ValueError):
        return Outline()
    if root is None:
        return Outline()
    scripts = [script for script in root.iter("script") if _is_javascript(script)]
    hrefs = {(anchor.get("href") or "").partition("#")[0].strip() for anchor in root.iter("a")}
    roots = (element for element in root.iter() if _is_root(element))
    return Outline(
        text=len(_visible_text(root)),
        links=len([href for href in hrefs if href and not href.lower().startswith(("javascript:", "mailto:", "tel:"))]),
        scripts=len(scripts),
        code=sum(len(script.text or "") for script in scripts),
        has_empty_root=any(len(_visible_text(element)) < HARDLY_TEXT for element in islice(roots, MOST_ROOTS)),
        asks_for_javascript=any(
            _MESSAGE.search(" ".join(map(str, element.itertext()))) for element in root.iter("noscript")
        ),
    )


def _is_javascript(script: etree._Element) -> bool:
    kind = (script.get("type") or "").strip().lower()
    return kind in ("", "module") or "javascript" in kind or "ecmascript" in kind


def _is_root(element: etree._Element) -> bool:
    tag = str(element.tag).lower()
    if (element.get("id") or "").lower() in _ROOT_IDS or element.get("ng-app") is not None:
        return tag in ("div", "main", "section", "body") or bool(_ROOT_TAG.fullmatch(tag))
    return bool(_ROOT_TAG.fullmatch(tag))


def _visible_text(root: etree._Element) -> str:
    """The text under an element in document order, white space collapsed; without recursion, for nests may be deep."""
    texts: list[str] = []
    unseen: etree._Element | None = None
    for event, element in etree.iterwalk(root, events=("start", "end")):
        if event == "start" and unseen is None:
            if element.tag in _UNSEEN:
                unseen = element
            else:
                texts.append(element.text or "")
        elif event == "end":
            if element is unseen:
                unseen = None
            if unseen is None and element is not root:
                texts.append(element.tail or "")
    return " ".join(" ".join(texts).split())


SURE = 3  #: rendered pages that gained, before a host's pages are rendered whatever they look like
MOST_EXCEPTIONS = 0.1  #: share of a host's pages that may have had no need of it, for that
TRIES = 2  #: pages rendered in vain, and none with gain, after which a host's pages are not rendered


@dataclass(slots=True)
class HostTally:
    """Pages of one host."""

    needed: int = 0  #: rendered, and it gave more
    sufficed: int = 0  #: plain, and it was no shell
    in_vain: int = 0  #: rendered, and it gave nothing more


class HostMemory:
    """Counts of a crawl by host; they live in its history, so that a later run knows them as well."""

    def __init__(self, tallies: dict[str, HostTally] | None = None) -> None:
        self._tallies = defaultdict(HostTally, tallies or {})

    @classmethod
    def of(cls, store: Store) -> HostMemory:
        """What the history of a collection says."""
        rows = store.execute(
            """
            SELECT h.name, sum(f.rendered AND f.reason IS NULL), sum(NOT f.rendered AND f.reason IS NULL),
                sum(coalesce(f.reason, '') = ?)
            FROM fetches f JOIN urls u ON u.id = f.final_url JOIN hosts h ON h.id = u.host
            WHERE f.rendered IS NOT NULL GROUP BY h.name""",
            (IN_VAIN,),
        )
        return cls({host: HostTally(*counts) for host, *counts in rows})

    def needs(self, host: str, *, is_shell: bool) -> bool:
        """Whether a plain page of a host is to be rendered."""
        tally = self._tallies.get(host)
        if tally is None:
            return is_shell
        exceptions = tally.sufficed + tally.in_vain
        if tally.needed >= SURE and exceptions <= MOST_EXCEPTIONS * (tally.needed + exceptions):
            return True
        if not tally.needed and tally.in_vain >= TRIES:
            return False
        return is_shell

    def learn(self, host: str, outcome: RenderingOutcome) -> None:
        tally = self._tallies[host]
        if outcome.reason == IN_VAIN:
            tally.in_vain += 1
        elif outcome.reason is None:
            tally.needed += bool(outcome.rendered)
            tally.sufficed += not outcome.rendered


logger = logging.getLogger(__name__)


class Render:
    """Decides page by page, by what the page looks like and by what its host needed before. The plain response is kept.

    It comes after redirects, retries and decompression: what it sees is the page as it would be read.
    """

    def __init__(self, crawler: Crawler, session: Session) -> None:
        self.crawler, self.session = crawler, session
        self.mode = session.topic.rendering.mode
        self.memory = HostMemory() if self.mode == "never" else HostMemory.of(session.store)
        self.counts: Counter[str] = Counter()
        self._renderer: Renderer | None = None
        self._given_up = ""

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        middleware = cls(crawler, session_of(crawler))
        crawler.signals.connect(middleware.closed, signals.engine_stopped)
        return middleware

    async def process_response(self, request: Request, response: Response) -> Request | Response:
        """Return the response, the rendered page in its place, or a request for where its scripts lead."""
        is_asked = bool(request.meta.get(ASKED))
        if self.mode == "never":
            if is_asked:
                tell_once("meta playwright is passed over: the topic renders nothing; try -a render=auto")
            return response
        is_ours = ID in request.meta and TAKEN not in request.meta and request.meta[ID] not in self.session.crawl.lists
        if not is_ours or not _is_page(request, response):
            return response
        assert isinstance(response, TextResponse)
        is_wanted = is_asked or self.mode == "always"
        if not is_wanted and not self.memory.needs(host_of(response.url), is_shell=is_shell(response.text)):
            return self._conclude(request, response, RenderingOutcome())
        try:
            rendered = await self._render(response, methods_of(request.meta) if is_asked else ())
        except NotRendered as error:
            self.counts["failed"] += 1
            return self._conclude(request, response, RenderingOutcome(reason=f"not rendered: {error}"))
        if rendered.target is not None:
            self.counts["redirects"] += 1
            assert self._redirects is not None  # or the page would not have left
            # The scheduler judges it as it does any redirect: known already, out of scope, or to be fetched.
            followed = redirect_of_script(self._redirects, request, response, rendered.target)
            followed.meta.pop(PAGE_METHODS, None)  # they were for the page that was left
            return followed
        in_vain = not gained(outline(response.text), outline(rendered.markup))
        self.counts["in vain" if in_vain else "gained"] += 1
        if in_vain and not is_wanted:
            return self._conclude(request, response, RenderingOutcome(reason=IN_VAIN))
        outcome = RenderingOutcome(stored(response), rendered.failed or (IN_VAIN if in_vain else None))
        return self._conclude(request, _replaced(response, rendered.markup), outcome)

    async def closed(self) -> None:
        if self._renderer is not None:
            await self._renderer.close()
        if self.counts:
            stats = self.crawler.stats
            assert stats is not None
            logger.info(
                "Rendering: %d pages gained by it, %d did not, %d were redirects, %d could not be rendered; "
                "their scripts made %d requests",
                *(self.counts[name] for name in ("gained", "in vain", "redirects", "failed")),
                stats.get_value("focused/rendering/resources", 0),
            )

    def _conclude(self, request: Request, response: Response, outcome: RenderingOutcome) -> Response:
        self.memory.learn(host_of(response.url), outcome)
        request.meta[OUTCOME] = outcome
        return response

    async def _render(self, response: Response, methods: Sequence[Method]) -> Rendered:
        if self._given_up:
            raise NotRendered(self._given_up)
        if self._renderer is None:
            try:
                from focused.rendering.renderer import Renderer  # Playwright is loaded for the first page that needs it
            except ImportError as error:
                logger.error(
                    "No page is rendered from now on: %s is missing: %s. The crawl goes on with plain pages.",
                    *(error.name, INSTALL_PACKAGE),
                )
                self._given_up = "scrapy-playwright is not installed"
                raise NotRendered(self._given_up) from error
            self._renderer = Renderer(self.crawler, self.session.topic)
        own = self.session.reader.rules.canonical(response.url)
        return await self._renderer.render(response, lambda url: self._leaves(own, url), methods)

    def _leaves(self, own: str | None, url: str) -> bool:
        """Whether a page that navigates to a URL is a redirect: not to itself, and not to a file that would be downloaded."""
        rules = self.session.reader.rules
        canonical = rules.canonical(url)
        if canonical in (None, own) or self._redirects is None:
            return False
        return self.session.crawl.admission.against_address(rules.address(str(canonical))) != FILE_TYPE

    @property
    def _redirects(self) -> RedirectMiddleware | None:
        return cast("RedirectMiddleware | None", self.crawler.get_downloader_middleware(RedirectMiddleware))


def _is_page(request: Request, response: Response) -> bool:
    if request.method != "GET" or response.status != HTTPStatus.OK or not isinstance(response, TextResponse):
        return False
    return media_type(headers_of(response)[0], response.body) in HTML_TYPES


def _replaced(plain: Response, markup: str) -> HtmlResponse:
    """The rendered page as a response: what the server said of the page (robots directives, say) stays true of it."""
    headers = Headers(plain.headers)
    for name in ("Content-Encoding", "Content-Length"):
        headers.pop(name, None)
    headers["Content-Type"] = "text/html; charset=utf-8"
    body, flags = markup.encode("utf-8", "replace"), [*plain.flags, "rendered"]
    return plain.replace(cls=HtmlResponse, headers=headers, body=body, flags=flags, encoding="utf-8")

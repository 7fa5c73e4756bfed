"""Downloader middleware: a response that is an empty JavaScript shell becomes what a browser makes of it."""

from __future__ import annotations

import logging
from collections import Counter
from http import HTTPStatus
from typing import TYPE_CHECKING, Self, cast

from scrapy import Request, signals
from scrapy.crawler import Crawler
from scrapy.downloadermiddlewares.redirect import RedirectMiddleware
from scrapy.exceptions import NotConfigured
from scrapy.http import Headers, HtmlResponse, Response, TextResponse

from focused.crawl.scope import FILE_TYPE
from focused.live.rendering_outcome import IN_VAIN, NotRendered, Outcome
from focused.live.responses import ID, OUTCOME, stored
from focused.live.scrapy_engine import redirect_of_script
from focused.live.session import Session, session_of
from focused.live.shared_run import TAKEN
from focused.page.decoding import HTML_TYPES, media_type
from focused.page.urls import host_of
from focused.rendering.host_memory import HostMemory
from focused.rendering.program import INSTALL_PACKAGE
from focused.rendering.shell import gained, is_shell, outline

if TYPE_CHECKING:
    from focused.rendering.renderer import Rendered, Renderer

logger = logging.getLogger(__name__)


class Render:
    """Decides page by page, by what the page looks like and by what its host needed before. The plain response is kept.

    It comes after redirects, retries and decompression: what it sees is the page as it would be read.
    """

    def __init__(self, crawler: Crawler, session: Session) -> None:
        self.crawler, self.session = crawler, session
        self.always = session.topic.rendering.mode == "always"
        self.memory = HostMemory.of(session.store)
        self.counts: Counter[str] = Counter()
        self._renderer: Renderer | None = None
        self._given_up = ""

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Raises NotConfigured for a topic that renders nothing."""
        session = session_of(crawler)
        if session.topic.rendering.mode == "never":
            raise NotConfigured
        middleware = cls(crawler, session)
        crawler.signals.connect(middleware.closed, signals.engine_stopped)
        return middleware

    async def process_response(self, request: Request, response: Response) -> Request | Response:
        """Return the response, the rendered page in its place, or a request for where its scripts lead."""
        is_ours = ID in request.meta and TAKEN not in request.meta and request.meta[ID] not in self.session.crawl.lists
        if not is_ours or not _is_page(request, response):
            return response
        assert isinstance(response, TextResponse)
        if not self.always and not self.memory.needs(host_of(response.url), is_shell=is_shell(response.text)):
            return self._conclude(request, response, Outcome())
        try:
            rendered = await self._render(response)
        except NotRendered as error:
            self.counts["failed"] += 1
            return self._conclude(request, response, Outcome(reason=f"not rendered: {error}"))
        if rendered.target is not None:
            return self._redirect(request, response, rendered.target)
        in_vain = not gained(outline(response.text), outline(rendered.markup))
        self.counts["in vain" if in_vain else "gained"] += 1
        if in_vain and not self.always:
            return self._conclude(request, response, Outcome(reason=IN_VAIN))
        outcome = Outcome(stored(response), IN_VAIN if in_vain else None)
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

    def _conclude(self, request: Request, response: Response, outcome: Outcome) -> Response:
        self.memory.learn(host_of(response.url), outcome)
        request.meta[OUTCOME] = outcome
        return response

    async def _render(self, response: Response) -> Rendered:
        if self._given_up:
            raise NotRendered(self._given_up)
        if self._renderer is None:
            try:
                from focused.rendering.renderer import Renderer  # Playwright is loaded for the first page that needs it
            except ImportError as error:
                logger.error(
                    "No page is rendered from now on: %s is missing: %s. The crawl goes on with plain pages.",
                    error.name,
                    INSTALL_PACKAGE,
                )
                self._given_up = "scrapy-playwright is not installed"
                raise NotRendered(self._given_up) from error
            self._renderer = Renderer(self.crawler, self.session.topic)
        own = self._canonical(response.url)
        return await self._renderer.render(response, lambda url: self._leaves(own, url))

    def _leaves(self, own: str | None, url: str) -> bool:
        """Whether a page that navigates to a URL is a redirect: not to itself, and not to a file that would be downloaded."""
        canonical = self._canonical(url)
        if canonical in (None, own) or self._redirects is None:
            return False
        return self.session.crawl.out_of_scope(self.session.reader.rules.address(str(canonical))) != FILE_TYPE

    def _redirect(self, request: Request, response: Response, target: str) -> Request:
        """The request that the scheduler judges as it does any redirect: known already, out of scope, or to be fetched."""
        redirects = self._redirects
        assert redirects is not None  # or the page would not have left
        self.counts["redirects"] += 1
        return redirect_of_script(redirects, request, response, target)

    def _canonical(self, url: str) -> str | None:
        return self.session.reader.rules.canonical(url)

    @property
    def _redirects(self) -> RedirectMiddleware | None:
        return cast("RedirectMiddleware | None", self.crawler.get_downloader_middleware(RedirectMiddleware))


def _is_page(request: Request, response: Response) -> bool:
    if request.method != "GET" or response.status != HTTPStatus.OK or not isinstance(response, TextResponse):
        return False
    content_type = (response.headers.get("Content-Type") or b"").decode("latin-1")
    return media_type(content_type, response.body) in HTML_TYPES


def _replaced(plain: Response, markup: str) -> HtmlResponse:
    """The rendered page as a response: what the server said of the page (robots directives, say) stays true of it."""
    headers = Headers(plain.headers)
    for name in ("Content-Encoding", "Content-Length"):
        headers.pop(name, None)
    headers["Content-Type"] = "text/html; charset=utf-8"
    return HtmlResponse(
        plain.url,
        plain.status,
        headers,
        markup.encode("utf-8", "replace"),
        [*plain.flags, "rendered"],
        plain.request,
        ip_address=plain.ip_address,
        protocol=plain.protocol,
        encoding="utf-8",
    )

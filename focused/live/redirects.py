"""Downloader middlewares: redirects as Scrapy follows them, but none in a circle, and refreshes as browsers understand them."""

from __future__ import annotations

from html import escape
from urllib.parse import urldefrag

from scrapy import Request
from scrapy.downloadermiddlewares.redirect import MetaRefreshMiddleware, RedirectMiddleware
from scrapy.exceptions import IgnoreRequest
from scrapy.http import HtmlResponse, Response
from scrapy.settings import BaseSettings

from focused.crawl.answers import CIRCLE
from focused.live.responses import headers_of
from focused.page.refresh import refresh_of
from focused.page.urls import at_canonical_host

BUSY = (429, 503)  #: answers that ask for patience, whatever else they say: `Throttling` sees to them
#: What Scrapy understands, in the place of all that browsers do.
META = '<meta http-equiv="refresh" content="{:.0f}; url={}">'


class InACircle(IgnoreRequest):
    """A redirect leads to where its request came from."""


def unless_in_circle(request: Request, response: Response, followed: Request, *, cookies: bool = False) -> Request:
    """The request that follows a redirect; raises InACircle for a URL that was asked for on the way to it.

    cookies : they are sent back, so that a URL may be asked for a second time after an answer that sets one
    """
    target = _asked_for(followed.url)
    visits = [_asked_for(url) for url in followed.meta["redirect_urls"]].count(target)
    is_other_request = followed.method != request.method  # a form that was sent shows the page that it stands on
    if visits > (cookies and "Set-Cookie" in response.headers) and not is_other_request:
        raise InACircle(CIRCLE)
    return followed


def _asked_for(url: str) -> str:
    return urldefrag(at_canonical_host(url) or url).url


class Redirects(RedirectMiddleware):
    """Follows the redirects of servers."""

    def __init__(self, settings: BaseSettings) -> None:
        super().__init__(settings)
        self._cookies = settings.getbool("COOKIES_ENABLED")

    def process_response(self, request: Request, response: Response) -> Request | Response:  # type: ignore[override]
        """Return the response, or the request that follows it; raises InACircle."""
        followed = super().process_response(request, response)
        if isinstance(followed, Request):
            return unless_in_circle(request, response, followed, cookies=self._cookies)
        return followed


class Refreshes(MetaRefreshMiddleware):
    """Follows the refreshes that pages declare; a page that leads back to itself, or in a circle, is a page."""

    def __init__(self, settings: BaseSettings) -> None:
        super().__init__(settings)
        self._cookies = settings.getbool("COOKIES_ENABLED")
        self._unread = tuple(settings.getlist("METAREFRESH_IGNORE_TAGS"))

    def process_response(self, request: Request, response: Response) -> Request | Response:  # type: ignore[override]
        """Return the response, or the request that follows it."""
        if response.status in BUSY:
            return response
        header = (response.headers.get("Refresh") or b"").decode("latin-1")
        found = refresh_of(response.url, response.body, headers_of(response)[0], header, self._unread)
        if found is None:
            return response
        markup = META.format(found.seconds, escape(found.target).replace("&#x27;", "%27"))
        said = HtmlResponse(response.url, headers=response.headers, body=markup, encoding="utf-8")
        followed = super().process_response(request, said)
        if not isinstance(followed, Request):
            return response
        try:
            return unless_in_circle(request, response, followed, cookies=self._cookies)
        except InACircle:
            return response

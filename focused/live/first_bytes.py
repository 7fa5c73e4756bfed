"""Downloader middleware: ends the download of an HTML page after its first bytes, where the topic says so."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Self
from weakref import WeakKeyDictionary

from scrapy import Request, signals
from scrapy.crawler import Crawler
from scrapy.exceptions import NotConfigured, StopDownload
from scrapy.http import Headers, Response

from focused.live.responses import BEGINNING, ID, headers_of
from focused.live.session import Session, session_of
from focused.live.unpacking import unpacked_so_far

STOPPED = "download_stopped"  #: Scrapy's flag of a response whose download was ended


@dataclass(slots=True)
class Download:
    """The body of an answer that is arriving."""

    headers: Headers
    enough: int  #: bytes of it after which it is worth a look whether the page's first bytes are there
    body: bytearray = field(default_factory=bytearray)


class FirstBytes:
    """Ends a download once the first bytes of the page are there, unpacked, and cuts off what came beyond them.

    So live and simulated crawls read the same. Lists of links, robots.txt, scripts and all that is no HTML page are left whole.

    most : bytes that a body may hold when it is unpacked
    """

    def __init__(self, session: Session, most: int) -> None:
        self.session, self._most = session, most
        self._downloads: WeakKeyDictionary[Request, Download] = WeakKeyDictionary()

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Raises NotConfigured for a topic that reads whole pages."""
        session = session_of(crawler)
        if not session.topic.reading.first_bytes:
            raise NotConfigured
        middleware = cls(session, crawler.settings.getint("DOWNLOAD_MAXSIZE"))
        crawler.signals.connect(middleware.began, signals.headers_received)
        crawler.signals.connect(middleware.arrived, signals.bytes_received)
        return middleware

    def began(self, headers: Headers, request: Request) -> None:
        if self._is_of_a_page(request):
            self._downloads[request] = Download(headers, self.session.topic.reading.first_bytes)

    def arrived(self, data: bytes, request: Request) -> None:
        """Raises StopDownload when enough is there. What cannot be cut is looked at again only when it has doubled."""
        download = self._downloads.get(request)
        if download is None:
            return
        download.body += data
        if len(download.body) <= download.enough:
            return
        download.enough = 2 * len(download.body)
        page = unpacked_so_far(bytes(download.body), download.headers, self._most)
        if len(page) <= self.session.topic.reading.first_bytes:
            return
        del self._downloads[request]
        content_type = (download.headers.get("Content-Type") or b"").decode("latin-1")
        if len(self.session.reader.beginning(request.url, page, content_type)) < len(page):
            raise StopDownload(fail=False)

    def process_response(self, request: Request, response: Response) -> Response:
        """Return the page as far as the topic reads it, marked if that is not the whole."""
        self._downloads.pop(request, None)
        if not self._is_of_a_page(request):
            return response
        body = self.session.reader.beginning(response.url, response.body, headers_of(response)[0])
        if len(body) == len(response.body) and STOPPED not in response.flags:
            return response
        return response.replace(body=body, flags=[*response.flags, BEGINNING])

    def _is_of_a_page(self, request: Request) -> bool:
        return ID in request.meta and request.meta[ID] not in self.session.crawl.lists

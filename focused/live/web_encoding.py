"""Downloader middleware: keeps responses from making Scrapy run a codec that is no encoding of the Web."""

from __future__ import annotations

from scrapy import Request
from scrapy.http import Response, TextResponse

from focused.live.responses import headers_of
from focused.page.decoding import encoding_of, is_misdeclared


class WebEncoding:
    """Replaces an encoding that browsers do not know (hex, punycode, utf-7) by the one that they use instead.

    For ``response.text``, and to look for a redirect in the page, Scrapy would run the codec of that name, which raises, or takes
    minutes.
    """

    def process_response(self, request: Request, response: Response) -> Response:
        if not isinstance(response, TextResponse):
            return response
        content_type, _ = headers_of(response)
        if not is_misdeclared(response.body, content_type):
            return response
        return response.replace(encoding=encoding_of(response.body, content_type))

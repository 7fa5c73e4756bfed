"""Downloader middleware: no response makes Scrapy run a codec that is no encoding of the Web."""

from __future__ import annotations

from scrapy import Request
from scrapy.http import Response, TextResponse

from focused.page.decoding import browsers_encoding, is_misdeclared


class WebEncoding:
    """Gives a text that says an encoding which browsers do not know (hex, punycode, utf-7) the one that they take instead.

    Scrapy would run the codec of that name for ``response.text``, also to look for a redirect in the page: that raises, or takes
    minutes.
    """

    def process_response(self, request: Request, response: Response) -> Response:
        if not isinstance(response, TextResponse):
            return response
        content_type = (response.headers.get("Content-Type") or b"").decode("latin-1")
        if not is_misdeclared(response.body, content_type):
            return response
        return response.replace(encoding=browsers_encoding(response.body, content_type))

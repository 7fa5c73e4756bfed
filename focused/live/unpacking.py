"""Downloader middleware: a body is unpacked, or there is no page; packed bytes never count as its text."""

from __future__ import annotations

import re
from itertools import chain

from scrapy import Request
from scrapy.downloadermiddlewares.httpcompression import ACCEPTED_ENCODINGS, HttpCompressionMiddleware
from scrapy.exceptions import IgnoreRequest
from scrapy.http import Headers, Response
from scrapy.responsetypes import responsetypes

from focused.page.plain_text import plain

PACKED = "its body cannot be unpacked"  #: begins the reason of a page whose body is not what its header says
CODINGS = frozenset((*ACCEPTED_ENCODINGS, b"x-gzip"))
NO_CODING = frozenset((b"", b"identity"))
MOST_CODINGS = 5  #: of one body; each may take as long as `DOWNLOAD_MAXSIZE` bytes do (curl has the same limit)
SHOWN = 50  #: characters of codings, for a person
_SNIFFED = 1_445  # bytes, and what is none of a text: WHATWG MIME Sniffing, section 3
_BINARY = re.compile(rb"[\x00-\x08\x0b\x0e-\x1a\x1c-\x1f]")


class Unpacking(HttpCompressionMiddleware):
    """Scrapy's middleware, for all bodies that browsers unpack; one that is not what its header says is a failure.

    Scrapy unpacks nothing before ``identity``, passes on what it cannot unpack, and asks three times for what is broken. Browsers
    pass over words that are no coding, such as ``utf-8``, and so do we where the body looks like text.
    """

    def process_response(self, request: Request, response: Response) -> Request | Response:  # type: ignore[override]
        """Return the response, unpacked; raises IgnoreRequest for a body that is not packed as it says, or holds too much."""
        said = response.headers.getlist("Content-Encoding")
        if not said or request.method == "HEAD":
            return response
        codings = [coding.strip().lower() for coding in chain.from_iterable(value.split(b",") for value in said)]
        packings = [coding for coding in codings if coding in CODINGS]
        response.headers["Content-Encoding"] = packings
        try:
            if len(packings) > MOST_CODINGS:
                raise ValueError
            unpacked = (
                super().process_response(request, response) if packings and response.body else _as_it_is(response)
            )
            is_text = {*codings} <= CODINGS | NO_CODING or not _BINARY.search(unpacked.body[:_SNIFFED])
        except IgnoreRequest:  # too large
            raise
        except Exception:  # each way to unpack raises others
            is_text = False
        if is_text:
            return unpacked
        if 200 <= response.status < 300:
            raise IgnoreRequest(f"{PACKED}: {plain(b', '.join(said).decode('latin-1'), SHOWN)}")
        return _as_it_is(response.replace(body=b""))  # its status says enough


def unpacked_so_far(body: bytes, headers: Headers, most: int) -> bytes:
    """As much of a page as the first bytes of its body hold; empty where that is nothing, too much, or packed more than once."""
    said = ",".join(value.decode("latin-1") for value in headers.getlist("Content-Encoding")).split(",")
    packings = [coding for coding in (part.strip().lower().encode("latin-1") for part in said) if coding in CODINGS]
    if not packings:
        return body
    try:
        return Unpacking._decode(body, packings[0], most) if len(packings) == 1 else b""
    except Exception:  # each way to unpack raises others
        return b""


def _as_it_is(response: Response) -> Response:
    """The response as one that is not packed."""
    del response.headers["Content-Encoding"]
    return response.replace(cls=responsetypes.from_args(response.headers, response.url, body=response.body))

"""What we read from, and write into, Scrapy's requests and responses."""

from __future__ import annotations

from codecs import BOM_UTF8

from scrapy import Request
from scrapy.http import Response
from scrapy.utils.httpobj import urlparse_cached

from focused.collection.repository import DISCONNECT, LENGTH, Stored
from focused.live.own_fields import KEEP_FIELDS
from focused.page.page import Page, Unreadable
from focused.page.reader import Reader
from focused.page.urls import at_canonical_host

ID = "focused_id"  #: of a request: id of the URL that was picked; retries and redirects carry it on until the request has ended
ENDED = "focused_ended"  #: of a request that has ended: the same id, so that what copies its meta does not go on with the pick
PUT_OFF = "focused_put_off"  #: of a request: how often its host was too busy
HOPS = "focused_hops"  #: of a request: redirects that its pick has gone through
ITEM = "focused_item"  #: of a response: the item of the page until it has been handed to the pipelines
PAGE = "page"  #: of a response: the page as it was read, for the callback
OUTCOME = "focused_rendering"  #: of a response: the `RenderingOutcome`, if the topic renders pages
SIGNALS = "focused_signals"  #: of a request: the Content Signals in the robots.txt of its origin
CUT = "dataloss"  #: Scrapy's flag of a response whose body broke off; ours too of one that was longer than it said
BEGINNING = "beginning"  #: flag of a response of which the topic asks for no more than its first bytes
#: Why a stored body is not whole -> the flag of such a response.
FLAGS = {DISCONNECT: CUT, LENGTH: BEGINNING}
TAKEN = "focused_taken"  #: of a request: the `SharedPage` that answers it
#: Of a request: it asks for a page as any client would, so that other topics may take over the answer; not for the user's own.
PLAIN = "focused_plain"
DOCUMENT = "focused_document"  #: of a response: what was read of a PDF document, where the topic reads them

#: Keys that a request of the user's own may have copied from ``response.meta``, and that must not count for it.
OF_ANOTHER_FETCH = (
    *(ID, ENDED, HOPS, PUT_OFF, ITEM, PAGE, KEEP_FIELDS, OUTCOME, DOCUMENT, SIGNALS, PLAIN, TAKEN),
    *("download_slot", "download_latency", "retry_times"),
    *("redirect_times", "redirect_ttl", "redirect_urls", "redirect_reasons"),
)


def read_response(reader: Reader, response: Response) -> Page | Unreadable:
    """Read a response as a crawl does."""
    content_type, robots_tag = headers_of(response)
    return reader.read(response.url, response.body, content_type, robots_tag)


def at_its_host(request: Request) -> Request:
    """A request with its host spelt as in the core, and without credentials, which a redirect would give to a stranger."""
    url = at_canonical_host(request.url)
    return request if url in (None, request.url) else request.replace(url=url)


def host_of_request(request: Request) -> str:
    """The host of a request as the core names it: an IPv6 address in brackets, and no dot at the end."""
    host = (urlparse_cached(request).hostname or "").removesuffix(".")
    return f"[{host}]" if ":" in host else host


def headers_of(response: Response) -> tuple[str, str]:
    """Content-Type, and all X-Robots-Tag headers, each on a line."""
    content_type = (response.headers.get("Content-Type") or b"").decode("latin-1")
    return content_type, "\n".join(value.decode("latin-1") for value in response.headers.getlist("X-Robots-Tag"))


def stored(response: Response) -> Stored:
    """A response as the repository keeps it."""
    headers = tuple(
        (name.decode("latin-1"), value.decode("latin-1"))
        for name, values in response.headers.items()
        for value in values
    )
    return Stored(response.url, response.status, headers, *_body(response))


def _body(response: Response) -> tuple[bytes, str]:
    """The body, and why it is not whole: then a last line that is half a URL goes, as in a list of them."""
    body = response.body
    why = next((why for why, flag in FLAGS.items() if flag in response.flags), "")
    if why != DISCONNECT:
        return body, why
    whole = body.rfind(b"\n") + 1
    return body[:whole] if body[whole:].removeprefix(BOM_UTF8).lstrip().startswith(b"http") else body, why

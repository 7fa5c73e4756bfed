"""Why a fetch gave no page, in a few stable words for a person: the column ``reason`` of the history."""

from __future__ import annotations

from scrapy.exceptions import IgnoreRequest
from scrapy.spidermiddlewares.httperror import HttpError
from scrapy.utils.python import global_object_name
from twisted.python.failure import Failure

from focused.crawl.scope import PORT, PRIVATE
from focused.page.plain_text import LONGEST_REASON, plain
from focused.topic.topic_tables import IF_MEANT

#: Words for the exceptions of Scrapy and Twisted, by class name.
WORDS = {
    "CannotResolveHostError": "host name not found",
    "DNSLookupError": "host name not found",
    "DownloadTimeoutError": "timeout",
    "TimeoutError": "timeout",
    "TCPTimedOutError": "timeout",
    "ConnectionRefusedError": "connection refused",
    "DownloadConnectionRefusedError": "connection refused",
    "ConnectionLost": "connection lost",
    "ConnectionDone": "connection lost",
    "ResponseFailed": "connection lost",
    "DownloadFailedError": "connection lost",
    "ResponseDataLossError": "response incomplete",
    "DownloadCancelledError": "too large",
    "TunnelError": "proxy tunnel failed",
}

#: Words for an IgnoreRequest, by what its message holds.
IGNORED = {"Forbidden by robots.txt": "robots.txt", "exceeded DOWNLOAD_MAXSIZE": "too large"}


def kind_of(reason: str) -> str:
    """The common part of reasons that differ only in a URL, a type or a language: any crawl has only a few kinds."""
    if reason.startswith("redirects to ") and reason.endswith("not an http(s) URL"):
        return "redirects to no http(s) URL"
    if reason.startswith("content type "):
        return "content type out of scope"
    if reason.startswith("found on a page in language "):
        return "found on a page in another language"
    return reason.partition(":")[0]


def reason_of(failure: Failure) -> tuple[str, int | None]:
    """Return the reason, and the HTTP status where there was one."""
    error = failure.value
    if isinstance(error, HttpError):
        return f"http {error.response.status}", error.response.status
    if isinstance(error, IgnoreRequest):
        text = str(error)
        known = next((word for sign, word in IGNORED.items() if sign in text), plain(text, LONGEST_REASON))
        return known or "ignored by a middleware", None
    name = global_object_name(type(error)).rpartition(".")[2]
    return WORDS.get(name, plain(f"{name}: {error}", LONGEST_REASON)), None


def with_advice(reason: str) -> str:
    """A reason for a person who asked for this one page; if the scope bars it, with what would allow it."""
    if kind_of(reason) == PRIVATE:
        return f"{reason}; {IF_MEANT}"
    if reason == PORT:
        return f"{reason}; if you mean it, name the port among ports in [scope] (-a scope.ports=PORT)"
    return reason

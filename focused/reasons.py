"""Why a fetch gave no page, in a few stable words for a person: what the column ``reason`` of the history holds."""

from __future__ import annotations

from scrapy.exceptions import IgnoreRequest, StopDownload
from scrapy.spidermiddlewares.httperror import HttpError
from scrapy.utils.python import global_object_name
from twisted.python.failure import Failure

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


def reason_of(failure: Failure) -> tuple[str, int | None]:
    """Return the reason, and the HTTP status where there was one."""
    error = failure.value
    if isinstance(error, HttpError):
        return f"http {error.response.status}", error.response.status
    if isinstance(error, StopDownload):
        response = error.response
        header = (response.headers.get("Content-Type") if response is not None else None) or b""
        content_type = header.decode("latin-1").partition(";")[0].strip().lower()
        return f"content type {content_type} out of scope", getattr(response, "status", None)
    if isinstance(error, IgnoreRequest):
        text = str(error)
        return "robots.txt" if "robots.txt" in text else text or "ignored by a middleware", None
    name = global_object_name(type(error)).rpartition(".")[2]
    return WORDS.get(name, f"{name}: {error}"[:200]), None

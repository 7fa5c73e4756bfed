"""What we read from, and write into, Scrapy's requests and responses."""

from __future__ import annotations

from scrapy.http import Response

from focused.storage.repository import Stored

ID = "focused_id"  #: of a request: id of the URL that was picked; retries and redirects carry it on
HOPS = "focused_hops"  #: of a request: redirects that its pick has gone through
ITEM = "focused_item"  #: of a response: the item of the page until it has been handed to the pipelines
PAGE = "page"  #: of a response: the page as it was read, for the callback
OUTCOME = "focused_rendering"  #: of a response: the `Outcome` of rendering, where the topic renders pages

#: What a request of the user's own may have copied from ``response.meta`` and must not mean anything for it.
OF_ANOTHER_FETCH = (
    *(ID, HOPS, ITEM, PAGE, OUTCOME, "download_slot", "download_latency", "retry_times"),
    *("redirect_times", "redirect_ttl", "redirect_urls", "redirect_reasons"),
)


def stored(response: Response) -> Stored:
    """A response as the repository keeps it."""
    headers = tuple(
        (name.decode("latin-1"), value.decode("latin-1"))
        for name, values in response.headers.items()
        for value in values
    )
    return Stored(response.url, response.status, headers, response.body)

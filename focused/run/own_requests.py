"""Requests of the user's own code, which wait in the frontier beside all links and are saved as JSON: data is never code."""

from __future__ import annotations

import logging
from hashlib import blake2b

from scrapy import Request, Spider
from scrapy.utils.request import RequestFingerprinterProtocol, request_from_dict

from focused.reading.urls import Address
from focused.storage.plain_json import from_json, to_json

logger = logging.getLogger(__name__)


class OwnRequests:
    """Keeps what a request needs beside its URL, until the URL is picked.

    saved : by URL id, requests of earlier runs that have no answer yet, as `saved_form` gave them
    """

    def __init__(self, saved: dict[int, str | None]) -> None:
        self._saved = dict(saved)
        self._live: dict[int, Request] = {}  # requests that cannot be saved

    def keep(self, url: int, request: Request, saved: str | None) -> None:
        """Keep a request for a URL that waits; ``saved`` is its `saved_form`."""
        if saved is None:
            self._live[url] = request
        else:
            self._saved[url] = saved

    def take(self, url: int, spider: Spider) -> Request | None:
        """The request for a URL, which is then forgotten; None for a URL that was found as a link."""
        if (live := self._live.pop(url, None)) is not None:
            return live
        saved = self._saved.pop(url, None)
        if saved is None:
            return None
        try:
            return request_from_dict(from_json(saved), spider=spider)
        except Exception as error:  # such as a callback that the spider has no more
            logger.warning("A saved request cannot be rebuilt (%s): its URL is fetched without your callback", error)
            return None


def saved_form(request: Request, spider: Spider) -> str | None:
    """What rebuilds a request after a restart; None, with a warning, for one that holds what cannot be saved."""
    try:
        return to_json(request.to_dict(spider=spider))
    except (ValueError, TypeError, RecursionError) as error:
        logger.warning(
            "%s cannot be saved (%s): if the crawl stops before it is sent, the next run fetches its URL without your callback",
            request,
            error,
        )
        return None


def own_address(address: Address, request: Request, fingerprinter: RequestFingerprinterProtocol, event: int) -> Address:
    """The identity of a request that its URL alone does not tell: of another method, with a body, or wanted once more."""
    if request.method == "GET" and not request.body and not request.dont_filter:
        return address
    fingerprint = fingerprinter.fingerprint(request)
    if request.dont_filter:  # wanted again, however often it was fetched
        fingerprint += event.to_bytes(8, "big")
    key = int.from_bytes(blake2b(fingerprint, digest_size=8).digest(), "big", signed=True)
    return Address(key, address.host, request.url)

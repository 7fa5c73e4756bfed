"""Requests of the user's own code, which wait in the frontier beside all links and are saved as JSON: data is never code.

A saved request names a class, a callback and an errback. A stranger may have written these names. So we look them up only among
what the user's code has imported already; a row never makes us import or create anything else.
"""

from __future__ import annotations

import logging
import sys
from collections.abc import Callable, Mapping
from types import MethodType
from typing import Any

from scrapy import Request, Spider
from scrapy.utils.request import RequestFingerprinterProtocol

from focused.collection.snapshot import from_json, to_json
from focused.page.urls import Address, UrlRules, number_of

logger = logging.getLogger(__name__)

#: What scrapy-playwright looks up by name, or imports, for a request whose meta has it.
NAMES_OF_CODE = ("playwright_page_init_callback", "playwright_page_event_handlers")

#: What it does on a page, each a `PageMethod` of its own.
PAGE_METHODS = "playwright_page_methods"


class OwnRequests:
    """Keeps the parts of a request beside its URL, until the URL is picked.

    saved : by URL id, requests of earlier runs that have no answer yet, as `saved_form` gave them
    rules : how the crawl makes URLs canonical
    """

    def __init__(self, saved: Mapping[int, str | None], rules: UrlRules) -> None:
        self._saved, self._rules = dict(saved), rules
        self._live: dict[int, Request] = {}  # requests that cannot be saved

    def keep(self, url: int, request: Request, saved: str | None) -> None:
        """Keep a request for a URL that waits; ``saved`` is its `saved_form`."""
        if saved is None:
            self._live[url] = request
        else:
            self._saved[url] = saved

    def __contains__(self, url: int) -> bool:
        """Whether a URL that waits has a request of the user's own."""
        return url in self._live or self._saved.get(url) is not None

    def take(self, url: int, host: str, spider: Spider) -> Request | None:
        """Remove and return the request for a URL on a host; None for a URL that was found as a link."""
        if (live := self._live.pop(url, None)) is not None:
            return live
        saved = self._saved.pop(url, None)
        if saved is None:
            return None
        try:
            request = _rebuilt(from_json(saved), spider)
            canonical = self._rules.canonical(request.url)
            if canonical is None or self._rules.address(canonical).host != host:
                raise ValueError(f"{request.url} is not on the host {host}, where it waits")
            return request
        except Exception as error:  # such as a callback that the spider has no more; a damaged row may raise anything
            logger.warning("A saved request cannot be rebuilt (%s): its URL is fetched without your callback", error)
            return None


def _rebuilt(values: Mapping[str, Any], spider: Spider) -> Request:
    """The request of a `saved_form`. Raises ValueError, or any other error, for a damaged row."""
    kind = _known_class(values["_class"]) if "_class" in values else Request
    given = {name: value for name, value in values.items() if name in kind.attributes}
    for name in ("callback", "errback"):
        if given.get(name) is not None:
            given[name] = _own_method(spider, given[name])
    _refuse_names_of_code(given.get("meta"))
    if methods := (given.get("meta") or {}).get(PAGE_METHODS):
        given["meta"][PAGE_METHODS] = [_page_method(**method) for method in methods]
    return kind(**given)


def _page_method(method: str, args: list[Any], kwargs: dict[str, Any]) -> Any:
    """What a page is asked for, as the user's code asked; ValueError unless that has imported its class. `asked` judges it."""
    kind = getattr(sys.modules.get("scrapy_playwright.page"), "PageMethod", None)
    if kind is None:
        raise ValueError("your spider has not imported scrapy_playwright.page")
    return kind(method, *args, **kwargs)


def _known_class(path: str) -> type[Request]:
    """A class of requests by its path; ValueError unless the user's code has imported it already."""
    module, _, name = path.rpartition(".")
    found = getattr(sys.modules.get(module), name, None)
    if not (isinstance(found, type) and issubclass(found, Request)):
        raise ValueError(f"{path!r} is no class of requests that your spider has imported")
    return found


def _own_method(spider: Spider, name: str) -> Callable[..., Any]:
    """A method of the user's spider by its name; methods that every Scrapy spider has are no callbacks, except ``parse``."""
    found = getattr(spider, name, None)
    if not isinstance(found, MethodType) or found.__self__ is not spider or (hasattr(Spider, name) and name != "parse"):
        raise ValueError(f"{name!r} is no callback of {spider}")
    return found


def _refuse_names_of_code(meta: Mapping[str, Any] | None) -> None:
    if strange := [name for name in NAMES_OF_CODE if name in (meta or {})]:
        raise ValueError(f"meta names code: {strange[0]}")


def saved_form(request: Request, spider: Spider) -> str | None:
    """JSON that rebuilds a request after a restart; None, with a warning, for a request that cannot be saved."""
    try:
        values = request.to_dict(spider=spider)
        _refuse_names_of_code(values["meta"])
        if methods := values["meta"].get(PAGE_METHODS):
            plain = [{"method": one.method, "args": list(one.args), "kwargs": one.kwargs} for one in methods]
            values["meta"] = values["meta"] | {PAGE_METHODS: plain}
        return to_json(values)
    except (ValueError, TypeError, AttributeError, RecursionError) as error:
        logger.warning(
            "%s cannot be saved (%s): if the crawl stops before it is sent, the next run fetches its URL without your callback",
            request,
            error,
        )
        return None


def own_address(address: Address, request: Request, fingerprinter: RequestFingerprinterProtocol, event: int) -> Address:
    """The address that identifies a request which its URL alone does not: another method, a body, or ``dont_filter``."""
    if request.method == "GET" and not request.body and not request.dont_filter:
        return address
    fingerprint = fingerprinter.fingerprint(request)
    if request.dont_filter:  # wanted again, however often it was fetched
        fingerprint += event.to_bytes(8, "big")
    return Address(number_of(fingerprint), address.host, request.url)

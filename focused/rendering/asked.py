"""What a request of the user's own asks of the browser in the words of scrapy-playwright; all that is not done is told once."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from typing import Any, Protocol

from focused.live.own_requests import PAGE_METHODS
from focused.page.plain_text import plain

logger = logging.getLogger(__name__)

ASKED = "playwright"  #: key of scrapy-playwright in the meta of a request that wants the browser
#: Methods of a page that act on it or look at it; others could open files or the network, or last beyond the page.
SAFE = frozenset(
    (
        *("check", "click", "dblclick", "dispatch_event", "fill", "focus", "hover", "press", "select_option", "tap"),
        *("type", "uncheck", "wait_for_function", "wait_for_load_state", "wait_for_selector", "wait_for_timeout"),
        *("content", "evaluate", "get_attribute", "inner_html", "inner_text", "input_value", "is_visible"),
        *("screenshot", "text_content", "title"),
    )
)
#: Keys that are not passed on, and why.
NOT_PASSED_ON = {
    "playwright_include_page": "the page is closed before your callback is called: use playwright_page_methods",
    "playwright_page": "each page is a new one",
    "playwright_context": "each page has a context of its own",
    "playwright_context_kwargs": "each page has a context of its own, without a network",
    "playwright_page_goto_kwargs": "the browser gets the page that the crawl has fetched",
    "playwright_page_init_callback": "no code of others runs beside the crawl's own",
    "playwright_page_event_handlers": "no code of others runs beside the crawl's own",
}
LONGEST = 200  #: characters of what a person is told of a method

_told: set[str] = set()


class Method(Protocol):
    """A `PageMethod` of scrapy-playwright."""

    method: Any
    args: tuple[Any, ...]
    kwargs: dict[str, Any]
    result: Any


def tell_once(line: str) -> None:
    """Warn of what is not done, once in a process: many requests say the same."""
    if line not in _told:
        _told.add(line)
        logger.warning("%s", line)


def methods_of(meta: Mapping[str, Any]) -> list[Method]:
    """The methods that a request of the user's own asks for; of what is not passed on, one line each says so."""
    for key in NOT_PASSED_ON.keys() & meta.keys():
        tell_once(f"meta {key} is passed over: {NOT_PASSED_ON[key]}")
    asked = meta.get(PAGE_METHODS) or ()
    methods = list(asked.values() if isinstance(asked, Mapping) else asked if isinstance(asked, list | tuple) else ())
    if asked and not methods:
        tell_once(f"meta {PAGE_METHODS} is passed over: it is no list of PageMethod")
    return [method for method in methods if _is_safe(method)]


def _is_safe(method: Any) -> bool:
    name = getattr(method, "method", None)
    is_safe = isinstance(name, str) and name in SAFE and "path" not in method.kwargs
    if not is_safe:
        shown = (
            f"PageMethod({plain(name, LONGEST)!r}, ...)" if isinstance(name, str) else "a PageMethod that calls code"
        )
        tell_once(f"{shown} is passed over: docs/how-to/render-pages.md lists what is done on a page")
    return is_safe

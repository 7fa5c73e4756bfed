"""All pages of the dashboard that a person opens, for tests that look at each and for the pictures of the documents."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import quote

from playwright.sync_api import Page

from tests.dashboard.browser.hostile_collection import url_of


@dataclass(frozen=True, slots=True)
class Shown:
    """One page of the dashboard.

    path : with the name of a collection in place of ``{c}``
    ready : what is there when the page is complete, as a CSS selector
    """

    name: str
    path: str
    ready: str = "main h1"


HOSTILE = quote(url_of(1), safe="")  #: a page of the hostile collection

PAGES = (
    Shown("collections", "/", ".collections li"),
    Shown("ask", "/search?q=solar+-cooking"),
    Shown("overview", "/c/{c}/", "#curve canvas"),
    Shown("hits", "/c/{c}/hits", ".pages li"),
    Shown("search", "/c/{c}/search?q=solar+-cooking", ".pages li"),
    Shown("page", f"/c/{{c}}/page?url={HOSTILE}", "#text-title"),
    Shown("replay", f"/c/{{c}}/page?url={HOSTILE}&replay=1", "iframe"),
    Shown("map", "/c/{c}/map", "#stage[data-frame]"),
    Shown("map-hosts", "/c/{c}/map?kind=hosts", "#stage[data-frame]"),
    Shown("map-tree", "/c/{c}/map?kind=tree", "#stage[data-frame]"),
    Shown("hosts", "/c/{c}/hosts", "td"),
    Shown("failures", "/c/{c}/failures", "td"),
    Shown("dropped", "/c/{c}/dropped"),
    Shown("queue", "/c/{c}/queue"),
    Shown("news", "/c/{c}/news", ".pages li"),
    Shown("companies", "/c/{c}/companies?seeds=yes", "td"),
    Shown("portal", "/c/{c}/portal", ".pages li"),
    Shown("judge", "/c/{c}/judge?pile=teach", "#page-text"),
    Shown("audit", "/c/{c}/judge?pile=audit"),
)


def open_page(tab: Page, address: str, shown: Shown, collection: str = "test") -> None:
    """Open it and wait until it is complete."""
    answer = tab.goto(address + shown.path.format(c=collection))
    assert answer is not None
    assert answer.status == 200, f"{shown.name}: {answer.status}"
    tab.wait_for_selector(shown.ready, state="attached")

"""All pages of the dashboard that a person opens, for tests that look at each and for the pictures of the documents."""

from __future__ import annotations

from dataclasses import dataclass

from playwright.sync_api import Page


@dataclass(frozen=True, slots=True)
class Shown:
    """One page of the dashboard.

    path : with the name of a collection in place of ``{c}``
    ready : what is there when the page is complete, as a CSS selector
    reads_plain : it says what it has to say without scripts too
    """

    name: str
    path: str
    ready: str = "main h1"
    reads_plain: bool = True


PAGES = (
    Shown("collections", "/", ".collections li"),
    Shown("overview", "/c/{c}/", "#curve canvas"),
    Shown("map", "/c/{c}/map", "#stage[data-frame]"),
    Shown("hosts-map", "/c/{c}/map?kind=hosts", "#stage[data-frame]"),
    Shown("judge", "/c/{c}/judge?pile=teach", "#page-text"),
    Shown("audit", "/c/{c}/judge?pile=audit"),
)


def open_page(tab: Page, address: str, shown: Shown, collection: str = "test") -> None:
    """Open it and wait until it is complete."""
    answer = tab.goto(address + shown.path.format(c=collection))
    assert answer is not None
    assert answer.status == 200, f"{shown.name}: {answer.status}"
    tab.wait_for_selector(shown.ready, state="attached")

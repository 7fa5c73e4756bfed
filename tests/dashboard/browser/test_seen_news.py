"""A person looks at what is new, says so, and finds it gone; then looks at sites, with a name that one of them has."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Page

from tests.dashboard.browser.conftest import until


def test_what_was_seen_is_gone_and_stays_so(page: Page, own: Path, open_dashboard: Callable[[Path], str]) -> None:
    address = open_dashboard(own)
    page.goto(f"{address}/c/test/news")
    assert page.query_selector(".pages li")
    page.click("#seen")
    until(page, "!document.querySelector('.pages li')")
    page.reload()
    assert "nothing since you looked" in page.inner_text("h1")
    assert page.evaluate("window.troubles") == []


def test_sites_are_found_by_a_part_of_their_name(page: Page, address: str) -> None:
    page.goto(f"{address}/c/test/companies?seeds=yes")
    first = page.inner_text("tbody td a")
    page.fill("input[name=q]", first[:4])
    page.press("input[name=q]", "Enter")
    until(page, "location.search.includes('q=')")
    assert first in page.inner_text("tbody")
    assert page.is_checked("input[name=seeds]")
    assert (page.evaluate("window.troubles"), page.evaluate("window.hit")) == ([], None)

"""A dashboard beside a real crawl over a web on this machine: figures follow it without a jump, and a person steers it."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from playwright.sync_api import Page

from focused.collection.collection import open_to_read
from focused.collection.desk import Desk
from tests.crawls.crawling import end
from tests.dashboard.browser.conftest import until
from tests.dashboard.browser.demo_crawl import crawling, kill

pytestmark = pytest.mark.slow

JUMPS = """
window.jumps = 0;
new PerformanceObserver((list) => list.getEntries().forEach((entry) => jumps += entry.value))
    .observe({type: "layout-shift", buffered: true});
"""
PAGES = "Number(document.querySelector('[data-live=pages]').textContent.replaceAll(',', ''))"


@pytest.fixture
def overview(page: Page, tmp_path: Path, open_dashboard: Callable[[Path], str]) -> Callable[[], Page]:
    """Opens the overview once the crawl has written its first pages."""

    def opened() -> Page:
        until(page, "true")
        address = open_dashboard(tmp_path)
        for _ in range(400):
            answer = page.goto(f"{address}/c/demo/")
            if answer is not None and answer.ok and page.evaluate(PAGES) > 5:
                return page
            page.wait_for_timeout(100)
        raise AssertionError("the crawl has not begun")

    page.add_init_script(JUMPS)
    return opened


def test_figures_follow_a_crawl_without_a_jump_until_it_ends(overview: Callable[[], Page], tmp_path: Path) -> None:
    with crawling(tmp_path, 60) as crawl:
        page = overview()
        page.evaluate("window.same = true")
        before = page.evaluate(PAGES)
        until(page, f"{PAGES} >= {before + 5}")
        until(page, f"{PAGES} >= {before + 15}")
        assert page.evaluate("same") is True  # not by loading it again
        assert page.evaluate("jumps") < 0.01
        assert "running" in page.inner_text("h1")
        page.wait_for_selector("h1:has-text('ended')", timeout=60_000)
        assert page.evaluate(PAGES) == 60
        assert end(crawl).code == 0


def test_a_person_pauses_a_crawl_goes_on_and_stops_it(overview: Callable[[], Page], tmp_path: Path) -> None:
    with crawling(tmp_path, 2000) as crawl:
        page = overview()
        page.click("#do-pause")
        page.wait_for_selector("h1:has-text('paused')")
        page.wait_for_timeout(1500)  # what was under way ends
        stands = page.evaluate(PAGES)
        page.wait_for_timeout(1500)
        page.reload()
        assert page.evaluate(PAGES) == stands
        page.click("#do-resume")
        until(page, f"{PAGES} > {stands}")
        page.click("#do-stop")
        page.wait_for_selector("h1:has-text('ended')")
        assert "stopped by a person" in page.inner_text("#reason")
        assert end(crawl).code == 0


def test_verdicts_that_wait_as_a_crawl_is_killed_reach_the_next_run_once(
    overview: Callable[[], Page], tmp_path: Path
) -> None:
    with crawling(tmp_path, 2000) as crawl:
        page = overview()
        until(page, f"{PAGES} > 45")
        os.killpg(crawl.pid, signal.SIGSTOP)
        page.goto(page.url + "judge?pile=teach")
        until(page, "pages.length >= 24")
        for number in range(24):
            page.keyboard.press("j" if number % 2 else "f")
        until(page, "outbox.length === 0 && !sending")
        kill(crawl)
    said = {verdict.url for verdict in Desk(tmp_path / "demo").verdicts("teach")}
    assert (len(said), taken(tmp_path)) == (24, [])
    page.reload()
    page.wait_for_selector("text=the next run takes the others")
    with crawling(tmp_path, 90) as crawl:
        page.wait_for_selector("h1")
        assert end(crawl).code == 0
    assert sorted(taken(tmp_path)) == sorted(said)
    page.reload()
    page.wait_for_selector("text=The crawl has taken them all")
    page.wait_for_selector(".lessons td")


def taken(data: Path) -> list[str]:
    """URLs of the verdicts in the journal of the demo."""
    with closing(open_to_read(data / "demo")) as store:
        return [url for (url,) in store.execute("SELECT argument FROM steering WHERE kind = 'judged'")]

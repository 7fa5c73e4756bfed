"""A dashboard beside a real crawl over a web on this machine: figures follow it without a jump, and a person steers it."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Page

from tests.dashboard.browser.conftest import until
from tests.live.crawling import end, scrapy

JUMPS = """
window.jumps = 0;
new PerformanceObserver((list) => list.getEntries().forEach((entry) => jumps += entry.value)).observe({type: "layout-shift", buffered: true});
"""
PAGES = "Number(document.querySelector('[data-live=pages]').textContent.replaceAll(',', ''))"


@contextmanager
def crawling(data: Path, pages: int) -> Iterator[subprocess.Popen[str]]:
    """A crawl of the demo, a dozen pages a second, in a session of its own, so that it ends with the test."""
    settings = ("FOCUSED_COMMIT_SECONDS=0.3", "REMOTE_CONTROL_ENABLED=0", f"FOCUSED_DATA_DIR={data}")
    words = [word for setting in settings for word in ("-s", setting)]
    process = scrapy(
        *("serve-web", "demo", "--latency", "150", "--", "scrapy", "crawl", "topical"),
        *("-a", "topic=demo", "-a", f"pages={pages}", *words),
        start_new_session=True,
    )
    try:
        yield process
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
        end(process)


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
    with crawling(tmp_path, 160) as crawl:
        page = overview()
        page.evaluate("window.same = true")
        before = page.evaluate(PAGES)
        until(page, f"{PAGES} >= {before + 10}")
        until(page, f"{PAGES} >= {before + 30}")
        assert page.evaluate("same") is True  # not by loading it again
        assert page.evaluate("jumps") < 0.01
        assert "running" in page.inner_text("h1")
        page.wait_for_selector("h1:has-text('ended')")
        assert page.evaluate(PAGES) == 160
        assert end(crawl).code == 0

"""A portal in a real browser: from a disk and from a server, over pages that try to run scripts."""

from __future__ import annotations

import shutil
import threading
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from focused.desk.commands.portal import Command
from tests.commands.running import run_command
from tests.dashboard.browser.conftest import a_tab, until
from tests.dashboard.browser.test_every_page import PHONE, assert_axe_finds_nothing

DONE = "document.querySelector('#hits').dataset.done === 'yes'"


class Silent(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:
        pass


@pytest.fixture(scope="module")
def site(hostile: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("portal")
    shutil.copytree(hostile, folder / "data")
    assert run_command(Command(), "test", "--out", str(folder / "site"), data_dir=folder / "data") == 0
    return folder / "site"


@pytest.fixture(scope="module", params=["disk", "server"])
def root(request: pytest.FixtureRequest, site: Path) -> Iterator[str]:
    """Address of the site, with a slash at its end."""
    if request.param == "disk":
        yield f"{site.as_uri()}/"
        return
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Silent, directory=str(site)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()
    server.server_close()


def troubles(page: Page) -> list[str]:
    found: list[str] = page.evaluate("window.troubles")
    return found


def test_a_visitor_searches_and_finds(page: Page, root: str) -> None:
    page.goto(f"{root}index.html")
    page.fill("header input", "Solar panel")
    page.click("header button")
    until(page, DONE)
    assert page.inner_text("#said").endswith("pages")
    assert page.locator(".hit").count() == 20
    page.click("#more")
    until(page, "document.querySelectorAll('.hit').length === 40")
    assert page.locator("mark").first.inner_text().lower() in ("solar", "panel", "panels")
    page.click(".hit h2 a >> nth=0")
    page.wait_for_selector("a.read")
    assert page.get_attribute("a.read", "rel") == "nofollow noopener noreferrer"
    assert troubles(page) == []


def test_parts_and_plurals_of_words_are_found(page: Page, root: str) -> None:
    for question in ("panels", "pan", "PANEL"):
        page.goto(f"{root}search.html?q={question}")
        until(page, DONE)
        assert page.locator(".hit").count() == 20, question


def test_questions_without_an_answer_do_no_harm(page: Page, root: str) -> None:
    for question in ("zzzz", "%3Cscript%3Ewindow.hit=1%3C/script%3E", "__proto__", "constructor", "%E0"):
        page.goto(f"{root}search.html?q={question}")
        until(page, f"{DONE} || document.querySelector('#said').textContent.startsWith('Type')")
        assert (page.evaluate("window.hit"), troubles(page)) == (None, []), question


def test_axe_finds_nothing_and_a_phone_needs_no_scrolling_sideways(chromium: Browser, site: Path) -> None:
    with a_tab(chromium, width=PHONE, height=800) as tab:
        entry, category = next(site.glob("p/*.html")), next(site.glob("c/*.html"))
        for path in (site / "index.html", category, entry, site / "search.html"):
            tab.goto(f"{path.as_uri()}?q=solar")
            tab.wait_for_selector("h1")
            assert tab.evaluate("document.documentElement.scrollWidth") <= PHONE, path
            assert_axe_finds_nothing(tab)


def test_nothing_that_pages_say_becomes_a_script_or_a_request(page: Page, site: Path) -> None:
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    names = ["index.html", "search.html?q=script+solar+iframe"]
    names += [f"{path.parent.name}/{path.name}" for path in [*site.glob("c/*.html"), *list(site.glob("p/*.html"))[:10]]]
    for name in names:
        page.goto(f"{site.as_uri()}/{name}")
        page.wait_for_timeout(50)
        assert page.evaluate("window.hit") is None, name
        assert troubles(page) == [], name
        assert page.evaluate("[...document.links].every((one) => /^(https?|file):/.test(one.protocol))"), name
    assert [url for url in asked if not url.startswith("file:")] == []

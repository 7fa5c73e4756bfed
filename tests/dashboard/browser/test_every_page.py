"""Every page in a real browser: nothing hostile runs, everybody can use it, and it fits a phone."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from tests.dashboard.browser.conftest import a_tab
from tests.dashboard.browser.hostile_collection import FLAG
from tests.dashboard.browser.pages import PAGES, Shown, open_page

AXE = (Path(__file__).parent / "axe.min.js").read_text()
PHONE = 390  #: pixels
FIRST_LOAD = 100_000  #: bytes

#: All that a person can go to, by what it says; what is hidden or inside closed details is not. Of radio buttons
#: Tab reaches the one that is chosen, and arrows the others.
REACHABLE = """() => [...document.querySelectorAll(
        "a[href], button, input:not([type=hidden]), select, textarea, summary, [tabindex='0']")]
    .filter((one) => !one.disabled && (one.type !== 'radio' || one.checked) && one.checkVisibility({visibilityProperty: true}))
    .map((one, i) => one.dataset.reachable = String(i))"""
#: A frame may lie in another process and takes the focus and gives it back while nobody waits: each place says itself that it
#: had it.
LISTEN = "() => addEventListener('focusin', (event) => event.target.dataset.reached = '')"
MISSED = """() => [...document.querySelectorAll('[data-reachable]:not([data-reached])')]
    .map((one) => one.outerHTML.slice(0, 150))"""


@dataclass
class Opened:
    """A page in a tab of its own, which is opened once for all tests of this file."""

    tab: Page
    shown: Shown
    said: list[str] = field(default_factory=list)  #: errors in the console
    asked: list[str] = field(default_factory=list)  #: URLs that it asked for


@pytest.fixture(scope="module", params=PAGES, ids=lambda shown: shown.name)
def opened(request: pytest.FixtureRequest, chromium: Browser, address: str) -> Iterator[Opened]:
    with a_tab(chromium, reduced_motion="reduce") as tab:
        found = Opened(tab, request.param)
        tab.on("console", lambda message: found.said.append(message.text) if message.type == "error" else None)
        tab.on("request", lambda asked: found.asked.append(asked.url))
        open_page(tab, address, found.shown)
        yield found


def troubles(tab: Page) -> list[str]:
    found: list[str] = tab.evaluate("window.troubles")
    return found


def test_nothing_hostile_runs_and_nothing_of_ours_is_refused(opened: Opened, address: str) -> None:
    tab = opened.tab
    tab.mouse.move(300, 300)
    tab.keyboard.press("Tab")
    tab.wait_for_timeout(100)
    assert tab.evaluate("window.hit") is None
    assert (troubles(tab), opened.said) == ([], [])
    assert [url for url in opened.asked if not url.startswith(address)] == []


def test_a_script_that_came_in_would_be_noticed(page: Page, address: str) -> None:
    """The test above can fail."""
    open_page(page, address, PAGES[0])
    page.evaluate(f"""() => {{
        document.body.insertAdjacentHTML("beforeend", `<img src=data:, onerror="{FLAG}">`);
    }}""")
    page.wait_for_timeout(100)
    assert any(trouble.startswith("policy: ") for trouble in troubles(page))
    assert page.evaluate("window.hit") is None


def test_the_keyboard_alone_reaches_everything(opened: Opened) -> None:
    tab = opened.tab
    wanted = tab.evaluate(REACHABLE)
    tab.evaluate(LISTEN)
    tab.evaluate("document.activeElement?.blur()")
    for presses in range(2 * len(wanted) + 40):
        tab.keyboard.press("Tab")
        if presses % 10 == 9 and not tab.evaluate(MISSED):
            break
    assert tab.evaluate(MISSED) == []


def test_axe_finds_nothing_by_day_or_by_night(opened: Opened) -> None:
    assert_axe_finds_nothing(opened.tab)


def test_a_phone_needs_no_scrolling_sideways(opened: Opened) -> None:
    opened.tab.set_viewport_size({"width": PHONE, "height": 800})
    opened.tab.wait_for_timeout(100)
    assert opened.tab.evaluate("document.documentElement.scrollWidth") <= PHONE


def assert_axe_finds_nothing(tab: Page) -> None:
    tab.evaluate(AXE)
    for scheme, rules in ("light", "{}"), ("dark", "{runOnly: ['color-contrast']}"):  # a night changes colours alone
        tab.emulate_media(color_scheme=scheme, reduced_motion="reduce")  # type: ignore[arg-type]
        assert told(tab.evaluate(f"axe.run({rules})")) == [], (tab.url, scheme)


def told(found: dict[str, Any]) -> list[str]:
    """What axe has found, a line for each of the first places."""
    return [
        f"{one['id']}: {one['help']}: {node['html'][:200]} {node['any'][0]['message'] if node['any'] else ''}"
        for one in found["violations"]
        for node in one["nodes"][:3]
    ]


@pytest.mark.parametrize("shown", PAGES[:2], ids=lambda shown: shown.name)
def test_the_first_page_is_small(page: Page, address: str, shown: Shown) -> None:
    sizes: dict[str, int] = {}
    page.on("response", lambda response: sizes.update({response.url: len(response.body())}))
    open_page(page, address, shown)
    assert sum(sizes.values()) < FIRST_LOAD, sizes
    assert len(sizes) >= 3


def test_without_scripts_all_can_be_read(chromium: Browser, address: str) -> None:
    with a_tab(chromium, java_script_enabled=False) as tab:
        for shown in PAGES:
            answer = tab.goto(address + shown.path.format(c="test"))
            assert answer is not None
            assert (answer.status, len(tab.inner_text("main")) > 80) == (200, True), shown.name

"""The extension in a real Chromium, over the demo web: what is read, what is suggested, what is kept, and who stays outside."""

import os
import tomllib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from time import monotonic

import pytest
from PIL import Image
from playwright.sync_api import Page

import focused
from focused.collection.desk import Desk
from focused.desk.agent.agent_app import QUESTIONS
from focused.simulation.demo_web import DemoWeb
from focused.simulation.proxy import WebServer
from focused.simulation.proxy import serving as serving_web
from tests.browsing.agent_process import QUICK, Running, running
from tests.browsing.extended_chromium import Browser, chromium_with, with_permission
from tests.crawls.mock_web import Answer, MockWeb, page, serving

pytestmark = [pytest.mark.slow, pytest.mark.timeout(300)]

DEMO = (Path(focused.__file__).parent / "topics" / "demo.toml").read_text()
SEED = "http://sunpower.example/solar/choosing-a-kilowatt-mounting-rails-or-charge-controllers.html"
ELSEWHERE = "http://windworks.example/"
A = "http://a.example"
SUN = "Solar panels turn sunlight into electricity on the roof of a house, with an inverter and a battery. " * 6
OUT = "FOCUSED_PICTURES"  #: as in tests/dashboard/browser/test_pictures.py
PATIENCE = 30.0
ATTACK = """
async ([port, token, mode, question]) => {
    const headers = mode === "cors" ? {Authorization: `Bearer ${token}`, "Content-Type": "application/json"} : {};
    const body = '{"what": "all", "paused": true, "url": "http://evil.example/"}';
    try {
        const signal = AbortSignal.timeout(3000);
        const answer = await fetch(`http://127.0.0.1:${port}/${question}`, {method: "POST", mode, body, headers, signal});
        return await answer.text();
    } catch (error) { return ""; }
}
"""
SCALE = 1.5  #: dots for each pixel of a picture


@contextmanager
def reading(folder: Path, web: WebServer | MockWeb, **options: object) -> Iterator[tuple[Running, Browser]]:
    """An agent, and a Chromium whose extension knows its code."""
    with (
        running(folder, web=web.port, topic=DEMO, settings=QUICK) as agent,
        chromium_with(with_permission(folder), folder, web.port, **options) as browser,
    ):
        yield agent, browser


def until(condition: Callable[[], object], tab: Page) -> None:
    deadline = monotonic() + PATIENCE
    while not condition():
        assert monotonic() < deadline
        tab.wait_for_timeout(100)


def switch_on(browser: Browser, tab: Page, code: str = "") -> None:
    """What a person does in the panel at first."""
    panel = browser.panel(tab)
    if code:
        panel.fill("#code", code)
        panel.click("#pairing button")
    panel.wait_for_selector("#switch[data-on=false]")
    panel.click("#switch")
    panel.wait_for_selector("#switch[data-on=true]")
    panel.close()
    tab.bring_to_front()


def ask(browser: Browser, question: str) -> dict[str, object]:
    told: dict[str, object] = browser.worker.evaluate("(question) => ask(question)", question)
    return told


def looked(browser: Browser) -> bool:
    status = ask(browser, "status")
    return bool(status.get("ahead")) and not status["waiting"]


def picture(panel: Page, folder: Path) -> None:
    """Write what a person sees of the panel, in few colours."""
    panel.set_viewport_size({"width": 420, "height": 400})
    shot = Image.open(BytesIO(panel.screenshot(full_page=True))).convert("RGB").quantize(64, dither=Image.Dither.NONE)
    path = Path(os.environ.get(OUT) or folder) / "agent-panel.png"
    shot.save(path, optimize=True)
    assert path.stat().st_size < 150_000


def test_a_person_reads_and_is_told_what_lies_ahead(tmp_path: Path) -> None:
    with (
        serving_web(DemoWeb()) as web,
        reading(tmp_path, web, device_scale_factor=SCALE, color_scheme="light") as (agent, browser),
    ):
        tab = browser.context.new_page()
        tab.goto(SEED)
        tab.wait_for_timeout(5000)
        assert list(web.requests) == [SEED] or set(web.requests) == {SEED, "http://sunpower.example/favicon.ico"}
        switch_on(browser, tab, agent.code)
        until(lambda: looked(browser), tab)

        panel = browser.panel(tab)
        panel.wait_for_selector("#suggestions li")
        assert "is read along" in panel.inner_text("#site")
        assert "solar" in panel.inner_text("#words")
        reasons = panel.locator("#suggestions .why").all_inner_texts()
        assert all(reason.startswith("linked here") and "shares" in reason for reason in reasons)
        titles = panel.locator("#suggestions a").all_inner_texts()
        relevant = {web.web.pages[url].title for url in web.web.relevant_urls("solar")}  # type: ignore[attr-defined]
        assert sum(any(one in title for one in relevant) for title in titles) > len(titles) / 2
        picture(panel, tmp_path)

        with browser.context.expect_page() as opened:
            panel.locator("#suggestions a").first.click()
        assert opened.value.url.startswith("http")
        opened.value.close()

        panel.locator("#suggestions button").first.click()
        panel.wait_for_selector("#kept:not(:empty)")
        kept = panel.locator("#suggestions a").first.get_attribute("title")
        topic = tomllib.loads((tmp_path / "topics" / "test.toml").read_text())
        assert topic["topic"]["seeds"][-1] == kept
        assert [one.url for one in Desk(tmp_path / "data" / "test").verdicts("teach")] == [kept]

        panel.click("[data-what=all]")
        panel.wait_for_selector("#suggestions:empty", state="attached")
        assert panel.inner_text("#words") == "Nothing yet."
        assert agent.stop().plain
        panel.reload()
        panel.wait_for_selector("#trouble:not([hidden])")
        assert "scrapy agent NAME" in panel.inner_text("#trouble")


def test_only_what_was_switched_on_is_read(tmp_path: Path) -> None:
    private = Answer(200, (("Content-Type", "text/html"),), f"<p>{SUN}</p><input type=password>".encode())
    form = Answer(
        200,
        (("Content-Type", "text/html"),),
        f"<title>Talk</title><p>{SUN}</p><form><p>formsecret</p><input value=typedsecret><textarea>areasecret</textarea></form>"
        "<div contenteditable>draftsecret</div><a href=/ahead>Solar panels</a>".encode(),
    )
    web = MockWeb(
        {f"{A}/": page(SUN, title="Solar"), f"{A}/login": private, f"{A}/form": form, "http://b.example/": page(SUN)}
        | {f"{A}/frame": page(SUN + '<iframe src="http://b.example/"></iframe>')}
    )
    with serving(web), reading(tmp_path, web) as (agent, browser):
        tab = browser.context.new_page()
        tab.goto(f"{A}/")
        switch_on(browser, tab, agent.code)
        until(lambda: ask(browser, "status")["visits"] == 1, tab)
        for url in (f"{A}/login", "http://b.example/"):
            tab.goto(url)
            tab.wait_for_timeout(5000)
            assert ask(browser, "status")["visits"] == 1, url
        tab.goto(f"{A}/frame")
        until(lambda: ask(browser, "status")["visits"] == 2, tab)
        tab.goto(f"{A}/form")
        until(lambda: ask(browser, "status")["visits"] == 3, tab)
        written = (tmp_path / "data" / "test" / "agent.db").read_bytes()
        assert b"sunlight" in written
        assert b"secret" not in written
        assert b"b.example" not in written

        panel = browser.panel(tab)
        panel.click("#pause")
        panel.wait_for_selector("#pause[data-paused=true]")
        tab.bring_to_front()
        tab.goto(f"{A}/?paused")
        tab.wait_for_timeout(5000)
        assert ask(browser, "status")["visits"] == 3
        panel.click("#pause")
        panel.wait_for_selector("#pause[data-paused=false]")
        panel.click("#switch")
        panel.wait_for_selector("#switch[data-on=false]")
        tab.bring_to_front()
        tab.reload()
        tab.wait_for_timeout(5000)
        assert ask(browser, "status")["visits"] == 3


def test_a_hostile_page_reaches_neither_the_agent_nor_the_panel(tmp_path: Path) -> None:
    bad = "<img src=x onerror=\"document.title='ran'\">"
    web = MockWeb(
        {
            f"{A}/": page(SUN, f"{A}/ahead", title=bad),
            f"{A}/ahead": page(SUN + "More.", title=bad.replace("<", "&lt;")),
            f"{A}/robots.txt": Answer(404, (), b""),
            "http://127.0.0.1/evil": page("evil"),
        }
    )
    with serving(web), reading(tmp_path, web) as (agent, browser):
        tab = browser.context.new_page()
        tab.goto(f"{A}/")
        switch_on(browser, tab, agent.code)
        until(lambda: looked(browser), tab)
        panel = browser.panel(tab)
        panel.wait_for_selector("#suggestions li")
        assert bad in panel.inner_text("#suggestions")
        assert panel.locator("#suggestions img").count() == 0
        assert panel.title() == "Pages ahead"

        tab.bring_to_front()
        beside = browser.context.new_page()  # what another program of this machine serves: nothing but us stops it
        beside.goto(f"http://127.0.0.1:{web.port}/evil")
        for evil in (tab, beside):
            for mode in ("cors", "no-cors"):
                told = [evil.evaluate(ATTACK, [agent.port, agent.token, mode, question]) for question in QUESTIONS]
                assert set(told) == {""}, (evil.url, mode)
        beside.goto(f"http://127.0.0.1:{agent.port}/status")
        assert "visits" not in beside.content()
        assert tab.evaluate("typeof chrome === 'undefined' || !chrome.storage")
        assert ask(browser, "status")["visits"] == 1

"""A person asks, crawls for it and reads on while hits come in; maps a site; over the demo, in a real Chromium."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from time import monotonic

import pytest
from playwright.sync_api import Page

from focused.desk.dashboard.launcher import Launcher
from focused.desk.dashboard.served import Served
from focused.simulation.known_webs import open_web
from focused.simulation.proxy import serving as serving_web
from tests.crawls.crawling import ROOT
from tests.dashboard.browser.conftest import serving, until
from tests.dashboard.browser.test_live_crawl import JUMPS

pytestmark = [pytest.mark.slow, pytest.mark.timeout(300)]

SEEDS = "https://heliopedia.example/wiki/efficient-solar-cells-for-electricians http://panelforum.example/thread/236"
BOOKMARKS = f"""<!DOCTYPE NETSCAPE-Bookmark-file-1>
<DL><p>{"".join(f'<DT><A HREF="{url}">{url}</A>' for url in SEEDS.split())}
<DT><A HREF="http://kickoff.example/report/896">football</A></DL>"""
SETTINGS = ("DOWNLOAD_DELAY=0", "REMOTE_CONTROL_ENABLED=0")
ENDED = "h1:has-text('ended')"


@pytest.fixture
def address(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """A dashboard without a collection, whose crawls see nothing but the demo."""
    with serving_web(open_web(["demo"], None), 0, 0.05, None) as web:
        for name in ("http_proxy", "https_proxy"):
            monkeypatch.setenv(name, f"http://127.0.0.1:{web.port}")
        for name in ("no_proxy", "NO_PROXY", "HTTP_PROXY", "HTTPS_PROXY"):
            monkeypatch.delenv(name, raising=False)
        monkeypatch.setenv("PYTHONPATH", str(ROOT))
        monkeypatch.chdir(ROOT)
        launcher = Launcher(tmp_path / "data", settings=SETTINGS)
        served = Served(tmp_path / "data", launcher=launcher)
        try:
            with serving(served) as address:
                yield address
        finally:
            launcher.close()
            for process in launcher._running.values():
                process.kill()
                process.wait()


def ask(page: Page, address: str, words: str) -> None:
    page.goto(address)
    page.fill("#q", words)
    page.keyboard.press("Enter")
    page.wait_for_selector("text=Crawl for this")


def start(page: Page, strategy: str = "adaptive", pages: int = 150) -> None:
    page.fill("[name=urls]", SEEDS)
    page.fill("[name=pages]", str(pages))
    page.select_option("[name=strategy]", strategy)
    page.click("button:has-text('Crawl for this')")


def test_hits_come_in_while_a_person_reads(page: Page, address: str, tmp_path: Path) -> None:
    page.add_init_script(JUMPS)
    ask(page, address, "solar energy panels")
    page.wait_for_timeout(3000)  # a person fills in the form meanwhile
    began = monotonic()
    start(page)
    page.wait_for_selector("#hit-list li")
    print(f"first hit after {monotonic() - began:.2f} s")
    read = page.inner_text("#hit-list")
    until(page, "!document.getElementById('show-new').hidden")
    page.wait_for_timeout(1500)
    assert page.evaluate("window.jumps") < 0.1
    assert re.sub(r"\d+ \w+ ago", "", page.inner_text("#hit-list")) == re.sub(r"\d+ \w+ ago", "", read)
    assert re.fullmatch(r"[\d,]+ new", page.inner_text("#show-new"))
    shown = page.locator("#hit-list li").count()
    page.click("#show-new")
    until(page, f"document.querySelectorAll('#hit-list li').length > {shown}")
    relevance = [float(text) for text in page.locator("#hit-list .relevance").all_inner_texts()]
    assert relevance == sorted(relevance, reverse=True)
    if page.locator("#stop").count():
        page.click("#stop")
    page.wait_for_selector(ENDED)
    page.reload()
    text = page.inner_text("#hit-list")
    assert "linked as “" in text
    assert {"seed", "found"} <= set(page.locator("#hit-list .word").all_inner_texts())
    assert page.evaluate("window.troubles") == []

    page.click("text=Forget it")
    page.click("text=Keep it")
    page.click("text=Forget it")
    page.click("button:has-text('Delete it')")
    page.wait_for_selector("text=No collection yet")
    assert not (tmp_path / "data" / "solar-energy-panels").exists()


def test_spiders_are_seen_beside_what_they_found(page: Page, address: str) -> None:
    ask(page, address, "solar energy, solar panel, battery")
    start(page, "info_spiders", 200)
    page.wait_for_selector(".spider")
    page.wait_for_selector(ENDED)
    page.reload()
    assert "by spider" in page.inner_text("#hit-list")
    # Whether any has a child depends on the order of arrivals: what is shown of one is tested without a live crawl.
    spider = page.locator(".spiders .spider").first
    assert " hit" not in spider.inner_text()
    spider.locator("summary").click()
    assert " hit" in spider.inner_text()
    assert page.evaluate("window.troubles") == []


def test_bookmarks_are_judged_before_a_page_is_crawled(page: Page, address: str, tmp_path: Path) -> None:
    ask(page, address, "solar energy, solar panel")
    page.set_input_files("[name=list]", {"name": "b.html", "mimeType": "text/html", "buffer": BOOKMARKS.encode()})
    page.fill("[name=pages]", "30")
    page.click("button:has-text('Crawl for this')")
    page.wait_for_selector("text=pages were looked at")
    assert page.locator("input[name=seed]").count() == 3
    assert page.locator("input[name=seed]:checked").count() == 2
    assert not (tmp_path / "data").exists()  # nothing is crawled yet
    page.click("button:has-text('Crawl for this')")
    page.wait_for_selector("#hit-list li")
    page.wait_for_selector(ENDED)
    assert page.evaluate("window.troubles") == []


def test_a_site_is_mapped_as_it_grows(page: Page, address: str, tmp_path: Path) -> None:
    page.goto(address)
    page.click("text=Map a site")
    page.fill("[name=site]", "http://panelforum.example/")
    page.fill(".site-form [name=q]", "solar panel, solar energy")
    page.click("button:has-text('Map this site')")
    page.wait_for_selector("#stage[data-frame]")
    first = page.evaluate("view.count")
    until(page, f"view.count > {max(30, first)}")
    assert page.evaluate("view.data.parent.filter((one) => one < 0).length") == 1
    assert {url.split("/")[2] for url in page.evaluate("view.data.url")} == {"panelforum.example"}

    until(
        page, "fetch(location.pathname + '/state?kind=tree').then((a) => a.json()).then((s) => !s.running && !s.doing)"
    )
    page.reload()
    page.wait_for_selector("#stage[data-frame]")
    count = "view.seen.reduce((sum, one) => sum + one, 0)"
    every = page.evaluate(count)
    page.fill("[name=depth]", "1")
    until(page, f"{count} < {every}")
    page.fill("[name=depth]", "")
    page.check("[name=relevant]")
    until(page, f"{count} < {every}")
    page.uncheck("[name=relevant]")
    page.click(".zoom [data-do=fit]")
    page.wait_for_timeout(300)
    root = page.evaluate("[view.px[0], view.py[0]]")
    page.click("#stage", position={"x": root[0], "y": root[1]})  # folds all
    until(page, f"{count} === 1")
    page.click("#unfold")
    until(page, f"{count} >= {every}")
    for ending in ("svg", "graphml", "html"):
        text = page.evaluate(f"fetch(location.pathname + '.{ending}?kind=tree').then((answer) => answer.text())")
        assert "Panel Forum" in text
    assert page.evaluate("window.troubles") == []
    (tmp_path / "tree.html").write_text(text, encoding="utf-8")
    page.goto((tmp_path / "tree.html").as_uri())
    page.wait_for_selector("#stage[data-frame]")
    page.fill("[name=depth]", "1")
    until(page, f"{count} < {every}")
    assert page.locator("#beside li").count() > 5
    assert page.evaluate("window.troubles") == []

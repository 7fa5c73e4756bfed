"""The map in a real browser: it is drawn, moved and filtered, and a file of its own works without a server."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page

from focused.desk.commands.map import Command
from tests.commands.running import run_command
from tests.dashboard.browser.conftest import until
from tests.dashboard.browser.hostile_collection import PAGES

#: Pixels of the map that are not its ground.
PAINTED = """() => {
    const canvas = document.querySelector("canvas.ground");
    const pixels = new Uint32Array(canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data.buffer);
    return pixels.reduce((count, one) => count + (one !== pixels[0]), 0);
}"""
PLACES = "() => [[...view.px], [...view.py]]"


@pytest.fixture
def map_page(page: Page, address: str) -> Page:
    """The map of pages, drawn."""
    page.goto(f"{address}/c/test/map")
    page.wait_for_selector("#stage[data-frame]")
    until(page, f"view.count === {PAGES}")
    return page


def shown(page: Page) -> int:
    return int(page.evaluate("view.seen.reduce((one, other) => one + other, 0)"))


def test_points_are_painted_and_fewer_where_fewer_are_wanted(map_page: Page) -> None:
    all_of_them = map_page.evaluate(PAINTED)
    map_page.check("[name=relevant]")
    until(map_page, f"view.seen.reduce((one, other) => one + other, 0) < {PAGES}")
    map_page.wait_for_timeout(200)
    some = map_page.evaluate(PAINTED)
    assert 0 < some < all_of_them
    relevant = map_page.evaluate("view.data.relevant.reduce((one, other) => one + other, 0)")
    assert shown(map_page) == relevant


def test_filters_by_host_and_depth(map_page: Page) -> None:
    map_page.fill("[name=host]", "host3.example")
    assert shown(map_page) == map_page.evaluate(
        "view.data.host.filter((one) => view.data.hosts[one] === 'host3.example').length"
    )
    map_page.fill("[name=host]", "")
    map_page.fill("[name=depth]", "0")
    assert shown(map_page) == 1


def test_keys_move_and_zoom_and_bring_all_back(map_page: Page) -> None:
    before = map_page.evaluate("[view.x, view.y, view.zoom]")
    map_page.focus("#stage")
    for key in ("ArrowLeft", "ArrowUp", "+", "+"):
        map_page.keyboard.press(key)
    x, y, zoom = map_page.evaluate("[view.x, view.y, view.zoom]")
    assert x < before[0]
    assert y < before[1]
    assert zoom > before[2]
    map_page.keyboard.press("0")
    assert map_page.evaluate("[view.x, view.y, view.zoom]") == before


def test_the_wheel_zooms_around_the_mouse(map_page: Page) -> None:
    box = map_page.locator("#stage").bounding_box()
    assert box
    map_page.evaluate("view.draw()")
    page = map_page.evaluate("view.seen.length - 1")
    x, y = map_page.evaluate("(i) => [view.px[i], view.py[i]]", page)
    map_page.mouse.move(box["x"] + x, box["y"] + y)
    map_page.mouse.wheel(0, -400)
    until(map_page, "view.zoom > 1.3")
    map_page.evaluate("view.draw()")
    assert map_page.evaluate("(i) => [view.px[i], view.py[i]]", page) == pytest.approx([x, y], abs=2)


def test_pointing_shows_title_and_path_and_a_click_opens_the_page(map_page: Page) -> None:
    box = map_page.locator("#stage").bounding_box()
    assert box
    deep = map_page.evaluate("view.data.depth.indexOf(Math.max(...view.data.depth))")
    assert map_page.evaluate("(i) => view.data.source[pathTo(view.data, i)[0]]", deep) == -1
    x, y = map_page.evaluate("(i) => [view.px[i], view.py[i]]", deep)
    map_page.mouse.move(box["x"] + x, box["y"] + y)
    map_page.wait_for_selector("#tip:visible:has-text('from a seed')")
    map_page.mouse.click(box["x"] + x, box["y"] + y)
    map_page.wait_for_url("**/page?url=http*")
    assert map_page.evaluate("window.hit") is None


def test_a_theme_is_opened_named_and_found_again(page: Page, own: Path, open_dashboard) -> None:  # type: ignore[no-untyped-def]
    page.goto(f"{open_dashboard(own)}/c/test/map")
    page.wait_for_selector("#stage[data-frame]")
    page.click(".themes a >> nth=0")
    page.wait_for_selector("#theme-name")
    assert 0 < page.evaluate("view.lit.reduce((one, other) => one + other, 0)") < PAGES
    page.fill("#theme-name", "<b>Mine</b>")
    page.click("text=Name it")
    page.wait_for_selector("h2:text-is('<b>Mine</b>')")
    page.goto(page.url.partition("?")[0])
    page.wait_for_selector(".themes a:text-is('<b>Mine</b>')")


def test_hosts_around_one(page: Page, address: str) -> None:
    page.goto(f"{address}/c/test/map?kind=hosts")
    page.wait_for_selector("#stage[data-frame]")
    page.wait_for_selector("#beside a[data-host]")
    page.click("#beside tbody a >> nth=0")
    page.wait_for_selector("#beside h2:has-text('.example')")
    assert page.evaluate("around(whole, chosen.host).size") == shown(page)


def test_small_hosts_become_one_node(page: Page, address: str) -> None:
    page.goto(f"{address}/c/test/map?kind=hosts")
    page.wait_for_selector("#stage[data-frame]")
    part, pages = page.evaluate(
        "() => { const part = collapsed(whole, 3); return [part.name, part.pages.reduce((a, b) => a + b, 0)]; }"
    )
    assert (len(part), part[-1]) == (4, f"{page.evaluate('whole.x.length') - 3} others")
    assert pages == page.evaluate("whole.pages.reduce((a, b) => a + b, 0)")


@pytest.mark.parametrize("kind", ["pages", "hosts"])
def test_a_file_works_without_a_server(page: Page, own: Path, tmp_path: Path, kind: str) -> None:
    path = tmp_path / "test.html"
    assert run_command(Command(), "test", str(path), "--kind", kind, data_dir=own) == 0
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(path.as_uri())
    page.wait_for_selector("#stage[data-frame]")
    assert page.evaluate(PAINTED) > 0
    assert len(page.inner_text("#beside")) > 20
    assert page.evaluate("window.hit") is None
    assert page.evaluate("window.troubles") == []
    assert asked == [path.as_uri()]

"""The pictures of the documents: `make pictures` lets this test write them; else it only sees that they can be made."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import closing
from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image
from playwright.sync_api import Browser, FloatRect, Page

from focused.collection.collection import open_to_read
from focused.collection.desk import AUDIT_PILE, TEACH_PILE, Desk
from focused.desk.commands.portal import Command as Portal
from focused.desk.dashboard.launcher import Launcher
from focused.desk.dashboard.served import Served
from focused.desk.dashboard.tasks import update_index
from focused.desk.judging.labelling import to_audit, to_teach
from focused.desk.judging.sheet import draw_sheet
from tests.commands.running import run_command
from tests.dashboard.browser.conftest import a_tab, serving, until
from tests.dashboard.browser.demo_crawl import crawling
from tests.dashboard.browser.pages import Shown, open_page
from tests.live.crawling import end

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]

BOTTOM = "Math.max(...[...document.querySelectorAll('main > *')].map((one) => one.getBoundingClientRect().bottom))"
OUT = "FOCUSED_PICTURES"  #: variable of the environment: the folder to write to
MOST_BYTES = 150_000
COLOURS = 255
MARGIN = 30  #: pixels below what is seen
PAGE = "http%3A%2F%2Frooftop.example%2Fnotes%2F766.html"

#: While the crawl runs, and when it has ended.
LIVE = (Shown("overview", "/c/{c}/", "#curve canvas"), Shown("collections", "/", ".collections li:nth-child(3)"))
ENDED = (
    Shown("hits", "/c/spiders/hits", ".spiders ul .spider"),
    Shown("map-tree", "/c/site/map?kind=tree", "#stage[data-frame]"),
    Shown("search", "/c/{c}/search?q=solar+cell", ".pages li"),
    Shown("map", "/c/{c}/map", "#stage[data-frame]"),
    Shown("map-hosts", "/c/{c}/map?kind=hosts", "#stage[data-frame]"),
    Shown("page", f"/c/{{c}}/page?url={PAGE}", "#text-title"),
    Shown("hosts", "/c/{c}/hosts", "td"),
    Shown("queue", "/c/{c}/queue", "td"),
    Shown("news", "/c/{c}/news", ".pages li"),
    Shown("companies", "/c/{c}/companies?seeds=yes", "td"),
    Shown("judge", "/c/{c}/judge?pile=audit", "#page-text"),
)
#: Crawls that stand beside that of the demo.
OTHERS = {
    "wind": ("keywords=wind energy, wind turbine, wind farm", "seeds=http://windworks.example/"),
    "football": ("keywords=football, defender, goalkeeper", "seeds=http://kickoff.example/report/896"),
    "spiders": (
        "keywords=solar energy, solar panel, battery",
        "seeds=http://panelforum.example/thread/236,https://heliopedia.example/wiki/efficient-solar-cells-for-electricians",
        "strategy=info_spiders",
        "strategy.cost=0.6",
        "strategy.theta=1",
    ),
    "site": (
        "keywords=solar panel, solar energy",
        "seeds=http://sunpower.example/",
        "strategy=shark_search",
        "scope.allowed_hosts=sunpower.example",
    ),
}


@pytest.fixture
def still(chromium: Browser) -> Iterator[Page]:
    """A tab in which nothing fades."""
    with a_tab(chromium, reduced_motion="reduce") as tab:
        yield tab


def test_every_picture_can_be_made(still: Page, tmp_path: Path, open_dashboard: Callable[[Path], str]) -> None:
    page = still
    folder = Path(os.environ.get(OUT) or tmp_path)
    for name, arguments in OTHERS.items():
        with crawling(tmp_path, 60, f"name={name}", *arguments) as crawl:
            assert end(crawl).code == 0
    address = open_dashboard(tmp_path)
    with crawling(tmp_path, 400) as crawl:
        while not (answer := page.goto(f"{address}/c/demo/")) or not answer.ok:
            assert crawl.poll() is None
            page.wait_for_timeout(200)
        until(page, "Number(document.querySelector('[data-live=pages]').textContent) >= 170", seconds=200)
        for shown in LIVE:
            picture(page, address, shown, folder)
        assert end(crawl).code == 0
    judge(tmp_path / "demo")
    page.goto(f"{address}/c/demo/search?q=solar")
    while not page.query_selector(".pages li"):  # the index is being made
        page.wait_for_timeout(500)
        page.reload()
    for shown in ENDED:
        picture(page, address, shown, folder)
    assert page.evaluate("window.troubles") == []


def test_a_picture_of_the_first_question(still: Page, tmp_path: Path) -> None:
    """Of a dashboard that may start crawls, over collections that are indexed."""
    folder = Path(os.environ.get(OUT) or tmp_path)
    for name in ("spiders", "wind"):
        with crawling(tmp_path, 60, f"name={name}", *OTHERS[name]) as crawl:
            assert end(crawl).code == 0
        update_index(tmp_path / name)
    launcher = Launcher(tmp_path)
    try:
        with serving(Served(tmp_path, launcher=launcher)) as address:
            picture(still, address, Shown("ask", "/search?q=solar+energy", ".pages li"), folder)
    finally:
        launcher.close()


def test_pictures_of_a_portal(still: Page, tmp_path: Path, open_dashboard: Callable[[Path], str]) -> None:
    with crawling(tmp_path, 400) as crawl:
        assert end(crawl).code == 0
    site = tmp_path / "site"
    assert run_command(Portal(), "demo", "--out", str(site), "--title", "Solar energy", data_dir=tmp_path) == 0
    folder = Path(os.environ.get(OUT) or tmp_path)
    picture(still, open_dashboard(tmp_path), Shown("portal", "/c/{c}/portal", ".pages li"), folder)
    still.set_viewport_size({"width": 1000, "height": 760})
    still.goto(f"{site.as_uri()}/search.html?q=thin-film+panels")
    still.wait_for_selector("#hits[data-done]")
    save(still, FloatRect(x=0, y=0, width=1000, height=760), folder / "portal.png")


def picture(page: Page, address: str, shown: Shown, folder: Path) -> None:
    """Write what is seen of a page, in few colours: a tenth of the bytes, and nobody sees it."""
    open_page(page, address, shown, "demo")
    page.wait_for_timeout(1500)  # until what moves has come to rest
    bottom = page.evaluate(
        "Math.max(...[...document.querySelectorAll('main > *')].map((one) => one.getBoundingClientRect().bottom))"
    )
    seen = FloatRect(x=0, y=0, width=1360, height=min(900, bottom + MARGIN))
    save(page, seen, folder / f"dashboard-{shown.name}.png")


def save(page: Page, seen: FloatRect, path: Path) -> None:
    drawn = Image.open(BytesIO(page.screenshot(clip=seen))).convert("RGB").quantize(COLOURS, dither=Image.Dither.NONE)
    drawn.save(path, optimize=True)
    assert path.stat().st_size < MOST_BYTES, path


def judge(folder: Path) -> None:
    """Say of some pages what the crawl says too, mostly."""
    desk = Desk(folder)
    with closing(open_to_read(folder)) as store:
        draw_sheet(store, desk, 100)
        piles = {AUDIT_PILE: to_audit(store, desk, 46), TEACH_PILE: to_teach(store, desk, 12)}
    for pile, offered in piles.items():
        desk.judge([(one.url, pile, one.relevant is (number % 9 > 0)) for number, one in enumerate(offered)])

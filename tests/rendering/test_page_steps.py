"""What is done on a page before it is read: nothing by default, else what the topic or a request of the user's own says."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from focused.rendering.asked import NOT_PASSED_ON, SAFE
from tests.crawls.crawling import ROOT, Ended, crawl, failures, fetched, rows
from tests.crawls.mock_web import MockWeb, robots, serving
from tests.rendering.script_web import TEXT, data, html, page, shell
from tests.rendering.test_crawl import TRACES, needs_browser

STEPS = "http://steps.example"
MODULES = ("SPIDER_MODULES=focused.spiders,tests.crawls.own_spiders",)
#: Three times a click brings the next link, from the server; the button goes then. Another button leads to another page.
BUTTON = """
let shown = 0;
document.getElementById('root').innerHTML = '<button id=more>More</button>';
document.getElementById('more').onclick = () => fetch('/api/' + shown).then(answer => answer.json()).then(link => {
    document.body.insertAdjacentHTML('beforeend', `<p>solar energy <a href="${link}">solar</a></p>`);
    if (++shown === 3) document.getElementById('more').remove();
});
"""
#: Grows by a link each time that somebody has scrolled to its end, without an end.
SCROLL = """
let shown = 0;
const grow = () => document.getElementById('root').insertAdjacentHTML('beforeend',
    `<p style="height: 3000px">solar energy <a href="/scrolled/${++shown}">solar</a></p>`);
grow();
addEventListener('scroll', grow);
"""
NAMES = (
    "more",
    "bad-selector",
    "never-there",
    "no-such-argument",
    "spins",
    "forbidden",
    "writes",
    "fetches",
    "no-list",
)
WEB: dict[str, Any] = {
    f"{STEPS}/robots.txt": robots("Disallow: /api/secret"),
    f"{STEPS}/": shell(BUTTON),
    f"{STEPS}/scroll": shell(SCROLL),
    f"{STEPS}/away": shell("document.getElementById('root').innerHTML = '<a id=more href=/next>solar energy</a>'"),
    **{f"{STEPS}/{name}": shell(BUTTON) for name in NAMES},
    f"{STEPS}/leaves": html(f"<p>{TEXT}<a href=/next>solar energy</a>"),
    f"{STEPS}/next": page("solar energy next"),
    **{f"{STEPS}/api/{number}": data(f"/linked/{number}") for number in range(3)},
    **{f"{STEPS}/linked/{number}": page("solar energy") for number in range(3)},
    **{f"{STEPS}/scrolled/{number}": page("solar energy") for number in range(1, 30)},
}


def collect(folder: Path, *paths: str, **options: Any) -> tuple[Ended, MockWeb]:
    with serving(MockWeb(WEB)) as web:
        ended = crawl(web, folder, [f"{STEPS}{path}" for path in paths], **options)
    assert not [trace for trace in TRACES if trace in ended.log], ended.log
    return ended, web


def links(folder: Path, kind: str) -> set[str]:
    return {url.rpartition("/")[2] for url in fetched(folder) if f"/{kind}/" in url}


@needs_browser
def test_nothing_is_done_by_default(tmp_path: Path) -> None:
    collect(tmp_path, "/", "/scroll", render="always")
    assert links(tmp_path, "linked") == set()
    assert links(tmp_path, "scrolled") == {"1"}


@needs_browser
def test_a_topic_says_what_to_click_and_how_often_at_most(tmp_path: Path) -> None:
    collect(tmp_path / "all", "/", render="always", rendering__click="#more")
    assert links(tmp_path / "all", "linked") == {"0", "1", "2"}
    collect(tmp_path / "some", "/", render="always", rendering__click="#more", rendering__clicks=2)
    assert links(tmp_path / "some", "linked") == {"0", "1"}


@needs_browser
def test_a_topic_says_how_often_to_scroll(tmp_path: Path) -> None:
    collect(tmp_path, "/scroll", render="always", rendering__scrolls=3)
    assert links(tmp_path, "scrolled") == {"1", "2", "3", "4"}


@needs_browser
def test_a_click_of_the_topic_leads_to_no_other_page(tmp_path: Path) -> None:
    """The page is read where it is; the link is one like any other."""
    collect(tmp_path, "/away", render="always", rendering__click="#more")
    assert set(fetched(tmp_path)) == {f"{STEPS}/away", f"{STEPS}/next"}


@needs_browser
def test_a_selector_that_is_none_is_told_once(tmp_path: Path) -> None:
    ended, _ = collect(tmp_path, "/", "/scroll", render="always", rendering__click="!!")
    assert ended.log.count("rendering.click = '!!' is passed over") == 1
    assert len(fetched(tmp_path)) == 3


@pytest.fixture(scope="module")
def asked(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Ended, MockWeb, dict[str, Any]]:
    folder = tmp_path_factory.mktemp("asked")
    feed = folder / "items.jsonl"
    options = {"settings": MODULES, "spider": "page_methods", "options": ("-o", str(feed))}
    ended, web = collect(folder, "/next", render="auto", rendering__seconds=4, **options)
    items = [json.loads(line) for line in feed.read_text().splitlines()]
    return folder, ended, web, {item["seen"].removeprefix(f"{STEPS}/"): item for item in items if "seen" in item}


def reasons(folder: Path) -> dict[str, tuple[int, str | None]]:
    found = rows(folder, "SELECT final_url, rendered, reason FROM history WHERE outcome = 'page'")
    return {url.removeprefix(f"{STEPS}/"): (rendered, reason) for url, rendered, reason in found}


@needs_browser
def test_methods_of_an_own_request_are_done_and_their_results_are_there(asked) -> None:
    folder, _, _, seen = asked
    assert seen["more"]["results"] == [None, None, "App"]
    assert f"{STEPS}/linked/0" in fetched(folder)


@needs_browser
def test_a_click_that_leaves_is_a_redirect_and_nothing_is_done_on_the_other_page(asked) -> None:
    folder, _, _, _ = asked
    assert rows(folder, "SELECT outcome, final_url FROM history WHERE url = ?", (f"{STEPS}/leaves",)) == [
        ("alias", f"{STEPS}/next")
    ]


@needs_browser
def test_a_method_that_fails_or_hangs_ends_in_time_and_the_history_says_so(asked) -> None:
    folder, ended, _, seen = asked
    assert ended.code == 0
    said = reasons(folder)
    assert said["bad-selector"] == (1, "step failed: click")
    assert said["never-there"] == (1, "step failed: wait_for_selector")
    assert said["no-such-argument"] == (1, "step failed: click")
    assert said["spins"] == (0, "not rendered: timeout")
    assert seen["bad-selector"]["results"] == [None, None]


@needs_browser
def test_what_is_not_passed_on_is_told_once(asked) -> None:
    _, ended, web, seen = asked
    for line in (
        "meta playwright_include_page is passed over: the page is closed before your callback is called",
        "PageMethod('goto', ...) is passed over: docs/how-to/render-pages.md lists",
        "a PageMethod that calls code is passed over",
        "PageMethod('screenshot', ...) is passed over",
        "meta playwright_page_methods is passed over: it is no list of PageMethod",
    ):
        assert ended.log.count(line) == 1, line
    assert seen["forbidden"]["results"] == [None, None, "App"]
    assert not any(item["page"] for item in seen.values())
    assert not any("elsewhere" in one.url for one in web.asked)


@needs_browser
def test_the_browser_has_no_more_network_than_before(asked) -> None:
    _, _, web, seen = asked
    assert seen["fetches"]["results"] == ["refused"]
    assert not any("tracker" in one.url for one in web.asked)


def test_a_topic_that_renders_nothing_says_so_once(tmp_path: Path) -> None:
    ended, _ = collect(tmp_path, "/next", settings=MODULES, spider="page_methods")
    assert ended.log.count("meta playwright is passed over: the topic renders nothing") == 1
    assert failures(tmp_path) == {}


def test_the_methods_that_are_done_are_documented() -> None:
    document = (ROOT / "docs" / "how-to" / "render-pages.md").read_text()
    assert {f"`{name}`" for name in SAFE | NOT_PASSED_ON.keys() if f"`{name}`" not in document} == set()

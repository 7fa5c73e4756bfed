"""Judging by keys: whatever is typed, however fast and while whatever breaks, lies on the desk as it was meant."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, Route

from focused.collection.desk import Desk
from tests.dashboard.browser.conftest import until

JUDGE = "/c/test/judge?pile=teach"
OUTBOX_IS_EMPTY = "outbox.length === 0 && !sending"


@pytest.fixture
def judging(page: Page, own: Path, open_dashboard: Callable[[Path], str]) -> Page:
    """The judging page of a collection of its own, with pages fetched ahead."""
    page.goto(open_dashboard(own) + JUDGE)
    until(page, "pages.length >= 40")
    return page


def verdicts(own: Path) -> dict[str, bool]:
    return {one.url: one.relevant for one in Desk(own / "test").verdicts("teach")}


def shown(page: Page) -> str:
    url: str = page.evaluate("pages[0].url")
    return url


def test_thirty_two_keys_without_a_pause_are_all_kept(judging: Page, own: Path) -> None:
    expected = {url: i % 3 != 0 for i, url in enumerate(judging.evaluate("pages.slice(0, 32).map((page) => page.url)"))}
    for relevant in expected.values():
        judging.keyboard.press("j" if relevant else "f")
    until(judging, OUTBOX_IS_EMPTY)
    assert verdicts(own) == expected
    judging.wait_for_selector("#told :text('32')")
    assert "the crawl said" in judging.inner_text("#last")


def test_verdicts_wait_while_nobody_takes_them_and_arrive_in_their_order(judging: Page, own: Path) -> None:
    broken = True

    def answer(route: Route) -> None:
        if broken and route.request.method == "POST":
            route.abort()
        else:
            route.continue_()

    judging.route("**/judge", answer)
    first = shown(judging)
    for key in ("j", "u", "f", "j"):
        judging.keyboard.press(key)
    second = judging.evaluate("past.at(-1).page.url")
    judging.wait_for_selector("#trouble:visible")
    assert verdicts(own) == {}
    broken = False
    until(judging, OUTBOX_IS_EMPTY)
    assert verdicts(own) == {first: False, second: True}
    assert judging.is_hidden("#trouble")


def test_what_was_not_sent_is_sent_when_the_page_is_loaded_again(judging: Page, own: Path) -> None:
    judging.route("**/judge", lambda route: route.abort())
    url = shown(judging)
    judging.keyboard.press("j")
    judging.wait_for_selector("#trouble:visible")
    judging.unroute("**/judge")
    judging.on("dialog", lambda dialog: dialog.accept())
    judging.evaluate("failures = 99")  # it does not try again by itself before that
    judging.reload()
    until(judging, OUTBOX_IS_EMPTY)
    assert verdicts(own) == {url: True}
    assert url not in judging.evaluate("pages.map((page) => page.url)")


def test_skip_undo_and_buttons_do_what_they_say(judging: Page, own: Path) -> None:
    first = shown(judging)
    judging.keyboard.press("Space")
    second = shown(judging)
    assert second != first
    judging.click("text=Not")
    judging.keyboard.press("Space")  # the button has given the focus away
    judging.keyboard.press("u")
    judging.keyboard.press("u")
    assert shown(judging) == second
    judging.keyboard.press("u")
    assert shown(judging) == first
    judging.focus("text=On topic")
    judging.keyboard.press("Enter")
    until(judging, OUTBOX_IS_EMPTY)
    assert verdicts(own) == {first: True}


def test_a_pile_can_be_judged_to_its_end(page: Page, own: Path, open_dashboard: Callable[[Path], str]) -> None:
    page.goto(open_dashboard(own) + "/c/test/judge?pile=audit")
    page.fill("[name=size]", "40")
    page.click("button:text('Draw')")
    page.wait_for_selector("#page-text")
    for _ in range(40):
        until(page, "pages.length > 0")
        page.keyboard.press("j")
    page.wait_for_selector("#nothing:visible")
    page.wait_for_selector("text=40 of 40 judged")
    until(page, OUTBOX_IS_EMPTY)
    assert len(Desk(own / "test").verdicts("audit")) == 40
    page.wait_for_selector("text=harvest rate, as judged")


def test_a_key_held_down_or_typed_elsewhere_judges_nothing(judging: Page, own: Path) -> None:
    url = shown(judging)
    judging.keyboard.press("Control+j")
    judging.keyboard.press("Alt+f")
    judging.keyboard.down("j")
    for _ in range(5):
        judging.keyboard.down("j")
    judging.keyboard.up("j")
    until(judging, OUTBOX_IS_EMPTY)
    assert verdicts(own) == {url: True}


def test_two_dashboards_work_on_one_collection(judging: Page, own: Path, open_dashboard: Callable[[Path], str]) -> None:
    with judging.context.new_page() as other:
        other.goto(open_dashboard(own) + JUDGE)
        until(other, "pages.length >= 40")
        same = shown(other)
        for tab in (judging, other):
            for _ in range(10):
                tab.keyboard.press("f" if tab is other else "j")
        for tab in (judging, other):
            until(tab, OUTBOX_IS_EMPTY)
    found = verdicts(own)
    assert len(found) == 10
    assert found[same] is False  # the later word

"""A page is given up only when it fails by itself: one that failed beside a page that took the browser with it is tried again."""

import asyncio
from types import SimpleNamespace

import pytest
from scrapy.http import TextResponse

from focused.live.rendering_outcome import BrowserLost, NotRendered, TimedOut
from focused.rendering import renderer
from focused.rendering.renderer import Renderer
from tests.small_web import topic_of

SLOW, GREEDY = "http://slow.example/", "http://greedy.example/"


class ScriptedBrowser:
    """Each attempt at a page ends as told: markup, or an error. The first attempt at `GREEDY` outlasts that at `SLOW`."""

    def __init__(self, answers: dict[str, list[str | NotRendered]]) -> None:
        self.answers = answers
        self.ended = 0
        self.attempts: list[str] = []
        self.open_now = 0
        self.most_open_in_second_attempts = 0
        self._slow_has_failed = asyncio.Event()

    async def open(self, page: SimpleNamespace) -> str:
        url = page.plain.url
        is_second = url in self.attempts
        self.attempts.append(url)
        self.open_now += 1
        if is_second:
            self.most_open_in_second_attempts = max(self.most_open_in_second_attempts, self.open_now)
        try:
            if url == GREEDY and not is_second:
                await self._slow_has_failed.wait()
            answer = self.answers[url].pop(0)
            if isinstance(answer, NotRendered):
                raise answer
            return answer
        finally:
            self._slow_has_failed.set()
            self.open_now -= 1

    async def close(self) -> None:
        self.ended += 1


def rendering(monkeypatch, answers: dict[str, list[str | NotRendered]]):
    """The browser after it was asked for all pages at once, and what became of each."""
    browser = ScriptedBrowser(answers)
    monkeypatch.setattr(renderer, "Browser", lambda *_: browser)
    monkeypatch.setattr(renderer, "Resources", lambda *_: None)

    async def all_at_once() -> list[object]:
        both = Renderer(None, topic_of(rendering={"mode": "auto", "pages": 2}))
        pages = (TextResponse(url, body=b"") for url in answers)
        return await asyncio.gather(*(both.render(page, lambda _: True) for page in pages), return_exceptions=True)

    outcomes = asyncio.run(all_at_once())
    return browser, [outcome if isinstance(outcome, NotRendered) else outcome.markup for outcome in outcomes]


@pytest.mark.parametrize("failure", [TimedOut(), NotRendered("net::ERR_ABORTED; maybe frame was detached?")], ids=str)
def test_a_page_that_failed_beside_one_that_took_the_browser_with_it_is_tried_again_alone(monkeypatch, failure) -> None:
    lost = BrowserLost("the browser took too much memory")
    browser, (slow, greedy) = rendering(monkeypatch, {SLOW: [failure, "all well"], GREEDY: [lost, lost]})
    assert (slow, greedy) == ("all well", lost)
    assert browser.most_open_in_second_attempts == 1


@pytest.mark.parametrize("beside", ["all well", NotRendered("its tab crashed")])
def test_a_page_that_timed_out_by_itself_is_not_tried_again(monkeypatch, beside) -> None:
    browser, (slow, greedy) = rendering(monkeypatch, {SLOW: [TimedOut()], GREEDY: [beside]})
    assert (str(slow), greedy) == ("timeout", beside)
    assert browser.attempts == [SLOW, GREEDY]

"""A host that is too busy (429, 503) is left alone for as long as it asks, and asked again then; others go on meanwhile."""

from __future__ import annotations

import time
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from itertools import pairwise

import pytest

from focused.simulation.recorded_web import Answer
from tests.crawls.crawling import column, crawl, end, failures, fetched, reasons, rows, scrapy, start, wait_until
from tests.crawls.mock_web import MockWeb, page, serving

BUSY, OTHER = "http://busy.example", "http://other.example"
BY_DEPTH = {"strategy": "breadth_first"}


def busy(times: int, status: int = 429, retry_after: str = ""):
    """A page that is there after so many answers that its host is too busy."""
    left = [times]

    def reply(_: object) -> Answer:
        left[0] -= 1
        headers = (("Retry-After", retry_after),) if retry_after else ()
        return Answer(status, headers, b"") if left[0] >= 0 else page("solar patience", "/next")

    return reply


def web_of(reply, others: int = 0) -> MockWeb:
    answers = {f"{BUSY}/": reply, f"{BUSY}/next": page("solar next")}
    if others:
        answers[f"{OTHER}/"] = page("solar other", *(str(number) for number in range(others)))
        answers |= {f"{OTHER}/{number}": page(f"solar {number}") for number in range(others)}
    return MockWeb(answers)


def waited(web: MockWeb) -> list[float]:
    """Seconds between requests to the busy host, robots.txt left out."""
    times = [asked.time for asked in web.asked if asked.host == "busy.example" and not asked.url.endswith("robots.txt")]
    return [after - before for before, after in pairwise(times)]


def test_retry_after_is_waited_for_and_nothing_is_lost_while_other_hosts_go_on(tmp_path):
    with serving(web_of(busy(1, retry_after="3"), others=5)) as web:
        ended = crawl(web, tmp_path, [f"{BUSY}/", f"{OTHER}/"], settings=("FOCUSED_PROGRESS_SECONDS=0.5",))
    assert (ended.code, ended.plain) == (0, True), ended.log
    assert failures(tmp_path) == {}
    assert len(fetched(tmp_path)) == 8
    assert waited(web)[0] > 2.9
    pages = web.pages_asked()
    assert pages.index(f"{OTHER}/4") < len(pages) - 1 - pages[::-1].index(f"{BUSY}/")
    assert "busy.example is too busy (http 429): asked again in 3 s" in ended.log
    assert "1 host is held: asked again in" in ended.log


def test_a_host_that_is_denied_while_it_is_left_alone_is_not_asked_again_and_holds_nothing_up(tmp_path):
    with serving(web_of(busy(1, retry_after="600"), others=3)) as web:
        process = start(web, tmp_path, [f"{BUSY}/", f"{OTHER}/"])
        wait_until(lambda: len(fetched(tmp_path)) == 4)
        steered = end(scrapy("steer", "test", "deny", "busy.example", folder=tmp_path))
        ended = end(process)
    assert (steered.code, ended.code, ended.plain) == (0, 0, True), ended.log
    assert failures(tmp_path) == {f"{BUSY}/": "host denied by a person"}
    assert reasons(tmp_path) == ["dead end: no URL is left to fetch"]
    assert len(waited(web)) == 0


def test_a_host_that_was_asked_too_often_gets_a_longer_delay_for_good(tmp_path):
    with serving(web_of(busy(1, retry_after="0"))) as web:
        assert crawl(web, tmp_path, [f"{BUSY}/"], **BY_DEPTH, settings=("DOWNLOAD_DELAY=0.6",)).code == 0
    assert rows(tmp_path, "SELECT host, delay FROM manners") == [("busy.example", 1.2)]
    assert waited(web)[1] > 1.1


def test_a_503_without_a_word_is_asked_again_later_and_leaves_the_delay_as_it_is(tmp_path):
    with serving(web_of(busy(2, status=503))) as web:
        assert crawl(web, tmp_path, [f"{BUSY}/"], settings=("FOCUSED_BUSY_SECONDS=0.5",), **BY_DEPTH).code == 0
    first, second, *_ = waited(web)
    assert first > 0.45
    assert second > 0.95  # twice as long
    assert column(tmp_path, "SELECT delay FROM manners") == [None]
    assert len(fetched(tmp_path)) == 2


def test_a_date_is_understood_and_a_long_wait_is_cut(tmp_path):
    future = format_datetime(datetime.now(UTC) + timedelta(days=400), usegmt=True)
    with serving(web_of(busy(1, 503, future))) as web:
        assert crawl(web, tmp_path, [f"{BUSY}/"], settings=("FOCUSED_MAX_RETRY_AFTER=1.5",)).code == 0
    assert waited(web)[0] > 1.4
    assert len(fetched(tmp_path)) == 2


def test_a_url_fails_after_a_few_times(tmp_path):
    with serving(web_of(busy(99))) as web:
        ended = crawl(web, tmp_path, [f"{BUSY}/"], settings=("FOCUSED_BUSY_TIMES=2", "FOCUSED_MAX_CRAWL_DELAY=0.1"))
    assert ended.code == 1  # nothing was collected
    assert failures(tmp_path) == {f"{BUSY}/": "http 429"}
    assert len(web.pages_asked()) == 3


@pytest.mark.parametrize(("retry_after", "waits"), [("3600", 0.0), ("", 0.5)])
def test_a_host_that_is_busy_for_ever_does_not_keep_a_crawl_from_ending_and_its_urls_wait(tmp_path, retry_after, waits):
    settings = (
        "FOCUSED_BUSY_WAIT_SECONDS=2",
        "FOCUSED_BUSY_SECONDS=0.2",
        "FOCUSED_MAX_CRAWL_DELAY=0.1",
        "FOCUSED_BUSY_TIMES=99",
    )
    links = [f"{BUSY}/{number}" for number in range(9)]
    answers = {f"{OTHER}/": page("solar other", *links)} | {link: busy(9999, retry_after=retry_after) for link in links}
    with serving(MockWeb(answers)) as web:
        began = time.monotonic()
        ended = crawl(web, tmp_path, [f"{OTHER}/"], settings=settings)
        assert waits < time.monotonic() - began < 30
    assert (ended.code, ended.plain) == (0, True), ended.log
    assert reasons(tmp_path) == [
        "only held hosts are left (too busy, or no robots.txt): 9 URLs wait; the same command goes on"
    ]
    assert (failures(tmp_path), fetched(tmp_path)) == ({}, [f"{OTHER}/"])
    assert ("Only held hosts are left (too busy, or no robots.txt), and 9 URLs wait for them" in ended.log) == bool(
        waits
    )


def test_what_waits_for_a_busy_host_takes_no_place_in_the_budget(tmp_path):
    with serving(web_of(busy(1, retry_after="60"), others=5)) as web:
        began = time.monotonic()
        ended = crawl(web, tmp_path, [f"{BUSY}/", f"{OTHER}/"], pages=4)
        assert time.monotonic() - began < 60
    assert "Ended: page budget reached: 4 of 4 pages" in ended.log
    assert failures(tmp_path) == {}


def test_a_run_after_a_kill_does_not_ask_before_the_time(tmp_path):
    with serving(web_of(busy(1, retry_after="4"))) as web:
        process = start(web, tmp_path, [f"{BUSY}/"])
        assert web.wait_for(2, process.poll)
        wait_until(lambda: column(tmp_path, "SELECT host FROM manners WHERE not_before IS NOT NULL"))
        process.kill()
        end(process)
        assert crawl(web, tmp_path, [f"{BUSY}/"]).code == 0
    assert waited(web)[0] > 3.9
    assert len(fetched(tmp_path)) == 2


@pytest.mark.slow
@pytest.mark.parametrize("killed", [False, True])
def test_a_quick_restart_waits_for_the_delay_of_the_last_request(tmp_path, killed):
    settings = ("DOWNLOAD_DELAY=8", "ROBOTSTXT_OBEY=0", "LOG_LEVEL=WARNING")
    with serving(web_of(busy(0))) as web:
        process = start(web, tmp_path, [f"{BUSY}/"], settings=settings, pages=2 if killed else 1, **BY_DEPTH)
        if killed:
            assert web.wait_for(1, process.poll)
            wait_until(lambda: fetched(tmp_path))
            process.kill()
        assert end(process).plain
        assert crawl(web, tmp_path, [f"{BUSY}/"], settings=settings, pages=2, **BY_DEPTH).code == 0
    assert waited(web)[0] > 7.9

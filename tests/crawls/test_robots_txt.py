"""robots.txt as RFC 9309 says, whatever servers make of it: what is unreachable bars the page and is asked for again later."""

from __future__ import annotations

import gzip
import signal
import sqlite3
from itertools import pairwise
from time import sleep

import pytest

from focused.live.robots.known import AGAIN
from focused.simulation.recorded_web import Answer
from tests.crawls.crawling import Ended, column, crawl, end, failures, fetched, start, wait_until
from tests.crawls.mock_web import BUSY, HANG, Late, MockWeb, Reply, are_apart, page, redirect, robots, serving

WAIT = 0.1  #: seconds until the second try
BARRED = robots("Disallow: /barred")
BUSY_NOW = Answer(503, (), b"come back later")
GZIP = (("Content-Type", "text/plain"), ("Content-Encoding", "gzip"))
LATE_RULE = robots("Disallow: /barred", *["#" + "x" * 98] * 50_000, "Disallow: /late")  # 5 MB


def at_first(replies: list[Reply], then: Reply):
    """Gives these one after the other, then another for good."""
    waiting = list(replies)
    return lambda _: waiting.pop(0) if waiting else then


#: robots.txt of a host, by the name of the host. Each host has two pages, / and /barred.
ROBOTS: dict[str, object] = {
    "broken": BUSY_NOW,
    "stubborn": BUSY_NOW,
    "limited": Answer(429, (), b""),
    "silent": HANG,
    "hangs-up": b"",
    "slow": Late(BARRED),
    "bomb": Answer(200, GZIP, gzip.compress(b"Disallow: /\n" * 1_000_000)),
    "recovers": at_first([BUSY_NOW, HANG, BUSY_NOW], BARRED),
    "patient": at_first([Answer(503, (("Retry-After", "2"),), b"")], BARRED),
    "no-http": bytes(range(4)),
    "forbidden": Answer(403, (), b"no"),
    "unauthorized": Answer(401, (("WWW-Authenticate", "Basic"),), b""),
    "gone": Answer(410, (), b""),
    "huge": LATE_RULE,
    "zipped": Answer(200, GZIP, gzip.compress(BARRED.body)),
    "html": page("User-agent and Disallow: a page that is not found"),
    "binary": Answer(200, (), bytes(range(256)) * 100),
    "empty": Answer(200, (), b""),
    "zeros": Answer(200, (), bytes(400_000)),
    **{f"delay-{said}": robots(f"Crawl-delay: {said}") for said in ("nan", "inf", "-5", "1e308", "often")},
    "mark": Answer(200, (), b"\xef\xbb\xbf" + BARRED.body),
    "carriage": Answer(200, (), BARRED.body.replace(b"\n", b"\r")),
    "upper": Answer(200, (), b"USER-AGENT: *\nDISALLOW: /barred"),
    "spaces": Answer(200, (), b"  user-agent :  *  \n  disallow :  /barred  # why"),
    "escaped": robots("Disallow: /b%61rred"),
    "wide": Answer(200, (), BARRED.body.decode().encode("utf-16")),
    "five": redirect("/r1"),
    "six": redirect("/r0"),
    "round": redirect("/robots.txt"),
    "away": redirect("http://other.example/rules"),
    "ftp": redirect("ftp://other.example/robots.txt"),
    "nowhere": redirect("http://[::1"),
    "empty-target": redirect("https://"),
}
MOVED = {f"http://{host}.example/r{n}": redirect(f"/r{n + 1}") for host in ("five", "six") for n in range(5)}
MOVED |= {"http://five.example/r5": page("too far"), "http://six.example/r5": page("too far")}
MOVED |= {"http://five.example/r4": BARRED, "http://other.example/rules": BARRED}

UNREACHABLE = {
    "broken": "robots.txt unreachable: http 503",
    "limited": "robots.txt unreachable: http 429",
    "silent": "timeout",
    "hangs-up": "connection lost",
    "slow": "robots.txt unreachable: timeout",
    "no-http": "connection lost",
    "bomb": "robots.txt unreachable: too large",
    "six": "robots.txt unreachable: more than 5 redirects",
    "round": "robots.txt unreachable: redirects in a circle",
    "ftp": "robots.txt unreachable: redirects to no http(s) URL",
    "nowhere": "robots.txt unreachable: redirects to no http(s) URL",
    "empty-target": "robots.txt unreachable: redirects to no http(s) URL",
}
ALLOW_ALL = (
    "forbidden",
    "unauthorized",
    "gone",
    "html",
    "binary",
    "empty",
    "zeros",
    *(n for n in ROBOTS if "delay-" in n),
)
BAR = (
    "recovers",
    "patient",
    "huge",
    "zipped",
    "wide",
    "five",
    "away",
    "mark",
    "carriage",
    "upper",
    "spaces",
    "escaped",
)


def root(host: str) -> str:
    return f"http://{host}.example/"


@pytest.fixture(scope="module")
def hostile(tmp_path_factory):
    """A crawl of all hosts."""
    folder = tmp_path_factory.mktemp("hostile")
    answers = {f"{root(host)}robots.txt": reply for host, reply in ROBOTS.items()} | MOVED
    answers |= {f"{root(host)}{path}": page(f"solar {host} {path}") for host in ROBOTS for path in ("", "barred")}
    answers["http://huge.example/late"] = page("solar late")
    seeds = [f"{root(host)}{path}" for path in ("", "barred") for host in ROBOTS] + ["http://huge.example/late"]
    seeds.remove("http://stubborn.example/barred")  # a page that comes when the tries are used up asks once more
    settings = (
        *("DOWNLOAD_TIMEOUT=1", f"FOCUSED_ROBOTS_RETRY_SECONDS={WAIT}", "CONCURRENT_REQUESTS=32"),
        "FOCUSED_MAX_CRAWL_DELAY=0.2",
    )
    with serving(MockWeb(answers)) as web:
        ended = crawl(web, folder, seeds, settings=settings)
    assert (ended.code, ended.plain) == (0, True), ended.log
    return web, folder


def robots_asked(web: MockWeb, host: str) -> list[float]:
    """When the robots.txt of a host was asked for."""
    return [asked.time for asked in web.asked if asked.url == f"{root(host)}robots.txt"]


@pytest.mark.parametrize("host", UNREACHABLE)
def test_no_page_is_asked_for_whose_robots_txt_is_unreachable_and_the_reason_is_on_record(hostile, host):
    web, folder = hostile
    assert not {f"{root(host)}", f"{root(host)}barred"} & set(web.pages_asked())
    assert failures(folder)[root(host)] == failures(folder)[f"{root(host)}barred"] == UNREACHABLE[host]


@pytest.mark.parametrize("host", ALLOW_ALL)
def test_without_a_robots_txt_and_without_rules_all_is_allowed(hostile, host):
    assert {root(host), f"{root(host)}barred"} <= set(fetched(hostile[1]))


@pytest.mark.parametrize("host", BAR)
def test_rules_hold_that_come_late_or_long_or_from_elsewhere_or_strangely_encoded(hostile, host):
    web, folder = hostile
    assert root(host) in fetched(folder)
    assert failures(folder)[f"{root(host)}barred"] == "robots.txt"
    assert f"{root(host)}barred" not in web.pages_asked()


def test_what_comes_after_500_kib_is_ignored(hostile):
    assert "http://huge.example/late" in fetched(hostile[1])


def test_an_unreachable_robots_txt_is_asked_for_some_times_each_after_twice_the_wait(hostile):
    times = robots_asked(hostile[0], "stubborn")
    assert len(times) == 1 + AGAIN
    waits = [after - before for before, after in pairwise(times)]
    assert all(wait > BUSY * WAIT * 2**n for n, wait in enumerate(waits))


def test_a_host_that_is_silent_is_asked_as_often_as_for_a_page(hostile):
    assert len(robots_asked(hostile[0], "silent")) == 3  # RETRY_TIMES is 2


def test_retry_after_of_a_robots_txt_is_obeyed(hostile):
    first, second = robots_asked(hostile[0], "patient")
    assert second - first > BUSY * 2


def test_at_most_five_redirects_are_followed(hostile):
    web, asked = hostile[0], [asked.url for asked in hostile[0].asked]
    assert "http://six.example/r4" in asked
    assert "http://six.example/r5" not in asked
    assert len(robots_asked(web, "round")) == 5  # once for each try


def test_a_robots_txt_is_asked_for_once_by_all_pages_that_wait_for_it(hostile):
    assert [len(robots_asked(hostile[0], host)) for host in ("forbidden", "huge", "away")] == [1, 1, 1]


def test_redirects_of_a_robots_txt_keep_the_delay_of_the_host_they_lead_to(tmp_path):
    answers = {f"http://{name}.example/robots.txt": redirect(f"http://b.example/rules/{name}") for name in "acd"}
    answers |= {f"http://{name}.example/": page("solar") for name in "abcd"}
    with serving(MockWeb(answers, latency=0.02)) as web:
        seeds = [f"http://{name}.example/" for name in "bacd"]
        assert crawl(web, tmp_path, seeds, settings=("DOWNLOAD_DELAY=0.4",)).code == 0
    times = web.times("b.example")
    assert len(times) == 5  # its own robots.txt and page, and three that others have there
    assert are_apart(times, 0.4)
    assert web.most_at_once["b.example"] == 1


@pytest.mark.slow
def test_a_robots_txt_holds_for_a_day_also_over_restarts_and_longer_while_no_new_one_can_be_had(tmp_path):
    answers = {f"http://a.example/{n}": page(f"solar {n}", *(f"/{m}" for m in range(8))) for n in range(8)}
    answers["http://a.example/robots.txt"] = robots("Disallow: /2")

    def run(pages: int) -> Ended:
        ended = crawl(web, tmp_path, ["http://a.example/0"], pages=pages, strategy="breadth_first")
        assert ended.code == 0, ended.log
        return ended

    with serving(MockWeb(answers)) as web:
        run(2)
        web.answers["http://a.example/robots.txt"] = robots("Disallow: /")
        run(3)
        assert len(robots_asked(web, "a")) == 1
        db = sqlite3.connect(tmp_path / "test" / "crawl.db")
        with db:
            db.execute("UPDATE robots SET until = until - 86400")  # a day later
        db.close()
        web.answers["http://a.example/robots.txt"] = BUSY_NOW
        run(5)
        assert len(robots_asked(web, "a")) >= 2
    assert len(fetched(tmp_path)) == 5
    assert failures(tmp_path) == {"http://a.example/2": "robots.txt"}


@pytest.mark.slow
def test_a_killed_crawl_keeps_when_a_robots_txt_may_be_asked_for_again_and_loses_no_page(tmp_path):
    answers = {"http://a.example/": page("solar"), "http://a.example/robots.txt": BUSY_NOW}
    patient = ("FOCUSED_ROBOTS_RETRY_SECONDS=300",)
    with serving(MockWeb(answers)) as web:
        first = start(web, tmp_path, ["http://a.example/"], settings=patient)
        assert web.wait_for(1, first.poll)
        wait_until(lambda: column(tmp_path, "SELECT tries FROM robots") == [1])
        first.kill()
        end(first)
        second = start(web, tmp_path, ["http://a.example/"], settings=patient)
        wait_until(lambda: column(tmp_path, "SELECT count(*) FROM runs") == [2])
        sleep(1)
        second.send_signal(signal.SIGINT)
        assert end(second).code == 0
        assert len(web.asked) == 1
        db = sqlite3.connect(tmp_path / "test" / "crawl.db")
        with db:
            db.execute("UPDATE robots SET until = 0")
            db.execute("UPDATE manners SET not_before = NULL")
        db.close()
        web.answers["http://a.example/robots.txt"] = robots()
        assert crawl(web, tmp_path, ["http://a.example/"]).code == 0
    assert fetched(tmp_path) == ["http://a.example/"]

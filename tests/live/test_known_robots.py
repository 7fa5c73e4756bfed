"""What is remembered of robots.txt: for how long, in how much memory, and under which name."""

from __future__ import annotations

import math
import zlib

import pytest
from scrapy import Request
from scrapy.http import Response

from focused.collection import robots_texts
from focused.collection.robots_texts import RobotsText, RobotsTexts
from focused.collection.store import Store
from focused.live.robots.known import (
    AGAIN,
    LONGEST_WAIT,
    MOST_REMEMBERED,
    PER_ORIGIN,
    Memory,
    RobotsPatience,
    origin_of,
)
from focused.live.robots.requesting import Heard, _said, _target

PATIENCE = RobotsPatience(first=10.0, again_silent=2)
RULES = RobotsText(b"User-agent: *\nDisallow: /a", 200, "", 0, 0.0, 86_400.0)
UNREACHABLE = Heard(503, None, "robots.txt unreachable: http 503")


@pytest.mark.parametrize(
    ("url", "origin"),
    [
        ("http://a.example/x", "http://a.example"),
        ("http://user:secret@a.example:80/x", "http://a.example"),
        ("https://A.example:443/x", "https://a.example"),
        ("https://a.example:80/x", "https://a.example:80"),
        ("http://[::1]:8080/x", "http://[::1]:8080"),
        ("http://user@[2001:db8::1]/x", "http://[2001:db8::1]"),
    ],
)
def test_a_robots_txt_holds_for_scheme_host_and_port_and_never_for_credentials(url, origin):
    assert origin_of(Request(url)) == origin


def test_each_wait_is_twice_as_long_as_the_one_before_up_to_an_hour():
    waits = [PATIENCE.wait(tries, 0.0) for tries in (1, 2, 3, 20, 10_000)]
    assert waits == [10.0, 20.0, 40.0, LONGEST_WAIT, LONGEST_WAIT]


@pytest.mark.parametrize(("asked_for", "wait"), [(5.0, 10.0), (90.0, 90.0), (math.inf, LONGEST_WAIT)])
def test_a_server_may_ask_for_a_longer_wait_but_not_for_ever(asked_for, wait):
    assert PATIENCE.wait(1, asked_for) == wait


def asked_to_wait(retry_after: bytes) -> float:
    return _said(Response("http://a.example/robots.txt", 503, {"Retry-After": retry_after})).retry_after


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        *((b"120", 120.0), (b"-5", 0.0), (b"1e9", 0.0), (b"nan", 0.0), (b"", 0.0), (b"\xb2", 0.0), (b"soon", 0.0)),
        *((b"9" * 5000, math.inf), (b"Wed, 21 Oct 2015 07:28:00 GMT", 0.0), (b"Wed, 21 Oct 99999 07:28:00 GMT", 0.0)),
    ],
)
def test_retry_after_is_seconds_or_a_date_and_nothing_else(value, seconds):
    assert asked_to_wait(value) == seconds


def test_retry_after_may_be_a_date_to_come():
    assert asked_to_wait(b"Wed, 21 Oct 2999 07:28:00 GMT") > 1e9


@pytest.mark.parametrize(
    ("location", "target"),
    [
        (b"/x#part", "http://a.example/x"),
        (b"http://user:secret@b.example/", "http://b.example/"),
        (b"file:///etc/passwd", ""),
        (b"http://[::1", ""),
        (b"http://b.example:99999/", ""),
        (b"data:text/plain,Disallow:", ""),
        (b"\xff\r\n", "http://a.example/%FF"),
    ],
)
def test_a_redirect_leads_to_an_http_address_without_credentials_or_nowhere(location, target):
    assert _target("http://a.example/robots.txt", Response("http://a.example/", 301, {"Location": location})) == target


def test_pages_wait_for_some_tries_and_less_for_a_host_that_is_silent():
    def waits(reason: str) -> int:
        text, times = None, 0
        while True:
            text = PATIENCE.after(Heard(None, None, reason), text, 0.0)
            if not PATIENCE.lasts(text):
                return times
            times += 1

    assert (waits("robots.txt unreachable: http 500"), waits("timeout"), waits("private address")) == (AGAIN, 2, 0)


@pytest.mark.parametrize("where", ["private address", "port not allowed", "no http(s) URL"])
def test_no_page_waits_for_a_robots_txt_that_leads_where_nothing_is_asked_and_an_hour_later_it_is_asked_again(where):
    text = PATIENCE.after(Heard(None, None, f"robots.txt unreachable: redirects to {where}"), None, 0.0)
    assert not PATIENCE.lasts(text)
    assert text.until == LONGEST_WAIT


def test_tries_of_another_day_do_not_count():
    before = PATIENCE.after(UNREACHABLE, PATIENCE.after(UNREACHABLE, None, 0.0), 10.0)
    assert (before.tries, PATIENCE.after(UNREACHABLE, before, 30.0).tries) == (2, 3)
    assert PATIENCE.after(UNREACHABLE, before, 90_000.0).tries == 1


def test_memory_is_bounded_for_100_000_hosts_and_for_long_rules():
    memory = Memory()
    for number in range(100_000):
        memory.keep(f"http://{number}.example", RULES, None, 0)
    assert len(memory) == MOST_REMEMBERED / PER_ORIGIN
    for number in range(10):
        memory.keep(f"http://{number}.example", RULES, None, 400_000)
    assert len(memory) == 2
    memory.keep("http://0.example", RULES, None, 10 * MOST_REMEMBERED)
    assert len(memory) == 1  # one that is in use


def test_what_was_used_last_is_remembered_longest_and_no_body_is():
    memory = Memory()
    memory.keep("http://first.example", RULES, None, 0)
    for number in range(int(MOST_REMEMBERED / PER_ORIGIN) - 1):
        memory.keep(f"http://{number}.example", RULES, None, 0)
    assert memory.find("http://first.example").text.body is None
    memory.keep("http://new.example", RULES, None, 0)
    assert memory.find("http://first.example")
    assert memory.find("http://0.example") is None


@pytest.fixture
def store(tmp_path):
    store = Store(tmp_path / "crawl.db")
    yield store
    store.close()


def test_texts_are_found_before_and_after_they_are_written_and_take_little_room(store):
    texts = RobotsTexts(store)
    texts.keep("http://a.example", RULES)
    assert texts.find("http://a.example") == RULES
    store.commit(texts.writes())
    assert texts.writes() == []
    assert texts.find("http://a.example") == RobotsTexts(store).find("http://a.example") == RULES
    assert texts.find("http://b.example") is None


def test_the_table_has_only_the_newest_and_none_that_is_huge(store, monkeypatch):
    monkeypatch.setattr(robots_texts, "MOST_KEPT", 3)
    monkeypatch.setattr(robots_texts, "LONGEST_KEPT", 100)
    texts = RobotsTexts(store)
    noise = RobotsText(bytes(n * n % 251 for n in range(1000)), *(200, "", 0, 0.0, 1.0))
    for number in [*range(5), 1]:
        texts.keep(f"http://{number}.example", RULES)
        store.commit(texts.writes())
    texts.keep("http://1.example", noise)
    store.commit(texts.writes())
    assert [row[0] for row in store.execute("SELECT origin FROM robots ORDER BY id")] == [
        "http://3.example",
        "http://4.example",
    ]


@pytest.mark.parametrize("body", [b"\0\xff", zlib.compress(bytes(10_000_000)), zlib.compress(b"User-agent")[:-1]])
def test_a_damaged_body_is_asked_for_again(store, body):
    texts = RobotsTexts(store)
    texts.keep("http://a.example", RULES)
    store.commit(texts.writes())
    store.execute("UPDATE robots SET body = ?", (body,))
    assert texts.find("http://a.example") is None

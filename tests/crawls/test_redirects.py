"""Redirects: who waits for whom, what becomes an alias, and what ends a chain."""

from __future__ import annotations

from itertools import pairwise

import pytest

from focused.simulation.recorded_web import Answer
from tests.crawls.crawling import crawl, failures, fetched, rows
from tests.crawls.mock_web import MockWeb, page, redirect, robots, serving

A, B, C = "http://a.example", "http://b.example", "http://c.example"


def after_a_cookie(asked):
    """A page that sends its visitor to itself until a cookie comes back, as consent walls do."""
    if "cookie" in asked.headers:
        return page("solar wall", "known")
    return Answer(302, (("Location", asked.url), ("Set-Cookie", "seen=1")), b"")


def refresh(content, text=""):
    """A page that sends its visitor elsewhere."""
    return page(text, head=f'<meta http-equiv="refresh" content="{content}">')


REFRESHES = {
    "bare": refresh("0;/bare-end"),
    "comma": refresh("0,/comma-end"),
    "late": refresh("5; url=/late-end", "solar late"),
    "script": page(
        "", head=f"<script>{'//' * 5000}</script><meta http-equiv=REFRESH content='0;URL = &quot;/script-end&quot;'>"
    ),
    "header": page("solar header", headers=(("Refresh", "0; url=/header-end"),)),
    "other-host": refresh(f"0; url={C}/other-host-end"),
}
ANSWERS = {
    **{f"{A}/{name}": answer for name, answer in REFRESHES.items()},
    **{f"{C if name == 'other-host' else A}/{name}-end": page(f"solar {name}") for name in REFRESHES},
    f"{A}/itself": redirect("/itself", 302),
    f"{A}/nowhere": redirect("", 302),
    f"{A}/fragment": lambda _: redirect(f"/fragment#{len(WEB.asked)}"),
    f"{A}/spelt": redirect("HTTP://me:pw@A.EXAMPLE.:80/x/../spelt"),
    f"{A}/to-itself": refresh("0", "solar itself"),
    f"{A}/flip": refresh("0; url=/flop", "solar flip"),
    f"{A}/flop": refresh("0; url=/flip", "solar flop"),
    f"{A}/news": refresh("300; url=/news-later", "solar news"),
    f"{A}/news-later": page("solar later"),
    f"{A}/refresh-chain": refresh("0; url=/refresh-chain-2"),
    f"{A}/refresh-chain-2": redirect("/refresh-chain"),
    f"{A}/": page(
        "solar energy",
        *("same", "cross", "chain", "loop", "to-known", "to-waiting", "to-denied", "refresh", "wall", "round", "dead"),
        *("known", "waiting", "twice-1", "twice-2", "to-mail", "to-private"),
        *("itself", "nowhere", "fragment", "spelt", *REFRESHES, "to-itself", "flip", "news", "refresh-chain"),
    ),
    f"{A}/same": redirect("/same-target", 302),
    f"{A}/same-target": page("solar same", "same", "same-target"),
    f"{A}/cross": redirect(f"{B}/target", 307),
    f"{B}/robots.txt": robots("Crawl-delay: 0.5", "Disallow: /private"),
    f"{B}/target": page("solar target", "next", f"{A}/cross"),
    f"{B}/next": page("solar next"),
    f"{A}/chain": redirect(f"{C}/1"),
    f"{C}/1": redirect("/2", 303),
    f"{C}/2": redirect(f"{A}/chain-end", 308),
    f"{A}/chain-end": page("solar chain", f"{C}/1", f"{C}/2"),
    f"{A}/loop": lambda _: redirect(f"/loop?n={len(WEB.asked)}"),
    **{f"{A}/loop?n={n}": redirect(f"/loop?n={n + 1}") for n in range(200)},
    f"{A}/round": redirect("/round-2"),
    f"{A}/round-2": redirect("/round"),
    f"{A}/to-known": redirect("/", 301),
    f"{A}/to-waiting": redirect("/waiting", 301),
    f"{A}/to-denied": redirect("http://denied.example/x"),
    f"{A}/to-mail": redirect("mailto:someone@a.example"),
    f"{A}/to-private": redirect(f"{B}/private"),
    f"{A}/refresh": page("", head='<meta http-equiv="refresh" content="0; url=/refreshed">'),
    f"{A}/refreshed": page("solar refreshed"),
    f"{A}/wall": after_a_cookie,
    f"{A}/dead": redirect(f"{C}/missing"),
    f"{A}/known": page("solar known", "wall", "dead", f"{C}/missing", "round", "round-2"),
    f"{A}/waiting": page("solar waiting"),
    f"{A}/twice-1": redirect(f"{C}/twice"),
    f"{A}/twice-2": redirect(f"{C}/twice"),
    f"{C}/twice": page("solar twice"),
    f"{C}/seed": redirect(f"{C}/seeded", 301),
    f"{C}/seeded": page("solar seeded"),
    "http://denied.example/x": page("no"),
}
WEB = MockWeb(ANSWERS, latency=0.005)
ENDS = ["same-target", "chain-end", "refreshed", "known", "waiting", "", "to-itself", "flop", "news"]

REFRESHED = [f"{C if name == 'other-host' else A}/{name}-end" for name in REFRESHES]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("redirects")
    seeds = [f"{A}/", f"{C}/seed", f"{A}/", f"{A}/#again"]
    topic = {"strategy": "breadth_first", "scope__denied_hosts": "denied.example"}
    with serving(WEB):
        ended = crawl(WEB, folder, seeds, settings=("REDIRECT_MAX_TIMES=5",), **topic)
    assert (ended.code, ended.plain) == (0, True), ended.log
    return folder


def test_the_pages_at_the_ends_of_redirects_are_fetched_once(folder):
    expected = [*(f"{A}/{end}" for end in ENDS), *REFRESHED, f"{B}/target", f"{B}/next", f"{C}/twice", f"{C}/seeded"]
    assert sorted(fetched(folder)) == sorted(expected)
    asked = WEB.pages_asked()
    assert {url: asked.count(url) for url in expected} == dict.fromkeys(expected, 1)


def test_the_history_names_both_ends(folder):
    ends = dict(rows(folder, "SELECT url, final_url FROM history WHERE outcome = 'page'"))
    assert ends[f"{A}/cross"] == f"{B}/target"
    assert ends[f"{A}/chain"] == f"{A}/chain-end"
    assert ends[f"{A}/refresh"] == f"{A}/refreshed"
    assert ends[f"{C}/seed"] == f"{C}/seeded"


def test_a_redirect_to_a_page_already_fetched_or_waiting_is_an_alias(folder):
    aliases = dict(rows(folder, "SELECT url, final_url FROM history WHERE outcome = 'alias'"))
    assert aliases[f"{A}/to-known"] == f"{A}/"
    assert aliases[f"{A}/to-waiting"] == f"{A}/waiting"
    assert sum(final == f"{C}/twice" for final in aliases.values()) == 1


def test_a_circle_ends_where_it_closes_and_is_on_record(folder):
    failed = failures(folder)
    in_circles = ("round", "itself", "nowhere", "fragment", "wall", "refresh-chain")
    assert {name: failed.get(f"{A}/{name}") for name in in_circles} == dict.fromkeys(
        in_circles, "redirects in a circle"
    )
    asked = WEB.pages_asked()
    assert {name: asked.count(f"{A}/{name}") for name in in_circles} == dict.fromkeys(in_circles, 1)
    assert failed[f"{A}/spelt"] == "redirects in a circle"
    assert failed[f"{A}/loop"] == "max redirections reached"  # each time to another URL
    assert sum("/loop" in url for url in asked) == 6


def test_a_page_that_refreshes_itself_or_in_a_circle_is_a_page(folder):
    ends = dict(rows(folder, "SELECT url, final_url FROM history WHERE outcome = 'page'"))
    assert {name: ends[f"{A}/{name}"] for name in ("to-itself", "flip", "news")} == {
        "to-itself": f"{A}/to-itself",
        "flip": f"{A}/flop",
        "news": f"{A}/news",
    }
    assert f"{A}/news-later" not in WEB.pages_asked()


def test_with_cookies_a_url_may_be_asked_for_once_more_after_one_was_set(tmp_path):
    answers = {
        f"{A}/": page("solar energy", "wall", "itself", "endless"),
        f"{A}/wall": after_a_cookie,
        f"{A}/itself": redirect("/itself", 302),
        f"{A}/endless": lambda asked: Answer(302, (("Location", asked.url), ("Set-Cookie", "a=b")), b""),
        f"{A}/known": page("solar known"),
    }
    with serving(MockWeb(answers)) as web:
        crawl(web, tmp_path, [f"{A}/"], settings=("COOKIES_ENABLED=1",), strategy="breadth_first")
    asked = web.pages_asked()
    assert {name: asked.count(f"{A}/{name}") for name in ("wall", "itself", "endless")} == {
        "wall": 2,
        "itself": 1,
        "endless": 2,
    }
    assert f"{A}/wall" in fetched(tmp_path)


def test_redirects_that_may_not_be_followed_are_failures_with_their_reason(folder):
    failed = failures(folder)
    assert failed[f"{A}/to-denied"] == "redirects out of scope: host denied"
    assert failed[f"{A}/to-private"] == "robots.txt"
    assert failed[f"{A}/dead"] == "http 404"
    assert f"{A}/to-mail" in failed
    assert "http://denied.example/x" not in WEB.pages_asked()
    assert f"{B}/private" not in WEB.pages_asked()


@pytest.mark.usefixtures("folder")
def test_a_url_that_was_seen_is_not_asked_for_again_however_it_ended():
    asked = WEB.pages_asked()
    links_again = [f"{A}/dead", f"{A}/same", f"{A}/cross", f"{A}/"]
    assert [asked.count(url) for url in links_again] == [1, 1, 1, 1]


@pytest.mark.usefixtures("folder")
def test_a_redirect_to_another_host_waits_for_that_host():
    times = WEB.times("b.example")
    assert len(times) == 3  # robots.txt, /target, /next
    assert min(after - before for before, after in pairwise(times)) > 0.3  # of the 0.5 s that its robots.txt asks for
    assert WEB.most_at_once == dict.fromkeys(WEB.most_at_once, 1)


def test_nothing_is_left_under_way(folder):
    assert rows(folder, "SELECT url FROM picks WHERE url NOT IN (SELECT url FROM fetches)") == []

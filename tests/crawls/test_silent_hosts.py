"""Hosts that hang up are dead links, not a network that is down: the crawl goes on, and ends when all is fetched."""

from __future__ import annotations

import pytest

from tests.crawls.crawling import column, crawl, failures, fetched, reasons, rows
from tests.crawls.mock_web import MockWeb, page, serving

GOOD = "http://good.example"
DEAD = [f"http://dead{n}.example/page" for n in range(60)]
ONE_HOST = [f"http://gone.example/{n}" for n in range(30)]
HANGS_UP = b""
SETTINGS = ("RETRY_TIMES=0",)


def web_of(dead: list[str]) -> MockWeb:
    """A page with good links at its end and dead ones before them."""
    answers = {f"{GOOD}/": page("solar energy", *dead, *(f"{GOOD}/{n}" for n in range(5)))}
    answers |= {f"{GOOD}/{n}": page(f"solar {n}") for n in range(5)}
    hosts = {url.rpartition("/")[0] for url in dead}
    return MockWeb(answers | dict.fromkeys((*dead, *(f"{host}/robots.txt" for host in hosts)), HANGS_UP))


@pytest.fixture(scope="module")
def dead_links(tmp_path_factory):
    folder = tmp_path_factory.mktemp("dead")
    with serving(web_of(DEAD)) as web:
        ended = crawl(web, folder, [f"{GOOD}/"], settings=SETTINGS, strategy="breadth_first")
    return web, folder, ended


def test_a_page_of_dead_links_does_not_end_a_crawl(dead_links):
    _, folder, ended = dead_links
    assert (ended.code, ended.plain) == (0, True), ended.log
    assert reasons(folder) == ["dead end: no URL is left to fetch"]
    assert len(fetched(folder)) == 6
    assert failures(folder) == dict.fromkeys(DEAD, "connection lost")


def test_a_host_that_answered_before_is_asked_for_its_robots_txt_and_it_is_no_page(dead_links):
    web, folder, ended = dead_links
    assert "asking http://good.example/robots.txt, which answered before" in ended.log
    assert 2 <= sum(asked.url == f"{GOOD}/robots.txt" for asked in web.asked) <= 4
    assert column(folder, "SELECT count(*) FROM urls WHERE url LIKE '%robots.txt'") == [0]


def test_a_network_that_is_down_ends_the_crawl_and_loses_nothing_also_when_hosts_answered_before(tmp_path):
    with serving(web_of([])) as web:
        assert crawl(web, tmp_path, [f"{GOOD}/"], settings=SETTINGS, pages=2).code == 0
    down = web_of([])
    down.answers = dict.fromkeys((*down.answers, f"{GOOD}/robots.txt"), HANGS_UP)
    with serving(down):
        ended = crawl(down, tmp_path, [f"{GOOD}/"], settings=SETTINGS)
    assert (ended.code, ended.plain) == (1, True)
    assert "no host answers" in ended.log
    assert failures(tmp_path) == {}
    with serving(web_of([])) as web:
        assert crawl(web, tmp_path, [f"{GOOD}/"], settings=SETTINGS).code == 0
    assert len(fetched(tmp_path)) == 6


def test_the_rest_of_a_host_that_never_answers_is_dropped_after_a_few_urls(tmp_path):
    with serving(web_of(ONE_HOST)) as web:
        ended = crawl(web, tmp_path, [f"{GOOD}/"], settings=SETTINGS)
    assert ended.code == 0, ended.log
    assert not [url for url in web.pages_asked() if "gone.example" in url]  # it gave no robots.txt
    tried = failures(tmp_path)
    dropped = rows(tmp_path, "SELECT url, reason FROM dropped")
    assert 3 <= len(tried) <= 5  # three, and those since another host answered
    assert sorted(dropped) == sorted((url, "host does not answer") for url in ONE_HOST if url not in tried)
    assert len(fetched(tmp_path)) == 6

"""Politeness as the servers see it: how many requests at a time, how far apart, and what robots.txt allows."""

from __future__ import annotations

import pytest

from tests.crawls.crawling import column, crawl, end, failures, fetched, rows, scrapy, start, wait_until
from tests.crawls.mock_web import MockWeb, are_apart, page, robots, serving

HOSTS = ("a.example", "b.example", "c.example", "d.example")


def web_of(count: int, crawl_delay: float = 0.0, **options) -> MockWeb:
    """Hosts with so many pages each; the first page links to all of its own host."""
    answers = {}
    for host in HOSTS:
        answers[f"http://{host}/"] = page("solar energy", *(str(n) for n in range(1, count)))
        answers |= {f"http://{host}/{n}": page(f"solar page {n} of {host}") for n in range(1, count)}
        if crawl_delay:
            answers[f"http://{host}/robots.txt"] = robots(f"Crawl-delay: {crawl_delay}", "Disallow: /2")
    return MockWeb(answers, **options)


def seeds(*hosts: str) -> list[str]:
    return [f"http://{host}/" for host in hosts or HOSTS]


@pytest.fixture(scope="module")
def plain(tmp_path_factory):
    folder = tmp_path_factory.mktemp("plain")
    with serving(web_of(8, latency=0.02)) as web:
        assert crawl(web, folder, seeds()).code == 0
    return web, folder


def test_one_request_at_a_time_reaches_a_host(plain):
    web, folder = plain
    assert len(fetched(folder)) == 8 * len(HOSTS)
    assert dict(web.most_at_once) == dict.fromkeys(HOSTS, 1)


def test_several_hosts_are_asked_at_the_same_time(plain):
    assert plain[0].most_together == len(HOSTS)


def test_every_request_says_who_asks(plain):
    agents = {asked.headers["user-agent"] for asked in plain[0].asked}
    assert len(agents) == 1
    assert agents.pop().startswith("focused/")


def test_robots_txt_is_asked_for_once_a_host_and_first(plain):
    for host in HOSTS:
        urls = [asked.url for asked in plain[0].asked if asked.host == host]
        assert [url.endswith("/robots.txt") for url in urls] == [True] + [False] * 8


@pytest.mark.parametrize("concurrency", [1, 4])
def test_the_download_delay_lies_between_any_two_requests_to_a_host(tmp_path, concurrency):
    settings = ("DOWNLOAD_DELAY=0.25", f"CONCURRENT_REQUESTS_PER_DOMAIN={concurrency}")
    with serving(web_of(5, latency=0.05)) as web:
        assert crawl(web, tmp_path, seeds(), settings=settings).code == 0
    assert len(fetched(tmp_path)) == 5 * len(HOSTS)
    assert [are_apart(web.times(host), 0.25) for host in HOSTS] == [True] * len(HOSTS)


def test_a_host_may_be_allowed_several_requests_at_a_time(tmp_path):
    with serving(web_of(20, latency=0.1)) as web:
        assert crawl(web, tmp_path, seeds("a.example"), settings=("CONCURRENT_REQUESTS_PER_DOMAIN=4",)).code == 0
    assert web.most_at_once["a.example"] == 4


def test_crawl_delay_is_kept_also_with_autothrottle_and_by_the_next_run(tmp_path):
    settings = ("AUTOTHROTTLE_ENABLED=1", "AUTOTHROTTLE_START_DELAY=0", "CONCURRENT_REQUESTS_PER_DOMAIN=4")
    jitter, by_depth = ("DOWNLOAD_DELAY_JITTER=0.5",), {"strategy": "breadth_first"}
    with serving(web_of(7, crawl_delay=0.3, latency=0.01)) as web:
        assert crawl(web, tmp_path, seeds("a.example"), settings=settings, pages=3, **by_depth).code == 0
        assert are_apart(web.times("a.example"), 0.3)
        before = len(web.asked)
        assert column(tmp_path, "SELECT crawl_delay FROM hosts WHERE name = 'a.example'") == [0.3]
        web.answers.pop("http://a.example/robots.txt")  # the delay is known from the first run alone
        assert crawl(web, tmp_path, seeds("a.example"), settings=jitter, pages=6, **by_depth).code == 0
    second = [asked.time for asked in web.asked[before:]]
    assert are_apart(second, 0.3)
    assert failures(tmp_path) == {"http://a.example/2": "robots.txt"}


def test_a_crawl_delay_is_on_disk_before_a_page_is_asked_for(tmp_path):
    late = ("FOCUSED_COMMIT_SECONDS=60", "FOCUSED_COMMIT_REQUESTS=50")
    with serving(web_of(3, crawl_delay=30)) as web:
        process = start(web.port, tmp_path, seeds("a.example"), settings=late)
        wait_until(lambda: column(tmp_path, "SELECT crawl_delay FROM hosts WHERE name = 'a.example'") == [30])
        process.kill()
        end(process)
        assert len(web.asked) == 1  # the robots.txt


def test_a_crawl_delay_is_no_longer_than_the_setting_allows(tmp_path):
    with serving(web_of(5, crawl_delay=1000)) as web:
        ended = crawl(web, tmp_path, seeds("b.example"), settings=("FOCUSED_MAX_CRAWL_DELAY=0.2",), pages=4)
    assert "b.example asks for a Crawl-delay of 1000 s; the crawl waits 0.2 s" in ended.log
    assert rows(tmp_path, "SELECT crawl_delay FROM hosts WHERE name = 'b.example'") == [(0.2,)]
    assert are_apart(web.times("b.example"), 0.2)


def test_crawl_delay_holds_for_a_command_that_fetches_a_few_pages(tmp_path):
    (tmp_path / "mine.toml").write_text(
        f"[topic]\nkeywords = ['solar']\nseeds = {[f'http://a.example/{n}' for n in range(4)]}\n"
    )
    settings = ("-s", f"FOCUSED_TOPICS_DIR={tmp_path}", "-s", "DOWNLOAD_DELAY=0")
    with serving(web_of(5, crawl_delay=0.3)) as web:
        assert end(scrapy("topics", "check", "mine", *settings, port=web.port, folder=tmp_path / "data")).code == 0
    assert sorted(web.pages_asked()) == [f"http://a.example/{n}" for n in (0, 1, 3)]  # /2 is forbidden
    assert are_apart(web.times("a.example"), 0.3)

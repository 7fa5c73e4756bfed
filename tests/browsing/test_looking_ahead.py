"""A running agent asks hosts as a crawl does: robots.txt first, one at a time, and not where it was asked to stay away."""

import json
import socket
import sqlite3
import time
from contextlib import closing
from pathlib import Path

import pytest

from focused.desk.agent.agent_spider import PER_HOST_AND_HOUR
from focused.desk.agent.links_ahead import PER_PAGE
from focused.simulation.recorded_web import Answer
from tests.browsing.agent_process import ORIGIN, QUICK, Running, free_port, running
from tests.crawls.crawling import end, scrapy
from tests.crawls.mock_web import Asked, MockWeb, are_apart, page, redirect, robots, serving

A, B = "http://a.example", "http://b.example"
SUN = "Solar panels turn sunlight into electricity on the roof of a house, with an inverter and a battery. " * 6


def html(*links: str) -> str:
    anchors = "".join(f'<p>Of solar panels: <a href="{link}">solar {link}</a></p>' for link in links)
    return f"<html><head><title>Solar energy</title></head><body><p>{SUN}</p>{anchors}</body></html>"


def pages(*urls: str) -> dict[str, Answer]:
    return {url: page(SUN + url, title=url) for url in urls}


def suggested(agent: Running) -> list[str]:
    return sorted(one["url"] for one in agent.told("suggestions", url=f"{A}/")["suggestions"])


def test_robots_txt_is_obeyed_and_the_agent_says_who_it_is(tmp_path: Path) -> None:
    web = MockWeb(pages(f"{A}/yes", f"{A}/no/1") | {f"{A}/robots.txt": robots("Disallow: /no")})
    with serving(web), running(tmp_path, web=web.port, settings=(*QUICK, "USER_AGENT=me/1 (me@example.org)")) as agent:
        agent.read(f"{A}/", html(f"{A}/yes", f"{A}/no/1", f"{A}/logout"))
        agent.rests()
        assert suggested(agent) == [f"{A}/yes"]
        assert agent.stop().plain
    assert [asked.url for asked in web.asked] == [f"{A}/robots.txt", f"{A}/yes"]
    assert {asked.headers["user-agent"] for asked in web.asked} == {"me/1 (me@example.org)"}
    assert not [asked for asked in web.asked if "cookie" in asked.headers or "referer" in asked.headers]


def test_a_host_is_asked_for_one_thing_at_a_time_with_its_delay(tmp_path: Path) -> None:
    urls = [f"{A}/{n}" for n in range(4)]
    web = MockWeb(pages(*urls) | {f"{A}/robots.txt": robots("Crawl-delay: 0.5")}, latency=0.1)
    with serving(web), running(tmp_path, web=web.port) as agent:
        agent.read(f"{A}/", html(*urls))
        assert agent.rests()["ahead"] == 4
    assert web.most_at_once == {"a.example": 1}
    assert are_apart(web.times("a.example"), 0.5)


def test_a_host_that_is_too_busy_is_left_alone_also_by_the_next_agent(tmp_path: Path) -> None:
    busy = Answer(429, (("Retry-After", "300"),), b"")
    web = MockWeb({f"{A}/0": busy} | pages(*(f"{A}/{n}" for n in range(1, 6)), f"{B}/1"))
    with serving(web):
        with running(tmp_path, web=web.port) as agent:
            agent.read(f"{A}/", html(f"{A}/0"))
            agent.rests()
            agent.read(f"{A}/2", html(f"{A}/1", f"{B}/1"))
            assert web.wait_for(4)
            assert agent.stop().code == 0
        with running(tmp_path, "--pair", web=web.port) as agent:
            agent.read(f"{A}/3", html(f"{A}/4", f"{B}/1"))
            assert web.wait_for(6)
            time.sleep(0.5)
            assert agent.told("status")["waiting"] == 1
    asked = [url for url in web.pages_asked() if url.startswith(A)]
    assert asked == [f"{A}/0"]


def test_a_site_without_end_costs_it_little(tmp_path: Path) -> None:
    def endless(asked: Asked) -> Answer:
        return page(SUN + asked.url, *(f"{asked.url}/{n}" for n in range(50)))

    class Endless(MockWeb):
        def _reply(self, asked: Asked) -> Answer:
            return robots() if asked.url.endswith("robots.txt") else endless(asked)

    web = Endless({f"{A}/": page(SUN)})
    with serving(web), running(tmp_path, web=web.port) as agent:
        agent.read(f"{A}/", html(*(f"{A}/{n}" for n in range(1000))))
        assert agent.rests()["ahead"] == PER_PAGE
        for number in range(20):
            agent.read(f"{A}/x{number}", html(*(f"{A}/{number}/{n}" for n in range(100))))
            agent.rests()
        assert agent.told("status")["hour"] == PER_HOST_AND_HOUR
    assert len(web.pages_asked()) == PER_HOST_AND_HOUR


def test_redirects_are_judged_like_links_and_end(tmp_path: Path) -> None:
    web = MockWeb(
        pages(f"{B}/moved")
        | {f"{A}/robots.txt": robots(), f"{B}/robots.txt": robots("Disallow: /barred")}
        | {
            f"{A}/1": redirect(f"{B}/moved"),
            f"{A}/2": redirect(f"{B}/barred"),
            f"{A}/3": redirect("http://127.0.0.1:1/"),
        }
        | {f"{A}/round{n}": redirect(f"{A}/round{n + 1}") for n in range(20)}
    )
    with serving(web), running(tmp_path, web=web.port) as agent:
        agent.read(f"{A}/", html(f"{A}/1", f"{A}/2", f"{A}/3", f"{A}/round0"))
        agent.rests()
        assert suggested(agent) == [f"{B}/moved"]
    assert len([url for url in web.pages_asked() if "round" in url]) == 4


def test_what_is_no_page_is_not_downloaded(tmp_path: Path) -> None:
    big = Answer(200, (("Content-Type", "video/mp4"),), b"x" * 1_000_000)
    web = MockWeb({f"{A}/film": big, f"{A}/robots.txt": robots(), f"{A}/error": Answer(500, (), b"")})
    with serving(web), running(tmp_path, web=web.port) as agent:
        agent.read(f"{A}/", html(f"{A}/film", f"{A}/error"))
        assert agent.rests()["ahead"] == 0
        assert agent.stop().plain


@pytest.mark.parametrize("allowed", [False, True])
def test_this_machine_is_asked_only_where_the_topic_says_so(tmp_path: Path, allowed: bool) -> None:
    web = MockWeb({})
    with serving(web):
        own = f"http://127.0.0.1:{web.port}"
        web.hosts.add("127.0.0.1")
        topic = f'[topic]\nkeywords = ["solar"]\nseeds = ["{own}/"]\n[scope]\nallow_private = true\nports = []\n'
        with running(tmp_path, topic=topic) if allowed else running(tmp_path) as agent:
            agent.read(f"{A}/", html(f"{own}/1", f"http://localhost:{web.port}/2"))
            agent.rests()
    assert len(web.asked) > 0 if allowed else web.asked == []


def test_it_is_paired_once_and_remembers(tmp_path: Path) -> None:
    with running(tmp_path) as agent:
        agent.read(f"{A}/", html())
        token = agent.token
        assert agent.stop().code == 0
    with running(tmp_path, token=token) as agent:
        assert agent.code == ""
        assert agent.told("status")["visits"] == 1
        assert agent.ask("status", origin="http://evil.example")[0] == 403
    with closing(sqlite3.connect(tmp_path / "data" / "test" / "agent.db")) as db:
        assert token not in str(db.execute("SELECT * FROM facts").fetchall())


@pytest.mark.slow
def test_a_slow_body_and_a_broken_request_cost_it_nothing(tmp_path: Path) -> None:
    with running(tmp_path) as agent:
        first = f"POST /reading HTTP/1.1\r\nHost: 127.0.0.1:{agent.port}\r\n"
        head = f"{first}Content-Length: 1000\r\nContent-Type: application/json\r\n"
        ours = f"Origin: {ORIGIN}\r\nAuthorization: Bearer {agent.token}\r\n"
        for lines in (f"{head}\r\n", f"{head}{ours}\r\n{{", "GET", "\0\0\0\r\n\r\n", "POST / HTTP/9.9\r\n\r\n"):
            slow = socket.create_connection(("127.0.0.1", agent.port))
            slow.sendall(lines.encode())
            assert agent.ask("status")[0] == 200  # meanwhile
            slow.close()
        slow = socket.create_connection(("127.0.0.1", agent.port), timeout=30)
        slow.sendall(f"{head}{ours}\r\n{{".encode())
        assert slow.recv(100).startswith(b"HTTP/1.1 408")
        slow.close()
        assert agent.send(json.dumps({}).encode(), {"Host": "evil.example"})[0] == 400
        assert agent.stop().plain


def test_mistakes_of_a_person_cost_one_line(tmp_path: Path) -> None:
    (tmp_path / "test.toml").write_text('[topic]\nkeywords = ["solar"]\nseeds = ["http://a.example/"]\n')
    given = ("-s", f"FOCUSED_TOPICS_DIR={tmp_path}")
    none = end(scrapy("agent", *given, "nothing", folder=tmp_path))
    assert (none.code, none.log.count("\n")) == (1, 1), none.log
    assert "no topic 'nothing'" in none.log
    with socket.create_server(("127.0.0.1", port := free_port())):
        taken = end(scrapy("agent", *given, "test", "--port", str(port), folder=tmp_path))
    assert (taken.code, taken.log.count("\n")) == (1, 1), taken.log
    assert f"--port {port}" in taken.log
    assert not (tmp_path / "test").exists()

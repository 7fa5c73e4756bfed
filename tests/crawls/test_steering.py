"""A person steers a crawl of `scrapy crawl` from another terminal: it pauses, goes on, leaves hosts alone and stops."""

from __future__ import annotations

from pathlib import Path
from time import sleep

import pytest

from focused.collection.desk import DONE, Desk
from tests.crawls.crawling import column, end, reasons, rows, scrapy, start, wait_until
from tests.crawls.mock_web import MockWeb, page, serving

HOSTS, PAGES = 4, 400
SEED = "http://host0.example/0"
LAST = f"http://host{(PAGES - 1) % HOSTS}.example/{PAGES - 1}"


def url_of(number: int) -> str:
    return f"http://host{number % HOSTS}.example/{number}"


def long_web(latency: float = 0.1) -> MockWeb:
    """More pages than a test will fetch; each answers slowly."""
    answers = {
        url_of(number): page(
            f"solar energy {number}", *(url_of(number * 3 + i) for i in (1, 2, 3) if number * 3 + i < PAGES)
        )
        for number in range(PAGES)
    }
    return MockWeb(answers, latency=latency)


def steer(folder: Path, *words: str) -> tuple[int, str]:
    ended = end(scrapy("steer", "test", *words, folder=folder))
    assert ended.plain, ended.log
    return ended.code, ended.output + ended.log


def ask(folder: Path, kind: str, argument: str = "") -> None:
    """Ask without a process of its own, which takes seconds on a busy machine, and wait for the answer."""
    desk = Desk(folder / "test")
    number = desk.ask(kind, argument)
    wait_until(lambda: any(one.id == number and one.state == DONE for one in desk.commands()))


def pages(folder: Path) -> int:
    return int(column(folder, "SELECT count(*) FROM fetches")[0])


@pytest.mark.timeout(300)
def test_a_crawl_is_paused_steered_and_stopped(tmp_path):
    with serving(long_web()) as web:
        process = start(web, tmp_path, (SEED,))
        wait_until(lambda: pages(tmp_path) >= 10)
        ask(tmp_path, "pause")
        sleep(1)  # what was under way comes to its end
        asked = len(web.asked)
        code, said = steer(tmp_path, "deny", "host1.example")
        assert (code, "URLs dropped" in said) == (0, True)
        assert steer(tmp_path, "raise", LAST) == (0, said_of_raising())
        code, said = steer(tmp_path, "raise", "http://host1.example/1")
        assert code == 1
        assert "refused: " in said
        assert len(web.asked) == asked
        last = column(tmp_path, "SELECT max(seq) FROM picks")[0]
        ask(tmp_path, "resume")
        wait_until(lambda: len(column(tmp_path, f"SELECT 1 FROM picks WHERE seq > {last} LIMIT 5")) == 5)
        ask(tmp_path, "pause")  # it would come to its end while the next command is starting
        later = column(
            tmp_path, f"SELECT u.url FROM picks p JOIN urls u ON u.id = p.url WHERE p.seq > {last} ORDER BY p.seq"
        )
        assert later[0] == LAST
        assert not any("host1." in url for url in later)
        assert steer(tmp_path, "stop")[0] == 0
        ended = end(process)
    assert (ended.code, ended.plain, reasons(tmp_path)) == (0, True, ["stopped by a person"])
    assert "(stopped_by_person)" in ended.log
    assert rows(tmp_path, "SELECT kind FROM steering ORDER BY seq") == [("deny_host",), ("raise_url",)]


def said_of_raising() -> str:
    seeds = f'[topic] seeds = ["{SEED}", "{LAST}"]'
    return (
        "done: it comes next, as soon as its host may be asked\n"
        f"to keep this for later crawls, write into the topic file: {seeds}\n"
    )


@pytest.mark.timeout(300)
def test_a_crawl_that_is_killed_while_it_is_paused_goes_on_when_it_is_started_again(tmp_path):
    with serving(long_web(0.5)) as web:
        process = start(web, tmp_path, (SEED,), pages=80)
        wait_until(lambda: pages(tmp_path) >= 10)
        ask(tmp_path, "deny_host", "host2.example")
        ask(tmp_path, "pause")
        process.kill()
        end(process)
        denied_at = column(tmp_path, "SELECT seq FROM steering")[0]
        ended = end(start(web, tmp_path, (SEED,), pages=80))
    assert (ended.code, ended.plain) == (0, True), ended.log
    assert reasons(tmp_path) == ["cut off", "page budget reached: 80 of 80 pages"]
    late = column(tmp_path, f"SELECT u.url FROM picks p JOIN urls u ON u.id = p.url WHERE p.seq > {denied_at}")
    assert not any("host2." in url for url in late)

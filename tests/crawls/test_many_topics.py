"""Several topics in one process: each is crawled as if it were alone, hosts see one client, and a page is fetched once for all."""

from __future__ import annotations

import json
import re
import signal
import sqlite3
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from focused.collection.collection import hold
from focused.page.page_kind import KINDS
from tests.crawls.crawling import FAST, Ended, end, scrapy, wait_until
from tests.crawls.mock_web import MockWeb, are_apart, page, robots, serving

A, B = "http://a.example", "http://b.example"
WORDS = {"solar": "solar energy", "wind": "wind turbine", "hydro": "river dam"}


def topic_file(folder: Path, name: str, seeds: Sequence[str], more: str = "") -> None:
    """A topic of a few words; pages of few words count."""
    kinds = ", ".join(f'"{kind}"' for kind in KINDS)
    urls = ", ".join(f'"{seed}"' for seed in seeds)
    (folder / f"{name}.toml").write_text(
        f'[topic]\nkeywords = ["{WORDS.get(name, "solar energy")}"]\nseeds = [{urls}]\n'
        f"[budget]\npages = 0\n[traps]\non = false\n[relevance]\nalso = [{kinds}]\n{more}"
    )


def start(
    web: MockWeb,
    folder: Path,
    topics: str,
    *options: str,
    settings: Sequence[str] = (),
    popen: Mapping[str, Any] | None = None,
    **arguments: Any,
) -> subprocess.Popen[str]:
    words = [word for name, value in arguments.items() for word in ("-a", f"{name}={value}")]
    words += [word for setting in (*FAST, *settings) for word in ("-s", setting)]
    given = ("crawl", "topical", "-a", f"topics={topics}", *words, *options)
    return scrapy(*given, port=web.port, folder=folder / "data", **(popen or {}))


def crawl(web: MockWeb, folder: Path, topics: str, *options: str, **more: Any) -> Ended:
    return end(start(web, folder, topics, *options, **more))


def rows(folder: Path, topic: str, query: str) -> list[tuple[Any, ...]]:
    db = sqlite3.connect(folder / "data" / topic / "crawl.db")
    try:
        return db.execute(query).fetchall()
    finally:
        db.close()


def pages(folder: Path, topic: str) -> list[str]:
    """Of a topic, in the order in which they were fetched."""
    return [url for (url,) in rows(folder, topic, "SELECT final_url FROM history WHERE outcome = 'page' ORDER BY seq")]


def mixed_web(latency: float = 0.0, count: int = 12) -> MockWeb:
    """Pages about the sun that link to pages about the wind, and the other way round, on two hosts."""
    answers: dict[str, Any] = {f"{host}/robots.txt": robots("Disallow: /private") for host in (A, B)}
    for number in range(count):
        for host, words, other in ((A, "solar energy", B), (B, "wind turbine", A)):
            links = [f"{host}/{number + 1}", f"{other}/{number + 1}"] if number + 1 < count else []
            answers[f"{host}/{number}"] = page(f"{words} {number}", *links)
    return MockWeb(answers, latency=latency)


@pytest.fixture
def topics(tmp_path: Path) -> Path:
    folder = tmp_path / "topics"
    folder.mkdir()
    topic_file(folder, "solar", [f"{A}/0"])
    topic_file(folder, "wind", [f"{B}/0"])
    return folder


def test_one_of_them_is_crawled_as_it_is_alone(tmp_path: Path, topics: Path) -> None:
    (topics / "wind.toml").unlink()
    alone, one = tmp_path / "alone", tmp_path / "one"
    in_turn = "CONCURRENT_REQUESTS=1"  # what arrives first is not left to chance
    with serving(mixed_web()) as web:
        ended = end(
            scrapy(
                *("crawl", "topical", "-a", f"topic={topics / 'solar.toml'}"),
                *(word for setting in (*FAST, in_turn) for word in ("-s", setting)),
                port=web.port,
                folder=alone / "data",
            )
        )
        assert ended.code == 0, ended.log
        asked = web.pages_asked()
        assert crawl(web, one, str(topics), settings=[in_turn]).code == 0
        assert web.pages_asked() == 2 * asked
    picks = "SELECT seq, url, score, parts, source, depth FROM picks ORDER BY seq"
    assert rows(alone, "solar", picks) == rows(one, "solar", picks) != []
    assert pages(alone, "solar") == pages(one, "solar")


def test_a_page_is_fetched_once_and_judged_by_all(tmp_path: Path, topics: Path) -> None:
    with serving(mixed_web()) as web:
        ended = crawl(web, tmp_path, str(topics), "-s", "STATS_DUMP=1")
    assert (ended.code, ended.plain) == (0, True), ended.log
    assert len(web.pages_asked()) == len(set(web.pages_asked())) == 24
    assert len([asked for asked in web.asked if asked.url.endswith("/robots.txt")]) == 2  # once a host
    for topic in ("solar", "wind"):  # both reach all pages but the other's seed, by links of their own
        assert len(set(pages(tmp_path, topic))) == len(pages(tmp_path, topic)) == 23
        assert len(list((tmp_path / "data" / topic / "pages").iterdir())) == 1
    table = dict(re.findall(r"^(\w+) +(\d+) +\d+ +[\d.]+% +\d+ +\d+ ", ended.log, re.MULTILINE))
    assert table == {"solar": "23", "wind": "23", "all": "46"}
    taken = [int(count) for count in re.findall(r"^\w+/focused/taken_over: (\d+)", ended.log, re.MULTILINE)]
    assert sum(taken) == 46 - 24
    assert re.search(r"^all/requests: 26$", ended.log, re.MULTILINE)


def test_a_relevant_page_is_taken_over_though_no_link_leads_there(tmp_path: Path, topics: Path) -> None:
    answers = {
        f"{A}/0": page("solar energy", f"{A}/1", f"{A}/2", f"{A}/private/3"),
        f"{A}/1": page("wind turbine and wind turbine"),
        f"{A}/2": page("cooking"),
        f"{A}/private/3": page("wind turbine in private"),
    }
    winds = [f"{B}/{number}" for number in range(8)]  # the topic goes on until the other's pages have come
    answers |= {url: page(f"wind turbine {url}", *winds[number + 1 : number + 2]) for number, url in enumerate(winds)}
    (topics / "wind.toml").unlink()
    topic_file(topics, "wind", [f"{B}/0"], '[scope]\ndeny = ["/private"]\n')
    with serving(MockWeb(answers, latency=0.05)) as web:
        assert crawl(web, tmp_path, str(topics)).code == 0
        first = len(web.asked)
        assert set(pages(tmp_path, "wind")) == {*winds, f"{A}/1"}
        # What was taken over is an event like others: the next run stands where this one ended, and asks for nothing.
        assert crawl(web, tmp_path, str(topics)).code == 0
        assert len(web.asked) == first
    taken = "SELECT count(*) FROM requests JOIN urls ON urls.id = requests.url WHERE urls.url = 'http://a.example/1'"
    assert rows(tmp_path, "wind", taken) == [(1,)]


def test_a_page_that_needs_a_token_reaches_no_other_topic(tmp_path: Path, topics: Path) -> None:
    """Though the request that asks for it has all the meta of one that any client would send."""
    private = f"{A}/token"
    for name in WORDS:
        topic_file(topics, name, [f"{A}/solar"] if name == "solar" else [f"{B}/0"])
    answers = {
        f"{A}/solar": page("solar"),
        f"{B}/0": page("wind"),
        private: page("solar energy wind turbine river dam"),
    }
    words = [word for setting in (*FAST, "SPIDER_MODULES=tests.crawls.own_spiders") for word in ("-s", setting)]
    with serving(MockWeb(answers | {"http://lost.example/": page("solar")})) as web:
        ended = end(
            scrapy("crawl", "copying", "-a", f"topics={topics}", *words, port=web.port, folder=tmp_path / "data")
        )
    assert (ended.code, ended.plain) == (0, True), ended.log
    assert [asked.headers["authorization"] for asked in web.asked if asked.url == private] == ["Bearer secret"]
    assert private in pages(tmp_path, "solar")
    assert private not in [*pages(tmp_path, "wind"), *pages(tmp_path, "hydro")]


def test_hosts_see_one_client(tmp_path: Path, topics: Path) -> None:
    """A delay lies between any two requests, and one is under way at a time, whoever they are for."""
    answers = {f"{A}/0": page("solar energy", *(f"{A}/s{number}" for number in range(8)))}
    answers |= {f"{A}/w": page("wind turbine", *(f"{A}/w{number}" for number in range(8)))}
    answers |= {f"{A}/{kind}{number}": page(f"{kind} {number}") for kind in "sw" for number in range(8)}
    (topics / "wind.toml").unlink()
    topic_file(topics, "wind", [f"{A}/w"])
    with serving(MockWeb(answers, latency=0.05)) as web:
        assert crawl(web, tmp_path, str(topics), settings=["DOWNLOAD_DELAY=0.2"]).code == 0
    assert web.most_at_once["a.example"] == 1
    assert are_apart(web.times("a.example"), 0.2)
    turns = [url.rpartition("/")[2][:1] for url in web.pages_asked()[2:]]
    assert 4 <= turns[:12].count("s") <= 8, turns  # they take turns, but for what a busy machine mixes up


def test_no_more_is_under_way_than_for_one(tmp_path: Path, topics: Path) -> None:
    for name, kind in (("solar", "s"), ("wind", "w")):
        (topics / f"{name}.toml").unlink()
        topic_file(topics, name, [f"http://{kind}{number}.example/" for number in range(8)])
    answers = {f"http://{kind}{number}.example/": page(f"{kind} {number}") for kind in "sw" for number in range(8)}
    with serving(MockWeb(answers, latency=0.2)) as web:
        assert crawl(web, tmp_path, str(topics), settings=["CONCURRENT_REQUESTS=3"]).code == 0
    assert len(web.pages_asked()) == 16
    assert web.most_together == 3


def test_ctrl_c_ends_all_and_the_same_command_goes_on(tmp_path: Path, topics: Path) -> None:
    with serving(mixed_web(latency=0.1)) as web:
        process = start(web, tmp_path, str(topics))
        assert web.wait_for(8)
        process.send_signal(signal.SIGINT)
        ended = end(process)
        assert (ended.code, ended.plain) == (0, True), ended.log
        for topic in ("solar", "wind"):
            assert rows(tmp_path, topic, "SELECT reason FROM runs") == [("stopped by a signal, such as Ctrl-C",)]
        assert crawl(web, tmp_path, str(topics)).code == 0
    assert [len(pages(tmp_path, topic)) for topic in ("solar", "wind")] == [23, 23]


def test_a_kill_costs_little_and_nothing_is_lost(tmp_path: Path, topics: Path) -> None:
    with serving(mixed_web(latency=0.05, count=30)) as web:
        for asked in (12, 24, 36):
            process = start(web, tmp_path, str(topics), settings=["FOCUSED_COMMIT_REQUESTS=5"])
            assert web.wait_for(asked, process.poll)
            process.kill()
            end(process)
        assert crawl(web, tmp_path, str(topics)).code == 0
    whys = [why for topic in ("solar", "wind") for (why,) in rows(tmp_path, topic, "SELECT reason FROM runs")]
    assert "cut off" in whys
    for topic in ("solar", "wind"):
        found = pages(tmp_path, topic)
        assert len(found) == len(set(found)) == 59
        assert rows(tmp_path, topic, "PRAGMA integrity_check") == [("ok",)]


def test_one_that_cannot_be_crawled_ends_alone(tmp_path: Path, topics: Path) -> None:
    topic_file(topics, "hydro", [f"{A}/0"])
    topic_file(topics, "other", [f"{A}/0"], '[settings]\nUSER_AGENT = "another"\n')
    topic_file(topics, "model", [f"{A}/0"], '[strategy]\nname = "rl_spider"\nmodel = "missing"\n')
    (topics / "bad.toml").write_text("[topic]\nkeywordz = 3\n")
    locked = tmp_path / "data" / "hydro"
    locked.mkdir(parents=True)
    with serving(mixed_web()) as web, hold(locked):
        ended = crawl(web, tmp_path, str(topics))
    assert (ended.code, ended.plain) == (1, True), ended.log
    told = [line for line in ended.log.splitlines() if line.startswith("scrapy crawl: ")]
    assert [line.split(": ")[1] for line in told] == ["bad", "hydro", "model", "other"]
    assert "another crawl" in told[1]
    assert "missing" in told[2]
    assert "USER_AGENT = 'another'" in told[3]
    assert [len(pages(tmp_path, topic)) for topic in ("solar", "wind")] == [23, 23]
    assert re.search(r"^bad .* refused$", ended.log, re.MULTILINE)


def test_all_refused_is_told_a_line_each(tmp_path: Path, topics: Path) -> None:
    for name in ("solar", "wind"):
        (topics / f"{name}.toml").write_text("[topic]\n")
    with serving(mixed_web()) as web:
        ended = crawl(web, tmp_path, str(topics))
    assert (ended.code, ended.plain, web.asked) == (1, True, [])
    assert len(re.findall("^scrapy crawl: (solar|wind): ", ended.log, re.MULTILINE)) == 2


@pytest.mark.parametrize(
    ("named", "more", "why"),
    [
        ("{topics}/solar.toml,{topics}/more/solar.toml", [], "are both called solar"),
        ("{topics}/more/none", [], "no such folder"),
        ("{topics}/empty", [], "no topic files (*.toml) lie in this folder"),
        (",", [], "name a folder of topic files"),
        ("{topics}", ["-a", "keywords=sun"], "-a keywords: belongs to one topic"),
        ("{topics}", ["-o", "pages.jsonl"], "all topics would write into it"),
    ],
)
def test_what_cannot_be_meant_is_told_before_anything_is_asked(
    tmp_path: Path, topics: Path, named: str, more: list[str], why: str
) -> None:
    (topics / "more").mkdir()
    (topics / "empty").mkdir()
    topic_file(topics / "more", "solar", [f"{A}/0"])
    with serving(mixed_web()) as web:
        ended = crawl(web, tmp_path, named.format(topics=topics), *more)
    assert (ended.code, ended.plain, web.asked) == (1, True, [])
    assert why in ended.log
    assert not (tmp_path / "data").exists()


def test_each_has_its_budget_its_feed_and_its_fresh_start(tmp_path: Path, topics: Path) -> None:
    (topics / "wind.toml").unlink()
    topic_file(topics, "wind", [f"{B}/0"])
    text = (topics / "wind.toml").read_text()
    (topics / "wind.toml").write_text(text.replace("pages = 0", "pages = 5"))
    feed = f"{tmp_path}/%(topic_name)s.jsonl"
    with serving(mixed_web()) as web:
        for again in ("false", "true"):
            ended = crawl(web, tmp_path, str(topics), "-O", feed, fresh=again)
            assert (ended.code, ended.plain) == (0, True), ended.log
            assert "wind has ended: page budget reached: 5 of 5 pages" in ended.log
            for topic, count in (("solar", 23), ("wind", 5)):
                assert len(pages(tmp_path, topic)) == count
                assert len((tmp_path / f"{topic}.jsonl").read_text().splitlines()) == count
                assert len(rows(tmp_path, topic, "SELECT id FROM runs")) == 1
    assert (tmp_path / "data" / "solar" / "previous").is_dir()


def test_each_can_be_steered_alone(tmp_path: Path, topics: Path) -> None:
    with serving(mixed_web(latency=0.5, count=30)) as web:
        process = start(web, tmp_path, str(topics))
        assert web.wait_for(6)
        said = end(scrapy("steer", "solar", "stop", folder=tmp_path / "data"))
        assert said.code == 0, said.log
        wait_until(lambda: rows(tmp_path, "solar", "SELECT 1 FROM runs WHERE ended IS NOT NULL"))
        ended = end(process)
    assert ended.code == 0, ended.log
    assert len(pages(tmp_path, "solar")) < 59 == len(pages(tmp_path, "wind"))


def test_what_the_pipelines_drop_for_one_is_dropped_for_all_and_none_waits_for_it(tmp_path: Path, topics: Path) -> None:
    urls = [f"{A}/{name}" for name in ("", "drop", "fail", "plain")]
    answers = {url: page("solar wind", *urls, title="both") for url in urls}
    off = {"focused.pipelines.StorePages": None, "focused.pipelines.StoreHistory": 200}
    on = {"focused.pipelines.StorePages": 100, "focused.pipelines.StoreHistory": 200}
    selecting = {"tests.crawls.own_spiders.keeping.Selecting": 50}
    for name in ("solar", "wind"):
        topic_file(topics, name, urls[:1])
    for number, (pipelines, stored) in enumerate(((on, 3), (off, 0))):
        with serving(MockWeb(answers)) as web:
            settings = (f"ITEM_PIPELINES={json.dumps(pipelines | selecting)}",)
            ended = crawl(web, tmp_path / str(number), str(topics), settings=settings)
        assert ended.code == 0, ended.log
        for name in ("solar", "wind"):
            assert len(pages(tmp_path / str(number), name)) == stored
            assert rows(tmp_path / str(number), name, "SELECT count(*) FROM history") == [(4,)]

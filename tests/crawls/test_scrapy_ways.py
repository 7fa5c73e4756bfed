"""What somebody who knows Scrapy expects of a spider works here, or says in one line why not."""

from __future__ import annotations

import asyncio
import json
import re
from ast import literal_eval
from collections.abc import AsyncIterator, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from focused.commands.parse import outputs
from focused.page.page_kind import KINDS
from focused.simulation.recorded_web import Answer
from tests.crawls.crawling import ROOT, Ended, crawl, end, fetched, rows, scrapy
from tests.crawls.mock_web import MockWeb, page, serving

A = "http://a.example"
ANSWERS = {
    f"{A}/": page(
        "solar energy", *(f"{A}/{n}" for n in range(1, 8)), f"{A}/gone", f"{A}/file.zip", "http://dead.example/"
    ),
    **{f"{A}/{n}": page(f"{'solar energy' if n % 2 else 'football'} {n}") for n in range(1, 8)},
}
TOPIC = ("-a", "keywords=solar energy", "-a", f"relevance.also={','.join(KINDS)}")  # pages of few words


@pytest.fixture
def web() -> Iterator[MockWeb]:
    with serving(MockWeb(ANSWERS)) as web:
        yield web


def look(web: MockWeb, *arguments: str, folder: Path) -> Ended:
    return end(scrapy(*arguments, "-s", "DOWNLOAD_DELAY=0", port=web.port, folder=folder))


def stats_in(log: str) -> dict[str, object]:
    """What Scrapy dumps of its stats."""
    found = re.search(r"Dumping Scrapy stats:\n(\{.*?\})\n", log, re.DOTALL)
    assert found, log
    text = re.sub(r"datetime\.datetime\([^)]*(\([^)]*\))?[^)]*\)", "None", found[1])
    stats: dict[str, object] = literal_eval(text)
    return stats


def test_the_remote_control_of_scrapy_is_there_for_who_asks_for_it(web: MockWeb, tmp_path: Path) -> None:
    pytest.importorskip("scrapy.extensions.remote_control")
    asked = ("REMOTE_CONTROL_ENABLED=1", f"REMOTE_CONTROL_JOBS_DIR={tmp_path / 'jobs'}")
    assert crawl(web, tmp_path, [f"{A}/"], settings=asked).log.count("Remote control HTTP server listening") == 1


def test_the_stats_tell_what_the_crawl_stands_at(web: MockWeb, tmp_path: Path) -> None:
    ended = crawl(web, tmp_path, [f"{A}/"], settings=("STATS_DUMP=1", "RETRY_ENABLED=0"))
    assert ended.code == 0, ended.log
    stats = stats_in(ended.log)
    told = {name: value for name, value in stats.items() if name.startswith(("focused/", "scheduler/"))}
    assert told.pop("focused/cpu_seconds")
    assert told == {
        **{f"focused/lists/{name}": 0 for name in ("asked", "brought", "links", "pages", "relevant")},
        "scheduler/enqueued": 10,
        "scheduler/dequeued": 10,
        "focused/pages": 8,
        "focused/relevant": 5,
        "focused/duplicates": 0,
        "focused/stale": 0,
        "focused/unstored": 0,
        "focused/harvest_rate": 0.625,
        "focused/waiting": 0,
        "focused/hosts": 2,
        "focused/failures": 2,
        "focused/unanswered": 0,
        "focused/failures/http 404": 1,
        "focused/failures/robots.txt unreachable": 1,
        "focused/drops/file type": 1,
        "focused/stop_reason": "dead end: no URL is left to fetch",
    }
    assert stats["finish_reason"] == "dead_end"


def test_the_reason_to_finish_is_a_slug_and_stays_in_the_database(web: MockWeb, tmp_path: Path) -> None:
    ended = crawl(web, tmp_path, [f"{A}/"], pages=3)
    assert "Closing spider (page_budget)" in ended.log
    assert rows(tmp_path, "SELECT stop, reason FROM runs") == [("page_budget", "page budget reached: 3 of 3 pages")]


def test_logs_can_be_json(web: MockWeb, tmp_path: Path) -> None:
    ended = crawl(web, tmp_path, [f"{A}/"], settings=("FOCUSED_LOG_JSON=1",), pages=3)
    assert ended.code == 0
    lines = [json.loads(line) for line in ended.log.splitlines()]
    assert all(line.keys() >= {"time", "level", "logger", "message"} for line in lines)
    (summary,) = (line["message"] for line in lines if line["message"].startswith("Ended: "))
    assert "\n  fetched   3 pages" in summary


def test_a_job_directory_is_not_needed_and_does_no_harm(web: MockWeb, tmp_path: Path) -> None:
    ended = crawl(web, tmp_path, [f"{A}/"], settings=(f"JOBDIR={tmp_path / 'job'}",), pages=3)
    assert (ended.code, ended.plain) == (0, True), ended.log
    assert ended.log.count("JOBDIR is not needed") == 1


def test_another_scheduler_is_refused_in_one_line(web: MockWeb, tmp_path: Path) -> None:
    ended = crawl(web, tmp_path, [f"{A}/"], settings=("SCHEDULER=scrapy.core.scheduler.Scheduler",))
    assert (ended.code, ended.plain) == (1, True), ended.log
    assert "a topical crawl needs focused.scheduler.FrontierScheduler; leave it out" in ended.log


def test_a_component_that_there_is_not_is_told_in_one_line(web: MockWeb, tmp_path: Path) -> None:
    ended = crawl(web, tmp_path, [f"{A}/"], settings=('ITEM_PIPELINES={"no.such.Thing": 1}',))
    assert (ended.code, ended.plain) == (1, True), ended.log
    told = "scrapy crawl: no.such.Thing: named in the settings, and cannot be imported: No module named 'no'"
    assert ended.log.splitlines()[-1] == told


def test_a_crawl_that_collects_nothing_says_of_each_seed_why_and_fails(web: MockWeb, tmp_path: Path) -> None:
    ended = crawl(web, tmp_path, [f"{A}/gone", "http://dead.example/"], settings=("RETRY_ENABLED=0",))
    assert (ended.code, ended.plain) == (1, True), ended.log
    told = ended.log.partition("nothing was collected:\n")[2].splitlines()
    assert told[0].strip() == f"{A}/gone: http 404"
    assert told[1].strip().startswith("http://dead.example/: robots.txt unreachable: http 502")


def test_checking_a_topic_fails_a_seed_that_the_crawl_would_fail(tmp_path: Path) -> None:
    style = Answer(200, (("Content-Type", "text/css"),), b"solar { energy: 1 }")
    (tmp_path / "sun.toml").write_text(
        f'[topic]\nkeywords = ["solar energy"]\nseeds = ["{A}/", "{A}/style"]\n[settings]\nDOWNLOAD_DELAY = 0'
    )
    with serving(MockWeb(ANSWERS | {f"{A}/style": style})) as web:
        ended = look(web, "topics", "check", str(tmp_path / "sun.toml"), folder=tmp_path)
    assert (ended.code, ended.plain) == (0, True), ended.log
    assert re.search("FAILED: content type text/css out of scope", ended.output)


def test_a_feed_of_an_unknown_format_is_told_in_one_line(web: MockWeb, tmp_path: Path) -> None:
    ended = crawl(web, tmp_path, [f"{A}/"], options=("-o", "pages.parquet"))
    assert ended.code != 0
    (line,) = ended.log.splitlines()
    assert line.startswith(
        "scrapy crawl: -o pages.parquet: no feed can be written as parquet; there are: json, jsonlines, jsonl, jl, csv"
    )


def test_a_feed_that_cannot_be_written_is_told_before_the_crawl(web: MockWeb, tmp_path: Path) -> None:
    (tmp_path / "pages.jsonl").mkdir()
    ended = crawl(web, tmp_path, [f"{A}/"], options=("-o", str(tmp_path / "pages.jsonl")))
    assert (ended.code, web.asked) == (2, [])
    assert ended.log == f"scrapy crawl: -o {tmp_path}/pages.jsonl: is a folder\n"


def test_parse_shows_one_page_as_the_spider_sees_it(web: MockWeb, tmp_path: Path) -> None:
    ended = look(web, "parse", f"{A}/", "--spider", "topical", *TOPIC, folder=tmp_path)
    assert (ended.code, ended.plain) == (0, True), ended.log
    assert re.search(r"^relevant +True$", ended.output, re.MULTILINE)
    assert re.search(rf"^ *\d\.\d+ +{A}/1 ", ended.output, re.MULTILINE)
    assert re.search(rf"^ *- +{A}/file.zip .*file type$", ended.output, re.MULTILINE)
    assert web.pages_asked() == [f"{A}/"]
    assert list(tmp_path.iterdir()) == []


def test_parse_of_a_page_that_cannot_be_had_is_one_line(web: MockWeb, tmp_path: Path) -> None:
    ended = look(web, "parse", f"{A}/gone", "--spider", "topical", *TOPIC, folder=tmp_path)
    assert (ended.code, ended.log) == (1, f"scrapy parse: {A}/gone: http 404\n")


def test_parse_fetches_a_page_as_a_crawl_does_and_says_how_relevant_it_is(web: MockWeb, tmp_path: Path) -> None:
    ended = look(web, "parse", f"{A}/1", *TOPIC, folder=tmp_path)
    assert (ended.code, ended.plain) == (0, True), ended.log
    assert re.search(r"^\d\.\d{3} by the page model cosine: relevant", ended.output, re.MULTILINE)
    assert [asked.url for asked in web.asked] == ["http://a.example/robots.txt", f"{A}/1"]


@pytest.mark.parametrize(
    ("arguments", "shown"),
    [(("fetch", f"{A}/1"), "solar energy"), (("shell", f"{A}/1", "-c", "response.status"), "200")],
)
def test_fetch_and_shell_work_without_a_word_of_ours(
    web: MockWeb, tmp_path: Path, arguments: tuple[str, ...], shown: str
) -> None:
    ended = look(web, *arguments, folder=tmp_path)
    assert (ended.code, ended.plain) == (0, True), ended.log
    assert shown in ended.output
    assert "WARNING" not in ended.log


def test_the_pages_of_a_feed_have_a_short_form_in_the_log(web: MockWeb, tmp_path: Path) -> None:
    ended = crawl(web, tmp_path, [f"{A}/"], settings=("LOG_LEVEL=DEBUG",), pages=2)
    scraped = [line for line in ended.log.splitlines() if line.startswith("<PageItem") or "PageItem(" in line]
    assert len(scraped) == 2
    assert max(map(len, scraped)) < 200
    assert len(fetched(tmp_path)) == 2


def test_a_retry_that_a_callback_asks_for_comes_as_often_as_the_setting_says(tmp_path: Path) -> None:
    busy = {f"{A}/": page("solar energy", f"{A}/busy"), f"{A}/busy": page("solar busy")}
    with serving(MockWeb(busy)) as web:
        settings = ("SPIDER_MODULES=tests.crawls.own_spiders",)
        ended = crawl(web, tmp_path, [f"{A}/"], settings=settings, spider="retrying", pages=20)
    assert (ended.code, ended.plain) == (0, True), ended.log
    assert web.pages_asked().count(f"{A}/busy") == 3
    assert "cannot be saved" not in ended.log


def test_parse_runs_the_callback_of_a_spider_of_ones_own_and_asks_as_it_does(web: MockWeb, tmp_path: Path) -> None:
    spiders = ("-s", "SPIDER_MODULES=tests.crawls.own_spiders")
    ended = look(web, "parse", f"{A}/", "--spider", "retrying", *TOPIC, *spiders, folder=tmp_path)
    assert (ended.code, ended.plain) == (0, True), ended.log
    assert re.search(r"^item +\{'by': 'retrying'\}$", ended.output, re.MULTILINE)
    ended = look(web, "parse", f"{A}/", "--spider", "fields", *TOPIC, *spiders, folder=tmp_path)
    assert (ended.code, ended.plain) == (0, True), ended.log
    assert re.findall(r"^field +(\w+):", ended.output, re.MULTILINE) == ["heading", "last"]
    ended = look(web, "parse", f"{A}/", "--spider", "failing", *TOPIC, *spiders, folder=tmp_path)
    assert (ended.code, ended.plain) == (1, True), ended.log
    assert "failing.parse failed on http://a.example/: RuntimeError: at once" in ended.log


def test_parse_takes_the_topical_spider_beside_others_where_a_topic_is_given(web: MockWeb, tmp_path: Path) -> None:
    spiders = ("-s", "SPIDER_MODULES=focused.spiders,tests.crawls.own_spiders")
    ended = look(web, "parse", f"{A}/1", *TOPIC, *spiders, folder=tmp_path)
    assert (ended.code, ended.plain) == (0, True), ended.log
    assert "by the page model cosine" in ended.output


def test_parse_waits_for_a_callback_and_leaves_the_loop_of_the_reactor_alone() -> None:
    async def callback() -> AsyncIterator[int]:
        await asyncio.sleep(0)
        yield 1

    with closing(asyncio.new_event_loop()) as loop:
        asyncio.set_event_loop(loop)
        assert outputs(callback()) == [1]
        assert asyncio.get_event_loop() is loop
        asyncio.set_event_loop(None)


def test_looking_at_a_page_leaves_the_feeds_of_the_project_alone(web: MockWeb, tmp_path: Path) -> None:
    feed = tmp_path / "items.jsonl"
    feed.write_text("precious")
    feeds = ("-s", "FEEDS=" + json.dumps({str(feed): {"format": "jsonlines", "overwrite": True}}))
    ended = look(web, "parse", f"{A}/", *TOPIC, *feeds, folder=tmp_path)
    assert (ended.code, ended.plain) == (0, True), ended.log
    assert feed.read_text() == "precious"


@pytest.mark.parametrize(("keywords", "verdict"), [("solar energy", "OK"), ("archery", "FAILED")])
def test_the_monitor_of_the_guide_watches_a_crawl(web: MockWeb, tmp_path: Path, keywords: str, verdict: str) -> None:
    pytest.importorskip("spidermon")  # not among the oldest versions
    guide = (ROOT / "docs" / "how-to" / "deploy.md").read_text()
    (code,) = re.findall(r"^```python\n([^`]*class CrawlMonitor[^`]*)^```$", guide, re.MULTILINE)
    (tmp_path / "monitors.py").write_text(code)
    settings = (
        'EXTENSIONS={"spidermon.contrib.scrapy.extensions.Spidermon": 500}',
        "SPIDERMON_ENABLED=1",
        "SPIDERMON_SPIDER_CLOSE_MONITORS=monitors.CrawlSuite",
    )
    path = {"env": {"PYTHONPATH": f"{ROOT}:{tmp_path}"}}
    ended = crawl(web, tmp_path, [f"{A}/"], settings=settings, keywords=keywords, popen=path)
    assert (ended.code, ended.plain) == (0, verdict == "OK"), ended.log
    told = re.findall(r"INFO: \[Spidermon\] (OK|FAILED)", ended.log)
    assert told[0] == verdict, ended.log  # the actions to take come after
    assert "3 monitors in" in ended.log

"""Content Signals of robots.txt are kept with each page, exported, and a topic may demand one."""

import csv
from pathlib import Path

import pytest

from tests.crawls.crawling import crawl, end, failures, fetched, rows, scrapy
from tests.crawls.mock_web import MockWeb, page, redirect, robots, serving

HOSTS = {
    "open": "ai-train=yes, search=yes",
    "closed": "search=yes, ai-train=no",
    "silent": "",
}
SEEDS = [f"http://{host}.example/" for host in HOSTS]


def web() -> MockWeb:
    answers: dict[str, object] = {}
    for host, signals in HOSTS.items():
        answers[f"http://{host}.example/"] = page(f"solar energy of {host}")
        answers[f"http://{host}.example/robots.txt"] = robots(
            *([f"Content-Signal: {signals}"] if signals else ["Allow: /"])
        )
    answers["http://open.example/moved"] = redirect("http://closed.example/new")
    answers["http://closed.example/new"] = page("solar energy at a new place")
    return MockWeb(answers)  # type: ignore[arg-type]


def test_the_signals_are_kept_and_exported(tmp_path: Path) -> None:
    with serving(web()) as mock:
        ended = crawl(mock, tmp_path, [*SEEDS, "http://open.example/moved"])
    assert ended.code == 0, ended.log
    told = {
        "http://open.example/": "ai-train=yes, search=yes",
        "http://closed.example/": "ai-train=no, search=yes",
        "http://closed.example/new": "ai-train=no, search=yes",  # of the server that gave the page
        "http://silent.example/": "",
    }
    assert dict(rows(tmp_path, "SELECT final_url, signals FROM history")) == told
    exported = end(scrapy("export", "test", str(tmp_path / "pages.csv"), folder=tmp_path))
    assert exported.code == 0, exported.log
    with (tmp_path / "pages.csv").open() as file:
        assert {row["final_url"]: row["signals"] for row in csv.DictReader(file)} == told


@pytest.mark.parametrize(
    ("key", "found", "told"),
    [
        ("signals", ["open"], "robots.txt: ai-train is not granted"),
        ("refusals", ["open", "silent"], "robots.txt: ai-train is refused"),
    ],
)
def test_a_topic_demands_a_signal(tmp_path: Path, key: str, found: list[str], told: str) -> None:
    with serving(web()) as mock:
        ended = crawl(mock, tmp_path, [*SEEDS, "http://open.example/moved"], **{f"scope__{key}": "ai-train"})
    assert ended.code == 0, ended.log
    assert set(fetched(tmp_path)) == {f"http://{host}.example/" for host in found}
    assert failures(tmp_path)["http://closed.example/"] == told
    assert failures(tmp_path)["http://open.example/moved"] == told
    assert "http://closed.example/new" not in [asked.url for asked in mock.asked]


def test_a_demand_needs_robots_txt(tmp_path: Path) -> None:
    with serving(web()) as mock:
        ended = crawl(mock, tmp_path, SEEDS, settings=["ROBOTSTXT_OBEY=0"], scope__signals="ai-train")
    assert ended.code == 1
    assert "[scope] signals and refusals need ROBOTSTXT_OBEY" in ended.log
    assert ended.plain, ended.log
    assert mock.asked == []

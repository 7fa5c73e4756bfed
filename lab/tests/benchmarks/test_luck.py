"""How much luck decides: crawls that differ by latencies alone, where they part, and what of it is told."""

from __future__ import annotations

import csv
import gzip
import json
import math
from collections.abc import Sequence
from pathlib import Path

import pytest

from lab.benchmarks import luck
from lab.benchmarks.luck_crawls import Choice, Fetched, LuckyCrawl
from lab.benchmarks.luck_partings import (
    SETS,
    SIGNS,
    best_host,
    first_fetched,
    foretold,
    heard_of,
    likeness,
    missed,
    partings,
    spread,
)
from lab.tests.small_comparison import ONE, TWO, write_small_web
from lab.topics.labelled_topics import write_topics


def page(event: int, name: str, *, target: bool = False, relevance: float = 0.5, heard: int = 2) -> Fetched:
    return Fetched(event, f"http://{name}", name.partition("/")[0], relevance, relevance > 0.4, target, heard)


def crawl(order: int, area: float, pages: Sequence[Fetched], hosts: Sequence[str] = ("a", "b")) -> LuckyCrawl:
    choices = [Choice(one.event, one.url, 0.3, None, 0.2, None) for one in pages]
    return LuckyCrawl("birds", order, area, choices, pages, hosts)


LUCKY = crawl(
    1,
    0.8,
    [page(1, "a/1"), page(2, "b/1", target=True), page(3, "b/2", target=True), page(4, "c/1", target=True)],
    "abc",
)
UNLUCKY = crawl(2, 0.2, [page(1, "a/1"), page(2, "a/2"), page(3, "b/1", target=True), page(4, "a/3")], "abc")


def test_crawls_part_at_the_first_choice_that_differs() -> None:
    (found,) = partings([LUCKY, UNLUCKY])
    assert found.number == 2
    assert [choice.host for choice in found.choices] == ["b", "a"]
    assert [one.is_target for one in found.led_to if one] == [True, False]
    assert partings([LUCKY, LUCKY]) == []


def test_what_crawls_have_in_common_is_the_mean_jaccard_index_of_all_pairs() -> None:
    assert likeness([LUCKY, UNLUCKY], 4, SETS["pages"]) == pytest.approx(2 / 6)
    assert likeness([LUCKY, UNLUCKY], 4, SETS["hosts"]) == pytest.approx(2 / 3)
    assert likeness([LUCKY, UNLUCKY, LUCKY], 4, SETS["targets"]) == pytest.approx((1 / 3 + 1 / 3 + 1) / 3)
    assert likeness([LUCKY, UNLUCKY], 1, SETS["targets"]) == 1


def test_a_target_that_another_crawl_found_is_missed_for_one_of_four_reasons() -> None:
    deaf = crawl(3, 0.0, [page(1, "a/1"), page(2, "a/2")], "a")
    assert missed([LUCKY, UNLUCKY]) == {"left after 1 or 2 pages": 1, "heard of, never fetched": 1}
    assert missed([LUCKY, deaf]) == {"never heard of": 3}
    some = crawl(4, 0.5, [page(n, f"b/{n + 10}") for n in range(3)], "abc")
    assert missed([LUCKY, some]) == {"fetched on, too little": 2, "heard of, never fetched": 1}


def test_it_is_known_when_a_crawl_heard_of_the_best_host_and_when_it_tried_it() -> None:
    late = LuckyCrawl(
        *("birds", 5, 0.5, []), [page(1, "a/1", heard=1), page(2, "a/2"), page(3, "b/1", target=True)], "abc", 1
    )
    assert best_host([late, UNLUCKY]) == "b"
    assert [heard_of(late, host) for host in "abc"] == [0, 2, None]
    assert [first_fetched(late, host) for host in "abc"] == [1, 3, None]
    assert best_host([crawl(6, 0.0, [page(1, "a/1")])]) == ""


def test_a_sign_foretells_the_end_within_topics() -> None:
    topics = {"birds": [LUCKY, UNLUCKY], "fish": [UNLUCKY, LUCKY]}
    assert foretold(topics, SIGNS["targets so far"], 2) == pytest.approx(1)
    assert foretold(topics, SIGNS["hosts fetched"], 2) == pytest.approx(1)
    assert math.isnan(foretold(topics, SIGNS["targets so far"], 1)), "after one page all are the same"


def test_a_single_crawl_has_no_spread() -> None:
    assert spread([0.4]) == 0
    assert spread([0.2, 0.4]) == pytest.approx(0.2 / math.sqrt(2))


def run(monkeypatch: pytest.MonkeyPatch, *arguments: object) -> None:
    monkeypatch.setattr("sys.argv", ["luck", *map(str, arguments), "--processes", "1"])
    luck.main()


def test_crawls_of_two_topics_become_a_table_data_and_a_picture(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    web, out = write_small_web(tmp_path), tmp_path / "out"
    write_topics((ONE, TWO), tmp_path / "topics")
    where = ("--topics", tmp_path / "topics", "--cache", tmp_path / "cache", "--out", out)
    how = ("--orders", 3, "--pages", 6, "--strategy", "breadth_first", "--per-host", 4, "--delay", 0, "--luck", "both")
    run(monkeypatch, web, *where, *how)
    said = capsys.readouterr().out
    assert said.startswith((out / "table.md").read_text())
    rows = list(csv.DictReader((out / "crawls.csv").read_text().splitlines()))
    assert [(row["topic"], row["order"], row["targets_6"]) for row in rows] == [
        (topic, str(order), found) for topic, found in (("one", "2"), ("two", "1")) for order in (1, 2, 3)
    ]
    crawls = [json.loads(line) for line in gzip.decompress((out / "crawls.jsonl.gz").read_bytes()).splitlines()]
    assert len(crawls) == 6
    orders = {tuple(page["url"] for page in crawl["pages"]) for crawl in crawls if crawl["topic"] == "one"}
    assert len(orders) > 1, "latencies differ, so answers arrive in another order"
    for crawl in crawls:
        assert {page["event"] for page in crawl["pages"]} <= {choice["event"] for choice in crawl["choices"]}
    assert (out / "luck.png").stat().st_size


@pytest.mark.parametrize(
    ("arguments", "message"),
    [(["--strategy", "worst_first"], "worst_first"), (["--topics", "nowhere"], "no topic with labels there")],
)
def test_a_mistake_is_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str], message: str
) -> None:
    web = write_small_web(tmp_path)
    write_topics((ONE,), tmp_path / "topics")
    with pytest.raises(SystemExit, match=message) as ended:
        run(monkeypatch, web, "--topics", tmp_path / "topics", "--cache", tmp_path / "cache", *arguments)
    assert "\n" not in str(ended.value)


def test_one_order_is_no_luck(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        run(monkeypatch, "demo", "--topics", "topics", "--orders", 1)
    assert "--orders 1: give a number from 2 on" in capsys.readouterr().err

"""Several topics in one process, and the disk takes nothing more of one: that one ends, the others go on, nothing is lost."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from focused.simulation.recorded_web import Answer
from tests.crawls.mock_web import MockWeb, page, serving
from tests.crawls.test_full_disk import LIMIT, large_pages, many_links
from tests.crawls.test_many_topics import A, B, crawl, pages, rows, topics

__all__ = ["topics"]  # a fixture

#: Each commit adds to the log of a database, by which a topic of small pages would come to the limit as well.
SELDOM = ("FOCUSED_COMMIT_SECONDS=100", "FOCUSED_COMMIT_REQUESTS=5")
LARGE, HIGHER = 120_000, 2_800_000  #: bytes of a page, and the limit that a file of these reaches half way


def small_pages(count: int) -> dict[str, Answer]:
    return {f"{B}/{n}": page(f"wind turbine {n}", *([f"{B}/{n + 1}"] if n + 1 < count else [])) for n in range(count)}


@pytest.mark.parametrize(
    ("suns", "file", "winds", "limit"),
    [(large_pages(LARGE), "warc.gz", small_pages(40), HIGHER), (many_links(), "crawl.db", small_pages(8), LIMIT)],
)
def test_a_topic_whose_disk_is_full_ends_alone_and_goes_on_when_there_is_room(
    tmp_path: Path, topics: Path, suns: dict[str, Any], file: str, winds: dict[str, Any], limit: int
) -> None:
    with serving(MockWeb(suns | winds, latency=0.01)) as web:
        ended = crawl(web, tmp_path, str(topics), settings=SELDOM, popen={"file_size": limit})
        assert (ended.code, ended.plain) == (1, True), ended.log
        errors = [line for line in ended.log.splitlines() if " ERROR: " in line]
        assert len(errors) == 1, errors
        cause = errors[0].partition(" ERROR: ")[2]
        assert re.match(rf".*/solar/.*{file}", cause)
        told = f"solar has ended: {re.escape(cause)}; \\d+ pages, .*; the same command goes on once the cause is fixed"
        assert re.search(told, ended.log)
        assert f"wind has ended: dead end: no URL is left to fetch; {len(winds)} pages" in ended.log
        before = pages(tmp_path, "solar")
        assert 0 < len(before) < len(suns)
        assert rows(tmp_path, "solar", "PRAGMA integrity_check") == [("ok",)]
        assert sorted(pages(tmp_path, "wind")) == sorted(winds)

        again = crawl(web, tmp_path, str(topics))
        assert (again.code, again.plain) == (0, True), again.log
    assert pages(tmp_path, "solar")[: len(before)] == before
    assert sorted(pages(tmp_path, "solar")) == sorted(suns)
    assert all(web.pages_asked().count(url) == 1 for url in [*before, *winds])


def test_a_disk_that_is_full_for_all_of_them_costs_each_a_line(tmp_path: Path, topics: Path) -> None:
    moved = {
        url.replace(A, B): replace(
            answer, body=answer.body.replace(A.encode(), B.encode()).replace(b"solar", b"turbine")
        )
        for url, answer in large_pages(LARGE).items()
    }
    with serving(MockWeb(large_pages(LARGE) | moved, latency=0.01)) as web:
        ended = crawl(web, tmp_path, str(topics), settings=SELDOM, popen={"file_size": HIGHER})
    assert (ended.code, ended.plain) == (1, True), ended.log
    errors = [line for line in ended.log.splitlines() if " ERROR: " in line]
    assert sorted(re.findall(r" ERROR: .*/data/(\w+)/", "\n".join(errors))) == ["solar", "wind"]
    assert len(errors) == 2

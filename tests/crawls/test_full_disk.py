"""A disk that takes no more: one clear line, nothing lost that was committed, and the crawl goes on when there is room."""

from __future__ import annotations

import random
import sqlite3

import pytest

from focused.simulation.recorded_web import Answer
from tests.crawls.crawling import crawl, fetched, rows
from tests.crawls.mock_web import MockWeb, page, serving

A = "http://a.example"
LIMIT = 700_000  #: bytes that a file of the crawl may have


def large_pages(size: int = 30_000) -> dict[str, Answer]:
    """Pages that fill the page repository: their bytes cannot be compressed."""
    rng = random.Random(1)
    pages = {f"{A}/{n}": page("solar", f"{A}/{n + 1}", head=f"<!--{rng.randbytes(size).hex()}-->") for n in range(40)}
    return pages | {f"{A}/40": page("solar")}


def many_links() -> dict[str, Answer]:
    """Small pages that fill the database: each has links to many pages that are not there."""
    pages = {n: page("solar", f"{A}/{n + 1}", *(f"{A}/{n}-{m}.zip" for m in range(300))) for n in range(40)}
    return {f"{A}/{n}": answer for n, answer in pages.items()} | {f"{A}/40": page("solar end")}


@pytest.mark.parametrize(("answers", "file"), [(large_pages(60_000), "warc.gz"), (many_links(), "crawl.db")])
def test_a_full_disk_ends_a_crawl_in_one_line_and_costs_nothing_that_was_committed(tmp_path, answers, file):
    with serving(MockWeb(answers, latency=0.01)) as web:
        ended = crawl(web, tmp_path, [f"{A}/0"], popen={"file_size": LIMIT})
        assert (ended.code, ended.plain) == (1, True), ended.log
        errors = [line for line in ended.log.splitlines() if " ERROR: " in line]
        assert len(errors) == 1
        assert file in errors[0]
        assert f"Ended: {errors[0].partition(' ERROR: ')[2]}" in ended.log
        assert "the same command goes on once the cause is fixed" in ended.log
        before = fetched(tmp_path)
        assert 0 < len(before) < len(answers)
        assert rows(tmp_path, "PRAGMA integrity_check") == [("ok",)]
        assert crawl(web, tmp_path, [f"{A}/0"]).code == 0
    assert fetched(tmp_path)[: len(before)] == before
    assert sorted(fetched(tmp_path)) == sorted(answers)
    assert all(web.pages_asked().count(url) == 1 for url in before)


def test_a_disk_that_is_full_from_the_start_is_told_of_in_one_line(tmp_path):
    with serving(MockWeb({f"{A}/": page("solar")})) as web:
        ended = crawl(web, tmp_path, [f"{A}/"], popen={"file_size": 0})
    assert (ended.code, ended.plain) == (1, True)
    assert ended.log.strip().splitlines()[-1].startswith("scrapy crawl: ")
    assert web.asked == []


def test_a_database_that_another_program_locks_is_told_of_in_one_line(tmp_path):
    with serving(MockWeb({f"{A}/{n}": page("solar", f"{A}/{n + 1}") for n in range(3)})) as web:
        assert crawl(web, tmp_path, [f"{A}/0"], pages=1).code == 0
        other = sqlite3.connect(tmp_path / "test" / "crawl.db", isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        ended = crawl(web, tmp_path, [f"{A}/0"], pages=2, settings=("FOCUSED_LOCK_SECONDS=3",))
        other.execute("ROLLBACK")
        other.close()
    assert (ended.code, ended.plain) == (1, True)
    assert "another process is using it" in ended.log.strip().splitlines()[-1]

"""Others have their hands on a collection while it is crawled: files vanish, the database is locked."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from tests.crawls.crawling import crawl, end, fetched, reasons, rows, scrapy, start
from tests.crawls.mock_web import MockWeb, page, serving

A = "http://a.example"
PAGES = 60


def chain() -> MockWeb:
    pages = {f"{A}/{n}": page(f"solar {n}", f"{A}/{n + 1}") for n in range(PAGES)}
    return MockWeb(pages | {f"{A}/{PAGES}": page("solar")}, latency=0.05)


@pytest.mark.parametrize("name", ["pages/pages-00001.warc.gz", "crawl.db"])
def test_a_file_that_is_deleted_ends_the_crawl_at_once_in_one_line(tmp_path: Path, name: str) -> None:
    with serving(chain()) as web:
        process = start(web, tmp_path, [f"{A}/0"])
        assert web.wait_for(20, process.poll)
        (tmp_path / "test" / name).unlink()
        ended = end(process)
    assert (ended.code, ended.plain) == (1, True), ended.log
    errors = [line for line in ended.log.splitlines() if " ERROR: " in line]
    assert len(errors) == 1, ended.log
    assert f"{name}: was deleted while the crawl ran: put it back, or see what is lost: scrapy verify test" in errors[0]
    assert len(web.asked) < PAGES


@pytest.mark.slow
def test_a_crawl_whose_pages_were_deleted_is_repaired_and_comes_to_its_end(tmp_path: Path) -> None:
    with serving(chain()) as web:
        process = start(web, tmp_path, [f"{A}/0"])
        assert web.wait_for(20, process.poll)
        (tmp_path / "test" / "pages" / "pages-00001.warc.gz").unlink()
        end(process)
        assert end(scrapy("verify", "test", folder=tmp_path)).code == 1
        repaired = end(scrapy("verify", "test", "--repair", folder=tmp_path))
        assert (repaired.code, repaired.plain) == (0, True), repaired.output
        assert crawl(web, tmp_path, [f"{A}/0"]).code == 0
        assert end(scrapy("verify", "test", folder=tmp_path)).code == 0
    assert sorted(fetched(tmp_path)) == sorted(web.answers)


def test_a_database_that_another_program_has_locked_is_waited_for_without_losing_anything(tmp_path: Path) -> None:
    with serving(chain()) as web:
        process = start(web, tmp_path, [f"{A}/0"])
        assert web.wait_for(20, process.poll)
        with closing(sqlite3.connect(tmp_path / "test" / "crawl.db", isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            asked = len(web.asked)
            assert process.poll() is None
            assert not web.wait_for(PAGES, process.poll, timeout=6)  # longer than SQLite itself would wait
            held_back = len(web.asked) - asked
        ended = end(process)
    assert (ended.code, ended.plain) == (0, True), ended.log
    assert held_back < 20  # nothing is sent when a commit is due and cannot be made
    assert "is locked by another process: waiting, for 60 s at most" in ended.log
    assert len(fetched(tmp_path)) == PAGES + 1


def test_a_database_that_stays_locked_ends_the_crawl_in_one_line_and_it_goes_on_later(tmp_path: Path) -> None:
    with serving(chain()) as web:
        process = start(web, tmp_path, [f"{A}/0"], settings=("FOCUSED_LOCK_SECONDS=1",))
        assert web.wait_for(20, process.poll)
        with closing(sqlite3.connect(tmp_path / "test" / "crawl.db", isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            ended = end(process)
        assert (ended.code, ended.plain) == (1, True), ended.log
        assert "crawl.db: database is locked: another process is using it; wait until it ends" in ended.log
        assert len([line for line in ended.log.splitlines() if " ERROR: " in line]) == 1
        assert crawl(web, tmp_path, [f"{A}/0"]).code == 0
    assert len(fetched(tmp_path)) == PAGES + 1
    assert reasons(tmp_path)[0] == "cut off"
    assert rows(tmp_path, "PRAGMA integrity_check") == [("ok",)]

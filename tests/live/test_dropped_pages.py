"""Pages that the item pipelines have dropped, first fetched or fetched once more, in all that looks at a collection."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from focused.collection.repository import Stored
from focused.collection.store import DROPPED, DROPPED_CHANGE, Store
from focused.inspection.checking import check_and_repair, with_what_followed
from focused.inspection.collection_report import tables
from focused.live.session import Session
from focused.topic.topic import Budget, Topic
from tests.crawls.crawling import end, rows, scrapy
from tests.live.test_recrawl import fresh_topic, grow_old, later
from tests.small_web import WEB


def crawl_and_drop(session: Session, web: dict[str, str], *, every: int) -> list[str]:
    """Crawl to the end, and drop each page of which the number of its URL is divisible; return what was asked for again."""
    again = []
    while (pick := session.next()) is not None:
        url = session.store.url(pick.id)
        if pick.id in session.crawl.revisiting:
            again.append(url)
        if url not in web:
            session.failed(pick.id, "http 404", 404)
            continue
        answer = Stored(url, 200, (("Content-Type", "text/html"),), web[url].encode())
        record = session.fetched(pick.id, answer, "text/html")
        if isinstance(record, str):
            continue
        if pick.id % every:
            session.journal.finish(record)
        else:
            session.journal.drop(record, "a pipeline dropped it: not wanted")
    session.close()
    return again


def topic() -> Topic:
    return fresh_topic(budget=Budget(pages=20))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A collection of which every third page was dropped, and ten days later all that had changed."""
    crawl_and_drop(Session(topic(), tmp_path / "test"), WEB, every=3)
    grow_old(tmp_path / "test")
    again = crawl_and_drop(Session(topic(), tmp_path / "test"), later(), every=1)
    assert again
    assert rows(tmp_path, "SELECT count(*) FROM fetches WHERE outcome = ?", (DROPPED,))[0][0] > 3
    assert rows(tmp_path, "SELECT count(*) FROM fetches WHERE outcome = ?", (DROPPED_CHANGE,))[0][0] > 1
    return tmp_path


def test_a_dropped_new_version_is_an_answer_that_is_not_asked_for_again_at_once(folder):
    assert not crawl_and_drop(Session(topic(), folder / "test"), later(), every=1)
    changes = "SELECT count(*) FROM fetches WHERE outcome = ?"
    (count,) = rows(folder, changes, (DROPPED_CHANGE,))[0]
    grow_old(folder / "test")
    kept = crawl_and_drop(Session(topic(), folder / "test"), later(), every=100)
    assert len(kept) >= count, "it is asked for again when it is due"
    assert rows(folder, "SELECT count(*) FROM versions WHERE outcome = 'changed'")[0][0] >= count


def test_a_collection_with_dropped_versions_is_whole_and_a_repair_takes_them_out_with_their_page(folder):
    before, done, _ = check_and_repair(folder / "test", lambda *_: None)
    assert before.is_well and not done
    (seq, url) = rows(folder, "SELECT seq, url FROM fetches WHERE outcome = ?", (DROPPED_CHANGE,))[0]
    with closing(sqlite3.connect(folder / "test" / "crawl.db")) as db:
        (first,) = db.execute("SELECT seq FROM fetches WHERE outcome = 'page' AND final_url = ?", (url,)).fetchone()
        assert with_what_followed(db, [first]) == [first, seq]


def test_views_and_report_count_no_dropped_page_as_one_of_the_collection(folder):
    pages, relevant = rows(folder, "SELECT count(*), sum(relevant) FROM fetches WHERE outcome = 'page'")[0]
    assert rows(folder, "SELECT sum(pages), sum(relevant) FROM host_totals") == [(pages, relevant)]
    assert rows(folder, "SELECT url FROM history GROUP BY url HAVING count(*) > 1") == []
    (dropped,) = rows(folder, "SELECT count(*) FROM fetches WHERE outcome = ?", (DROPPED,))[0]
    with closing(Store(folder / "test" / "crawl.db", read_only=True)) as store:
        said = "\n".join(tables(store))
    assert f"{pages:,} pages" in said and f"{relevant:,} relevant by the crawl's own" in said
    assert f"{dropped:,} that the item pipelines have not stored" in said
    assert DROPPED_CHANGE in said, "it was asked for once more"


def test_explain_tells_of_a_dropped_page_and_of_a_dropped_version(folder):
    for outcome, words in ((DROPPED, "not stored"), (DROPPED_CHANGE, f"{DROPPED_CHANGE} (a pipeline dropped it")):
        (url,) = rows(folder, "SELECT u.url FROM fetches f JOIN urls u ON u.id = f.url WHERE outcome = ?", (outcome,))[
            0
        ]
        ended = end(scrapy("explain", "test", url, folder=folder))
        assert (ended.code, ended.plain) == (0, True), ended.log
        assert words in ended.output and "not wanted" in ended.output
        assert "stored in None" not in ended.output

"""Pages that the item pipelines have dropped, first fetched or fetched once more, in all that looks at a collection."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from focused.collection.repository import Stored
from focused.collection.store import DROPPED, DROPPED_CHANGE, Store, Ways
from focused.desk.dashboard.app import create_app
from focused.desk.dashboard.neighbours import fates_of
from focused.desk.dashboard.served import Served
from focused.desk.dashboard.standing import standing
from focused.inspection.checking import check_and_repair, with_what_followed
from focused.inspection.collection_report import tables
from focused.live.journal import PATIENCE
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


def test_the_way_to_a_page_leads_over_dropped_pages(folder):
    query = "SELECT f.final_url, p.source FROM fetches f JOIN picks p ON p.seq = f.pick WHERE f.outcome IN ('page', ?)"
    sources = dict(rows(folder, query, (DROPPED,)))
    seeds = {row[0] for row in rows(folder, "SELECT u.url FROM seeds s JOIN urls u ON u.id = s.url")}
    with closing(Store(folder / "test" / "crawl.db", read_only=True)) as store:
        ways = [Ways(store).to(source) for source in sources.values() if source is not None]
    assert ways and all(way[0] in seeds for way in ways)


def test_the_dashboard_tells_dropped_pages_from_pages_and_counts_them_for_the_budget(folder):
    (pages,) = rows(folder, "SELECT count(*) FROM fetches WHERE outcome = 'page'")[0]
    served = Served(folder)
    shown = served.find("test")
    with shown.store() as store:
        stands = standing(shown, store)
        versions = len(shown.figures.versions(store))
        dropped = store.execute("SELECT url FROM fetches WHERE outcome = ?", (DROPPED,)).fetchall()
        fates = fates_of(store, shown.figures.versions(store), [url for (url,) in dropped])
        urls = [store.url(url) for (url,) in dropped]
    assert (len(stands.numbers.pages), versions, stands.numbers.unstored) == (pages, pages, len(dropped))
    assert stands.done == 1, "the budget is spent"
    assert {fate.words for fate in fates.values()} == {"not stored: a pipeline dropped it: not wanted"}
    with TestClient(create_app(served), base_url="http://127.0.0.1", follow_redirects=True) as client:
        overview = client.get("/c/test/").text
        assert f"{len(dropped)} more pages were fetched that the item pipelines" in overview
        paths = ("newest", "hits", "hosts", "map", "news", "portal", "judge", "failures", "dropped", "search?q=solar")
        for path in (*paths, *(f"page?url={url}" for url in urls)):
            answer = client.get(f"/c/test/{path}")
            assert answer.status_code == 200, (path, answer.text)
            assert "damaged" not in answer.text, path
            assert not path.startswith("page") or "not wanted" in answer.text, path


@pytest.mark.parametrize(
    ("stores_pages", "stores_history"), [(True, True), (False, True), (True, False), (False, False)]
)
def test_a_page_that_a_pipeline_held_too_long_is_written_once_whatever_becomes_of_it_later(
    tmp_path, stores_pages, stores_history
):
    session = Session(topic(), tmp_path / "test")
    journal, now = session.journal, 0.0
    journal.stores_pages, journal.stores_history, journal.clock = stores_pages, stores_history, lambda: now
    pick = session.next()
    url = session.store.url(pick.id)
    answer = Stored(url, 200, (("Content-Type", "text/html"),), WEB[url].encode())
    record = session.fetched(pick.id, answer, "text/html")
    session.commit()
    now = 2 * PATIENCE
    session.commit()
    journal.drop(record, "a pipeline dropped it: too late")
    journal.add_fields(record, {"price": 9})
    journal.finish(record)
    session.close()
    is_page = stores_pages and stores_history
    (row,) = rows(tmp_path, "SELECT outcome, file IS NOT NULL, coalesce(reason, '') FROM fetches")
    assert row[:2] == ("page" if is_page else DROPPED, int(is_page)) and "too late" not in row[2]
    assert journal.unstored.total() == (not is_page)
    assert rows(tmp_path, "SELECT count(*) FROM own_fields") == [(int(is_page),)]
    again = Session(topic(), tmp_path / "test")
    assert not again.interrupted
    again.close()
    findings = check_and_repair(tmp_path / "test", lambda *_: None)[0]
    assert findings.is_well

"""What a person says of pages reaches the crawl once, teaches it, and is replayed as it was."""

from __future__ import annotations

import logging

import pytest

from focused.collection.desk import Desk
from focused.collection.sqlite_errors import BusyError
from focused.live.lessons import _NEWEST
from focused.live.session import Session
from focused.strategies import get_strategy
from focused.topic.topic import Budget, Relevance
from tests.live.test_session import crash
from tests.small_collections import STRATEGIES
from tests.small_web import SHORT_PAGES, crawl, fetch, topic_of, url_of

BEFORE, EVERY = 24, 4  #: pages fetched before anybody judges; and then between two looks


def on_topic(url: str) -> bool:
    """What a person says: those pages that are about football."""
    return int(url.rsplit("/", 1)[1]) % 3 != 0


def judged(session: Session, most: int = 1000) -> list[str]:
    """Judge all pages that are there."""
    session.commit()
    pages = [
        url for (url,) in session.store.execute("SELECT final_url FROM history WHERE outcome = 'page' ORDER BY seq")
    ]
    desk = Desk(session.folder)
    known = {verdict.url for verdict in desk.verdicts("teach")}
    desk.judge([(url, "teach", on_topic(url)) for url in pages if url not in known][:most])
    session.commit()
    return pages


def taught(session: Session, fetched: int = 0, most: int = 1000) -> list[str]:
    """Crawl, with a person who looks now and then; ``fetched``: URLs that earlier runs have asked for."""
    urls: list[str] = []
    while len(urls) < most:
        count = fetched + len(urls)
        if count >= BEFORE and count % EVERY == 0:
            judged(session)
        url = fetch(session)
        if url is None:
            break
        urls.append(url)
    return urls


def relevant(session: Session) -> list[tuple]:
    session.commit()
    return session.store.execute(
        "SELECT url, relevance, relevant FROM history WHERE outcome = 'page' ORDER BY seq"
    ).fetchall()


@pytest.mark.parametrize("strategy", [one for one in STRATEGIES if not get_strategy(str(one.values[0])).needs_model])
def test_from_any_commit_a_crawl_that_was_taught_stands_where_it_stood(tmp_path, strategy):
    topic = topic_of(
        strategy=strategy, budget=Budget(pages=200), relevance=Relevance(threshold=0.3, also=SHORT_PAGES.also)
    )
    whole = Session(topic, tmp_path / "whole")
    expected = taught(whole)
    pages, state = relevant(whole), whole.crawl.judge.teacher.snapshot()
    assert whole.store.execute("SELECT kept FROM lessons").fetchone() == (1,)
    whole.close()
    for cut in (BEFORE + 1, BEFORE + EVERY + 1, len(expected) - 3):
        session = Session(topic, tmp_path / f"cut{cut}", snapshot_every=7)
        done = taught(session, most=cut)
        session.commit()
        taught(session, cut, 3)  # happened, but is not on disk, unless somebody judged
        Desk(session.folder).judge([(url_of(1), "audit", True)])
        crash(session)
        session = Session(topic, tmp_path / f"cut{cut}", snapshot_every=7)
        asked = {url for (url,) in session.store.execute("SELECT url FROM history")}
        done = [url for url in expected if url in asked]
        assert done + taught(session, len(done)) == expected
        assert relevant(session) == pages
        assert str(session.crawl.judge.teacher.snapshot()) == str(state)
        session.close()


def test_verdicts_that_wait_when_a_crawl_is_killed_teach_the_next_run(tmp_path):
    session = Session(topic_of(), tmp_path)
    crawl(session, 30)
    session.commit()
    pages = [url for (url,) in session.store.execute("SELECT final_url FROM history WHERE outcome = 'page'")]
    Desk(tmp_path).judge([(url, "teach", on_topic(url)) for url in pages])
    crash(session)
    session = Session(topic_of(), tmp_path)
    assert session.store.execute("SELECT count(*) FROM steering WHERE kind = 'judged'").fetchone() == (len(pages),)
    assert session.store.execute("SELECT judged FROM lessons").fetchall()[0] == (20,)
    session.commit()
    session.close()
    session = Session(topic_of(), tmp_path)  # and no later one again
    assert session.store.execute("SELECT count(*) FROM steering WHERE kind = 'judged'").fetchone() == (len(pages),)
    session.close()


def test_a_verdict_on_a_page_that_is_not_there_waits_for_it(tmp_path):
    session = Session(topic_of(), tmp_path)
    first = fetch(session)
    expected = crawl(session, 10)
    session.close()
    Desk(tmp_path).judge(
        [(first, "teach", True), (expected[-1], "teach", False), ("http://nowhere.example/", "teach", True)]
    )
    session = Session(topic_of(), tmp_path, fresh=True)
    assert session.store.execute("SELECT * FROM steering").fetchall() == []
    crawl(session, 11)
    session.commit()
    session.commit()
    said = session.store.execute("SELECT argument, value FROM steering ORDER BY seq").fetchall()
    assert sorted(said) == sorted([(first, "yes"), (expected[-1], "no")])
    session.close()


def test_a_verdict_of_the_audit_teaches_nothing(tmp_path):
    session = Session(topic_of(), tmp_path)
    Desk(tmp_path).judge([(fetch(session), "audit", True)])
    session.commit()
    session.commit()
    assert session.store.execute("SELECT * FROM steering").fetchall() == []
    session.close()


def test_a_verdict_is_changed_and_taken_back(tmp_path):
    session = Session(topic_of(), tmp_path)
    url = fetch(session)
    session.commit()
    for said in (True, False, None):
        Desk(tmp_path).judge([(url, "teach", said)])
        session.commit()
    session.commit()
    assert session.store.execute("SELECT value FROM steering ORDER BY seq").fetchall() == [("yes",), ("no",), ("",)]
    assert len(session.crawl.judge.teacher.snapshot()["urls"]) == 0
    session.close()


def test_what_a_lesson_did_is_on_record_and_told(tmp_path, caplog):
    session = Session(topic_of(relevance=Relevance(threshold=0.3, also=SHORT_PAGES.also)), tmp_path)
    crawl(session, 30)
    with caplog.at_level(logging.INFO):
        judged(session, 20)
    row = session.store.execute(
        "SELECT judged, kept, looked, after > before, gained > 0, lost > 0 FROM lessons"
    ).fetchone()
    session.commit()
    row = session.store.execute(
        "SELECT judged, kept, looked, after > before, gained > 0, lost > 0 FROM lessons"
    ).fetchone()
    assert row[:2] == (20, 1)
    assert row[3:] == (1, 1, 1)
    assert 20 <= row[2] <= 30
    assert "Learned from 20 verdicts" in caplog.text
    session.close()


def test_a_lock_while_a_lesson_is_looked_at_leaves_no_hole_in_the_journal(tmp_path, monkeypatch):
    """The core has taken the verdict in: if it were not written down, nothing after it could be committed."""
    session = Session(topic_of(relevance=Relevance(threshold=0.3, also=SHORT_PAGES.also)), tmp_path)
    crawl(session, 30)
    execute = session.store.execute

    def locked(statement, values=()):
        if statement == _NEWEST:
            raise BusyError("database is locked")
        return execute(statement, values)

    monkeypatch.setattr(session.store, "execute", locked)
    judged(session, 20)
    session.commit()
    assert (session.error, session.store.committed) == (None, session.crawl.events)
    assert session.store.execute("SELECT judged, looked FROM lessons").fetchall() == [(20, 0)]
    session.close()

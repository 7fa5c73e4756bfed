"""A crawl takes what people ask of it at its commits, writes it down, and goes on from any of them as if it had never stopped."""

from __future__ import annotations

import logging
import sqlite3
from pathlib import Path

import pytest

from focused.collection.desk import Desk, SteeringCommand
from focused.collection.store import Store
from focused.crawl.crawl import Crawl
from focused.live.orders import STOPPED, host_named
from focused.live.session import Session
from focused.strategies import get_strategy
from focused.topic.topic import Budget, Scope
from tests.live.test_session import crash
from tests.small_collections import STRATEGIES
from tests.small_web import crawl, fetch, topic_of, url_of
from tests.training.models import save_toy_model

NEW = "http://elsewhere.example/new"
#: After how many pages something is asked, and what.
ASKED = {
    4: [("raise_host", "host3.example", ""), ("drop_url", url_of(9), "")],
    8: [("deny_host", "host2.example", ""), ("raise_url", url_of(31), "")],
    12: [("raise_url", NEW, ""), ("budget", "", "pages=33")],
    16: [("trust_host", "host1.example", "")],
    20: [("allow_host", "host2.example", ""), ("raise_url", url_of(22), ""), ("raise_url", url_of(9), "")],
}


def one(desk: Desk, number: int) -> SteeringCommand:
    return next(asked for asked in desk.commands() if asked.id == number)


def ask(session: Session, kind: str, argument: str = "", value: str = "") -> SteeringCommand:
    """Ask something and let the crawl commit; return what became of it."""
    desk = Desk(session.folder)
    number = desk.ask(kind, argument, value)
    session.commit()
    return one(desk, number)


def steered(session: Session, before: int = 0, most: int = 1000) -> list[str]:
    """Crawl, and ask at the same moments each time; ``before``: pages that earlier runs have fetched."""
    urls: list[str] = []
    while len(urls) < most:
        for asked in ASKED.get(before + len(urls), ()):
            if not session.store.execute(
                "SELECT 1 FROM steering WHERE kind = ? AND argument IN (?, '')", asked[:2]
            ).fetchone():
                ask(session, *asked)
        url = fetch(session)
        if url is None:
            break
        urls.append(url)
    return urls


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_from_any_commit_the_picks_are_those_of_an_undisturbed_crawl_that_was_steered_so(tmp_path, strategy):
    options, models = {}, tmp_path / "models"
    if get_strategy(strategy).needs_model:
        options["model"] = save_toy_model(strategy, models)
    topic = topic_of(strategy=strategy, strategy_options=options, budget=Budget(pages=200))
    whole = Session(topic, tmp_path / "whole", models=models)
    expected = steered(whole)
    whole.commit()
    assert {row[0] for row in whole.store.execute("SELECT kind FROM steering")} >= {"raise_url", "deny_host", "budget"}
    assert expected[12] == NEW
    whole.close()
    for cut in range(1, len(expected), 6):
        folder = tmp_path / f"cut{cut}"
        session = Session(topic, folder, snapshot_every=7, models=models)
        done = steered(session, most=cut)
        session.commit()
        Desk(folder).ask("drop_url", url_of(1))
        session.orders.take()  # happened, but is not on disk
        crash(session)
        Desk(folder).path.unlink()  # what a person asked is in the journal
        session = Session(topic, folder, snapshot_every=7, models=models)
        assert done + steered(session, before=cut) == expected
        session.close()


def test_what_was_taken_but_not_committed_is_taken_again_and_what_was_committed_is_not(tmp_path):
    session = Session(topic_of(), tmp_path)
    crawl(session, 3)
    desk = Desk(tmp_path)
    first = desk.ask("deny_host", "host3.example")
    session.orders.take()
    crash(session)  # before the commit
    assert one(desk, first).state == "waiting"
    session = Session(topic_of(), tmp_path)
    assert one(desk, first).state == "done"
    second = desk.ask("allow_host", "host3.example")
    session.orders.take()
    session.journal.commit()
    crash(session)  # before the answer
    assert one(desk, second).state == "waiting"
    session = Session(topic_of(), tmp_path)
    assert (one(desk, second).state, one(desk, second).answer) == ("done", "done before the crawl was cut off")
    assert session.store.execute("SELECT kind FROM steering ORDER BY seq").fetchall() == [
        ("deny_host",),
        ("allow_host",),
    ]
    session.close()


def test_what_cannot_be_done_is_refused_with_why(tmp_path):
    session = Session(topic_of(scope=Scope(denied_hosts=("bad.example",))), tmp_path)
    crawl(session, 3)
    answers = [
        ask(session, *asked).answer
        for asked in [
            ("raise_url", "ftp://x"),
            ("raise_url", url_of(0)),
            ("raise_url", "http://bad.example/"),
            ("deny_host", "no host"),
            ("allow_host", "host1.example"),
            ("budget", "", "pages=many"),
            ("resume",),
        ]
    ]
    assert answers == [
        "it is no http(s) URL",
        "it was asked for already",
        "the topic's scope bars it: host denied",
        "it is no host name such as example.com",
        "nobody denied it while the crawl ran; what the topic's scope bars is changed there",
        "'pages=many' is none of pages=500 and hours=2",
        "it is not paused",
    ]
    assert {asked.state for asked in Desk(tmp_path).commands()} == {"refused"}
    assert session.store.execute("SELECT count(*) FROM steering").fetchone() == (0,)
    session.close()


def test_a_paused_crawl_fetches_nothing_and_its_time_stands(tmp_path, monkeypatch):
    clock = [0.0]
    monkeypatch.setattr("focused.live.clocks.monotonic", lambda: clock[0])
    session = Session(topic_of(), tmp_path)
    crawl(session, 3)
    clock[0] = 100.0
    assert ask(session, "pause").state == "done"
    clock[0] = 5000.0
    assert session.next() is None
    assert session.stop() is None
    assert session.journal.run.seconds == 100.0
    assert ask(session, "pause").answer == "it is paused already"
    assert ask(session, "resume").state == "done"
    clock[0] = 5001.0
    assert session.next() is not None
    assert session.journal.run.seconds == 101.0
    session.close()


def test_a_crawl_that_was_paused_when_it_was_killed_goes_on(tmp_path):
    session = Session(topic_of(), tmp_path)
    crawl(session, 3)
    ask(session, "pause")
    crash(session)
    session = Session(topic_of(), tmp_path)
    assert session.next() is not None
    session.close()


def test_a_person_stops_a_crawl_and_the_next_run_goes_on(tmp_path):
    session = Session(topic_of(), tmp_path)
    crawl(session, 3)
    ask(session, "pause")
    assert ask(session, "stop").state == "done"
    assert (session.next(), session.stop()) == (None, STOPPED)
    session.close(STOPPED)
    session = Session(topic_of(), tmp_path)
    assert session.store.execute("SELECT stop, reason FROM runs WHERE id = 1").fetchone() == (
        "stopped_by_person",
        "stopped by a person",
    )
    assert session.next() is not None
    session.close()


@pytest.mark.parametrize("kind", ["pause", "stop", "resume"])
def test_what_was_said_to_an_earlier_run_is_not_done_to_this_one(tmp_path, kind):
    number = Desk(tmp_path).ask(kind)
    session = Session(topic_of(), tmp_path)
    assert one(Desk(tmp_path), number).answer == "it was asked before this run began"
    assert session.next() is not None
    session.close()


def test_what_was_asked_while_no_crawl_ran_is_done_by_the_next_one(tmp_path):
    number = Desk(tmp_path).ask("raise_url", url_of(25))
    session = Session(topic_of(), tmp_path)
    assert one(Desk(tmp_path), number).state == "done"
    assert fetch(session) == url_of(25)
    session.close()


def test_a_budget_of_a_person_ends_with_another_one_in_the_topic(tmp_path):
    session = Session(topic_of(budget=Budget(pages=5)), tmp_path)
    ask(session, "budget", value="pages=3")
    assert len(crawl(session)) == 3
    session.close()
    session = Session(topic_of(budget=Budget(pages=5)), tmp_path)
    assert crawl(session) == []
    session.close()
    session = Session(topic_of(budget=Budget(pages=6)), tmp_path)
    assert len(crawl(session)) == 3
    session.close()


def test_a_damaged_desk_is_one_warning_and_the_crawl_goes_on(tmp_path, caplog):
    session = Session(topic_of(), tmp_path)
    Desk(tmp_path).path.write_bytes(b"no database" * 100)
    with caplog.at_level(logging.WARNING):
        for _ in range(5):
            fetch(session)
            session.commit()
    (warning,) = [record.getMessage() for record in caplog.records if "people ask" in record.getMessage()]
    assert "cannot be read or answered" in warning
    assert "\n" not in warning
    Desk(tmp_path).path.unlink()
    assert ask(session, "pause").state == "done"
    session.close()


def test_a_desk_that_somebody_writes_to_is_read_at_a_later_commit(tmp_path):
    session = Session(topic_of(), tmp_path)
    desk = Desk(tmp_path)
    number = desk.ask("pause")
    db = sqlite3.connect(desk.path, isolation_level=None)
    db.execute("BEGIN EXCLUSIVE")
    assert session.commit()
    assert session.next() is not None
    db.close()
    session.commit()
    assert one(desk, number).state == "done"
    session.close()


def test_an_answer_that_cannot_be_written_now_is_written_later(tmp_path):
    session = Session(topic_of(), tmp_path)
    desk = Desk(tmp_path)
    number = desk.ask("deny_host", "host3.example")
    session.orders.take()
    db = sqlite3.connect(desk.path, isolation_level=None)
    db.execute("BEGIN IMMEDIATE")
    session.commit()
    db.close()
    assert one(desk, number).state == "waiting"
    session.commit()
    assert one(desk, number).state == "done"
    assert session.store.execute("SELECT count(*) FROM steering").fetchone() == (1,)
    session.close()


def test_without_a_desk_none_is_made(tmp_path):
    session = Session(topic_of(), tmp_path)
    crawl(session, 3)
    session.commit()
    session.close()
    assert not Desk(tmp_path).path.exists()


def test_a_strategy_that_fails_on_what_is_asked_ends_the_crawl_in_one_line(tmp_path, monkeypatch):
    session = Session(topic_of(), tmp_path)
    crawl(session, 3)

    def fail(*_):
        raise ZeroDivisionError("no")

    monkeypatch.setattr(Crawl, "apply", fail)
    ask(session, "deny_host", "host3.example")
    assert session.error.slug == "strategy_error"
    assert "failed on what a person asked" in session.error.sentence
    session.collection.close()


def test_hosts_are_understood_as_people_write_them(tmp_path: Path) -> None:
    session = Session(topic_of(), tmp_path)
    rules = session.reader.rules
    written = [
        "Example.COM",
        " example.com. ",
        "http://example.com:8080/a?b#c",
        "example.com/a",
        "[::1]",
        "*.x",
        "",
        "a b",
    ]
    assert [host_named(text, rules) for text in written][:5] == [*["example.com"] * 4, "[::1]"]
    assert host_named("", rules) == host_named("a b", rules) == ""
    session.close()


def test_what_was_steered_is_in_the_journal_by_number(tmp_path):
    session = Session(topic_of(), tmp_path)
    crawl(session, 3)
    asked = ask(session, "raise_url", NEW)
    session.close()
    store = Store(tmp_path / "crawl.db", read_only=True)
    rows = store.execute(
        "SELECT s.run, s.kind, s.argument, s.value, s.desk, u.url FROM steering s JOIN urls u ON u.id = s.url"
    ).fetchall()
    assert rows == [(1, "raise_url", NEW, "", asked.id, NEW)]
    store.close()

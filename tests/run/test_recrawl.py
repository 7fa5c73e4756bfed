"""Asking once more for pages is part of the journal: a crawl goes on from it as if it had never stopped."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest

from focused.exceptions import StorageError
from focused.run.revisits import Known, Revisits, conditions, due_pages
from focused.run.session import Session
from focused.storage.check.checking import check_and_repair
from focused.storage.repository import Place, Stored
from focused.storage.snapshot import encode
from focused.strategies import get_strategy, names
from focused.topic.topic import Budget, Recrawl, Relevance, Topic, Traps
from tests.small_web import SHORT_PAGES, WEB, crawl, topic_of, url_of
from tests.training.models import save_toy_model

OLD = "UPDATE fetches SET time = strftime('%Y-%m-%dT%H:%M:%S+00:00', time, '-10 days')"


def later() -> dict[str, str]:
    """The web ten days later: every third page says more and has a new link."""
    web = dict(WEB)
    for number in range(0, 40, 3):
        new = url_of(100 + number)
        web[url_of(number)] = (
            WEB[url_of(number)].replace("energy", "energy again") + f'<p>solar <a href="{new}">new</a>'
        )
        web[new] = f"<title>{number}</title><p>solar energy, new {number}</p>"
    del web[url_of(30)]
    return web


def fetch_later(session: Session, most: int = 1000) -> list[str]:
    """Fetch from the later web; return the URLs in order, those asked for once more with a mark."""
    web, urls = later(), []
    while len(urls) < most and (pick := session.next()) is not None:
        again = pick.id in session.crawl.revisiting
        url = session.revisiting.request(pick.id)[0] if again else session.store.url(pick.id)
        urls.append(f"{'again ' if again else ''}{url}")
        if url not in web:
            session.failed(pick.id, "http 404", 404)
            continue
        answer = Stored(url, 200, (("Content-Type", "text/html"),), web[url].encode())
        record = session.fetched(pick.id, answer, "text/html")
        if not isinstance(record, str):
            session.keep(record)
            session.write(record)
    return urls


def grow_old(folder: Path) -> None:
    with closing(sqlite3.connect(folder / "crawl.db")) as db, db:
        db.execute(OLD)


def grown(folder: Path, topic: Topic, models: Path | None = None) -> None:
    """A crawl of twenty pages that ended ten days ago."""
    session = Session(topic.model_copy(update={"budget": Budget(pages=20)}), folder, models=models)
    crawl(session)
    session.close()
    grow_old(folder)


def fresh_topic(**tables: object) -> Topic:
    return topic_of(recrawl=Recrawl(age=7), relevance=Relevance(threshold=0.3, also=SHORT_PAGES.also), **tables)


@pytest.mark.parametrize("strategy", names())
def test_after_a_crash_the_crawl_stands_where_it_stood(tmp_path, strategy):
    models = tmp_path / "models"
    options = {"model": save_toy_model(strategy, models)} if get_strategy(strategy).needs_model else {}
    topic = fresh_topic(strategy=strategy, strategy_options=options)
    grown(tmp_path / "crawl", topic, models)
    session = Session(topic, tmp_path / "crawl", models=models, snapshot_every=4)
    done = fetch_later(session, 12)
    session.commit()
    stood = encode(session.crawl.snapshot())
    session.collection.close()
    assert sum(url.startswith("again") for url in done) >= 5
    for statement in ("SELECT 1", "DELETE FROM snapshots"):
        with closing(sqlite3.connect(tmp_path / "crawl" / "crawl.db")) as db, db:
            db.execute(statement)
        session = Session(topic, tmp_path / "crawl", models=models)
        assert encode(session.crawl.snapshot()) == stood
        session.collection.close()


def test_new_links_of_changed_pages_are_fetched_and_pages_that_are_gone_are_not_asked_for_again(tmp_path):
    topic = fresh_topic()
    grown(tmp_path, topic)
    session = Session(topic, tmp_path)
    done = fetch_later(session)
    session.close()
    assert url_of(100) in done
    assert f"again {url_of(30)}" in done
    grow_old(tmp_path)
    session = Session(topic, tmp_path)
    assert f"again {url_of(30)}" not in fetch_later(session)
    session.close()


def test_new_rules_judge_the_newest_version_too(tmp_path):
    topic = fresh_topic()
    grown(tmp_path, topic)
    session = Session(topic, tmp_path)
    fetch_later(session)
    session.close()
    session = Session(
        topic.model_copy(update={"relevance": Relevance(threshold=0.99, also=SHORT_PAGES.also)}), tmp_path
    )
    session.close()
    with closing(sqlite3.connect(tmp_path / "crawl.db")) as db:
        changed, relevant = db.execute(
            "SELECT count(*), sum(relevant) FROM newest WHERE outcome = 'changed'"
        ).fetchone()
    assert changed >= 3
    assert relevant == 0


def test_a_page_that_is_asked_for_once_more_counts_once(tmp_path):
    topic = fresh_topic(traps=Traps(on=False))
    grown(tmp_path, topic)
    session = Session(topic, tmp_path)
    before = session.crawl.totals.pages
    asked = [url for url in fetch_later(session) if not url.startswith("again")]
    assert session.crawl.totals.pages == before + len([url for url in asked if url in later()])
    session.close()


def test_a_disk_that_takes_no_note_ends_the_crawl_and_the_next_run_asks_again(tmp_path, monkeypatch):
    topic = fresh_topic()
    grown(tmp_path, topic)
    session = Session(topic, tmp_path)

    def full(*_: object) -> None:
        raise StorageError("no space left")

    monkeypatch.setattr(session.repository, "put_unchanged", full)
    pick = session.next()
    url = session.revisiting.request(pick.id)[0]
    assert session.fetched(pick.id, Stored(url, 304, (), b""), "") == "no space left"
    assert session.stop() is session.error is not None
    session.close()
    monkeypatch.undo()
    session = Session(topic, tmp_path)
    assert f"again {url}" in fetch_later(session)
    session.close()


def known(page: int, host: int = 0, score: float = 0.5) -> Known:
    return Known(page, page, 1, host, 0.5, "", "text/html", Place("", 0, 0), False, 0.0, 0.0, score=score)


def always(_: int) -> bool:
    return True


def never(_: int) -> bool:
    return False


def test_the_best_comes_first_and_a_busy_host_lets_others_go_ahead():
    waiting = Revisits([known(1, 0, 0.9), known(2, 0, 0.8), known(3, 1, 0.1)])
    assert [waiting.next(always).page, waiting.next(lambda host: host == 1).page] == [1, 3]
    assert waiting.next(never) is None
    assert (waiting.next(always).page, len(waiting)) == (2, 0)


def test_only_so_many_are_asked_for():
    waiting = Revisits([known(page, score=page / 10) for page in range(1, 9)], most=2)
    assert [waiting.next(always).page for _ in range(2)] == [8, 7]
    assert waiting.next(always) is None


def test_a_host_that_never_answers_is_asked_three_times():
    waiting = Revisits([known(page, host=0) for page in range(9)] + [known(20, host=1, score=0.1)])
    asked = []
    while (page := waiting.next(always)) is not None:
        asked.append(page.page)
        waiting.close(page.page, "missed", silent=page.host == 0)
    assert asked == [0, 1, 2, 20]


def test_a_page_that_changes_often_comes_before_one_that_does_not(tmp_path):
    topic = fresh_topic(seeds=(url_of(0), url_of(3)))
    grown(tmp_path, topic)
    with closing(sqlite3.connect(tmp_path / "crawl.db")) as db, db:
        db.execute(OLD.replace("-10 days", "-100 days"))
        pages = dict(db.execute("SELECT u.url, f.final_url FROM fetches f JOIN urls u ON u.id = f.url"))
        often, never = pages[url_of(0)], pages[url_of(3)]
        for seq, (page, outcome) in enumerate([(often, "changed"), (never, "same")] * 3, 10_000):
            db.execute(
                "INSERT INTO fetches SELECT ?, run, pick, url, final_url, ?, reason, status, "
                "strftime('%Y-%m-%dT%H:%M:%S+00:00', time, ? || ' days'), "
                "bytes, content_type, language, title, 1.0, 1, content_hash, NULL, noindex, truncated, file, offset, length, "
                "rendered, plain_file, plain_offset, plain_length, NULL, NULL "
                "FROM fetches WHERE final_url = ? AND outcome = 'page'",
                (seq, outcome, (seq - 9_999) * 10, page),
            )
    session = Session(topic, tmp_path)
    scores = {one.page: one.score for one in due_pages(session.store, topic.recrawl, datetime.now(UTC))}
    session.close()
    assert scores[often] > 2 * scores[never]


def test_only_what_a_server_understands_is_sent_back_to_it():
    def of(*headers: tuple[str, str]) -> dict[str, str]:
        return conditions(Stored("http://a.example/", 200, headers, b""))

    assert of(("ETag", '"x"'), ("last-modified", "Mon")) == {"If-None-Match": '"x"', "If-Modified-Since": "Mon"}
    assert of(("ETag", '"x"'), ("ETag", '"y"')) == {}
    assert of(("ETag", "x" * 2_000)) == {}


@pytest.mark.parametrize("version", ["page", "changed"])
def test_a_lost_page_goes_with_what_came_of_it_and_is_fetched_again(tmp_path, version):
    topic = fresh_topic()
    grown(tmp_path, topic)
    session = Session(topic, tmp_path)
    fetch_later(session)
    session.close()
    with closing(sqlite3.connect(tmp_path / "crawl.db")) as db:
        url, file, offset, length = db.execute(
            "SELECT url, file, offset, length FROM versions WHERE outcome = ? AND url IN "
            "(SELECT url FROM revisits WHERE outcome = 'changed') ORDER BY seq LIMIT 1",
            [version],
        ).fetchone()
    path = tmp_path / "pages" / file
    data = bytearray(path.read_bytes())
    data[offset : offset + length] = bytes(length)
    path.write_bytes(bytes(data))
    assert check_and_repair(tmp_path, lambda *_: None)[2].is_well
    session = Session(topic, tmp_path)
    again = [session.store.url(pick.id) for pick in session.interrupted]
    assert again == ([url] if version == "page" else [])
    crawl(session)
    session.close()
    with closing(sqlite3.connect(tmp_path / "crawl.db")) as db:
        assert db.execute("SELECT count(*) FROM history WHERE outcome = 'page' AND url = ?", [url]).fetchone() == (1,)
        assert db.execute("SELECT count(*) FROM revisits WHERE outcome = 'changed' AND url = ?", [url]).fetchone() == (
            0,
        )

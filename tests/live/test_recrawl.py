"""Asking once more for pages is part of the journal: a crawl goes on from it as if it had never stopped."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest

from focused.collection.repository import Place, Stored
from focused.collection.snapshot import encode
from focused.collection.store import Store
from focused.crawl.crawl import MOST_DENIED
from focused.exceptions import StorageError
from focused.inspection.checking import check_and_repair
from focused.live.revisits import EarlierAnswer, Revisits, conditions, due_pages
from focused.live.session import Session
from focused.strategies import get_strategy
from focused.topic.topic import Budget, Recrawl, Relevance, Scope, StorageOptions, Topic, Traps
from tests.small_collections import STRATEGIES
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
    del web[url_of(33)]
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
            session.journal.keep(record)
            session.journal.finish(record)
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


@pytest.mark.parametrize("strategy", STRATEGIES)
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
    assert f"again {url_of(33)}" in done
    grow_old(tmp_path)
    session = Session(topic, tmp_path)
    assert f"again {url_of(33)}" not in fetch_later(session)
    session.close()


def test_a_page_that_breaks_off_as_it_is_sent_again_has_not_changed(tmp_path):
    topic = fresh_topic()
    grown(tmp_path, topic)
    session = Session(topic, tmp_path)
    reasons = []
    for body in (lambda text: text[:-3], lambda text: f"{text}<a href='{url_of(200)}'>new</a>"):
        pick = session.next()
        assert pick.id in session.crawl.revisiting
        url = session.revisiting.request(pick.id)[0]
        answer = Stored(url, 200, (("Content-Type", "text/html"),), body(WEB[url]).encode(), truncated="disconnect")
        found = session.fetched(pick.id, answer, "text/html")
        reasons.append(found if isinstance(found, str) else found.outcome)
        if not isinstance(found, str):
            session.journal.finish(found)
    assert reasons == ["response incomplete", "changed"]
    session.close()


def asked_of(session: Session) -> list[str]:
    """Crawl to the end; return the URLs in order."""
    asked = []
    while fetched := fetch_later(session, most=1):
        session.commit()
        asked += fetched
    return asked


@pytest.mark.parametrize(("age", "revisit"), [(1e-9, False), (0.0, True)])
def test_the_hubs_of_the_distiller_are_visited_again_while_the_crawl_goes_on(tmp_path, age, revisit):
    options = {"distill_every": 8, "hubs": 2, "revisit": revisit}
    topic = topic_of(recrawl=Recrawl(age=age), strategy="focused", strategy_options=options, budget=Budget(pages=24))
    session = Session(topic, tmp_path)
    asked = asked_of(session)
    hubs = {f"again {session.store.url(url)}" for url in session.crawl.strategy.hubs}
    session.close()
    again = [url for url in asked if url.startswith("again")]
    assert asked.index(again[0]) > 8
    assert len(set(asked) & later().keys()) == 24  # they take no place in the budget
    assert hubs == set(again[-2:])
    assert session.revisiting.due == session.revisiting.done == len(again)


def test_without_recrawl_only_hubs_are_visited_again_and_only_where_the_strategy_is_told_to(tmp_path):
    options = {"distill_every": 8, "hubs": 2}
    for folder, revisit, most in (("never", False, 0), ("hubs", True, 2 * (24 // 8))):
        topic = topic_of(strategy="focused", strategy_options=options | {"revisit": revisit}, budget=Budget(pages=24))
        session = Session(topic, tmp_path / folder)
        again = [url for url in asked_of(session) if url.startswith("again")]
        session.close()
        assert bool(again) is revisit
        assert len(again) <= most
        session = Session(topic.model_copy(update={"budget": Budget(pages=30)}), tmp_path / folder)
        assert session.revisiting.due == 0  # a crawl that goes on begins with its pages
        session.close()


def test_a_page_is_worth_what_the_strategy_says_of_it_as_a_hub(tmp_path):
    topic = fresh_topic()
    grown(tmp_path, topic)

    def scores(hubs: dict[int, float]) -> dict[int, float]:
        with closing(Store(tmp_path / "crawl.db")) as store:
            return {known.page: known.score for known in due_pages(store, topic.recrawl, datetime.now(UTC), hubs=hubs)}

    with closing(Store(tmp_path / "crawl.db")) as store:
        pages = {row[0] for row in store.execute("SELECT final_url FROM fetches WHERE outcome = 'page'")}
    worthless = min(pages - scores({}).keys())
    assert scores({worthless: 1.0})[worthless] == pytest.approx(max(scores({}).values()), rel=0.01)


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


def first_again(session: Session) -> tuple[int, str]:
    """The id of the page that is asked for once more first, and where it lies."""
    pick = session.next()
    assert pick.id in session.crawl.revisiting
    return pick.id, session.revisiting.request(pick.id)[0]


def outcomes(folder: Path) -> list[tuple[str, str]]:
    with closing(sqlite3.connect(folder / "crawl.db")) as db:
        return db.execute("SELECT outcome, reason FROM revisits ORDER BY seq").fetchall()


def test_a_page_that_sends_its_visitors_to_a_known_one_is_gone_only_if_it_says_for_good(tmp_path):
    topic = fresh_topic()
    grown(tmp_path, topic)
    session = Session(topic, tmp_path)
    for status in (302, 301, None):
        page, url = first_again(session)
        target = next(seed for seed in topic.seeds if seed != url)
        assert session.redirected(page, target, status)
    page, _ = first_again(session)
    waits = session.store.url(int(session.crawl.frontier.best()))
    assert session.redirected(page, waits, 301)
    page, url = first_again(session)
    assert session.redirected(page, url, 302) is None  # back to itself, with a cookie: it is followed
    session.close()
    assert [outcome for outcome, _ in outcomes(tmp_path)] == ["missed", "gone", "missed", "missed"]


def test_where_a_page_had_moved_to_is_known_to_no_event(tmp_path):
    """Or a crawl would stand elsewhere after a kill, which knows only what is in the journal."""
    topic = fresh_topic()
    grown(tmp_path, topic)
    session = Session(topic, tmp_path)
    page, url = first_again(session)
    moved = url_of(777)
    assert session.redirected(page, moved, 301) is None
    same = session.revisiting._kept(session.revisiting.waiting.under_way[page])
    assert session.fetched(page, Stored(moved, 200, same.headers, same.body), "text/html") == "the same bytes"
    page, url = first_again(session)
    body = f'<p>solar energy and more of it</p><a href="{moved}">moved</a>'.encode()
    record = session.fetched(page, Stored(url, 200, (("Content-Type", "text/html"),), body), "text/html")
    assert [link.url for link in record.arrival.visit.links] == [moved]
    session.journal.keep(record)
    session.journal.finish(record)
    session.commit()
    stood = encode(session.crawl.snapshot())
    session.collection.close()
    with closing(sqlite3.connect(tmp_path / "crawl.db")) as db, db:
        db.execute("DELETE FROM snapshots")
    session = Session(topic, tmp_path)
    assert encode(session.crawl.snapshot()) == stood
    session.close()


def test_a_page_of_a_request_of_the_users_own_is_not_asked_for_again(tmp_path):
    topic = fresh_topic()
    grown(tmp_path, topic)
    with closing(sqlite3.connect(tmp_path / "crawl.db")) as db, db:
        db.execute("INSERT INTO requests SELECT 100000 + p.seq, p.url, 1.0, NULL FROM picks p")
        assert db.execute("SELECT count(*) FROM requests").fetchone()[0]
    with closing(Store(tmp_path / "crawl.db", read_only=True)) as store:
        assert due_pages(store, topic.recrawl, datetime.now(UTC)) == []


def test_a_new_version_that_a_kill_kept_from_the_database_is_not_taken_for_the_old_one(tmp_path):
    topic = fresh_topic(storage=StorageOptions(pages="files"))
    grown(tmp_path, topic)
    session = Session(topic, tmp_path)
    page, url = first_again(session)
    answer = Stored(url, 200, (("Content-Type", "text/html"), ("ETag", '"new"')), f"{WEB[url]}<p>and more".encode())
    session.repository.put(answer, datetime.now(UTC))  # and then the process was killed
    assert session.revisiting.request(page) == (url, {})
    assert not isinstance(session.fetched(page, answer, "text/html"), str)
    session.close()


def test_a_run_that_only_asks_again_takes_snapshots_too(tmp_path):
    topic = fresh_topic(budget=Budget(pages=20))
    grown(tmp_path, topic)
    session = Session(topic, tmp_path, snapshot_every=3)
    fetch_later(session)
    events = session.store.snapshot_event()
    session.commit()
    assert session.store.snapshot_event() > events
    session.close()


def known(page: int, host: int = 0, score: float = 0.5, tried: float = 0.0) -> EarlierAnswer:
    place = Place("", 0, 0)
    return EarlierAnswer(page, page, 1, host, 0.5, "", "text/html", place, False, 0.0, 0.0, tried, score=score)


def yes(_: int) -> bool:
    return True


def no(_: int) -> bool:
    return False


def test_the_best_comes_first_and_a_busy_host_lets_others_go_ahead():
    waiting = Revisits([known(1, 0, 0.9), known(2, 0, 0.8), known(3, 1, 0.1)])
    assert [waiting.next(no, yes).page, waiting.next(lambda host: host == 0, yes).page] == [1, 3]
    assert waiting.next(yes, yes) is None
    assert (waiting.next(no, yes).page, len(waiting)) == (2, 0)


def test_only_so_many_are_asked_for():
    waiting = Revisits([known(page, score=page / 10) for page in range(1, 9)], most=2)
    assert [waiting.next(no, yes).page for _ in range(2)] == [8, 7]
    assert waiting.next(no, yes) is None


def test_pages_may_be_added_which_wait_once_and_within_the_limit():
    waiting = Revisits([known(1, score=0.5), known(2, score=0.4)], most=3)
    assert waiting.next(no, yes).page == 1
    assert waiting.add([known(1), known(2), known(3, score=0.9), known(4, host=1, score=0.1)]) == 1
    assert [waiting.next(no, yes).page for _ in range(2)] == [3, 2]
    assert (waiting.next(no, yes), waiting.add([known(5)])) == (None, 0)


def test_pages_that_gave_none_the_last_time_let_the_others_go_first():
    waiting = Revisits([known(1, score=0.9, tried=5.0), known(2, score=0.1), known(3, score=0.2)])
    assert [waiting.next(no, yes).page for _ in range(3)] == [3, 2, 1]


def test_only_some_hosts_are_looked_up_before_others_have_their_turn():
    waiting, asked = Revisits([known(page, host=page) for page in range(500)]), []
    assert waiting.next(no, lambda host: bool(asked.append(host))) is None
    assert len(asked) == MOST_DENIED
    assert len(waiting) == 500


def test_a_host_that_is_denied_now_does_not_ask(tmp_path):
    topic = fresh_topic()
    grown(tmp_path, topic)
    hosts = ("host1.example", "host2.example", "host3.example")
    session = Session(topic.model_copy(update={"scope": Scope(denied_hosts=hosts)}), tmp_path)
    seeds = {f"again {seed}" for seed in topic.seeds}
    asked = {url for url in fetch_later(session) if url.startswith("again")}
    session.close()
    assert asked & seeds
    assert not [url for url in asked - seeds if any(host in url for host in hosts)]


def test_a_host_that_never_answers_is_asked_three_times():
    waiting = Revisits([known(page, host=0) for page in range(9)] + [known(20, host=1, score=0.1)])
    asked = []
    while (page := waiting.next(no, yes)) is not None:
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
                "rendered, plain_file, plain_offset, plain_length, NULL, NULL, NULL "
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

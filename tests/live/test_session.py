"""A session writes down all that the core decides, and a crawl goes on from any commit as if it had never stopped."""

from __future__ import annotations

import re
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from scrapy import Request, Spider

from focused.collection.migrations import STEPS
from focused.collection.repository import Stored
from focused.collection.snapshot import encode
from focused.collection.store import Store
from focused.crawl.events import Aliased, Failed, OrderGiven, PageArrived, Picked
from focused.crawl.standing_orders import Order, OrderKind
from focused.exceptions import StorageError
from focused.live.last_run import topic_of_last_run
from focused.live.own_requests import OwnRequests, saved_form
from focused.live.session import Session
from focused.page.urls import UrlRules
from focused.papers.training.examples import OTHER, RELEVANT
from focused.strategies import get_strategy
from focused.topic.topic import Budget, FrontierOptions, ReadingOptions, Relevance, Scope, StorageOptions, Traps
from tests.small_collections import STRATEGIES
from tests.small_web import WEB, crawl, fetch, name_backlinks, topic_of, url_of
from tests.training.models import save_toy_model


def crash(session: Session) -> None:
    """Lose everything that is not on disk, as kill -9 does."""
    session.collection.close()


def rows(folder: Path, query: str) -> list[tuple]:
    db = sqlite3.connect(folder / "crawl.db")
    try:
        return db.execute(query).fetchall()
    finally:
        db.close()


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_from_any_commit_the_picks_are_those_of_an_undisturbed_crawl(tmp_path, strategy):
    topic, models = topic_of(strategy=strategy), tmp_path / "models"
    options = {}
    if get_strategy(strategy).needs_model:
        options["model"] = save_toy_model(strategy, models)
    if "reorder_every" in get_strategy(strategy).Options.model_fields:
        options["reorder_every"] = 5  # so that it happens in a small web
    topic = topic.model_copy(update={"strategy_options": options})
    whole = Session(topic, tmp_path / "whole", models=models)
    expected = crawl(whole)
    whole.close()
    for cut in range(0, len(expected), 13):
        folder = tmp_path / f"cut{cut}"
        session = Session(topic, folder, snapshot_every=7, models=models)
        done = crawl(session, cut)
        session.commit()
        crawl(session, 3)  # happened, but is not on disk
        crash(session)
        session = Session(topic, folder, snapshot_every=7, models=models)
        assert done + crawl(session) == expected
        session.close()


def test_a_crawl_that_was_killed_is_in_the_hurry_that_it_was_in(tmp_path, monkeypatch):
    clock = [0.0]
    monkeypatch.setattr("focused.live.clocks.monotonic", lambda: clock[0])
    topic = topic_of(strategy="adaptive", budget=Budget(pages=30, hours=1))
    session = Session(topic, tmp_path)
    crawl(session, 10)
    clock[0] += 1260  # at a third of its pages 1200 would be in time
    session.commit()
    expected = session.next()
    hurry = session.crawl.world.hurry
    assert 0.1 < hurry < 0.9
    crash(session)
    clock[0] += 10_000  # between the runs, which does not count
    session = Session(topic, tmp_path)
    assert session.next() == expected
    assert session.crawl.world.hurry == pytest.approx(hurry)
    session.close()


@pytest.mark.parametrize("strategy", ["adaptive", "best_first", "breadth_first"])
def test_from_any_commit_the_defences_against_traps_stand_where_they_stood(tmp_path, strategy):
    topic = topic_of(strategy=strategy, traps=Traps(least_new=1.0))  # its pages say little
    whole = Session(topic, tmp_path / "whole")
    expected, dropped = crawl(whole), dict(whole.journal.drops)
    verdicts = rows_of(whole)
    whole.close()
    assert any("nothing new" in reason for reason in dropped)
    for cut in range(0, len(expected), 13):
        session = Session(topic, tmp_path / f"cut{cut}", snapshot_every=7)
        done = crawl(session, cut)
        session.commit()
        crawl(session, 3)  # happened, but is not on disk
        crash(session)
        session = Session(topic, tmp_path / f"cut{cut}", snapshot_every=7)
        assert done + crawl(session) == expected
        session.commit()
        assert rows_of(session) == verdicts
        session.close()


def rows_of(session: Session) -> list[tuple[Any, ...]]:
    """What is on record of pages, and why URLs were turned away."""
    session.commit()
    history = session.store.execute("SELECT url, outcome, verdict, relevant FROM history ORDER BY seq").fetchall()
    return history + session.store.execute("SELECT url, reason FROM drops ORDER BY url").fetchall()


@given(steps=st.lists(st.sampled_from(["fetch", "fetch", "fetch", "commit", "crash", "pick"]), max_size=60))
@settings(max_examples=settings.default.max_examples // 2, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_whatever_happens_every_page_is_fetched_and_on_record_once(tmp_path_factory, steps):
    folder = tmp_path_factory.mktemp("crawl")
    session = Session(topic_of(strategy="dom"), folder, snapshot_every=5)
    for step in [*steps, "crash"]:
        if step == "fetch":
            fetch(session)
        elif step == "pick":
            session.next()  # under way when the crash comes
        elif step == "commit":
            session.commit()
        else:
            crash(session)
            session = Session(topic_of(strategy="dom"), folder, snapshot_every=5)
    crawl(session)
    session.close()
    fetched = [url for (url,) in rows(folder, "SELECT url FROM history WHERE outcome = 'page'")]
    assert sorted(fetched) == sorted(WEB)
    linked = set(re.findall(r'href="(.*?)"', "".join(WEB.values())))
    assert {url for (url,) in rows(folder, "SELECT url FROM urls")} == linked | set(WEB)
    assert rows(folder, "SELECT key, count(*) FROM urls GROUP BY key HAVING count(*) > 1") == []


def test_every_column_of_the_history_is_filled(tmp_path):
    session = Session(topic_of(), tmp_path)
    crawl(session)
    session.close()
    row = sqlite3.connect(tmp_path / "crawl.db")
    row.row_factory = sqlite3.Row
    page = dict(row.execute("SELECT * FROM history WHERE outcome = 'page' AND depth = 1").fetchone())
    row.close()
    empty = {
        "signals",
        "reason",
        "duplicate_of",
        "verdict",
        "language",
        "rendered",
        "plain_file",
        "plain_offset",
        "plain_length",
    }
    assert {name for name, value in page.items() if value in (None, "")} == empty
    assert page["found_on"] in WEB
    assert rows(tmp_path, "SELECT reason, stop, ended IS NOT NULL FROM runs") == [("finished", "finished", 1)]
    assert rows(tmp_path, "SELECT count(*) FROM links")[0][0] == sum(
        text.count("href=") - text.count(f'href="{url}"') for url, text in WEB.items()
    )


@pytest.mark.parametrize(
    "change",
    [
        {"strategy": "breadth_first"},
        {"strategy": "dom", "strategy_options": {"alpha": 0.9}},
        {"keywords": ("football", "energy")},
        {"scope": Scope(deny=("host3",))},
        {"frontier": FrontierOptions(cap=5)},
        {"relevance": Relevance(threshold=0.9)},
        {"reading": ReadingOptions(levels_up=3)},
        {"reading": ReadingOptions(stemming=False)},
    ],
)
def test_a_changed_topic_rescores_what_waits_as_if_it_had_been_so_from_the_start(tmp_path, change):
    before, after = topic_of(strategy="dom"), topic_of(**{"strategy": "dom", **change})
    session = Session(before, tmp_path / "changed", snapshot_every=5)
    done = crawl(session, 15)
    session.close()
    session = Session(after, tmp_path / "changed")
    replayed = Session(after, tmp_path / "replayed")
    replay(replayed, done)
    for ours, theirs in zip(session.crawl.frontier.waiting(), replayed.crawl.frontier.waiting(), strict=True):
        assert ours.tolist() == theirs.tolist()
    relevant = rows(tmp_path / "changed", "SELECT sum(relevant) FROM fetches")[0][0]
    assert relevant == replayed.crawl.totals.relevant == session.crawl.totals.relevant
    assert sorted([*done, *crawl(session)])
    session.close()
    crash(replayed)


@pytest.mark.parametrize(("strategy", "replayed"), [("context_graph", True), ("dom", False)])
def test_another_page_budget_replays_the_journal_of_a_strategy_that_divides_it(tmp_path, caplog, strategy, replayed):
    """Else what it decides in the events after the snapshot would differ from what it decided live."""
    caplog.set_level("INFO")
    for pages in (100, 100, 50):
        session = Session(topic_of(strategy=strategy, budget=Budget(pages=pages)), tmp_path, snapshot_every=5)
        assert ("Rescoring all pages: [budget] pages changed" in caplog.text) == (replayed and pages == 50)
        assert session.crawl.world.page_budget == pages
        crawl(session, 3)
        session.close()


def replay(session: Session, done: list[str]) -> None:
    """Let the core of a new session take these URLs, whatever it would take itself."""
    for url in done:
        pick = session.crawl.apply(Picked(session.crawl.urls.find(session.reader.rules.key(url)))).picked
        page = session.reader.read(url, WEB.get(url, "").encode(), "text/html")
        if url in WEB:
            session.crawl.apply(PageArrived(pick.id, page, len(WEB[url])))
        else:
            session.crawl.apply(Failed(pick.id))


@pytest.mark.parametrize("strategy", ["dom", "best_first"])
def test_what_was_turned_away_and_where_urls_were_found_outlives_a_crash_and_a_change(tmp_path, strategy):
    topic = topic_of(strategy="dom", scope=Scope(denied_hosts=("host3.example",)))
    session = Session(topic, tmp_path)
    crawl(session, 20)
    session.commit()
    drops = rows(tmp_path, "SELECT url, reason FROM drops ORDER BY url")
    assert drops
    found = found_of(session)
    crash(session)
    session = Session(topic.model_copy(update={"strategy": strategy}), tmp_path)
    assert rows(tmp_path, "SELECT url, reason FROM drops ORDER BY url") == drops
    depths, sources = found_of(session)
    turned_away = [url for url, _ in drops]
    assert depths[turned_away].tolist() == found[0][turned_away].tolist()
    assert sources[turned_away].tolist() == found[1][turned_away].tolist()
    session.close()


def found_of(session):
    """Depth and source of all URLs."""
    urls = session.crawl.urls
    return urls.depth.values[: len(urls)].copy(), urls.source.values[: len(urls)].copy()


def test_a_snapshot_of_other_code_is_made_anew_from_the_pages(tmp_path, caplog):
    session = Session(topic_of(), tmp_path)
    crawl(session, 15)
    session.close()
    before = session.crawl.frontier.waiting()
    change = sqlite3.connect(tmp_path / "crawl.db", isolation_level=None)
    change.execute("UPDATE snapshots SET version = '0.1.0+0123456789', state = ?", (encode({"of": "another shape"}),))
    change.close()
    caplog.set_level("INFO")
    session = Session(topic_of(), tmp_path)
    assert "Rescoring all pages: what focused keeps of a crawl changed" in caplog.text
    for ours, theirs in zip(session.crawl.frontier.waiting(), before, strict=True):
        assert ours.tolist() == theirs.tolist()
    session.close()
    caplog.clear()
    Session(topic_of(), tmp_path).close()
    assert "Rescoring" not in caplog.text


def test_a_model_that_was_trained_anew_under_its_name_rescores_what_waits(tmp_path, caplog):
    models = tmp_path / "models"
    options = {"model": save_toy_model("rl_spider", models)}
    topic = topic_of(strategy="rl_spider", strategy_options=options)
    session = Session(topic, tmp_path / "crawl", models=models)
    done = crawl(session, 15)
    session.close()
    before = session.crawl.frontier.waiting()
    caplog.set_level("INFO")
    Session(topic, tmp_path / "crawl", models=models).close()
    assert "Rescoring" not in caplog.text
    save_toy_model("rl_spider", models, relevant=OTHER, other=RELEVANT)
    session = Session(topic, tmp_path / "crawl", models=models)
    assert "Rescoring all pages: the trained model changed" in caplog.text
    replayed = Session(topic, tmp_path / "replayed", models=models)
    replay(replayed, done)
    after = session.crawl.frontier.waiting()
    for ours, theirs in zip(after, replayed.crawl.frontier.waiting(), strict=True):
        assert ours.tolist() == theirs.tolist()
    assert before[1].tolist() != after[1].tolist()
    session.close()
    crash(replayed)


def test_a_run_of_an_older_release_did_not_say_which_model_it_used_and_is_not_rescored_for_it(tmp_path, caplog):
    Session(topic_of(), tmp_path).close()
    change = sqlite3.connect(tmp_path / "crawl.db", isolation_level=None)
    change.execute("UPDATE runs SET model = NULL")
    change.close()
    caplog.set_level("INFO")
    Session(topic_of(), tmp_path).close()
    assert "Rescoring" not in caplog.text


def test_options_that_an_older_release_did_not_have_are_no_change(tmp_path, caplog):
    Session(topic_of(), tmp_path).close()
    change = sqlite3.connect(tmp_path / "crawl.db", isolation_level=None)
    for option in "$.scope.max_url_length", "$.reading.stemming", "$.reading.strip_parameters":
        change.execute("UPDATE runs SET topic = json_remove(topic, ?)", (option,))
    change.close()
    caplog.set_level("INFO")
    Session(topic_of(), tmp_path).close()
    assert "Rescoring" not in caplog.text


def test_options_that_an_earlier_version_had_are_scored_without_once_and_read_without(tmp_path, caplog):
    Session(topic_of(), tmp_path).close()
    change = sqlite3.connect(tmp_path / "crawl.db", isolation_level=None)
    for option in "$.traps.parameters", "$.traps.variants", "$.questions.every":
        change.execute("UPDATE runs SET topic = json_set(topic, ?, json('true'))", (option,))
    change.close()
    with closing(Store(tmp_path / "crawl.db", read_only=True)) as store:
        assert topic_of_last_run(store).traps == topic_of().traps
    caplog.set_level("INFO")
    Session(topic_of(), tmp_path).close()
    assert "Rescoring all pages: [traps] parameters, [traps] variants changed" in caplog.text
    caplog.clear()
    Session(topic_of(), tmp_path).close()
    assert "Rescoring" not in caplog.text


def test_new_seeds_are_added_and_old_ones_not_fetched_again(tmp_path):
    session = Session(topic_of(seeds=(url_of(39),), scope=Scope(allowed_hosts=("host4.example",))), tmp_path)
    first = crawl(session)
    session.close()
    wider = topic_of(seeds=(url_of(39), url_of(1)), scope=Scope(allowed_hosts=("host4.example",)))
    session = Session(wider, tmp_path)
    second = crawl(session)
    session.close()
    assert second[0] == url_of(1)
    assert not set(first) & set(second)


def test_the_budget_is_a_total_over_all_runs(tmp_path):
    counts = []
    for pages in (10, 10, 15):
        session = Session(topic_of(budget=Budget(pages=pages)), tmp_path)
        counts.append(sum(url in WEB for url in crawl(session)))
        assert "page budget reached" in session.stop().sentence
        session.close()
    assert counts == [10, 0, 5]


@pytest.mark.parametrize(
    ("change", "word"),
    [
        ({"reading": ReadingOptions(fold_index=True)}, "fold_index"),
        ({"storage": StorageOptions(pages="files")}, "pages"),
    ],
)
def test_what_cannot_be_continued_is_refused_in_one_line(tmp_path, change, word):
    session = Session(topic_of(), tmp_path)
    crawl(session, 5)
    session.close()
    with pytest.raises(StorageError) as refusal:
        Session(topic_of(**change), tmp_path)
    assert word in str(refusal.value)
    assert "fresh=true" in str(refusal.value)
    assert "\n" not in str(refusal.value)
    Session(topic_of(), tmp_path).close()


def test_a_second_crawl_of_the_same_topic_is_refused(tmp_path):
    session = Session(topic_of(), tmp_path)
    with pytest.raises(StorageError, match="another crawl of this topic is running"):
        Session(topic_of(), tmp_path)
    session.close()


def test_a_fresh_start_keeps_the_previous_collection(tmp_path):
    session = Session(topic_of(), tmp_path)
    done = crawl(session, 5)
    session.close()
    (tmp_path / "audit.csv").write_text("judged")
    session = Session(topic_of(), tmp_path, fresh=True)
    assert crawl(session, 5) == done
    session.close()
    assert rows(tmp_path / "previous", "SELECT count(*) FROM runs") == [(1,)]
    assert (tmp_path / "previous" / "audit.csv").read_text() == "judged"
    assert not (tmp_path / "audit.csv").exists()
    assert rows(tmp_path, "SELECT count(*) FROM runs") == [(1,)]


def test_a_database_from_before_0_2_is_refused_in_one_line(tmp_path):
    Session(topic_of(), tmp_path).close()
    db = sqlite3.connect(tmp_path / "crawl.db")
    db.execute("PRAGMA user_version = 14")
    db.commit()
    db.close()
    for read_only in (True, False):
        with pytest.raises(StorageError, match=r"crawl.db: written before release 0.2, which .*: -a fresh=true$"):
            Store(tmp_path / "crawl.db", read_only=read_only)


def test_an_older_database_is_not_read_before_a_crawl_has_brought_it_up_to_date(tmp_path, monkeypatch):
    Session(topic_of(), tmp_path).close()
    monkeypatch.setattr("focused.collection.migrations.STEPS", (*STEPS, lambda _: None))
    with pytest.raises(StorageError, match=r"older release .* run its crawl once more"):
        Store(tmp_path / "crawl.db", read_only=True)


def test_a_database_of_a_newer_release_is_refused(tmp_path):
    Session(topic_of(), tmp_path).close()
    db = sqlite3.connect(tmp_path / "crawl.db")
    db.execute("PRAGMA user_version = 99")
    db.close()
    with pytest.raises(StorageError, match="newer release"):
        Session(topic_of(), tmp_path)


def test_a_damaged_database_is_refused(tmp_path):
    (tmp_path / "crawl.db").write_bytes(b"this is no database" * 1000)
    with pytest.raises(StorageError, match="not a database"):
        Session(topic_of(), tmp_path)


def test_a_redirect_to_a_known_url_is_an_alias(tmp_path):
    session = Session(topic_of(), tmp_path)
    first = session.next()
    waiting = url_of(7)
    assert session.redirected(first.id, waiting, 301) is not None
    assert [url for url in crawl(session) if url == waiting] == [waiting]
    session.close()
    assert rows(tmp_path, "SELECT url, final_url FROM history WHERE outcome = 'alias'") == [(url_of(0), waiting)]


def test_the_target_of_a_redirect_is_not_picked_meanwhile_and_is_free_again_if_it_fails(tmp_path):
    session = Session(topic_of(), tmp_path)
    first = session.next()
    assert session.redirected(first.id, url_of(1), 302) is None
    second = session.next()
    stored = Stored(url_of(7), 200, (), f'<a href="{url_of(1)}">x</a>'.encode())
    record = session.fetched(second.id, stored, "text/html")
    session.journal.finish(record)
    assert session.next() is None
    session.failed(first.id, "timeout")
    crash(session)


@pytest.mark.parametrize("arrives", [True, False])
def test_after_a_restart_the_core_stands_where_the_live_one_stood_also_after_redirects(tmp_path, arrives):
    target = url_of(9)
    session = Session(topic_of(seeds=(url_of(0),)), tmp_path)
    first = session.next()
    assert session.redirected(first.id, target, 302) is None
    if arrives:
        stored = Stored(target, 200, (("Content-Type", "text/html"),), WEB[target].encode())
        record = session.fetched(first.id, stored, "text/html")
        session.journal.keep(record)
        session.journal.finish(record)
    else:
        session.failed(first.id, "http 404", 404)
    session.commit()
    stood = encode(session.crawl.snapshot())
    crash(session)
    session = Session(topic_of(seeds=(url_of(0),)), tmp_path)
    assert encode(session.crawl.snapshot()) == stood
    session.close()


def test_a_redirect_out_of_scope_is_not_followed(tmp_path):
    session = Session(topic_of(scope=Scope(denied_hosts=("host1.example",))), tmp_path)
    first = session.next()
    assert "host denied" in session.redirected(first.id, url_of(1), 302)
    session.close()
    assert rows(tmp_path, "SELECT reason FROM failures") == [("redirects out of scope: host denied",)]


SPIDER = Spider(name="own")
FORM = Request(
    "http://own.example/form", method="POST", body=b"\xff", meta={"n": [1, None], 2: "two"}, cookies={"a": "b"}
)


def test_requests_of_the_users_own_survive_a_crash(tmp_path):
    session = Session(topic_of(), tmp_path)
    address = session.reader.rules.address("http://own.example/form")
    assert session.request(address, 5.0, saved_form(FORM, SPIDER)) is not None
    session.commit()
    crash(session)
    session = Session(topic_of(), tmp_path)
    pick = session.next()
    assert session.store.url(pick.id) == "http://own.example/form"
    request = session.own_requests.take(pick.id, "own.example", SPIDER)
    assert request is not None
    assert request.to_dict(spider=SPIDER) == FORM.to_dict(spider=SPIDER)
    assert session.own_requests.take(pick.id, "own.example", SPIDER) is None
    crash(session)


def test_what_a_person_asks_for_and_does_not_get_is_on_record_and_told_once(tmp_path, caplog):
    """Seeds beyond the cap, requests into a full frontier, requests and seeds on a host that a person has denied."""
    seeds = tuple(f"http://host{number}.example/" for number in range(4))
    topic = topic_of(seeds=seeds, strategy="breadth_first", frontier=FrontierOptions(cap=2))
    session = Session(topic, tmp_path)
    rules = session.reader.rules

    def ask(url):
        outcome = session.request(rules.address(url), 5.0, None)
        return outcome.drops and session.has_dropped(outcome)

    assert [ask(f"http://own.example/{number}") for number in range(2)] == [True, True]
    session.apply(Picked(session.crawl.frontier.best()))
    session.apply(OrderGiven(Order(OrderKind.DENY_HOST, argument="own.example")))
    assert [ask("http://own.example/2"), ask("http://host9.example/")] == [True, []]
    session.close()
    session = Session(topic.model_copy(update={"seeds": (*seeds, "http://own.example/seed")}), tmp_path)
    session.close()
    full, denied = "the frontier is full", "host denied by a person"
    assert dict(rows(tmp_path, "SELECT url, reason FROM dropped")) == {
        **dict.fromkeys((*seeds[2:], "http://own.example/0", "http://own.example/1"), full),
        **dict.fromkeys(("http://own.example/2", "http://own.example/seed"), denied),
    }
    told = [message.partition(";")[0] for message in caplog.messages if "was asked for" in message]
    assert told == [
        f"{seeds[2]} was asked for and is not fetched: {full}",
        f"http://own.example/2 was asked for and is not fetched: {denied}",
        f"http://own.example/seed was asked for and is not fetched: {denied}",
    ]


def test_seeds_that_a_frontier_evicts_are_told_before_anything_is_fetched(tmp_path, caplog):
    seeds = tuple(f"http://host{number}.example/" for number in range(4))
    session = Session(topic_of(seeds=seeds, strategy="best_first", frontier=FrontierOptions(cap=2)), tmp_path)
    assert (len(session.crawl.frontier), "host3.example/ was asked for and is not fetched" in caplog.text) == (2, True)
    session.close()


def test_the_target_of_a_redirect_that_finds_no_place_is_on_record(tmp_path):
    session = Session(topic_of(strategy="breadth_first", frontier=FrontierOptions(cap=2)), tmp_path)
    address = session.reader.rules.address("http://late.example/")
    first = session.next()
    session.crawl.naming.meet([address])
    for number in range(2):
        session.request(session.reader.rules.address(f"http://own.example/{number}"), 5.0, None)
    session.apply(Aliased(first.id, address))
    session.close()
    assert ("http://late.example/", "the frontier is full") in rows(tmp_path, "SELECT url, reason FROM dropped")


def test_answers_of_a_search_come_through_a_full_frontier(tmp_path):
    session = Session(topic_of(strategy="breadth_first", frontier=FrontierOptions(cap=2)), tmp_path)
    feed = b'<feed xmlns="http://www.w3.org/2005/Atom"><entry><link href="http://found.example/"/></entry></feed>'
    session.found(session.reader.rules.address("http://search.invalid/1"), feed)
    session.close()
    assert rows(tmp_path, "SELECT outcome FROM fetches") == [("list",)]


def test_pages_without_a_database_are_neither_cut_off_nor_lost(tmp_path):
    session = Session(topic_of(), tmp_path)
    crawl(session, 5)
    session.close()
    pages = (tmp_path / "pages" / "pages-00001.warc.gz").read_bytes()
    (tmp_path / "crawl.db").unlink()
    with pytest.raises(StorageError, match=r"pages but no crawl\.db"):
        Session(topic_of(), tmp_path)
    Session(topic_of(), tmp_path, fresh=True).close()
    assert (tmp_path / "previous" / "pages" / "pages-00001.warc.gz").read_bytes() == pages


@pytest.mark.parametrize("statement", ["", "CREATE TABLE others (id)"])
def test_pages_that_a_database_does_not_know_are_neither_cut_off_nor_lost(tmp_path, statement):
    session = Session(topic_of(), tmp_path)
    crawl(session, 5)
    session.close()
    pages = (tmp_path / "pages" / "pages-00001.warc.gz").read_bytes()
    (tmp_path / "crawl.db").unlink()
    with closing(sqlite3.connect(tmp_path / "crawl.db")) as db:
        db.execute(statement)
    for _ in range(2):
        with pytest.raises(StorageError, match=r"pages but no crawl\.db that knows them"):
            Session(topic_of(), tmp_path)
    with pytest.raises(StorageError, match="no crawl has written to it"):
        Store(tmp_path / "crawl.db", read_only=True)
    assert (tmp_path / "pages" / "pages-00001.warc.gz").read_bytes() == pages


def test_a_fresh_start_that_collected_nothing_takes_the_place_of_no_pages(tmp_path):
    session = Session(topic_of(), tmp_path)
    crawl(session, 5)
    session.close()
    for _ in range(3):
        session = Session(topic_of(), tmp_path, fresh=True)
        assert session.going_on == "the same command without -a fresh=true goes on"
        session.close()
        assert rows(tmp_path / "previous", "SELECT count(*) FROM fetches") == [(5,)]
    session = Session(topic_of(), tmp_path, fresh=True)
    crawl(session, 2)
    session.close()
    Session(topic_of(), tmp_path, fresh=True).close()
    assert rows(tmp_path / "previous", "SELECT count(*) FROM fetches") == [(2,)]


def test_a_fresh_start_that_was_killed_half_way_loses_nothing(tmp_path):
    session = Session(topic_of(), tmp_path)
    crawl(session, 5)
    session.close()
    (tmp_path / "previous.moving").mkdir()
    (tmp_path / "pages").rename(tmp_path / "previous.moving" / "pages")
    Session(topic_of(), tmp_path, fresh=True).close()
    assert rows(tmp_path / "previous", "SELECT count(*) FROM fetches") == [(5,)]
    assert (tmp_path / "previous" / "pages" / "pages-00001.warc.gz").stat().st_size > 1000


def test_a_strategy_that_fails_ends_the_crawl_and_what_was_committed_goes_on(tmp_path, monkeypatch):
    session = Session(topic_of(strategy="hub_seeking"), tmp_path)
    done = crawl(session, 5)
    session.commit()

    def fails(_):
        raise ZeroDivisionError("by a bug")

    monkeypatch.setattr(session.crawl.strategy, "score", fails)
    with pytest.raises(ZeroDivisionError):
        crawl(session, 1)
    assert "hub_seeking failed on" in session.stop().sentence
    session.close()
    session = Session(topic_of(strategy="hub_seeking"), tmp_path)
    assert set(done) | set(crawl(session)) >= set(WEB)
    session.close()


def test_a_strategy_that_fails_at_a_failure_ends_the_crawl_and_loses_nothing_after_it(tmp_path, monkeypatch):
    session = Session(topic_of(), tmp_path)
    crawl(session, 5)
    pick = session.next()

    def fails(*_):
        raise ZeroDivisionError("by a bug")

    monkeypatch.setattr(session.crawl.strategy, "failed", fails)
    with pytest.raises(ZeroDivisionError):
        session.failed(pick.id, "http 404", 404)
    assert re.search(r"failed on http://host\S+, which gave no page: ZeroDivisionError", session.stop().sentence)
    session.close()
    session = Session(topic_of(), tmp_path)
    assert len(crawl(session)) >= len(WEB) - 5
    session.close()


@pytest.mark.parametrize("of_a_page", [True, False])
def test_an_event_that_cannot_be_written_down_ends_the_crawl_as_nothing_after_it_could_be_committed(
    tmp_path, monkeypatch, of_a_page
):
    session = Session(topic_of(), tmp_path)
    done = crawl(session, 5)
    session.commit()
    with monkeypatch.context() as patch:
        patch.setattr(session.journal, "arrived" if of_a_page else "write", lambda *_: {}["a mistake"])
        with pytest.raises(KeyError):
            fetch(session)
    told = "an event cannot be written down: KeyError: 'a mistake'"
    assert (session.error.sentence, session.stop()) == (told, session.error)
    session.close()
    assert rows(tmp_path, "SELECT reason FROM runs") == [(told,)]
    session = Session(topic_of(), tmp_path)
    asked = [*done, *crawl(session)]
    assert (len(asked), set(asked) >= WEB.keys()) == (len(set(asked)), True)
    session.close()


def test_a_saved_request_that_cannot_be_rebuilt_is_fetched_as_a_page(caplog):
    requests = OwnRequests({7: saved_by(Named("named"))}, UrlRules())
    assert requests.take(7, "own.example", SPIDER) is None
    assert "A saved request cannot be rebuilt" in caplog.text


def saved_by(spider: Named) -> str | None:
    return saved_form(Request("http://own.example/", callback=spider.old), spider)


class Named(Spider):
    def old(self, response):
        """A callback that SPIDER does not have."""


def test_backlinks_that_differ_in_the_order_of_parameters_are_one_url(tmp_path):
    session = Session(topic_of(), tmp_path)
    crawl(session, 3)
    known = session.crawl.urls.find(session.reader.rules.key(url_of(0)))
    name_backlinks(
        session, known, ["http://new.example/?p=1&q=2", "http://new.example/?q=2&p=1", "http://new.example/other"]
    )
    session.commit()
    assert rows(tmp_path, "SELECT max(id) + 1 = count(*) FROM urls") == [(1,)]
    crawl(session)
    session.close()
    assert rows(tmp_path, "SELECT count(*) FROM backlinks") == [(2,)]


def test_a_strategy_that_chooses_what_does_not_wait_ends_the_crawl(tmp_path, monkeypatch):
    session = Session(topic_of(), tmp_path)
    crawl(session, 5)
    fetched = int(rows(tmp_path, "SELECT url FROM seeds")[0][0])
    monkeypatch.setattr(session.crawl.strategy, "choose", lambda _: fetched)
    with pytest.raises(KeyError):
        session.next()
    assert "failed choosing the next URL: KeyError: 'URL 0 does not wait'" in session.stop().sentence
    session.close()

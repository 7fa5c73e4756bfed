"""What the item pipelines store, where those of a user's own drop, change, replace or fail, or ours are off."""

from __future__ import annotations

import json

import pytest

from focused.collection.repository import Stored as Response
from focused.collection.store import DROPPED
from focused.live.session import Session
from tests.crawls.crawling import crawl, end, rows, scrapy
from tests.crawls.mock_web import MockWeb, page, serving
from tests.small_web import WEB, fetch, topic_of, url_of

A = "http://a.example"
KINDS = ("drop", "fail", "wait", "change", "replace", "plain")
ANSWERS = {
    f"{A}/": page("solar", *(f"{A}/{kind}" for kind in KINDS), title="Home"),
    **{f"{A}/{kind}": page(f"solar {kind}", f"{A}/{kind}/next", title=kind) for kind in KINDS},
    **{f"{A}/{kind}/next": page(f"solar after {kind}", title="next") for kind in KINDS},
}
OURS = {"focused.pipelines.StorePages": 100, "focused.pipelines.StoreHistory": 200}
MINE = "tests.crawls.own_spiders.keeping"
ALL = {**OURS, f"{MINE}.Selecting": 50, f"{MINE}.Deferring": 60}


def collect(folder, pipelines, **values):
    with serving(MockWeb(ANSWERS)) as web:
        return crawl(web, folder, [f"{A}/"], settings=(f"ITEM_PIPELINES={json.dumps(pipelines)}",), **values)


def test_what_pipelines_of_ones_own_make_of_a_page_is_what_is_stored(tmp_path):
    ended = collect(tmp_path, ALL)
    assert ended.code == 0, ended.log
    found = {url.removeprefix(f"{A}/"): row for url, *row in rows(
        tmp_path, "SELECT url, outcome, reason, title, file IS NOT NULL, content_hash IS NOT NULL FROM history"
    )}  # fmt: skip
    assert found["drop"] == [DROPPED, "a pipeline dropped it: not wanted: this one", None, 0, 0]
    assert found["fail"] == ["page", None, "fail", 1, 1], "a mistake loses nothing"
    titles = {kind: found[kind][2] for kind in ("wait", "replace", "plain")}
    assert titles == {"wait": "Waited", "replace": "Replaced", "plain": "plain"}
    assert found["change"][0] == "page" and "Changedx" in found["change"][2].replace(" ", "")
    assert len(found["change"][2]) <= 1000
    assert {found[f"{kind}/next"][0] for kind in KINDS} == {"page"}, "links of a dropped page are followed"
    assert "1 that the item pipelines have not stored" in ended.log
    assert end(scrapy("verify", "test", folder=tmp_path)).code == 0


@pytest.mark.parametrize("kept", [[], ["StorePages"], ["StoreHistory"]])
def test_without_our_pipelines_the_crawl_goes_on_and_says_what_is_not_stored(tmp_path, kept):
    off = {name: (place if name.rpartition(".")[2] in kept else None) for name, place in OURS.items()}
    for pages in (3, 0):
        ended = collect(tmp_path, off, pages=pages)
        assert (ended.code, ended.plain) == (0, True), ended.log
        assert all((f"{name} is off" in ended.log) == (name not in kept) for name in ("StorePages", "StoreHistory"))
    found = rows(
        tmp_path, "SELECT outcome, count(DISTINCT url), count(file), count(title), count(relevance) FROM history"
    )
    count = len(ANSWERS)
    assert found == [(DROPPED, count, count * ("StorePages" in kept), count * ("StoreHistory" in kept), count)]
    for command in ("verify test", "report test", "show test", f"explain test {A}/plain", "search test solar"):
        assert "Traceback" not in end(scrapy(*command.split(), folder=tmp_path)).log
    for command in ("export test all.jsonl", "news test"):
        assert "Traceback" not in end(scrapy(*command.split(), folder=tmp_path)).log


def dropping(session: Session) -> str | None:
    """Fetch the next page; every third one is dropped."""
    pick = session.interrupted.pop(0) if session.interrupted else session.next()
    if pick is None or (url := session.store.url(pick.id)) not in WEB or pick.id % 3:
        if pick is not None:
            session.interrupted.insert(0, pick)
        return fetch(session)
    body = Response(url, 200, (("Content-Type", "text/html"),), WEB[url].encode())
    record = session.fetched(pick.id, body, "text/html")
    if not isinstance(record, str):
        session.journal.drop(record, "a pipeline dropped it")
    return url


@pytest.mark.parametrize("snapshot_every", [1, 1000])
def test_a_killed_crawl_goes_on_as_if_nothing_had_happened_whatever_was_dropped(tmp_path, snapshot_every):
    whole = Session(topic_of(), tmp_path / "whole" / "test")
    order = [url for _ in range(30) if (url := dropping(whole))]
    whole.close()
    again = []
    for _ in range(10):
        session = Session(topic_of(), tmp_path / "killed" / "test", snapshot_every=snapshot_every)
        again += [url for _ in range(3) if (url := dropping(session))]
        session.commit()
        session.collection.close()
    assert again == order
    query = "SELECT url, outcome, title FROM history ORDER BY seq"
    assert rows(tmp_path / "killed", query) == rows(tmp_path / "whole", query)


def test_a_page_in_the_pipelines_at_a_kill_is_fetched_again_and_stored_once(tmp_path):
    session = Session(topic_of(), tmp_path / "test")
    pick = session.next()
    body = Response(url_of(0), 200, (("Content-Type", "text/html"),), WEB[url_of(0)].encode())
    session.journal.keep(session.fetched(pick.id, body, "text/html"))
    session.commit()
    session.collection.close()
    session = Session(topic_of(), tmp_path / "test")
    assert [one.id for one in session.interrupted] == [pick.id]
    fetch(session)
    session.close()
    assert rows(tmp_path, "SELECT count(*), count(DISTINCT offset) FROM history") == [(1, 1)]

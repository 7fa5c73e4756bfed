"""Sitemaps, feeds and answers of searches lead a crawl on, and are no pages of it."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from focused.collection.repository import Stored
from focused.live.session import Session
from focused.page.media_types import ATOM
from focused.strategies import get_strategy
from focused.topic.topic import Budget, Sources, Traps
from tests.small_collections import STRATEGIES
from tests.small_web import crawl, fetch, topic_of, url_of

SITEMAP = "http://host0.example/sitemap.xml"
ANSWER = "http://search.invalid/?q=solar"


def listed(*numbers: int) -> bytes:
    return f"<urlset>{''.join(f'<url><loc>{url_of(number)}</loc></url>' for number in numbers)}</urlset>".encode()


def feed(*numbers: int) -> bytes:
    entries = (
        f"<entry><title>solar panel {number}</title><link href='{url_of(number)}'/></entry>" for number in numbers
    )
    return f"<feed><title>solar</title>{''.join(entries)}</feed>".encode()


def rows(folder: Path, query: str) -> list[Any]:
    with closing(sqlite3.connect(folder / "crawl.db")) as db:
        return db.execute(query).fetchall()


def test_a_seed_that_is_a_sitemap_gives_its_links(tmp_path: Path) -> None:
    session = Session(topic_of(seeds=(SITEMAP,)), tmp_path)
    pick = session.next()
    assert pick is not None
    said = session.fetched(pick.id, Stored(SITEMAP, 200, (("Content-Type", "text/xml"),), listed(5, 10, 3)), "text/xml")
    assert said == "a sitemap, of which only the links are taken"
    assert session.crawl.totals.pages == 0
    urls = crawl(session)
    assert {url_of(5), url_of(10)} <= set(urls)
    assert url_of(3) != urls[0]  # of another host, for which this sitemap cannot speak
    session.close()
    assert rows(tmp_path, "SELECT outcome, kind, relevant FROM fetches WHERE seq = 3") == [("list", "sitemap", 0)]
    assert rows(tmp_path, f"SELECT count(*) FROM links JOIN urls ON id = page WHERE url = '{SITEMAP}'") == [(2,)]


def test_traps_let_the_links_of_a_list_pass(tmp_path: Path) -> None:
    session = Session(topic_of(traps=Traps()), tmp_path)
    session.found(session.reader.rules.address(ANSWER), feed(33, 34))
    session.commit()
    waiting = {session.store.url(url) for url in session.crawl.frontier.ids().tolist()}
    assert {url_of(33), url_of(34)} <= waiting
    session.close()


def test_xml_that_is_no_list_is_out_of_scope_as_before(tmp_path: Path) -> None:
    session = Session(topic_of(seeds=(SITEMAP,)), tmp_path)
    pick = session.next()
    assert pick is not None
    said = session.fetched(pick.id, Stored(SITEMAP, 200, (("Content-Type", "text/xml"),), b"<data/>"), "text/xml")
    assert said == "content type text/xml out of scope"
    session.close()


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_links_that_were_named_survive_a_restart_with_every_strategy(tmp_path: Path, strategy: str) -> None:
    if get_strategy(strategy).needs_model:
        pytest.skip("it needs a trained model")
    topic = topic_of(strategy=strategy, seeds=(url_of(0),))
    whole = Session(topic, tmp_path / "whole")
    crawl(whole, 3)
    whole.found(whole.reader.rules.address(ANSWER), feed(33, 34, 35))
    whole.found(whole.reader.rules.address(ANSWER), feed(36))  # it was asked before
    assert whole.crawl.totals.pages == 3
    whole.commit()
    expected = crawl(whole, 12)
    whole.close()
    assert rows(tmp_path / "whole", "SELECT count(*) FROM fetches WHERE outcome = 'list' AND kind = 'feed'") == [(1,)]

    cut = Session(topic, tmp_path / "cut")
    crawl(cut, 3)
    cut.found(cut.reader.rules.address(ANSWER), feed(33, 34, 35))
    cut.commit()
    cut.collection.close()
    again = Session(topic, tmp_path / "cut")
    assert crawl(again, 12) == expected
    again.close()


def test_an_answer_is_kept_as_it_was(tmp_path: Path) -> None:
    session = Session(topic_of(), tmp_path)
    session.found(session.reader.rules.address(ANSWER), feed(5))
    session.commit()
    (place,) = session.store.newest_places(1)
    assert session.repository.get(place).body == feed(5)
    assert session.repository.get(place).content_type == ATOM
    session.close()


LISTED = topic_of(
    sources=Sources(sitemaps=True, feeds=True, after=2, share=0.0),
    seeds=(url_of(0),),
    strategy="best_first",
    budget=Budget(pages=24),
)
LISTS = {
    "http://host0.example/robots.txt": b"Sitemap: http://host0.example/sitemap.xml",
    SITEMAP: b"<urlset><url><loc>http://host0.example/35</loc></url><url><loc>http://host0.example/15</loc></url></urlset>",
}


def step(session: Session) -> str | None:
    """Fetch the next page or list; return its URL."""
    pick = session.interrupted.pop(0) if session.interrupted else session.next()
    if pick is None:
        return None
    url = session.store.url(pick.id)
    if url not in LISTS:
        session.interrupted.insert(0, pick)
        return fetch(session)
    kind = "text/plain" if url.endswith(".txt") else "text/xml"
    session.fetched(pick.id, Stored(url, 200, (("Content-Type", kind),), LISTS[url]), kind)
    return url


def steps(session: Session, most: int = 60) -> list[str]:
    urls: list[str] = []
    while len(urls) < most and (url := step(session)) is not None:
        urls.append(url)
    return urls


def test_a_crawl_that_asks_for_lists_goes_on_from_every_commit_as_if_nothing_had_happened(tmp_path: Path) -> None:
    whole = Session(LISTED, tmp_path / "whole")
    urls = steps(whole)
    totals = whole.crawl.lists.totals
    whole.close()
    assert set(LISTS) <= set(urls)
    assert totals.asked >= 3
    for cut in range(5, len(urls) - 1, 2):
        folder = tmp_path / f"cut{cut}"
        first = Session(LISTED, folder)
        begun = steps(first, cut)
        first.commit()
        first.collection.close()
        again = Session(LISTED, folder)
        assert begun + steps(again) == urls
        assert again.crawl.lists.totals == totals
        again.close()


def test_a_list_under_way_at_a_kill_is_asked_for_again_as_a_list(tmp_path: Path) -> None:
    first = Session(LISTED, tmp_path)
    while not first.crawl.lists.under_way:
        while not first.crawl.lists.waiting:
            step(first)
        first.next()
    first.commit()
    first.collection.close()
    again = Session(LISTED, tmp_path)
    assert set(again.crawl.lists.under_way) == {pick.id for pick in again.interrupted}
    assert str(step(again)).endswith("/robots.txt")
    again.close()


def test_a_crawl_goes_on_without_lists_though_a_host_once_gave_none(tmp_path: Path) -> None:
    """What is read again under changed rules may tell of a list that nothing asks for now."""
    first = Session(LISTED, tmp_path)
    while not first.crawl.lists.waiting:
        step(first)
    pick = first.next()
    assert pick is not None
    first.failed(pick.id, "http 404", 404)
    first.close()
    again = Session(LISTED.model_copy(update={"sources": Sources()}), tmp_path)
    assert set(steps(again)) & set(LISTS) == set()
    again.close()


def test_a_changed_table_is_applied_to_what_was_fetched(tmp_path: Path) -> None:
    first = Session(topic_of(seeds=(url_of(0),)), tmp_path)
    steps(first, 12)
    first.close()
    again = Session(LISTED, tmp_path)
    assert again.crawl.lists.waiting
    assert str(step(again)).endswith("/robots.txt")
    again.close()

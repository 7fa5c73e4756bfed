"""Questions in the journal: what was asked, what it brought, and a replay that asks nobody."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest

from focused.collection.collection import open_to_read
from focused.inspection.collection_report import tables, what_they_brought
from focused.inspection.explanation import explain
from focused.live.questions import Question, pages_before, questions_asked
from focused.live.session import Session
from focused.seeds.searching.questioning import feed_of
from focused.seeds.searching.search_providers import SearchResult
from focused.topic.topic import Budget, Scope
from tests.small_web import crawl, fetch, topic_of, url_of

SUN, MOON = Question("searxng host", "solar panels"), Question("ddgs", "<b>moon & sun</b>")
TOPIC = topic_of(seeds=(url_of(0),), scope=Scope(denied_hosts=("denied.example",)))


def answer(session: Session, question: Question, *urls: str) -> None:
    found = [SearchResult(url, f"solar panel {rank}", "solar energy", rank) for rank, url in enumerate(urls, 1)]
    session.found(question.address, feed_of(question, found))


def asked_crawl(folder: Path, pages: int = 12) -> Session:
    session = Session(TOPIC, folder)
    crawl(session, 3)
    answer(session, SUN, url_of(33), url_of(0), "http://denied.example/")
    crawl(session, pages)
    answer(session, MOON)
    session.commit()
    return session


def test_the_journal_tells_what_was_asked_and_what_came_of_it(tmp_path: Path) -> None:
    asked_crawl(tmp_path, 30).close()
    with closing(open_to_read(tmp_path)) as store:
        assert [one.question for one in questions_asked(store)] == [SUN, MOON]
        assert pages_before(store, questions_asked(store)[0].seq) == 3
        first, second = what_they_brought(store)
        assert (first.results, first.new, first.barred) == (3, 2, 1)
        assert (first.fetched, first.relevant) == (1, 1)
        assert first.reached > first.fetched
        assert (second.results, second.reached) == (0, 0)
        told = "\n".join(tables(store))
    assert "solar panels" in told
    assert "<b>moon & sun</b>" in told


def test_explain_says_which_search_named_a_page(tmp_path: Path) -> None:
    session = asked_crawl(tmp_path)
    url = session.crawl.urls.find(session.reader.rules.address(url_of(33)).key)
    listed = session.crawl.urls.find(SUN.address.key)
    lines = "\n".join((*explain(session.store, session.crawl, url), *explain(session.store, session.crawl, listed)))
    session.close()
    assert "named by the search 'solar panels' (searxng host)" in lines
    assert "the answer of the search 'solar panels' (searxng host), asked at" in lines


def test_from_every_commit_a_crawl_goes_on_without_asking_again(tmp_path: Path) -> None:
    whole = asked_crawl(tmp_path / "whole")
    expected = crawl(whole, 30)
    whole.close()
    for cut in (1, 4, 11):
        folder = tmp_path / str(cut)
        session = Session(TOPIC, folder)
        crawl(session, 3)
        answer(session, SUN, url_of(33), url_of(0), "http://denied.example/")
        for _ in range(cut):
            fetch(session)
        session.commit()
        session.collection.close()  # as a kill does
        again = Session(TOPIC, folder)
        assert [one.question for one in questions_asked(again.store)] == [SUN]
        crawl(again, 12 - cut)
        answer(again, SUN, url_of(12))  # a second answer changes nothing
        answer(again, MOON)
        again.commit()
        assert crawl(again, 30) == expected
        again.close()


def test_a_page_of_the_web_cannot_pass_for_a_question(tmp_path: Path) -> None:
    session = Session(topic_of(seeds=(SUN.address.url,)), tmp_path)
    pick = session.next()
    assert pick is not None
    session.failed(pick.id, "dns")
    session.outage.settle()
    answer(session, SUN, url_of(33))
    session.close()
    with closing(open_to_read(tmp_path)) as store:
        assert questions_asked(store) == []


@pytest.mark.parametrize("more", [True, False])
def test_a_crawl_does_not_end_while_somebody_can_be_asked(tmp_path: Path, more: bool) -> None:
    session = Session(topic_of(seeds=(url_of(99),), budget=Budget(pages=5)), tmp_path)
    session.crawl.asks_more = more
    crawl(session)
    assert session.crawl.is_stuck
    assert (session.stop() is None) == more
    session.close()

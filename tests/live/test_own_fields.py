"""What a spider of somebody's own adds to a page is kept with it, in the same commit, whatever the page made of it."""

from __future__ import annotations

import asyncio
import json
import sqlite3
from collections.abc import AsyncIterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scrapy import Request
from scrapy.http import HtmlResponse

from focused.collection.repository import Stored
from focused.items import PageItem
from focused.live.journal import PATIENCE, Record
from focused.live.own_fields import LONGEST_TEXT, MOST_FIELDS, as_json, checked, from_json
from focused.live.responses import ID
from focused.live.session import Session
from focused.middlewares import FrontierMiddleware
from focused.pipelines import StoreHistory
from focused.spiders.topical import TopicalSpider
from focused.topic.topic import Relevance
from tests.small_web import WEB, crawl, topic_of

VALUES = st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters(exclude_categories=[]))


@given(st.dictionaries(st.from_regex(r"[a-z][a-z0-9_]{0,49}", fullmatch=True), VALUES))
def test_what_is_kept_comes_back_and_every_format_can_hold_it(fields: dict[str, Any]) -> None:
    kept = checked(fields)
    assert from_json(as_json(kept)) == kept
    assert json.dumps(kept, allow_nan=False, ensure_ascii=False).encode()
    assert all(-(2**63) < value < 2**63 for value in kept.values() if type(value) is int)


def test_what_a_page_may_be_at_fault_for_is_mended() -> None:
    odd = {"a": float("nan"), "b": float("inf"), "c": 10**30, "d": "\x1b[31mred\ud800", "e": "x" * 2 * LONGEST_TEXT}
    assert checked(odd) == {"a": None, "b": None, "c": None, "d": " [31mred ", "e": "x" * LONGEST_TEXT}


@pytest.mark.parametrize("name", ["", "Price", "1st", "a-b", "_a", "prix_é", "a" * 51, "a\n"])
def test_a_name_that_some_program_would_not_take_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match="name a field by small letters"):
        checked({name: 1})


@pytest.mark.parametrize("value", [[], {}, b"bytes", object(), 1j])
def test_a_value_that_no_column_holds_is_refused(value: Any) -> None:
    with pytest.raises(TypeError, match=r"price: .* is neither text nor number"):
        checked({"price": value})


def arriving(session: Session) -> Record:
    """The next page as it comes to the callback of the spider."""
    pick = session.interrupted.pop(0) if session.interrupted else session.next()
    assert pick is not None
    url = session.store.url(pick.id)
    stored = Stored(url, 200, (("Content-Type", "text/html"),), WEB[url].encode())
    record = session.fetched(pick.id, stored, "text/html")
    assert isinstance(record, Record)
    record.in_callback = True
    session.journal.keep(record)
    session.journal.finish(record)  # the pipelines are faster than the callback
    return record


def on_disk(folder: Path) -> dict[str, dict[str, Any] | None]:
    """Own fields by page."""
    with closing(sqlite3.connect(folder / "crawl.db")) as db:
        query = "SELECT h.url, o.fields FROM history h LEFT JOIN own_fields o USING (seq) WHERE h.outcome = 'page'"
        return {url: json.loads(fields) if fields else None for url, fields in db.execute(query)}


def test_a_page_is_on_disk_with_its_fields_or_not_at_all(tmp_path: Path) -> None:
    session = Session(topic_of(), tmp_path)
    record = arriving(session)
    session.commit()
    assert on_disk(tmp_path) == {}
    session.journal.add_fields(record, {"price": 9.5})
    session.journal.add_fields(record, {"price": 8.5, "seller": "me"})
    session.journal.answered(record)
    session.commit()
    assert on_disk(tmp_path) == {record.stored.url: {"price": 8.5, "seller": "me"}}
    session.close()


def test_a_page_whose_callback_was_cut_off_by_a_kill_is_fetched_again(tmp_path: Path) -> None:
    session = Session(topic_of(), tmp_path)
    url = arriving(session).stored.url
    session.commit()
    session.collection.close()  # as kill -9 does
    session = Session(topic_of(), tmp_path)
    assert [session.store.url(pick.id) for pick in session.interrupted] == [url]
    session.close()


def test_a_callback_that_takes_long_holds_nothing_up_and_its_fields_come_later(tmp_path: Path) -> None:
    session, clock = Session(topic_of(), tmp_path), [0.0]
    session.journal.clock = lambda: clock[0]
    record = arriving(session)
    for clock[0] in (0.0, PATIENCE):
        session.commit()
    assert on_disk(tmp_path) == {record.stored.url: None}
    session.journal.add_fields(record, {"price": 9.5})
    session.commit()
    assert on_disk(tmp_path) == {record.stored.url: {"price": 9.5}}
    session.journal.answered(record)
    session.close()


def test_while_a_callback_gives_something_its_page_is_not_on_disk(tmp_path: Path) -> None:
    session = Session(topic_of(), tmp_path)
    pick = session.next()
    assert pick is not None
    url = session.store.url(pick.id)
    response = HtmlResponse(url, body=WEB[url].encode(), request=Request(url, meta={ID: pick.id}))
    spider, middleware, store = TopicalSpider(), FrontierMiddleware(session), StoreHistory(session)

    async def callback() -> AsyncIterator[Any]:
        yield {"some": "item"}
        session.commit()
        assert on_disk(tmp_path) == {}
        spider.add_fields(response, price=9.5)

    async def run() -> list[Any]:
        middleware.process_spider_input(response)
        return [store.process_item(item) async for item in middleware.process_spider_output(response, callback())]

    assert [type(item) for item in asyncio.run(run())] == [PageItem, dict]
    session.commit()
    assert on_disk(tmp_path) == {url: {"price": 9.5}}
    session.close()


def test_a_response_that_is_no_page_of_a_crawl_keeps_nothing() -> None:
    for request in (None, Request("http://a.example/")):
        TopicalSpider().add_fields(HtmlResponse("http://a.example/", request=request), price=9.5)


def test_a_page_has_so_many_fields_and_not_one_more(tmp_path: Path) -> None:
    session = Session(topic_of(), tmp_path)
    record = arriving(session)
    session.journal.add_fields(record, {f"f{number}": number for number in range(MOST_FIELDS)})
    with pytest.raises(ValueError, match="more than 50 fields"):
        session.journal.add_fields(record, {"one_more": 1})
    session.journal.answered(record)
    session.close()
    assert len(on_disk(tmp_path)[record.stored.url] or {}) == MOST_FIELDS


def test_fields_stay_when_all_pages_are_judged_anew(tmp_path: Path) -> None:
    session = Session(topic_of(), tmp_path)
    record = arriving(session)
    session.journal.add_fields(record, {"price": 9.5})
    session.journal.answered(record)
    session.close()
    session = Session(topic_of(relevance=Relevance(threshold=0.5)), tmp_path)
    crawl(session)
    session.close()
    assert on_disk(tmp_path)[record.stored.url] == {"price": 9.5}

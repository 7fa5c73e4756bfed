"""A rendered page in the collection: both bodies are kept, either is found, and a crawl that goes on reads the rendered one."""

import pytest

from focused.collection.repository import Place, Stored
from focused.items import page_item
from focused.live.rendering_outcome import RenderingOutcome
from focused.live.session import Session
from focused.topic.topic import Relevance, StorageOptions
from tests.small_web import SHORT_PAGES, topic_of

URL = "http://app.example/"
HEADERS = (("Content-Type", "text/html; charset=utf-8"),)
PLAIN = Stored(URL, 200, HEADERS, b"<div id=root></div>")
RENDERED = Stored(URL, 200, HEADERS, b"<p>solar energy <a href=/next>solar panels</a></p>")


def crawled(folder, kind: str = "warc") -> Session:
    """A session that has fetched one page, which was rendered."""
    session = Session(topic_of(seeds=(URL,), storage=StorageOptions(pages=kind)), folder)
    record = session.fetched(session.next().id, RENDERED, "text/html; charset=utf-8", rendering=RenderingOutcome(PLAIN))
    assert page_item(record, URL, None).rendered
    session.journal.keep(record)
    session.journal.finish(record)
    session.commit()
    return session


@pytest.mark.parametrize("kind", ["warc", "files"])
def test_the_plain_response_is_kept_beside_the_rendered_page(tmp_path, kind) -> None:
    session = crawled(tmp_path, kind)
    rendered, *places = session.store.execute(
        "SELECT rendered, file, offset, length, plain_file, plain_offset, plain_length FROM history"
    ).fetchone()
    assert rendered == 1
    assert session.repository.get(Place(*places[:3])).body == RENDERED.body
    plain = session.repository.get(Place(*places[3:]))
    assert (plain.url, plain.body) == (URL, PLAIN.body)
    session.close()


@pytest.mark.parametrize("kind", ["warc", "files"])
def test_a_crawl_that_goes_on_under_new_rules_reads_the_rendered_page(tmp_path, kind) -> None:
    crawled(tmp_path, kind).close()
    topic = topic_of(
        seeds=(URL,), storage=StorageOptions(pages=kind), relevance=Relevance(threshold=0.01, also=SHORT_PAGES.also)
    )
    session = Session(topic, tmp_path)
    assert session.crawl.totals.relevant == 1
    assert session.store.url(session.next().id) == f"{URL}next"
    session.close()


def test_a_page_that_was_not_rendered_has_its_reason(tmp_path) -> None:
    session = Session(topic_of(seeds=(URL,)), tmp_path)
    outcome = RenderingOutcome(reason="not rendered: timeout")
    session.journal.finish(session.fetched(session.next().id, PLAIN, "text/html", rendering=outcome))
    session.commit()
    row = session.store.execute("SELECT outcome, reason, rendered, plain_file FROM history").fetchone()
    session.close()
    assert row == ("page", "not rendered: timeout", 0, None)

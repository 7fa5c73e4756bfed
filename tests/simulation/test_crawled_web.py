"""An earlier crawl of the user's own can be crawled again: its pages, redirects and failures answer as they did."""

import pytest

from focused.exceptions import StorageError, WebError
from focused.live.assemble import assemble
from focused.live.session import Session
from focused.page.urls import host_of
from focused.simulation.simulator import Simulator
from focused.simulation.web_opener import NO_ANSWER, CrawledWeb, analysed_web, collection_of
from focused.topic.topic import StorageOptions
from tests.commands.running import crawled
from tests.simulation.simulated import STEP_BY_STEP, simulate
from tests.small_web import WEB, crawl, topic_of, url_of


@pytest.mark.parametrize("pages", ["warc", "files"])
def test_a_simulation_of_an_earlier_crawl_fetches_as_that_crawl_did(tmp_path, pages):
    topic = topic_of(storage=StorageOptions(pages=pages))
    order = crawled(tmp_path / "test", storage=topic.storage)
    fetches = simulate(CrawledWeb(tmp_path / "test"), topic)
    assert [fetch.url for fetch in fetches] == order
    assert {fetch.url for fetch in fetches if fetch.status == 404} == set(order) - WEB.keys()


def test_what_was_not_asked_for_is_not_recorded(tmp_path):
    order = crawled(tmp_path, 10)
    web = CrawledWeb(tmp_path)
    assert list(web.urls()) == order
    assert web.hosts == set(map(host_of, order))
    assert web.answer(next(url for url in WEB if url not in order and host_of(url) in web.hosts)).status == 404
    assert web.answer("http://other.example/") is None


def test_redirects_and_failures_without_a_status_are_answers(tmp_path):
    session = Session(topic_of(), tmp_path)
    crawl(session, most=3)
    first, second = session.next(), session.next()
    session.redirected(first.id, url_of(0), 301)
    session.failed(second.id, "robots.txt")
    urls = [session.store.url(pick.id) for pick in (first, second)]
    session.close()
    web = CrawledWeb(tmp_path)
    assert web.answer(urls[0]).header("Location") == url_of(0)
    assert web.answer(urls[1]).status == NO_ANSWER


def test_an_earlier_crawl_is_known_by_its_folder_or_its_database(tmp_path):
    topic, order = topic_of(), crawled(tmp_path / "test")
    for name in (tmp_path / "test", tmp_path / "test" / "crawl.db"):
        reader, core = assemble(topic)
        with analysed_web([str(name)], topic, reader, tmp_path / "cache") as web:
            assert [fetch.url for fetch in Simulator(core, web, STEP_BY_STEP).fetches()] == order
        assert web.web.hosts
    assert len(list((tmp_path / "cache").glob("*.sqlite"))) == 1
    assert collection_of([str(tmp_path)]) is collection_of([f"{tmp_path / 'test'}:university=cornell"]) is None


def test_a_crawl_without_pages_or_none_at_all_is_one_clear_line(tmp_path):
    Session(topic_of(), tmp_path / "test").close()
    with pytest.raises(WebError, match="no page was fetched by this crawl"):
        CrawledWeb(tmp_path / "test")
    with pytest.raises(StorageError, match="no such collection"):
        CrawledWeb(tmp_path / "nothing")

"""A web is opened by the rules of the topic that reads it, so that its pages find one another."""

from pathlib import Path

import pytest

import lab  # noqa: F401  (makes WebKB known, whose parts and index pages are looked at here)
from focused.live.assemble import assemble
from focused.page.reader import ReadingOptions
from focused.simulation.simulator import Simulator
from focused.simulation.web_opener import WebOpener, analysed_web
from tests import small_web
from tests.commands.running import crawled
from tests.simulation.simulated import STEP_BY_STEP, topic_of
from tests.small_wikispeedia import write_files

SEED = "http://www.cs.cornell.edu/"


@pytest.fixture
def webkb(tmp_path: Path) -> Path:
    """Two pages of a university, the second of which is an index page, and one of another."""
    pages = {
        "department/cornell/http:^^www.cs.cornell.edu^": '<a href="/course/index.html">courses</a>',
        "course/cornell/http:^^www.cs.cornell.edu^course^index.html": '<a href="http://www.cs.utexas.edu/">Texas</a>',
        "department/texas/http:^^www.cs.utexas.edu^": "Texas",
    }
    return write_files(tmp_path / "webkb", {name: f"<title>page</title>{body}" for name, body in pages.items()})


def fetched(web: Path | str, cache: Path, *, fold_index: bool) -> list[str]:
    topic = topic_of(SEED, "http://sunpower.example/", reading=ReadingOptions(fold_index=fold_index))
    reader, crawl = assemble(topic)
    with analysed_web([str(web)], topic, reader, cache) as opened:
        fetches = list(Simulator(crawl, opened, STEP_BY_STEP).fetches())
    return [fetch.final_url for fetch in fetches if fetch.outcome == "page"]


@pytest.mark.parametrize(("fold_index", "course"), [(True, "course/"), (False, "course/index.html")])
def test_index_pages_are_named_as_the_topic_names_them(webkb, tmp_path, fold_index, course):
    expected = [SEED, f"{SEED}{course}", "http://www.cs.utexas.edu/"]
    assert fetched(webkb, tmp_path, fold_index=fold_index) == expected


def test_a_robot_of_another_name_reads_other_pages_than_the_cache_of_the_first(tmp_path):
    page = '<meta name=bugbot content=nofollow><a href="/course/">courses</a>'
    pages = {
        "department/cornell/http:^^www.cs.cornell.edu^": page,
        "course/cornell/http:^^www.cs.cornell.edu^course^": "x",
    }
    web, topic = write_files(tmp_path / "webkb", pages), topic_of(SEED)
    found = {}
    for robot in ("", "bugbot", "other"):
        reader, crawl = assemble(topic, robot=robot)
        with analysed_web([str(web)], topic, reader, tmp_path) as opened:
            found[robot] = len(list(Simulator(crawl, opened, STEP_BY_STEP).fetches()))
    assert found == {"": 2, "bugbot": 1, "other": 2}


def test_the_other_universities_are_hidden_also_from_a_cache_of_all(webkb, tmp_path):
    assert len(fetched(webkb, tmp_path, fold_index=True)) == 3
    assert fetched(f"{webkb}:university=cornell", tmp_path, fold_index=True) == [SEED, f"{SEED}course/"]


def test_a_web_without_index_pages_is_open_to_topics_that_fold_them(tmp_path):
    assert "http://sunpower.example/" in fetched("demo", tmp_path, fold_index=True)


def test_the_pages_that_an_earlier_crawl_stored_are_a_web_as_warc_files(tmp_path):
    topic = small_web.topic_of(strategy="hub_seeking")
    order = crawled(tmp_path / "test", strategy="hub_seeking")
    reader, crawl = assemble(topic)
    with analysed_web([str(tmp_path / "test" / "pages")], topic, reader, tmp_path / "cache") as web:
        urls = [fetch.url for fetch in Simulator(crawl, web, STEP_BY_STEP).fetches()]
    assert urls == [url for url in order if url in small_web.WEB]


def test_an_opener_keeps_pages_in_memory_and_the_index_of_warc_files_on_disk(tmp_path):
    topic = small_web.topic_of()
    crawled(tmp_path / "test")
    reader, _ = assemble(topic)
    opener = WebOpener([str(tmp_path / "test" / "pages")], tmp_path / "cache")
    first, second = (opener.open(topic, reader).ask(topic.seeds[0]) for _ in range(2))
    opener.close()
    assert first is second
    assert list((tmp_path / "cache").glob("*.warc-index.npz"))

"""A user's own spider, items, requests, pipelines and feeds on top of the crawl."""

from __future__ import annotations

import json
from dataclasses import fields

import pytest

from focused.items import PageFields
from focused.simulation.recorded_web import Answer
from tests.crawls.crawling import ROOT, crawl, end, failures, fetched, rows, scrapy, start
from tests.crawls.mock_web import MockWeb, page, redirect, robots, serving
from tests.recipes import commands, recipe

A, OWN = "http://a.example", "http://own.example"
ANSWERS = {
    f"{A}/ask": page("solar energy", f"{A}/1", f"{A}/2", title="Ask"),
    f"{A}/1": page("solar one", title="One"),
    f"{A}/2": page("wind two", title="Two"),
    f"{OWN}/robots.txt": robots("Disallow: /private"),
    f"{OWN}/moved": redirect(f"{OWN}/moved-to"),
    **{f"{OWN}/{name}": page(f"own {name}") for name in ("low", "high", "again", "form", "from-start", "moved-to")},
}
OWN_SPIDERS = ("SPIDER_MODULES=tests.crawls.own_spiders",)
ONE_BY_ONE = (*OWN_SPIDERS, "CONCURRENT_REQUESTS=1", "CONCURRENT_REQUESTS_PER_DOMAIN=1")
OWN_ITEMS = {
    (f"{OWN}/low", "GET", "low"),
    *((f"{OWN}/{name}", "GET", "") for name in ("high", "again", "from-start", "moved-to")),
    (f"{OWN}/form", "POST", ""),
}


def lines(path) -> list[dict]:
    return [json.loads(line) for line in path.read_text().splitlines()]


@pytest.fixture(scope="module")
def extended(tmp_path_factory):
    folder = tmp_path_factory.mktemp("extended")
    feed = folder / "items.jsonl"
    with serving(MockWeb(ANSWERS, latency=0.01)) as web:
        ended = crawl(web, folder, [f"{A}/ask"], settings=ONE_BY_ONE, spider="own", options=("-o", str(feed)))
    assert (ended.code, ended.plain) == (0, True), ended.log
    return web, folder, lines(feed)


def test_feeds_hold_one_flat_line_a_page_with_the_documented_fields(extended):
    _, folder, items = extended
    pages = [item for item in items if "final_url" in item]
    assert [item["final_url"] for item in pages] == fetched(folder)
    for item in pages:
        assert list(item) == [field.name for field in fields(PageFields)]
        assert not any(isinstance(value, (dict, list)) for value in item.values())
    ask = next(item for item in pages if item["url"] == f"{A}/ask")
    assert (ask["title"], ask["depth"], ask["found_on"], ask["links"]) == ("Ask", 0, None, 2)


def test_own_items_of_every_page_reach_the_feed(extended):
    headings = {(item["heading"], item["of"]) for item in extended[2] if "heading" in item}
    assert headings == {("Ask", f"{A}/ask"), ("One", f"{A}/1"), ("Two", f"{A}/2")}


def test_own_requests_reach_their_callbacks_with_method_and_arguments(extended):
    assert {(i["own"], i["method"], i["note"]) for i in extended[2] if "own" in i} == OWN_ITEMS
    forms = [asked for asked in extended[0].asked if asked.url == f"{OWN}/form"]
    assert [(asked.method, asked.body) for asked in forms] == [("POST", b"q=solar")]


def test_own_requests_wait_in_the_frontier_by_their_score(extended):
    asked = extended[0].pages_asked()
    # A link of the page may be picked before its callback has asked for anything, the next one may not.
    assert asked.index(f"{OWN}/high") < min(asked.index(url) for url in (f"{OWN}/again", f"{OWN}/form", f"{A}/2"))
    assert asked[-1] == f"{OWN}/low"


def test_own_requests_pass_the_duplicate_filter_unless_they_say_otherwise(extended):
    asked = extended[0].pages_asked()
    assert (asked.count(f"{A}/ask"), asked.count(f"{OWN}/again")) == (1, 2)


def test_own_requests_obey_robots_txt_and_reach_their_errback(extended):
    web, folder, items = extended
    assert {"failed": f"{OWN}/private"} in items
    assert failures(folder) == {f"{OWN}/private": "robots.txt"}
    assert f"{OWN}/private" not in web.pages_asked()


def test_own_requests_are_polite(extended):
    assert set(extended[0].most_at_once.values()) == {1}


def test_own_requests_survive_a_kill(tmp_path):
    feed = tmp_path / "items.jsonl"
    options = {"settings": ONE_BY_ONE, "spider": "own", "options": ("-o", str(feed))}

    with serving(MockWeb(ANSWERS, latency=0.3)) as web:
        process = start(web, tmp_path, [f"{A}/ask"], **options)
        assert web.wait_for(7)  # two for robots.txt, the seed, /from-start, /high and what comes after
        process.kill()
        end(process)
        web.latency = 0
        assert crawl(web, tmp_path, [f"{A}/ask"], **options).code == 0
        asked = [(asked.url, asked.method) for asked in web.asked]
        assert (f"{OWN}/form", "POST") in asked
        assert (f"{OWN}/form", "GET") not in asked
    own = {(item["own"], item["method"], item["note"]) for item in lines(feed) if "own" in item}
    # What was fetched and committed before the kill may be missing from the feed, which Scrapy does not flush.
    assert own >= {(f"{OWN}/low", "GET", "low"), (f"{OWN}/form", "POST", ""), (f"{OWN}/again", "GET", "")}
    assert set(fetched(tmp_path)) == {f"{A}/ask", f"{A}/1", f"{A}/2", *(url for url, _, _ in OWN_ITEMS)}


def test_what_copies_the_meta_of_a_request_without_an_answer_goes_on_with_no_pick(tmp_path):
    """It is in doubt, so still under way in the journal; the requests of its errback are the user's own."""
    own = {f"{OWN}/{name}": page(f"solar {name}") for name in (*range(10), "replaced")}
    lost = {"http://lost.example/": b""}  # the connection is closed without a word
    with serving(MockWeb(own | lost | {f"{A}/": page("solar")})) as web:
        settings = (*ONE_BY_ONE, "RETRY_ENABLED=0")
        assert crawl(web, tmp_path, [f"{A}/"], settings=settings, spider="copying", pages=4).code == 0
        asked = [url for url in web.pages_asked() if url in own]
        assert len(asked) == 3
        assert len({url for url in fetched(tmp_path) if url in own}) == 3
        assert crawl(web, tmp_path, [f"{A}/"], settings=settings, spider="copying", pages=0).code == 0
    assert sorted(fetched(tmp_path)) == sorted([*own, f"{A}/"])
    assert failures(tmp_path) == {"http://lost.example/": "connection lost"}
    assert rows(tmp_path, "SELECT count(*) FROM history WHERE outcome = 'page' AND relevance > 0") == [(12,)]


FIELDS = "SELECT h.url, o.fields FROM history h LEFT JOIN own_fields o USING (seq) WHERE h.outcome = 'page'"


def test_fields_of_ones_own_are_kept_with_their_page_whenever_they_come_and_whatever_kills_the_crawl(tmp_path):
    settings = (*OWN_SPIDERS, "FOCUSED_COMMIT_REQUESTS=1", "FOCUSED_COMMIT_SECONDS=0.1")
    with serving(MockWeb(ANSWERS, latency=0.1)) as web:
        for asked in (3, 5):  # the first is robots.txt
            process = start(web, tmp_path, [f"{A}/ask"], settings=settings, spider="fields")
            assert web.wait_for(asked, process.poll)
            process.kill()
            end(process)
        ended = crawl(web, tmp_path, [f"{A}/ask"], settings=settings, spider="fields")
    assert (ended.code, ended.plain) == (0, True), ended.log
    kept = {url: json.loads(own) for url, own in rows(tmp_path, FIELDS)}
    titles = {"ask": "Ask", "1": "One", "2": "Two"}
    assert kept == {
        **{f"{A}/{name}": {"heading": title, "last": True} for name, title in titles.items()},
        f"{OWN}/low": {"own": f"{OWN}/low"},
    }


@pytest.mark.parametrize(("option", "pages_in_feed"), [("-o", 3), ("-O", 2)])
def test_the_next_run_continues_a_feed_or_overwrites_it_as_asked(tmp_path, option, pages_in_feed):
    feed = tmp_path / "pages.jsonl"
    with serving(MockWeb(ANSWERS)) as web:
        for pages in (1, 3):
            assert crawl(web, tmp_path, [f"{A}/ask"], pages=pages, options=(option, str(feed))).code == 0
    assert [item["url"] for item in lines(feed)] == fetched(tmp_path)[-pages_in_feed:]


@pytest.mark.parametrize("pipeline", ["", "DropAll", "FailOnAll"])
def test_a_mistake_in_the_users_own_code_loses_nothing_and_a_dropped_page_is_only_not_stored(tmp_path, pipeline):
    answers = {
        f"{A}/": page("solar", f"{A}/generator", f"{A}/coroutine"),
        f"{A}/generator": page("solar generator", f"{A}/end"),
        f"{A}/coroutine": page("solar coroutine"),
        f"{A}/end": page("solar end"),
    }
    pipelines = f', "tests.crawls.own_spiders.own.{pipeline}": 50' if pipeline else ""
    own = '{"focused.pipelines.StorePages": 100, "focused.pipelines.StoreHistory": 200' + pipelines + "}"
    settings = (*OWN_SPIDERS, f"ITEM_PIPELINES={own}")
    with serving(MockWeb(answers)) as web:
        assert crawl(web, tmp_path, [f"{A}/"], settings=settings, spider="failing").code == 0
    assert {url for (url,) in rows(tmp_path, "SELECT url FROM history")} == set(answers)
    assert set(fetched(tmp_path)) == set(answers) - ({f"{A}/generator"} if pipeline == "DropAll" else set())
    assert rows(tmp_path, "SELECT count(*) FROM links") == [(3,)]


def test_what_another_component_drops_without_a_word_is_on_record_and_blocks_no_host(tmp_path):
    answers = {
        f"{A}/": page("solar", f"{A}/away", f"{A}/end"),
        f"{A}/away": redirect(f"{OWN}/form"),
        f"{A}/end": page("solar end"),
    }
    extensions = {"tests.crawls.own_spiders.own.DropRedirects": 10, "focused.extensions.CrawlSession": 0}
    with serving(MockWeb(answers)) as web:
        settings = (f"EXTENSIONS={json.dumps(extensions)}",)
        assert crawl(web, tmp_path, [f"{A}/"], settings=settings, strategy="breadth_first").code == 0
    assert fetched(tmp_path) == [f"{A}/", f"{A}/end"]
    assert failures(tmp_path) == {f"{A}/away": "dropped by another component of Scrapy"}


def test_other_spiders_of_the_project_are_left_alone(tmp_path):
    feed = tmp_path / "plain.jsonl"
    with serving(MockWeb(ANSWERS)) as web:
        ended = end(scrapy("crawl", "plain", "-s", *OWN_SPIDERS, "-o", str(feed), port=web.port, folder=tmp_path))
    assert (ended.code, ended.plain) == (0, True), ended.log
    assert lines(feed) == [{"url": f"{A}/1"}]
    assert [path.name for path in tmp_path.iterdir()] == ["plain.jsonl"]


def test_the_spider_of_the_recipe_adds_columns_to_the_export(tmp_path):
    offer = b'<meta itemprop=price content="9.50"><img src=a><a rel=author href=/me>Me</a><a href=/free>solar</a>'
    answers = {
        f"{A}/": Answer(200, (("Content-Type", "text/html"),), b"<title>solar</title>" + offer),
        f"{A}/free": page('solar free <meta itemprop=price content="a lot">'),
    }
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "offers.py").write_text(recipe("python", "class OffersSpider"))
    environment = {"env": {"PYTHONPATH": f"{ROOT}:{tmp_path}"}}
    with serving(MockWeb(answers)) as web:
        ended = crawl(
            *(web, tmp_path, [f"{A}/"]), settings=("SPIDER_MODULES=mine",), spider="offers", popen=environment
        )
    assert (ended.code, ended.plain) == (0, True), ended.log
    (asked,) = (line for line in commands("--fields final_url,own_price") if "prices.csv" in line)
    words = [{"solar": "test", "prices.csv": str(tmp_path / "prices.csv")}.get(word, word) for word in asked.split()]
    assert end(scrapy(*words[1:], folder=tmp_path)).code == 0
    assert (tmp_path / "prices.csv").read_text().splitlines() == ["final_url,own_price", f"{A}/,9.5", f"{A}/free,"]
    own = dict(rows(tmp_path, FIELDS))
    assert json.loads(own[f"{A}/"]) == {"price": 9.5, "pictures": 1, "author": "Me"}
    assert json.loads(own[f"{A}/free"]) == {"pictures": 0, "author": None}

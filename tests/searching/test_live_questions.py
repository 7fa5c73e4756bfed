"""A crawl that asks a search while it goes on, as a person runs it, over a Web on this machine."""

import json
import signal
from pathlib import Path

import pytest

from focused.simulation.recorded_web import Answer
from tests.crawls.crawling import Ended, column, crawl, end, fetched, reasons, rows, start
from tests.crawls.mock_web import HANG, serving
from tests.searching.stand_ins import CATS, page_about, results
from tests.searching.test_live_search import HTML, JSON, PAGES, SEARCH, Searched

SEED = "http://seed.example/"
TOPIC = {"keywords": "solar energy, photovoltaic"}
ASKED = "SELECT u.url FROM fetches f JOIN urls u ON u.id = f.url WHERE f.outcome = 'list' ORDER BY f.seq"


def web_of(searx: object = None, seed: bytes = CATS) -> Searched:
    web = Searched(searx)
    web.answers[SEED] = Answer(200, HTML, seed)
    web.hosts.add("seed.example")
    return web


def asking(web: Searched, folder: Path, *settings: str, most: int = 3, search: str = SEARCH, **topic: object) -> Ended:
    given = (f"FOCUSED_SEARCH=searxng:{search}", *settings) if search else settings
    return crawl(web, folder, [SEED], settings=given, **TOPIC, questions__most=most, **topic)


def test_it_asks_where_no_link_leads_on_and_ends_when_its_questions_are_used_up(tmp_path: Path) -> None:
    with serving(web_of()) as web:
        ended = asking(web, tmp_path)
    assert ended.code == 0, ended.log
    assert ended.plain
    assert {SEED, *PAGES} <= set(fetched(tmp_path))
    assert web.queries[0] == "solar energy photovoltaic"
    assert len(web.queries) == len(set(web.queries)) == len(column(tmp_path, ASKED)) == 3
    told = "Asked searxng searx.example for 'solar energy photovoltaic', as nothing is left to fetch: 4 results, 4 of them new"
    assert told in ended.log
    assert reasons(tmp_path) == ["dead end: no URL is left to fetch"]
    assert column(tmp_path, "SELECT count(*) FROM history WHERE found_on LIKE 'http://search.invalid/%'") == [
        len(PAGES)
    ]


def test_the_next_run_asks_nothing_again(tmp_path: Path) -> None:
    with serving(web_of()) as web:
        asking(web, tmp_path, most=2)
        first = list(web.queries)
        assert asking(web, tmp_path, most=2).code == 0
        assert web.queries == first
        assert asking(web, tmp_path, most=3).code == 0
    assert len(web.queries) == len(set(web.queries)) == 3


SUNNY = page_about("solar energy photovoltaic " * 9, *PAGES)
ONE_HOST = {"scope__allowed_hosts": "seed.example"}


@pytest.mark.parametrize(
    ("seed", "given"),
    [
        (CATS, {"questions__most": 0}),
        (SUNNY, {"pages": 3}),  # a crawl that does well until it has all that it may have
        (CATS, ONE_HOST),
        (CATS, {"scope__allow_private": "true"}),
        (CATS, {"scope__allow": "seed"}),
    ],
)
def test_who_does_well_or_stays_in_a_closed_web_or_may_not_asks_nobody(
    tmp_path: Path, seed: bytes, given: dict[str, object]
) -> None:
    with serving(web_of(seed=seed)) as web:
        ended = crawl(web, tmp_path, [SEED], settings=(f"FOCUSED_SEARCH=searxng:{SEARCH}",), **TOPIC | given)
    assert ended.code == 0, ended.log
    assert web.queries == []
    assert "a search could name other pages" not in ended.log


def test_in_a_closed_web_the_providers_of_the_topic_are_asked(tmp_path: Path) -> None:
    with serving(web_of()) as web:
        ended = asking(web, tmp_path, most=1, search="", questions__providers=f"searxng:{SEARCH}", **ONE_HOST)
    assert ended.code == 0, ended.log
    assert len(web.queries) == 1
    assert "4 results, 0 of them new, 4 out of scope" in ended.log


def test_without_a_word_in_the_topic_a_crawl_that_fails_asks_three_questions(tmp_path: Path) -> None:
    with serving(web_of(Answer(200, JSON, results()))) as web:
        for _ in range(2):
            ended = crawl(web, tmp_path, [SEED], settings=(f"FOCUSED_SEARCH=searxng:{SEARCH}",), **TOPIC)
            assert ended.code == 0, ended.log
    assert len(web.queries) == len(set(web.queries)) == 3  # and the next run asks nothing again


@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        (Answer(500, (), b""), "HTTP status 500"),
        (Answer(429, (), b""), "HTTP status 429: it has been asked too often"),
        (b"nonsense", "gave no answer"),
    ],
)
def test_a_provider_that_fails_costs_one_line_and_is_asked_once(tmp_path: Path, reply: object, reason: str) -> None:
    with serving(web_of(lambda _: reply)) as web:
        ended = asking(web, tmp_path)
    assert ended.code == 0, ended.log
    assert ended.plain
    assert len(web.queries) == 1
    (line,) = [line for line in ended.log.splitlines() if "it is not asked again in this run" in line]
    assert reason in line or reason == "gave no answer"
    assert column(tmp_path, ASKED) == []


@pytest.mark.parametrize(
    ("seed", "given", "lines"), [(CATS, {}, 1), (SUNNY, {"pages": 3}, 0), (CATS, {"questions__most": 0}, 0)]
)
def test_where_nobody_can_be_asked_one_line_tells_how_once_the_crawl_fails(
    tmp_path: Path, seed: bytes, given: dict[str, object], lines: int
) -> None:
    with serving(web_of(seed=seed)) as web:
        ended = crawl(web, tmp_path, [SEED], **TOPIC | given)
    assert ended.code == 0, ended.log
    hint = "As nothing is left to fetch, a search could name other pages: -s FOCUSED_SEARCH=searxng:"
    assert ended.log.count("a search could name other pages") == ended.log.count(hint) == lines


def test_a_mistake_in_the_name_of_a_provider_is_told_before_anything_is_fetched(tmp_path: Path) -> None:
    with serving(web_of()) as web:
        ended = crawl(web, tmp_path, [SEED], settings=("FOCUSED_SEARCH=gugel",), **TOPIC)
    assert ended.code != 0
    assert ended.plain
    assert "provider 'gugel': 'gugel' is unknown" in ended.log + ended.output
    assert web.asked == []


@pytest.mark.parametrize("stop", [signal.SIGINT, signal.SIGKILL])
def test_a_question_that_was_open_when_the_crawl_was_stopped_is_asked_again(
    tmp_path: Path, stop: signal.Signals
) -> None:
    with serving(web_of(lambda _: HANG)) as web:
        given = {**TOPIC, "questions__most": 3, "settings": (f"FOCUSED_SEARCH=searxng:{SEARCH}", "DOWNLOAD_TIMEOUT=3")}
        process = start(web, tmp_path, [SEED], **given)  # type: ignore[arg-type]
        while not web.queries and process.poll() is None:
            web.wait_for(len(web.asked) + 1, process.poll, 0.5)
        process.send_signal(stop)
        ended = end(process)
        assert "Traceback" not in ended.log
        web.searx = Answer(200, JSON, results(*PAGES))
        assert asking(web, tmp_path).code == 0
    assert web.queries[:2] == ["solar energy photovoltaic"] * 2
    assert len(column(tmp_path, ASKED)) == 3
    assert set(PAGES) <= set(fetched(tmp_path))


def test_hostile_answers_bring_nothing_but_what_may_be_followed(tmp_path: Path) -> None:
    found = [
        *(f"http://h{n}.farm.org/" for n in range(10_000)),
        *("http://127.0.0.1:1/", "http://10.0.0.1/", "javascript:alert(1)", "file:///etc/passwd"),
        f"{SEARCH}/search?q=loop",
        *("http://search.invalid/searxng/q=x", "http://denied.example/", *list(PAGES)[:1]),
    ]
    rows_of = [
        {"url": url, "title": "<script>alert(1)</script>\x1b[31m", "content": "x" * 100}
        for url in found[-8:] + found[:100]
    ]
    with serving(web_of(Answer(200, JSON, json.dumps({"results": rows_of}).encode()))) as web:
        ended = asking(web, tmp_path, most=1, scope__denied_hosts="denied.example")
    assert ended.code == 0, ended.log
    assert "\x1b" not in ended.log
    hosts = {asked.host for asked in web.asked}
    assert {host for host in hosts if "farm" in host} == {"h0.farm.org", "h1.farm.org", "h2.farm.org"}
    assert not hosts & {"127.0.0.1", "10.0.0.1", "denied.example", "search.invalid"}
    assert len(web.queries) == 1
    assert rows(
        tmp_path, "SELECT count(*) FROM links l JOIN urls u ON u.id = l.page WHERE u.url LIKE 'http://search.invalid/%'"
    ) == [(5,)]


def test_robots_txt_of_a_provider_is_obeyed(tmp_path: Path) -> None:
    web = web_of()
    web.answers[f"{SEARCH}/robots.txt"] = Answer(
        200, (("Content-Type", "text/plain"),), b"User-agent: *\nDisallow: /search"
    )
    with serving(web):
        ended = asking(web, tmp_path)
    assert web.queries == []
    assert "its robots.txt bars the question" in ended.log


def test_when_its_pages_bring_nothing_it_asks_with_what_it_has_learned(tmp_path: Path) -> None:
    chain = [f"http://seed.example/{n}" for n in range(12)]
    web = web_of(
        lambda _: Answer(200, JSON, results()), page_about("solar energy photovoltaic inverter " * 9, chain[0])
    )
    for here, there in zip(chain, [*chain[1:], SEED], strict=True):
        web.answers[here] = Answer(200, HTML, page_about("cats and dogs " * 9, there))
    with serving(web):
        ended = asking(web, tmp_path, questions__harvest_window=4)
    assert ended.code == 0
    assert "as its last pages brought next to nothing" in ended.log
    assert len(web.queries) == 3

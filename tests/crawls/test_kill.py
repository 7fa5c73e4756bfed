"""kill -9 at any moment costs what was sent since the last commit, and what had no answer then; nothing is lost."""

from __future__ import annotations

import random
from itertools import pairwise
from pathlib import Path
from time import sleep

import pytest
from warcio.archiveiterator import ArchiveIterator

from focused.collection.collection import DATABASE
from focused.inspection.checking import check
from focused.settings import CONCURRENT_REQUESTS
from focused.simulation.recorded_web import Answer
from tests.crawls.crawling import column, crawl, end, failures, fetched, reasons, rows, start
from tests.crawls.mock_web import MockWeb, page, redirect, serving

KILLS, PAGES = 7, 200
MANY_KILLS, MANY_PAGES = 40, 1000
EARLY = 0.2  #: share of many kills that come while a run begins, before it asks for anything
HOSTS = 5
LATENCY = 0.1  #: seconds for an answer
COMMIT_REQUESTS = 10
#: Requests that a kill may cost: sent since a commit, and under way at it, one for each host.
LOST = COMMIT_REQUESTS + HOSTS
SEEDS = ("http://host0.example/0",)
WORDS = ("solar energy", "wind energy", "football club", "solar panels")


def url_of(number: int) -> str:
    return f"http://host{number % HOSTS}.example/{number}"


def random_web(latency: float = 0.0, pages: int = PAGES) -> MockWeb:
    """A tree of pages with some links across it; every 25th is reached by a redirect, every 20th has links that fail."""
    rng = random.Random(3)
    answers = {}
    for number in range(pages):
        targets = [2 * number + 1, 2 * number + 2, *(rng.randrange(pages) for _ in range(4))]
        links = [
            f"{url_of(target)}/moved" if target % 25 == 7 else url_of(target) for target in targets if target < pages
        ]
        if number % 20 == 3:
            links += [f"{url_of(number)}/missing", f"{url_of(number)}/broken"]
            answers[f"{url_of(number)}/broken"] = Answer(500, (), b"oops")
        if number % 25 == 7:
            answers[f"{url_of(number)}/moved"] = redirect(url_of(number))
        answers[url_of(number)] = page(f"{rng.choice(WORDS)} {number}", *links)
    return MockWeb(answers, latency=latency)


def crawl_and_kill(web: MockWeb, folder: Path, kills: int, most: int, early: float = 0.0) -> list[int]:
    """Crawl, killed at random moments and started again, then to its end; how much was asked for by each kill.

    most : requests between the start of a run and its kill
    early : share of kills that come while a run begins; after each kill of a crawl with these the collection is checked
    """
    rng, killed = random.Random(11), []
    # Kills lie before, between and after commits and snapshots.
    settings = (
        "RETRY_TIMES=0",
        "FOCUSED_COMMIT_SECONDS=60",
        f"FOCUSED_COMMIT_REQUESTS={COMMIT_REQUESTS}",
        "FOCUSED_SNAPSHOT_PAGES=40",
    )
    for _ in range(kills):
        process = start(web, folder, SEEDS, settings=settings)
        if rng.random() < early:
            sleep(rng.uniform(0, 1))
        else:  # It asks for robots.txt of five hosts first.
            assert web.wait_for(len(web.asked) + rng.randrange(1, most), process.poll), end(process).log
        process.kill()
        end(process)
        killed.append(len(web.asked))
        if early and (folder / "test" / DATABASE).exists():
            assert check(folder / "test", lambda *_: None).is_well
    ended = crawl(web, folder, SEEDS, settings=settings)
    assert (ended.code, ended.plain) == (0, True), ended.log
    return killed


@pytest.mark.timeout(400)  # twelve crawls; each takes long to begin on a busy machine
def test_a_crawl_killed_again_and_again_loses_nothing_and_fetches_little_twice(tmp_path):
    whole, killed = tmp_path / "whole", tmp_path / "killed"
    with serving(random_web()) as web:
        assert crawl(web, whole, SEEDS, settings=("RETRY_TIMES=0",)).code == 0
    with serving(random_web(LATENCY)) as web:
        kills = crawl_and_kill(web, killed, KILLS, 4 * LOST)
    assert reasons(killed).count("cut off") >= KILLS - 4  # some kills come before the run is on record
    assert reasons(killed)[-1] == "dead end: no URL is left to fetch"
    assert len(fetched(whole)) == PAGES
    assert sorted(fetched(killed)) == sorted(fetched(whole))
    assert failures(killed) == failures(whole)
    assert max(kill - start for start, kill in pairwise([0, *kills])) > 2 * LOST
    check_what_was_asked_again(web, kills)
    check_the_page_repository(killed)
    check_the_database(killed)


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_forty_kills_some_of_runs_that_only_begin_lose_nothing(tmp_path):
    """Of so many, some come while a page that has arrived is read and its host is asked for the next: that is what is promised."""
    with serving(random_web(LATENCY, MANY_PAGES)) as web:
        kills = crawl_and_kill(web, tmp_path, MANY_KILLS, 2 * LOST, EARLY)
    assert reasons(tmp_path).count("cut off") > MANY_KILLS / 2
    assert reasons(tmp_path)[-1] == "dead end: no URL is left to fetch"
    assert sorted(fetched(tmp_path)) == sorted(map(url_of, range(MANY_PAGES)))
    check_what_was_asked_again(web, kills, COMMIT_REQUESTS + CONCURRENT_REQUESTS)
    check_the_page_repository(tmp_path)
    check_the_database(tmp_path)


def check_what_was_asked_again(web: MockWeb, kills: list[int], most: int = LOST) -> None:
    """Each kill costs only what was under way or came since the last commit; a page on its way by a redirect begins anew."""
    urls = [request.url for request in web.asked]
    costs = [
        sum(url in urls[kill:] for url in urls[start:kill] if not url.endswith(("/robots.txt", "/moved")))
        for start, kill in pairwise([0, *kills])
    ]
    assert 0 < max(costs) <= most, costs  # without cost no kill came at a bad moment, and the test says nothing


def check_the_page_repository(folder: Path) -> None:
    """It can be read to its end and holds every page once."""
    urls = []
    for path in sorted((folder / "test" / "pages").iterdir()):
        with path.open("rb") as file:
            for record in ArchiveIterator(file):
                record.content_stream().read()
                if record.rec_type == "response":
                    urls.append(record.rec_headers.get_header("WARC-Target-URI"))
    assert sorted(urls) == sorted(fetched(folder))


def check_the_database(folder: Path) -> None:
    """It is whole, and every URL stands in it once."""
    assert rows(folder, "PRAGMA integrity_check") == [("ok",)]
    assert column(folder, "SELECT key FROM urls GROUP BY key HAVING count(*) > 1") == []
    assert column(folder, "SELECT url FROM fetches GROUP BY url HAVING count(*) > 1") == []
    assert rows(folder, "SELECT max(id) + 1 = count(*) FROM urls") == [(1,)]

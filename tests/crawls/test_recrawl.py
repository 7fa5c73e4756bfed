"""Pages that were fetched long ago are asked for once more: cheaply, the best first, and what became of each is on record."""

from __future__ import annotations

import json
import re
import signal
import sqlite3
from functools import partial
from pathlib import Path

import pytest
from warcio.archiveiterator import ArchiveIterator

from focused.collection.collection import open_repository
from focused.collection.repository import Place
from focused.page.page_kind import KINDS
from focused.simulation.recorded_web import Answer
from tests.crawls import crawling
from tests.crawls.crawling import Ended, end, failures, fetched, rows, scrapy
from tests.crawls.mock_web import Asked, MockWeb, page, redirect, serving

A, B = "http://a.example", "http://b.example"
ETAG, DATE = '"one"', "Mon, 02 Nov 2026 10:00:00 GMT"
AGES = "UPDATE fetches SET time = strftime('%Y-%m-%dT%H:%M:%S+00:00', time, '-10 days')"


SHORT_PAGES = {"relevance__also": ",".join(KINDS)}  #: which these are
crawl, start = partial(crawling.crawl, **SHORT_PAGES), partial(crawling.start, **SHORT_PAGES)


def before() -> MockWeb:
    links = [f"{A}/{name}" for name in ("etag", "dated", "plain", "edited", "counter", "gone", "moved", "off")]
    return MockWeb(
        {
            f"{A}/": page("solar energy hub", *links, f"{B}/"),
            f"{A}/etag": page("solar energy etag", headers=(("ETag", ETAG),)),
            f"{A}/dated": page("solar energy dated", headers=(("Last-Modified", DATE),)),
            f"{A}/plain": page("solar energy plain"),
            f"{A}/edited": page("solar energy edited"),
            f"{A}/counter": page("solar energy counter"),
            f"{A}/gone": page("solar energy gone"),
            f"{A}/moved": page("solar energy moved"),
            f"{A}/off": page("football club"),
            f"{B}/": page("solar energy b"),
        }
    )


def after() -> MockWeb:
    """The same web ten days later."""
    web = before()
    web.answers[f"{A}/etag"] = lambda asked: not_modified(asked, "if-none-match", ETAG)
    web.answers[f"{A}/dated"] = lambda asked: not_modified(asked, "if-modified-since", DATE)
    web.answers[f"{A}/edited"] = page("solar energy edited and longer", f"{A}/fresh", title="Edited")
    web.answers[f"{A}/counter"] = page(
        "solar energy counter", head="<script>visits = 2</script>", title="solar energy counter"
    )
    del web.answers[f"{A}/gone"]
    web.answers[f"{A}/moved"] = redirect(f"{A}/moved-here")
    web.answers[f"{A}/moved-here"] = page("solar energy moved here now")
    web.answers[f"{A}/fresh"] = page("solar energy fresh")
    return web


def not_modified(asked: Asked, header: str, value: str) -> Answer:
    return Answer(304, (("ETag", ETAG),), b"") if asked.headers.get(header) == value else page("asked in vain")


def grow_old(folder: Path) -> None:
    with sqlite3.connect(folder / "test" / "crawl.db") as db:
        db.execute(AGES)


def outcomes(folder: Path) -> dict[str, tuple[str, str | None]]:
    return {
        url: (outcome, reason) for url, outcome, reason in rows(folder, "SELECT url, outcome, reason FROM revisits")
    }


@pytest.fixture(scope="module")
def recrawled(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, MockWeb, Ended]:
    folder = tmp_path_factory.mktemp("recrawled")
    with serving(before()) as web:
        crawl(web, folder, [f"{A}/"])
    grow_old(folder)
    with serving(after()) as web:
        ended = crawl(web, folder, [f"{A}/"], recrawl="7d")
    return folder, web, ended


def test_what_became_of_each_page_is_on_record(recrawled):
    folder, _, ended = recrawled
    assert (ended.code, ended.plain) == (0, True), ended.log
    assert outcomes(folder) == {
        f"{A}/": ("same", "the same bytes"),
        f"{A}/etag": ("same", "http 304"),
        f"{A}/dated": ("same", "http 304"),
        f"{A}/plain": ("same", "the same bytes"),
        f"{A}/edited": ("changed", None),
        f"{A}/counter": ("same", "the same text"),
        f"{A}/gone": ("gone", "http 404"),
        f"{A}/moved": ("changed", None),
        f"{B}/": ("same", "the same bytes"),
    }


def test_a_page_that_is_neither_relevant_nor_led_to_such_pages_is_left_alone(recrawled):
    assert f"{A}/off" not in recrawled[1].pages_asked()


def test_new_links_of_a_page_that_has_changed_are_followed(recrawled):
    folder, _, _ = recrawled
    assert f"{A}/fresh" in fetched(folder)
    assert rows(folder, "SELECT found_on FROM history WHERE url = ?", [f"{A}/fresh"]) == [(f"{A}/edited",)]


def test_a_page_that_has_moved_is_followed_and_asked_for_there_the_next_time(recrawled):
    folder = recrawled[0]
    assert rows(folder, "SELECT url, final_url FROM newest WHERE url = ?", [f"{A}/moved"]) == [
        (f"{A}/moved", f"{A}/moved-here")
    ]


def test_the_history_is_what_it_was_and_the_newest_version_stands_beside_it(recrawled):
    folder = recrawled[0]
    title = "SELECT title FROM {} WHERE url = ?"
    assert rows(folder, title.format("history"), [f"{A}/edited"]) == [("solar energy edited",)]
    assert rows(folder, title.format("newest"), [f"{A}/edited"]) == [("Edited",)]
    assert rows(folder, title.format("versions"), [f"{A}/edited"]) == [("solar energy edited",), ("Edited",)]
    assert failures(folder) == {}


def test_both_versions_lie_in_the_archive(recrawled):
    folder = recrawled[0]
    repository = open_repository("warc", folder / "test" / "pages")
    places = rows(folder, "SELECT file, offset, length FROM versions WHERE url = ? ORDER BY seq", [f"{A}/edited"])
    texts = [repository.get(Place(*place)).body for place in places]
    assert [b"longer" in text for text in texts] == [False, True]


def test_the_archive_says_of_pages_that_are_as_they_were_where_they_are(recrawled):
    found = {}
    for path in (recrawled[0] / "test" / "pages").glob("*.warc.gz"):
        with path.open("rb") as file:
            for record in ArchiveIterator(file):
                if record.rec_type == "revisit":
                    headers = record.rec_headers
                    profile = headers.get_header("WARC-Profile").rpartition("/")[2]
                    found[headers.get_header("WARC-Target-URI")] = profile
                    assert headers.get_header("WARC-Refers-To-Target-URI") == headers.get_header("WARC-Target-URI")
                    assert headers.get_header("WARC-Payload-Digest").startswith("sha1:")
    same, modified = "identical-payload-digest", "server-not-modified"
    assert found == {f"{A}/": same, f"{A}/etag": modified, f"{A}/dated": modified, f"{A}/plain": same, f"{B}/": same}


def test_the_collection_is_whole_and_goes_on(recrawled):
    folder, _, _ = recrawled
    checked = end(scrapy("verify", "test", folder=folder))
    assert checked.code == 0, checked.output + checked.log
    with serving(after()) as web:
        again = crawl(web, folder, [f"{A}/"], recrawl="7d")
        assert again.code == 0
        assert web.pages_asked() == []  # all was asked for just now


def test_the_newest_version_is_shown_and_found(recrawled):
    folder = recrawled[0]
    shown = end(scrapy("show", "test", f"{A}/edited", folder=folder))
    assert "solar energy edited and longer" in shown.output
    assert re.search(r"again +\S+: changed", shown.output), shown.output
    moved = end(scrapy("show", "test", f"{A}/moved", folder=folder))
    assert f"{A}/moved-here" in moved.output
    found = end(scrapy("search", "test", "longer", folder=folder))
    assert f"{A}/edited" in found.output, found.output + found.log


@pytest.mark.parametrize(
    ("options", "texts", "count"),
    [
        ((), ["solar energy edited and longer"], 11),
        (("--versions", "first"), ["solar energy edited"], 11),
        (("--versions", "all"), ["solar energy edited", "solar energy edited and longer"], 13),
        (("--still-there",), ["solar energy edited and longer"], 10),
    ],
)
def test_an_export_has_the_versions_that_are_asked_for(recrawled, tmp_path, options, texts, count):
    end(scrapy("export", "test", str(tmp_path / "out.jsonl"), *options, folder=recrawled[0]))
    found = [json.loads(line) for line in (tmp_path / "out.jsonl").read_text().splitlines()]
    assert len(found) == count
    assert [row["text"].splitlines()[0] for row in found if row["final_url"] == f"{A}/edited"] == texts
    gone = [row["final_url"] for row in found if row["gone_at"]]
    assert gone == ([] if "--still-there" in options else [f"{A}/gone"])
    assert all(row["checked_at"] >= row["fetched_at"] for row in found)


def test_the_report_and_an_explanation_tell_it_too(recrawled):
    report = end(scrapy("report", "test", folder=recrawled[0]))
    assert "11 pages" in report.output
    assert "Pages that were asked for once more" in report.output
    explained = end(
        scrapy(
            "explain",
            f"{A}/edited",
            "-a",
            "name=test",
            "-a",
            "keywords=solar energy",
            "-a",
            f"seeds={A}/",
            folder=recrawled[0],
        )
    )
    assert re.search(r"fetched as page \d+ .*\n(.*\n)*  asked for once more at \S+: changed", explained.output), (
        explained
    )


def test_the_summary_says_what_has_become_of_the_pages(recrawled):
    assert "Asking once more for 9 pages, which answered last 7 days ago or more" in recrawled[2].log
    assert "again     2 changed, 6 as they were, 1 gone\n" in recrawled[2].log


def test_the_budget_of_the_crawl_does_not_end_a_recrawl_and_its_own_does(tmp_path):
    with serving(before()) as web:
        crawl(web, tmp_path, [f"{A}/"], pages=5)
    grow_old(tmp_path)
    with serving(after()) as web:
        ended = crawl(web, tmp_path, [f"{A}/"], pages=5, recrawl="7d", recrawl__pages=3)
        assert len(set(web.pages_asked()) - {f"{A}/moved-here"}) == 3
    assert "page budget reached: 5 of 5 pages" in ended.log
    assert len(fetched(tmp_path)) == 5


def test_a_recrawl_that_is_killed_goes_on_where_it_was(tmp_path):
    with serving(before()) as web:
        crawl(web, tmp_path, [f"{A}/"])
    grow_old(tmp_path)
    web = after()
    web.latency = 0.3
    with serving(web):
        process = start(web, tmp_path, [f"{A}/"], recrawl="7d")
        assert web.wait_for(len([asked for asked in web.asked if asked.url.endswith("robots.txt")]) + 6, process.poll)
        process.send_signal(signal.SIGKILL)
        end(process)
        done = len(outcomes(tmp_path))
        web.latency = 0
        ended = crawl(web, tmp_path, [f"{A}/"], recrawl="7d")
    assert 0 < done < 9
    assert (ended.code, ended.plain) == (0, True), ended.log
    assert len(outcomes(tmp_path)) == 9
    assert {outcome for outcome, _ in outcomes(tmp_path).values()} == {"same", "changed", "gone"}


def test_a_host_that_does_not_answer_is_given_up_and_its_pages_are_asked_for_the_next_time(tmp_path):
    with serving(before()) as web:
        crawl(web, tmp_path, [f"{A}/"])
    grow_old(tmp_path)
    web = after()
    web.answers = {url: (b"" if url.startswith(A) else answer) for url, answer in web.answers.items()}
    with serving(web):
        ended = crawl(web, tmp_path, [f"{A}/"], recrawl="7d", settings=["RETRY_TIMES=0"])
    assert ended.plain, ended.log
    missed = [url for url, (outcome, _) in outcomes(tmp_path).items() if outcome == "missed"]
    assert 1 <= len(missed) <= 4
    with serving(after()) as web:
        crawl(web, tmp_path, [f"{A}/"], recrawl="7d")
    assert outcomes(tmp_path)[f"{A}/edited"] == ("changed", None)

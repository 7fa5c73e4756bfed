"""`scrapy taxonomy fetch` on a small Web: polite, complete, and going on where it was stopped."""

from __future__ import annotations

import signal
from contextlib import closing
from pathlib import Path

import pytest

from focused.papers.taxonomies.taxonomy_store import TAXONOMIES, ExampleUrl, Listing, TaxonomyStore
from tests.crawls.crawling import FAST, Ended, end, scrapy
from tests.crawls.mock_web import MockWeb, are_apart, page, redirect, robots, serving

SETTINGS = tuple(word for setting in FAST for word in ("-s", setting))


def listed(folder: Path, urls: list[str]) -> None:
    with closing(TaxonomyStore(folder / TAXONOMIES / "test", make=True)) as store:
        store.take_in([Listing("A", url) for url in urls], "test.tsv")


def fetch(web: MockWeb, folder: Path, *options: str) -> Ended:
    return end(scrapy("taxonomy", "fetch", "test", *SETTINGS, *options, port=web.port, folder=folder))


def examples(folder: Path) -> dict[str, ExampleUrl]:
    with closing(TaxonomyStore(folder / TAXONOMIES / "test")) as store:
        return {example.url: example for example in store.examples()}


def test_pages_are_kept_and_failures_with_their_reason(tmp_path: Path) -> None:
    web = MockWeb(
        {
            "http://a.example/robots.txt": robots("Disallow: /secret"),
            "http://a.example/1": page("solar energy", title="The sun"),
            "http://a.example/secret": page("hidden"),
            "http://a.example/moved": redirect("http://b.example/new"),
            "http://b.example/new": page("wind energy"),
            "http://b.example/empty": page(""),
        }
    )
    urls = [f"http://a.example/{name}" for name in ("1", "secret", "moved", "gone")] + ["http://b.example/empty"]
    listed(tmp_path, urls)
    with serving(web):
        done = fetch(web, tmp_path)
    assert (done.code, done.plain) == (0, True)
    assert "2 pages, 3 failures; 0 are left." in done.output
    found = examples(tmp_path)
    assert {url.rpartition("/")[2]: found[url].reason for url in urls} == {
        "1": None,
        "moved": None,
        "secret": "robots.txt",
        "gone": "http 404",
        "empty": "no words (text/html)",
    }
    assert found["http://a.example/1"].title == "The sun"
    with closing(TaxonomyStore(tmp_path / TAXONOMIES / "test")) as store:
        moved = store.db.execute("SELECT final_url FROM examples WHERE url = 'http://a.example/moved'").fetchone()
    assert moved == ("http://b.example/new",)
    assert "http://a.example/secret" not in web.pages_asked()


def test_what_robots_txt_forbids_is_asked_for_by_no_request_however_many_wait_for_it(tmp_path: Path) -> None:
    urls = [f"http://a.example/secret/{number}" for number in range(12)]
    web = MockWeb({"http://a.example/robots.txt": robots("Disallow: /secret")}, latency=0.2)
    listed(tmp_path, urls)
    with serving(web):
        fetch(web, tmp_path)
    assert web.pages_asked() == []
    assert {example.reason for example in examples(tmp_path).values()} == {"robots.txt"}


def test_a_limit_a_delay_and_another_try_of_what_failed(tmp_path: Path) -> None:
    web = MockWeb({f"http://a.example/{number}": page(f"words {number}") for number in range(5)})
    listed(tmp_path, [f"http://a.example/{number}" for number in range(6)])
    with serving(web):
        assert "; 3 are left." in fetch(web, tmp_path, "--pages", "3", "-s", "DOWNLOAD_DELAY=0.3").output
        assert are_apart(web.times("a.example"), 0.3)
        assert "2 pages, 1 failures; 0 are left." in fetch(web, tmp_path).output
        asked = len(web.pages_asked())
        assert "0 pages, 0 failures; 0 are left." in fetch(web, tmp_path).output
        assert len(web.pages_asked()) == asked
        assert "0 pages, 1 failures" in fetch(web, tmp_path, "--again").output
    assert web.pages_asked()[asked:] == ["http://a.example/5"]


@pytest.mark.parametrize("stop", [signal.SIGINT, signal.SIGKILL])
def test_a_stopped_fetch_goes_on_and_asks_for_nothing_twice_that_it_has(tmp_path: Path, stop: signal.Signals) -> None:
    web = MockWeb({f"http://a.example/{number}": page(f"words {number}") for number in range(40)})
    slowly = ("-s", "DOWNLOAD_DELAY=0.1")
    listed(tmp_path, [f"http://a.example/{number}" for number in range(40)])
    with serving(web):
        process = scrapy("taxonomy", "fetch", "test", *SETTINGS, *slowly, port=web.port, folder=tmp_path)
        assert web.wait_for(8, process.poll)
        process.send_signal(stop)
        stopped = end(process)
        known = {url for url, example in examples(tmp_path).items() if example.place}
        before = len(web.pages_asked())
        assert fetch(web, tmp_path).code == 0
    assert 0 < len(known) < 40
    assert stopped.plain
    if stop is signal.SIGINT:
        assert stopped.code == 130
        assert "Stopped early. The same command goes on." in stopped.output
    assert not known & set(web.pages_asked()[before:])
    assert all(example.place for example in examples(tmp_path).values())


def test_a_disk_that_cannot_be_written_ends_it_with_one_line(tmp_path: Path) -> None:
    web = MockWeb({f"http://a.example/{number}": page("words") for number in range(3)})
    listed(tmp_path, [f"http://a.example/{number}" for number in range(3)])
    pages = tmp_path / TAXONOMIES / "test" / "pages"
    for number in range(256):
        (pages / f"{number:02x}").write_text("in the way")
    with serving(web):
        done = fetch(web, tmp_path)
    assert (done.code, done.plain, done.log.count("\n")) == (1, True, 1)
    assert "cannot write a page" in done.log

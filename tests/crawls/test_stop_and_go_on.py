"""A crawl is stopped in any orderly way, and the same command goes on; what cannot be continued is said in one line."""

from __future__ import annotations

import shutil
import signal
import sqlite3
from pathlib import Path

import pytest

from focused import strategies
from focused.collection.collection import open_repository
from focused.collection.store import Store
from focused.crawl.events import PageArrived, Picked, Started
from focused.live.assemble import assemble
from focused.live.resume import restore
from focused.page.page_kind import KINDS
from focused.page.urls import Address, host_of
from focused.topic.topic import Topic
from focused.topic.topic_arguments import topic_from_arguments
from tests.crawls.crawling import crawl, end, fetched, reasons, rows, start
from tests.crawls.mock_web import MockWeb, page, serving

A, B = "http://a.example", "http://b.example"
TEXTS = ("solar energy", "football club", "solar panels", "wind energy", "cooking")


def chain(count: int = 30, **options) -> MockWeb:
    """Pages on one host, each linked from one or two others."""
    answers = {
        f"{A}/{n}": page(f"{TEXTS[n % 5]} {n}", *(f"{A}/{m}" for m in (2 * n + 1, 2 * n + 2) if m < count))
        for n in range(count)
    }
    return MockWeb(answers | {f"{B}/": page("solar b", f"{B}/more"), f"{B}/more": page("solar more")}, **options)


def last_line(ended) -> str:
    return ended.log.strip().splitlines()[-1]


@pytest.fixture(scope="module")
def stopped(tmp_path_factory):
    """One collection: stopped by Ctrl-C, by its budget, gone on, finished, then given new seeds."""
    folder = tmp_path_factory.mktemp("stopped")
    runs = []
    with serving(chain(latency=0.02)) as web:
        process = start(web, folder, [f"{A}/0"])
        assert web.wait_for(8)
        process.send_signal(signal.SIGINT)
        runs.append((end(process), fetched(folder)))
        for seeds, pages in (([f"{A}/0"], 12), ([f"{A}/0"], 12), ([f"{A}/0"], 0), ([f"{A}/0"], 0), ([f"{B}/"], 0)):
            runs.append((crawl(web, folder, seeds, pages=pages), fetched(folder)))
    return web, folder, runs


def test_ctrl_c_ends_a_crawl_cleanly_and_says_why(stopped):
    ended, pages = stopped[2][0]
    assert (ended.code, ended.plain) == (0, True)
    assert 5 <= len(pages) < 12
    assert "Ended: stopped by a signal, such as Ctrl-C" in ended.log
    assert "the same command goes on" in ended.log


def test_a_terminal_that_is_closed_ends_a_crawl_as_cleanly(tmp_path):
    """A shell and its terminal may both tell of it."""
    with serving(chain(latency=0.1)) as web:
        # As from a terminal, also where these tests run under nohup, which a crawl respects.
        hears = {"preexec_fn": lambda: signal.signal(signal.SIGHUP, signal.SIG_DFL)}
        process = start(web, tmp_path, [f"{A}/0"], popen=hears)
        assert web.wait_for(5)
        for _ in range(2):
            process.send_signal(signal.SIGHUP)
        ended = end(process)
    assert (ended.code, ended.plain) == (0, True)
    assert reasons(tmp_path) == ["stopped by a signal, such as Ctrl-C"]
    assert 3 <= len(fetched(tmp_path)) < 12


def test_a_page_budget_is_a_total_over_all_runs(stopped):
    (second, pages), (third, same) = stopped[2][1:3]
    assert len(pages) == 12
    assert same == pages
    assert "Going on with test" in second.log
    assert "Ended: page budget reached: 12 of 12 pages" in third.log
    assert "-a pages=24 goes on" in third.log


def test_nothing_is_fetched_twice_over_all_runs(stopped):
    web, folder, _ = stopped
    assert sorted(web.pages_asked()) == sorted(set(web.answers))
    assert len(fetched(folder)) == len(web.answers)


def test_a_finished_crawl_says_so_and_what_would_extend_it(stopped):
    (finished, pages), (again, same) = stopped[2][3:5]
    assert len(pages) == len(same) == 30
    for ended in (finished, again):
        assert "Ended: dead end: no URL is left to fetch" in ended.log
        assert "more seeds or a wider [scope] go on" in ended.log


def test_new_seeds_are_added(stopped):
    assert stopped[2][5][1][30:] == [f"{B}/", f"{B}/more"]


def test_the_reason_of_every_stop_is_in_the_database(stopped):
    budget, dead_end = "page budget reached: 12 of 12 pages", "dead end: no URL is left to fetch"
    expected = ["stopped by a signal, such as Ctrl-C", budget, budget, dead_end, dead_end, dead_end]
    assert reasons(stopped[1]) == expected


def test_fresh_puts_the_old_collection_aside_and_starts_anew(tmp_path):
    with serving(chain(5)) as web:
        assert crawl(web, tmp_path, [f"{A}/0"], pages=2).code == 0
        assert crawl(web, tmp_path, [f"{A}/0"], pages=2, fresh="true").code == 0
    assert web.pages_asked() == [f"{A}/0", f"{A}/1"] * 2 or web.pages_asked() == [f"{A}/0", f"{A}/2"] * 2
    previous = sqlite3.connect(tmp_path / "test" / "previous" / "crawl.db")
    assert previous.execute("SELECT count(*) FROM history").fetchone() == (2,)
    previous.close()
    assert rows(tmp_path, "SELECT count(*) FROM history") == [(2,)]


def test_a_wrong_setting_is_told_in_one_line_before_anything_is_opened_or_put_aside(tmp_path):
    with serving(chain(5)) as web:
        ended = crawl(web, tmp_path, [f"{A}/0"], settings=("DOWNLOAD_DELAY=0,5",), fresh="true")
    assert (ended.code, ended.plain) == (1, True)
    assert ended.log.splitlines()[-1] == "scrapy crawl: DOWNLOAD_DELAY = '0,5': it must be a number from 0 on"
    assert not list(tmp_path.iterdir())
    assert not web.pages_asked()


@pytest.fixture(scope="module")
def nine_pages(tmp_path_factory):
    folder = tmp_path_factory.mktemp("nine")
    with serving(chain()) as web:
        assert crawl(web, folder, [f"{A}/0"], pages=9, strategy="breadth_first").code == 0
    return folder


def copy_of(collected: Path, folder: Path) -> Path:
    shutil.copytree(collected, folder, dirs_exist_ok=True)
    return folder


def topic_of(arguments: dict[str, str]) -> Topic:
    given = {"name": "test", "keywords": "solar energy", "seeds": f"{A}/0", "traps.on": "false", **arguments}
    given.setdefault("relevance.also", ",".join(KINDS))
    return topic_from_arguments({name.replace("__", "."): value for name, value in given.items()}, strategies)


def waiting(folder, **arguments) -> list[tuple[str, float]]:
    """What the collection has waiting, best first, as the next run finds it."""
    reader, core = assemble(topic_of(arguments))
    store = Store(folder / "test" / "crawl.db", read_only=True)
    restore(core, reader, store, open_repository("warc", folder / "test" / "pages"))
    ids, scores = core.frontier.waiting()
    urls = [store.url(url) for url in ids.tolist()]
    store.close()
    return list(zip(urls, scores.tolist(), strict=True))


@pytest.mark.parametrize(
    "change",
    [{"strategy": "dom"}, {"keywords": "football energy"}, {"scope__deny": "1[0-9]$"}],
    ids=["strategy", "keywords", "scope"],
)
def test_a_changed_topic_rescores_what_waits_from_the_stored_pages(tmp_path, nine_pages, change):
    folder = copy_of(nine_pages, tmp_path)
    changed = {"strategy": "breadth_first", **change}
    with serving(chain()) as web:
        ended = crawl(web, folder, [f"{A}/0"], pages=9, **changed)
    assert (ended.code, web.asked) == (0, [])
    assert "Rescoring all pages" in ended.log
    assert waiting(folder, **changed) == replayed(web, fetched(folder), changed)


def replayed(web: MockWeb, urls: list[str], arguments: dict[str, str]) -> list[tuple[str, float]]:
    """What would wait if a crawl had had these arguments from the start and had fetched these pages."""
    reader, core = assemble(topic_of(arguments))
    core.apply(Started([Address(reader.rules.key(f"{A}/0"), host_of(f"{A}/0"), f"{A}/0")]))
    texts = {0: f"{A}/0"}
    for url in urls:
        pick = core.apply(Picked(next(known for known, text in texts.items() if text == url))).picked
        outcome = core.apply(PageArrived(pick.id, reader.read(url, web.answers[url].body, "text/html"), 1))
        texts |= {new.id: new.url for new in outcome.new_urls}
    ids, scores = core.frontier.waiting()
    return [(texts[url], score) for url, score in zip(ids.tolist(), scores.tolist(), strict=True)]


def test_a_second_crawl_of_the_same_topic_is_refused_while_the_first_runs(tmp_path):
    with serving(chain(4, latency=30)) as web:
        first = start(web, tmp_path, [f"{A}/0"])
        assert web.wait_for(1)
        second = crawl(web, tmp_path, [f"{A}/0"])
        first.kill()
        end(first)
        web.latency = 0
        third = crawl(web, tmp_path, [f"{A}/0"])
    assert (second.code, second.plain) == (1, True)
    assert "another crawl of this topic is running" in last_line(second)
    assert "; wait until it ends or stop it" in last_line(second)
    assert (third.code, len(fetched(tmp_path))) == (0, 4)


def newer(folder):
    db = sqlite3.connect(folder / "test" / "crawl.db")
    db.execute("PRAGMA user_version = 99")
    db.close()


def damaged(folder):
    for suffix in ("-wal", "-shm"):
        (folder / "test" / f"crawl.db{suffix}").unlink(missing_ok=True)
    (folder / "test" / "crawl.db").write_bytes(b"not a database, but long enough to be one " * 500)


def malformed(folder):
    path = folder / "test" / "crawl.db"
    data = bytearray(path.read_bytes())
    data[4096:] = b"\x77" * (len(data) - 4096)
    path.write_bytes(bytes(data))


def without_pages(folder):
    for path in (folder / "test" / "pages").iterdir():
        path.unlink()


def a_file_for_a_folder(folder):
    (folder / "test").rename(folder / "away")
    (folder / "test").write_text("in the way")


@pytest.mark.parametrize(
    ("harm", "arguments", "words"),
    [
        (newer, {}, "written by a newer release"),
        (damaged, {}, "file is not a database"),
        (malformed, {}, "malformed"),
        (without_pages, {}, "is missing"),
        (a_file_for_a_folder, {}, "cannot create the folder"),
        (None, {"reading__fold_index": "true"}, "[reading] fold_index was false and is now true"),
        (None, {"storage__pages": "files"}, '[storage] pages was "warc" and is now "files"'),
        (None, {"strategy": "best_frist"}, "did you mean best_first?"),
    ],
)
def test_what_cannot_be_continued_is_refused_in_one_line(tmp_path, nine_pages, harm, arguments, words):
    folder = copy_of(nine_pages, tmp_path)
    if harm is not None:
        harm(folder)
    with serving(chain()) as web:
        refused = crawl(web, folder, [f"{A}/0"], **{"strategy": "breadth_first", **arguments})
    assert (refused.code, refused.plain) == (1, True), refused.log
    assert words in last_line(refused)
    assert last_line(refused).startswith("scrapy crawl: ")
    assert web.asked == []

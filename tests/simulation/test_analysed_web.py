"""A recorded web is read once, hides what was not recorded, and keeps what it read whatever happens to the cache."""

import logging
import os
import sqlite3
from pathlib import Path

import pytest

from focused.exceptions import StorageError
from focused.page.reader import Reader, ReadingOptions
from focused.simulation import analysed_web
from focused.simulation.analysed_web import BATCH, AnalysedWeb, AnalysisCache, Failure, Fetched, Redirect, fingerprint
from focused.simulation.recorded_web import Answer
from tests.crawls.mock_web import page, redirect
from tests.simulation import simulated
from tests.simulation.simulated import SmallWeb, simulate, topic_of
from tests.small_web import url_of

SEED = "http://a.example/"
ANSWERS = {
    SEED: page("solar energy from Zürich", "/b", "/gone", "http://b.example/", title="The “sun”"),
    f"{SEED}b": redirect("/"),
    f"{SEED}c": Answer(503, (), b"later"),
    f"{SEED}d": page("solar", headers=(("X-Robots-Tag", "noindex"), ("X-Robots-Tag", "nofollow"))),
}
TOPIC = topic_of(url_of(0), url_of(7))


def web_of(cache: AnalysisCache | None = None, **options: bool) -> AnalysedWeb:
    return AnalysedWeb(SmallWeb(ANSWERS), Reader(ReadingOptions()), cache, **options)


def all_of(web: AnalysedWeb) -> list[Fetched | Redirect | Failure]:
    return [web.ask(url) for url in (*ANSWERS, f"{SEED}nowhere", "http://b.example/")]


def test_a_page_is_what_the_reader_makes_of_it():
    answer = web_of(hide_outside=False).ask(SEED)
    assert isinstance(answer, Fetched)
    assert answer.page == Reader(ReadingOptions()).read(SEED, ANSWERS[SEED].body, "text/html; charset=utf-8")
    assert (answer.status, answer.size, answer.declared) == (200, len(ANSWERS[SEED].body), "text/html")


def test_answers_that_are_no_pages():
    _, moved, broken, _, unknown, elsewhere = all_of(web_of())
    assert moved == Redirect(SEED, 301)
    assert broken == Failure("http 503", 503)
    assert unknown == Failure("http 404", 404)
    assert elsewhere == Failure("not recorded", None)


def test_a_redirect_to_what_is_no_url_fails_and_stops_nothing():
    answers = {SEED: Answer(302, (("Location", "http://[:PORT]/"),), b""), f"{SEED}b": page("solar")}
    fetches = simulate(answers, topic_of(SEED, f"{SEED}b"))
    assert [fetch.outcome for fetch in fetches] == ["failed", "page"]
    assert "not an http(s) URL" in fetches[0].reason


def test_robots_directives_of_several_headers_are_heard():
    answer = web_of().ask(f"{SEED}d")
    assert isinstance(answer, Fetched)
    assert answer.page.noindex
    assert answer.page.nofollow


def test_links_that_leave_the_recording_are_hidden_and_counted():
    web = web_of()
    answer = web.ask(SEED)
    assert isinstance(answer, Fetched)
    assert [link.url for link in answer.page.links] == [f"{SEED}b"]
    assert (web.links, web.hidden, web.hidden_share) == (3, 2, 2 / 3)


def test_links_that_leave_the_recording_stay_if_they_shall_fail():
    web = web_of(hide_outside=False)
    answer = web.ask(SEED)
    assert isinstance(answer, Fetched)
    assert len(answer.page.links) == 3
    assert web.hidden_share == 0


def test_what_comes_from_the_cache_is_equal_and_is_not_read_again(tmp_path):
    path = tmp_path / "folder" / "cache.sqlite"
    first = AnalysisCache(path)
    fresh = all_of(web_of(first))
    first.close()
    second = AnalysisCache(path)
    web = web_of(second)
    assert all_of(web) == fresh
    assert web.web.asked == 0
    second.close()


def test_an_option_to_hide_works_on_pages_of_the_cache(tmp_path):
    cache = AnalysisCache(tmp_path / "cache.sqlite")
    hidden, shown = web_of(cache).ask(SEED), web_of(cache, hide_outside=False).ask(SEED)
    cache.close()
    assert [len(answer.page.links) for answer in (hidden, shown) if isinstance(answer, Fetched)] == [1, 3]


@pytest.mark.parametrize("damage", ["not a database", "zeros in the middle", "cut"])
def test_a_damaged_cache_is_built_anew_with_a_line(tmp_path, caplog, damage):
    path = tmp_path / "cache.sqlite"
    cache = AnalysisCache(path)
    expected = simulate(simulated.ANSWERS, TOPIC, cache=cache)
    cache.close()
    data = path.read_bytes()
    if damage == "not a database":
        path.write_bytes(b"something else")
    elif damage == "cut":
        path.write_bytes(data[: len(data) // 3])
    else:
        path.write_bytes(data[:4096] + bytes(len(data) - 4096))
    with caplog.at_level(logging.WARNING):
        cache = AnalysisCache(path)
        assert simulate(simulated.ANSWERS, TOPIC, cache=cache) == expected
        cache.close()
    assert f"{path}: damaged" in caplog.text
    cache, web = AnalysisCache(path), SmallWeb(simulated.ANSWERS)
    assert simulate(web, TOPIC, cache=cache) == expected
    assert web.asked == 0
    cache.close()


@pytest.mark.parametrize("value", [b"no compressed data", "text"])
def test_a_damaged_entry_is_read_anew(tmp_path, value):
    path = tmp_path / "cache.sqlite"
    cache = AnalysisCache(path)
    fresh = all_of(web_of(cache))
    cache.close()
    db = sqlite3.connect(path)
    with db:
        db.execute("UPDATE analyses SET value = ?", (value,))
    db.close()
    cache = AnalysisCache(path)
    assert all_of(web_of(cache)) == fresh
    cache.close()


def test_two_runs_may_fill_one_cache_at_the_same_time(tmp_path):
    path = tmp_path / "cache.sqlite"
    one, other = AnalysisCache(path), AnalysisCache(path)
    for number in range(BATCH + 1):
        one.put(f"one {number}", number)
        other.put(f"other {number}", number)
    assert other.get(f"one {BATCH - 1}") == BATCH - 1
    assert other.get(f"one {BATCH}") is None  # one of those still to be written
    one.close()
    other.close()


def test_a_folder_that_cannot_be_used_is_one_clear_line(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(StorageError, match="file"):
        AnalysisCache(tmp_path / "file" / "cache.sqlite")
    (tmp_path / "cache.sqlite").mkdir()
    with pytest.raises(StorageError, match=r"cache\.sqlite"):
        AnalysisCache(tmp_path / "cache.sqlite")


class TestFingerprint:
    def test_it_is_that_of_the_files_and_of_how_they_are_read(self, tmp_path: Path) -> None:
        file = tmp_path / "web.warc"
        file.write_bytes(b"abc")
        known = fingerprint([file], TOPIC)
        assert fingerprint([tmp_path], TOPIC) == known
        assert fingerprint([file], TOPIC, "cornell") != known
        assert fingerprint([file], topic_of(SEED, reading=ReadingOptions(levels_up=2))) != known
        assert fingerprint([file], topic_of(SEED, reading=ReadingOptions(language=("german", "en")))) != known
        os.utime(file, ns=(1, 1))
        assert fingerprint([file], TOPIC) != known

    def test_pages_that_other_code_read_are_not_used(self, monkeypatch: pytest.MonkeyPatch) -> None:
        known = fingerprint([], TOPIC)
        monkeypatch.setattr(analysed_web, "code_digest", lambda packages, modules: f"changed {packages} {modules}")
        assert fingerprint([], TOPIC) != known

    def test_topics_that_read_alike_share_a_cache(self) -> None:
        assert fingerprint([], topic_of(SEED, keywords=("wind power",))) == fingerprint([], TOPIC)
        assert fingerprint([], topic_of(SEED, keywords=("IT",))) != fingerprint([], TOPIC)

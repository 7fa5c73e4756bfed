"""`scrapy search`: words in stored pages, for people and for programs."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from scrapy.exceptions import UsageError

from focused.inspection.commands.search import Command
from tests.collection.collecting import collect
from tests.commands.running import crawled, refusal, run_command
from tests.page.test_plain_text import HOSTILE


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    data = tmp_path_factory.mktemp("data")
    pages = {
        "http://a.example/": f"<html lang=en><title>Roofs {HOSTILE}</title><p>Solar panels on roofs. {HOSTILE}",
        "http://b.example/": "<html lang=en><title>Hail</title><p>Solar panels and hail.",
        "http://c.example/": "<html lang=de><title>Dach</title><p>Solar heißt es.",
        "http://d.example/": "<title>Football</title><p>Cooking.",
    }
    collect(data / "test", {url: page.encode("utf-8", "replace").decode() for url, page in pages.items()})
    return data


@pytest.fixture
def search(data, capsys):
    def run(*argv: str) -> str:
        assert run_command(Command(), "test", *argv, data_dir=data) == 0
        out, err = capsys.readouterr()
        assert err == ""
        return out

    return run


def urls(text: str) -> list[str]:
    return [line.strip() for line in text.splitlines() if line.startswith("   http://")]


def test_a_page_is_told_by_rank_title_url_and_excerpt(search) -> None:
    lines = search("hail").splitlines()
    assert lines == ["1. Hail", "   http://b.example/", "   Solar panels and hail.", ""]


def test_nothing_of_a_page_reaches_a_terminal_but_text(search) -> None:
    for argv in ((), ("--json",)):
        assert all(one.isprintable() or one == "\n" for one in search("roofs", *argv))


def test_words_are_all_wanted_however_they_are_handed_over(search) -> None:
    assert search("solar", "panels") == search("solar panels") == search("--", "solar panels")
    assert len(urls(search("solar", "panels", "--all"))) == 2
    assert len(urls(search("solar"))) == 3


def test_where_pages_begin_that_have_only_some_of_the_words_is_told(search) -> None:
    both, some = search("solar", "panels").split("Pages with some of the words:\n\n")
    assert (len(urls(both)), urls(some)) == (2, ["http://c.example/"])
    none = search("nothing", "football")
    assert none.startswith("No page has all these words. Pages with some:\n\n1. Football\n")
    assert search("nothing", "football", "--all") == "No page has these words.\n"
    assert "some" not in search("solar")


@pytest.mark.parametrize("words", [("solar", "-hail"), ("-hail", "solar"), ("solar -hail",), ("-hail solar",)])
def test_a_word_to_leave_out_is_no_option(search, words) -> None:
    """-h is help, -s a setting, -L a level of logs."""
    assert set(urls(search(*words))) == {"http://a.example/", "http://c.example/"}
    assert urls(search("panels", "-solar")) == urls(search("panels", "-LEVEL", "-solar")) == []


def test_settings_can_still_be_given(data, capsys) -> None:
    other = data.parent / "other"
    crawled(other / "test", 3)
    for setting in (["-s", f"FOCUSED_DATA_DIR={other}"], [f"-sFOCUSED_DATA_DIR={other}"]):
        assert run_command(Command(), "test", "energy", *setting, data_dir=data) == 0
        assert "http://host0.example/0" in capsys.readouterr().out


def test_options_limit_what_is_found(search) -> None:
    assert urls(search("solar", "--lang", "german")) == ["http://c.example/"]
    assert urls(search("solar", "--host", "B.example")) == ["http://b.example/"]
    assert urls(search("football")) == ["http://d.example/"]
    assert urls(search("football", "--relevant")) == []
    assert search("solar", "--limit", "1").endswith("These are the best 1; --limit 2 shows more.\n")
    assert "more" not in search("solar", "--limit", "3")


def test_no_page_is_told(search) -> None:
    assert search("nothing") == "No page has these words.\n"
    assert search("nothing", "--json") == ""


def test_programs_get_an_object_a_line(search) -> None:
    rows = [json.loads(line) for line in search("solar", "panels", "--json").splitlines()]
    assert [(row["rank"], row["all_words"]) for row in rows] == [(1, True), (2, True), (3, False)]
    hail = next(row for row in rows if row["title"] == "Hail")
    assert (hail["url"], hail["language"], hail["excerpt"]) == ("http://b.example/", "en", "Solar panels and hail.")
    assert 0 <= hail["relevance"] <= 1 and hail["relevant"] in (True, False) and hail["fetched_at"].startswith("20")


def test_damaged_pages_are_told_beside_what_is_found(tmp_path, capsys) -> None:
    collect(tmp_path / "test", {"http://a.example/": "<title>Sun</title>x", "http://b.example/": "<p>sun"})
    warc = tmp_path / "test" / "pages" / "pages-00001.warc.gz"
    warc.write_bytes(warc.read_bytes()[:-30])
    assert run_command(Command(), "test", "sun", data_dir=tmp_path) == 0
    out, err = capsys.readouterr()
    assert urls(out) == ["http://a.example/"]
    assert err == "scrapy search: 1 pages are damaged: scrapy verify test names them\n"


@pytest.mark.parametrize(
    ("argv", "told"),
    [
        (("test", "!?"), "give a word to look for"),
        (("tset", "sun"), "no such collection"),
        (("test",), "give a topic and words"),
        (("test", "sun", "--limit", "0"), "--limit 0: give a number from 1 to 1,000"),
        (("test", "sun", "--host", "http://a.example/"), "give the name of a host"),
        (("test", "sun", "--host", "a b"), "give the name of a host"),
        (("test", "sun", "--lang", "frensh"), "did you mean 'french'?"),
        (("test", "sun", "--limt=3"), "did you mean --limit?"),
    ],
)
def test_a_mistake_ends_in_one_line(data, capsys, argv, told) -> None:
    try:
        assert told in refusal(run_command(Command(), *argv, data_dir=data), capsys)
    except UsageError as error:
        assert told in str(error)


def test_a_damaged_database_is_told_in_one_line(tmp_path, capsys) -> None:
    collect(tmp_path / "test", {"http://a.example/": "<p>sun"})
    with sqlite3.connect(tmp_path / "test" / "crawl.db") as db:
        db.execute("UPDATE runs SET topic = '[]'")
    db.close()
    assert "cannot be understood" in refusal(run_command(Command(), "test", "sun", data_dir=tmp_path), capsys)


@pytest.mark.parametrize(
    "change", ["title = 5", "relevance = 'much'", "file = NULL", "time = x'00'", "final_url = 99", "language = 7"]
)
def test_rows_that_no_crawl_wrote_break_nothing(tmp_path, capsys, change) -> None:
    collect(tmp_path / "test", {"http://a.example/": "<title>Sun</title><p>sun", "http://b.example/": "<p>sun"})
    with closing(sqlite3.connect(tmp_path / "test" / "crawl.db")) as db, db:
        db.execute(f"UPDATE fetches SET {change} WHERE seq = (SELECT max(seq) FROM fetches)")
    for _ in range(2):
        code = run_command(Command(), "test", "sun", data_dir=tmp_path)
        out, err = capsys.readouterr()
        assert (code == 0 and "http://a.example/" in out) or (code == 1 and err.count("\n") == 1)

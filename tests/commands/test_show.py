"""`scrapy show`: a stored page and what the crawl knows of it."""

import io
import json
import sqlite3
import sys
from contextlib import closing
from pathlib import Path

import pytest
from scrapy.exceptions import UsageError

from focused.collection.repository import Stored
from focused.inspection.commands.show import Command
from focused.page.urls import UrlRules
from tests.collection.collecting import collect
from tests.commands.running import crawled, refusal, run_command
from tests.page.test_plain_text import HOSTILE

SEED, MIDDLE, PAGE, COPY = (f"http://{host}.example/" for host in ("seed", "middle", "page", "copy"))
HEADERS = (
    ("Content-Type", "text/html; charset=iso-8859-1"),
    ("Server", "secretive"),
    ("Last-Modified", "Mon, 01 Jun 2026 10:00:00 GMT"),
    ("X-Robots-Tag", "noindex"),
    ("X-Long", "x" * 300),
)
BODY = f"<title>Solar roofs {HOSTILE}</title><p>Käse on solar roofs {HOSTILE}".encode("latin-1", "replace")


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a collection of a page that was found through two others, and that another one copies."""
    data = tmp_path_factory.mktemp("data")
    pages = {
        SEED: f'<p>football <a href="{MIDDLE}">solar</a>',
        MIDDLE: f'<p>cooking <a href="{PAGE}">solar energy</a> <a href="http://gone.example/">gone</a>',
        PAGE: Stored(PAGE, 200, HEADERS, BODY),
        COPY: Stored(COPY, 200, HEADERS, BODY),
    }
    collect(data / "test", pages, seeds=(SEED,))
    collect(data / "test", pages, seeds=(SEED, COPY))
    return data


@pytest.fixture
def shown(data, capsys):
    def run(*argv: str) -> str:
        assert run_command(Command(), *argv, data_dir=data) == 0
        return capsys.readouterr().out

    return run


def test_what_a_spider_of_ones_own_kept_is_shown(shown, data: Path) -> None:
    fields = {"price": 9.5, "seller": HOSTILE * 50}
    with closing(sqlite3.connect(data / "test" / "crawl.db")) as db, db:
        last = "SELECT seq FROM history WHERE final_url = ?"
        db.execute(f"INSERT INTO own_fields VALUES (({last}), ?)", (MIDDLE, json.dumps(fields)))
    first, second = (line for line in shown("test", MIDDLE).splitlines() if "price: " in line or "seller: " in line)
    assert first == "  own fields price: 9.5"
    assert second.isprintable() and len(second) < 300
    assert "own fields" not in shown("test", PAGE)


def test_a_page_is_shown_with_all_that_is_known_of_it(shown) -> None:
    text = shown("test", PAGE)
    head, _, rest = text.partition("\n\n")
    assert head.startswith("Solar roofs ") and head.endswith(f"\n{PAGE}")
    about, _, body = rest.partition("\n\n")
    lines = dict(line.split(maxsplit=1) for line in about.splitlines() if line.startswith("  ") and line[2] != " ")
    assert f", status 200, {len(BODY):,} bytes, text/html" in lines["fetched"]
    assert lines["relevance"].endswith("relevant)")
    assert lines["score"].endswith("when it was chosen, at depth 2")
    assert lines["copies"] == f"{COPY} (exact copy)"
    assert lines["noindex"]
    assert [line.split()[-1] for line in about.splitlines() if ".example" in line and "copy" not in line] == [
        SEED,
        MIDDLE,
    ]
    assert "Last-Modified: Mon, 01 Jun 2026" in about and "secretive" not in about and "xxx" not in about
    assert lines["stored"].startswith("in  pages-00001.warc.gz at byte ")
    assert body.startswith("Käse on solar roofs")


def test_nothing_that_a_page_says_reaches_a_terminal_but_text(shown) -> None:
    for argv in ((), ("--headers",)):
        assert all(one.isprintable() or one == "\n" for one in shown("test", PAGE, *argv))


def test_a_copy_tells_what_it_copies(shown) -> None:
    assert f"  verdict    exact copy of {PAGE}\n" in shown("test", COPY)


def test_a_seed_has_no_page_before_it(shown) -> None:
    assert "a start of the crawl: no page led to it" in shown("test", SEED)


def test_a_url_is_found_however_it_is_written(shown) -> None:
    assert shown("test", "HTTP://PAGE.example:80/?utm_source=x#here") == shown("test", PAGE)


def test_a_url_that_redirects_shows_where_it_leads(data, shown) -> None:
    with closing(sqlite3.connect(data / "test" / "crawl.db")) as db:
        (page,), (host,) = (
            db.execute("SELECT id FROM urls WHERE url = ?", (PAGE,)),
            db.execute("SELECT min(id) FROM hosts"),
        )
        key = UrlRules.key("http://old.example/")
        try:
            with db:
                db.execute("INSERT INTO urls VALUES (999, ?, ?, 'http://old.example/')", (key, *host))
                db.execute("UPDATE fetches SET url = 999 WHERE final_url = ?", page)
            assert "  asked for  http://old.example/\n" in shown("test", "http://old.example/")
            with db:
                db.execute("UPDATE fetches SET url = final_url WHERE url = 999")
                db.execute(
                    "INSERT INTO fetches (seq, run, pick, url, final_url, outcome, time) VALUES (999, 1, 1, 999, ?, 'alias', '')",
                    page,
                )
            assert shown("test", "http://old.example/") == shown("test", PAGE)
        finally:
            with db:
                db.execute("DELETE FROM fetches WHERE seq = 999")
                db.execute("DELETE FROM urls WHERE id = 999")


def test_headers_are_all_there(shown) -> None:
    lines = shown("test", PAGE, "--headers").splitlines()
    assert lines[0] == "HTTP 200"
    assert "Server: secretive" in lines and f"X-Long: {'x' * 300}" in lines


def test_raw_writes_the_bytes_as_they_are(data, capsysbinary) -> None:
    assert run_command(Command(), "test", PAGE, "--raw", data_dir=data) == 0
    assert capsysbinary.readouterr().out == BODY


def test_raw_never_writes_to_a_terminal(data, monkeypatch, capsys) -> None:
    terminal = io.StringIO()
    monkeypatch.setattr(terminal, "isatty", lambda: True)
    with monkeypatch.context() as there:
        there.setattr(sys, "stdout", terminal)
        code = run_command(Command(), "test", PAGE, "--raw", data_dir=data)
    assert terminal.getvalue() == ""
    assert "end with > FILE" in refusal(code, capsys)


def test_open_hands_the_page_to_the_browser(data, monkeypatch) -> None:
    handed = []
    monkeypatch.setattr("focused.inspection.stored_page.visit", lambda *page: handed.append(page))
    assert run_command(Command(), "test", PAGE, "--open", data_dir=data) == 0
    assert handed == [(BODY, "text/html; charset=iso-8859-1")]


def test_a_page_without_text_says_so(tmp_path, capsys) -> None:
    picture = Stored("http://a.example/", 200, (("Content-Type", "image/png"),), b"\x89PNG\x1b]0;evil\x07")
    collect(tmp_path / "test", {picture.url: picture}, scope={"content_types": ("image/png",)})
    assert run_command(Command(), "test", picture.url, data_dir=tmp_path) == 0
    assert capsys.readouterr().out.endswith("(no text that can be read)\n")


def test_files_are_shown_as_records_are(tmp_path, capsys) -> None:
    crawled(tmp_path / "test", 3, storage={"pages": "files"})
    assert run_command(Command(), "test", "http://host0.example/0", data_dir=tmp_path) == 0
    assert "solar energy from solar panels 0" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("argv", "told"),
    [
        (("test", "https://www.page.example"), "did you mean http://page.example/?"),
        (("test", "http://nowhere.example/"), "`scrapy search test WORDS` finds pages"),
        (
            ("test", "http://gone.example/"),
            "gave no page (http 404); `scrapy explain test http://gone.example/`",
        ),
        (("test", "page.example"), "not an http(s) URL"),
        (("tset", PAGE), "no such collection"),
        ((PAGE, "test"), "give the collection before the URL"),
        (("test",), "give a topic and a URL"),
    ],
)
def test_a_mistake_ends_in_one_line(data, capsys, argv, told) -> None:
    try:
        assert told in refusal(run_command(Command(), *argv, data_dir=data), capsys)
    except UsageError as error:
        assert told in str(error)


def test_a_damaged_page_is_told_in_one_line(tmp_path, capsys) -> None:
    collect(tmp_path / "test", {SEED: "<p>sun"})
    warc = tmp_path / "test" / "pages" / "pages-00001.warc.gz"
    warc.write_bytes(warc.read_bytes()[:-30])
    assert "the file is damaged" in refusal(run_command(Command(), "test", SEED, data_dir=tmp_path), capsys)


@pytest.mark.parametrize(
    "change", ["title = 5, content_type = 7", "relevance = 'much'", "file = NULL", "pick = 'x'", "time = x'00'"]
)
def test_rows_that_no_crawl_wrote_break_nothing(tmp_path, capsys, change) -> None:
    headless = Stored(SEED, 200, (), b"<p>sun")
    collect(tmp_path / "test", {SEED: headless})
    with closing(sqlite3.connect(tmp_path / "test" / "crawl.db")) as db, db:
        db.execute(f"UPDATE fetches SET {change}")
    code = run_command(Command(), "test", SEED, data_dir=tmp_path)
    out, err = capsys.readouterr()
    assert (code == 0 and "sun" in out) or (code == 1 and err.count("\n") == 1)

"""`scrapy export`: one line for each mistake, no half files, and only what is new where that is asked for."""

import contextlib
import errno
import json
import os
import sqlite3
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from focused.desk.commands.judge import Command as Audit
from focused.explain.command import INTERRUPTED
from focused.export.targets import parts_alone, unfinished
from focused.export.writers import JsonLines
from focused.live.session import Session
from tests.commands.running import crawled, refusal, run_command
from tests.export.collections import change, export, history
from tests.small_web import WEB, crawl, topic_of


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A folder of data with one crawl that has fetched thirty of forty pages."""
    crawled(tmp_path / "data" / "test", 30, strategy="breadth_first")
    return tmp_path / "data"


def urls(path: Path) -> list[str]:
    return [json.loads(line)["final_url"] for line in path.read_text().splitlines()]


def of_history(data: Path) -> list[str]:
    return [url for (url,) in history(data, "final_url")]


@pytest.mark.parametrize(
    ("argv", "words"),
    [
        (["tset"], "no such collection"),
        (["test", "a.xls"], "the ending says no format"),
        (["test", "a.csv", "--format", "excel"], "unknown; formats: jsonl, "),
        (["test", "a/", "--format", "csv"], "a/: a / at the end makes a folder, and --format csv is a file"),
        (["test", "./"], "./: is no name of a file or folder of its own"),
        (["test", "/"], "/: is no name of a file or folder of its own"),
        (["test", ".", "--format", "csv"], ".: is no name of a file or folder of its own"),
        (["test", "--fields", "url,tilte"], "'tilte': unknown; did you mean title?"),
        (["test", "--fields", ","], "--fields: nothing is listed"),
        (["test", "a.txt", "--fields", "url"], "the format says itself what it holds"),
        (["test", "--lang", "english"], "'english' is not an ISO 639-1 code"),
        (["test", "--host", "http://a.example/x"], "is not a host name"),
        (["test", "--min", "1.5"], "--min 1.5: give a number from 0.0 to 1.0"),
        (["test", "--min", "nan"], "--min nan: give a number"),
        (["test", "--since", "yesterday"], "--since 'yesterday': write a date such as 2026-11-01"),
        (["test", "--since", "0001-01-01T00:00+23:00"], "write a date"),
        (["test", "--sample", "0"], "--sample 0: give a number from 1"),
        (["test", "--seed", "1"], "--seed: it is the seed of --sample N"),
        (["test", "--best", "3", "--new"], "use it without --new"),
        (["test", "--best", "3", "--sample", "3"], "use it without --sample"),
        (["test", "--best", "0"], "--best 0: give a number from 1"),
        (["test", "--sample", "3", "--new"], "a sample has no parts"),
        (["test", "-", "--new"], "-: --new needs a name"),
        (["test", "-", "--format", "markdown"], "-: a folder needs a name"),
        (["test", "a/", "--chunks"], "--chunks: they are rows, and this format has none: take jsonl, "),
        (["test", "--chunks", "a.jsonl"], "--chunks 'a.jsonl': give the tokens of a chunk, or write --chunks last"),
        (["test", "--chunks", "19"], "--chunks 19: give a number from 20"),
        (["test", "--chunks", "40", "--text", "all"], "--text all: chunks are cut at headings"),
        (["test", "--fields", "url,headings"], "'headings': only chunks have it: add --chunks"),
        (["test", "a.warc.gz", "--structured"], "--structured: the format says itself what it holds"),
        (["test", "--lang", "xh"], "no page is left by the filters: language xh"),
        (["test", "/proc/nowhere/a.jsonl"], "cannot be written"),
        (["test", "x" * 300 + ".jsonl"], "cannot be written: File name too long"),
        (["test", "x" * 300 + ".jsonl", "--new"], "cannot be written: File name too long"),
        (["test", "data/"], "data: there is a folder of this name"),
        (["test", "file.jsonl/a.jsonl"], "cannot be written: File exists"),
    ],
)
def test_a_mistake_ends_in_one_line_and_writes_nothing(
    data: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, argv: list[str], words: str
) -> None:
    monkeypatch.chdir(data.parent)
    Path("file.jsonl").touch()
    before = sorted(data.parent.iterdir())
    assert words in refusal(export(data, *argv), capsys)
    assert sorted(data.parent.iterdir()) == before


def test_a_crawl_that_has_fetched_nothing_has_no_page(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Session(topic_of(), tmp_path / "test").close()
    assert "no page was fetched yet" in refusal(export(tmp_path, "test", tmp_path / "a.jsonl"), capsys)


def test_it_exports_what_is_committed_while_the_crawl_runs_and_does_not_stop_it(tmp_path: Path) -> None:
    session = Session(topic_of(), tmp_path / "test")
    crawl(session, 10)
    session.commit()
    crawl(session, 5)
    assert export(tmp_path, "test", tmp_path / "a.jsonl") == 0
    assert len(urls(tmp_path / "a.jsonl")) == 10
    crawl(session)
    session.close()
    assert len(of_history(tmp_path)) == len(WEB)


def test_a_crawl_commits_while_an_export_is_half_done(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    session = Session(topic_of(), tmp_path / "test")
    crawl(session, 10)
    session.commit()
    write = JsonLines.write

    def commit_and_write(self: JsonLines, page: Any) -> None:
        if crawl(session, 1):
            session.commit()
        write(self, page)

    monkeypatch.setattr(JsonLines, "write", commit_and_write)
    assert export(tmp_path, "test", tmp_path / "a.jsonl") == 0
    assert len(urls(tmp_path / "a.jsonl")) == 10  # as it was when the export began
    assert len(of_history(tmp_path)) == 20
    session.close()


@pytest.mark.parametrize(
    ("error", "code", "words"),
    [
        (OSError(errno.ENOSPC, "No space left on device"), 1, "a.jsonl: cannot be written: No space left on device"),
        (KeyboardInterrupt(), INTERRUPTED, "interrupted"),
    ],
)
@pytest.mark.parametrize("at", ["write", "close"])
def test_neither_a_full_disk_nor_ctrl_c_leaves_half_a_file_or_costs_the_one_before(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch,
    error: BaseException, code: int, words: str, at: str,
) -> None:  # fmt: skip
    assert export(data, "test", tmp_path / "a.jsonl") == 0
    before = {path: path.read_bytes() for path in tmp_path.glob("*a.*")}
    real, calls = getattr(JsonLines, at), 0

    def fail(self: JsonLines, *page: Any) -> None:
        nonlocal calls
        calls += 1
        real(self, *page)
        if calls == (20 if at == "write" else 1):
            raise error

    monkeypatch.setattr(JsonLines, at, fail)
    capsys.readouterr()
    assert export(data, "test", tmp_path / "a.jsonl", "--relevant") == code
    assert words in capsys.readouterr().err
    assert {path: path.read_bytes() for path in tmp_path.glob("*a.*")} == before
    assert not list(tmp_path.glob(".*unfinished"))


@pytest.mark.parametrize("name", ["a.jsonl", "a/"])
def test_what_a_killed_export_left_behind_goes_after_an_hour(data: Path, tmp_path: Path, name: str) -> None:
    old, new = (tmp_path / f".{Path(name).name}.{token}.unfinished" for token in ("1a2b3c4d", "5e6f7a8b"))
    for left in (old, new):
        if name.endswith("/"):
            (left / "host").mkdir(parents=True)
        else:
            left.write_text("{")
    os.utime(old, (0, 0))
    assert export(data, "test", f"{tmp_path}/{name}") == 0
    assert not old.exists()
    assert new.exists()  # another export may be writing it


def test_of_two_exports_to_one_file_the_last_to_end_has_it_whole(tmp_path: Path) -> None:
    target = tmp_path / "a.jsonl"
    with unfinished(target) as first:
        first.write_text("first half, ")
        with unfinished(target) as second:
            second.write_text("all of the second")
        assert target.read_text() == "all of the second"
        with first.open("a") as file:
            file.write("and the other")
    assert target.read_text() == "first half, and the other"


def test_of_two_that_write_a_part_one_is_refused(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with parts_alone(tmp_path / "a.jsonl"):
        assert export(data, "test", tmp_path / "a.jsonl", "--new") == 1
    assert "a.jsonl: another export with --new writes a part just now" in capsys.readouterr().err
    assert export(data, "test", tmp_path / "a.jsonl", "--new") == 0


def test_a_device_or_a_pipe_is_not_replaced(data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    os.mkfifo(tmp_path / "a.jsonl")
    assert export(data, "test", tmp_path / "a.jsonl") == 1
    assert "a.jsonl: is a device or a pipe: take - for standard output" in capsys.readouterr().err
    assert (tmp_path / "a.jsonl").is_fifo()


def test_a_link_stays_a_link(data: Path, tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").symlink_to(tmp_path / "b.jsonl")
    assert export(data, "test", tmp_path / "a.jsonl") == 0
    assert (tmp_path / "a.jsonl").is_symlink()
    assert urls(tmp_path / "b.jsonl") == of_history(data)


def test_a_name_that_is_not_utf_8_is_written(data: Path, tmp_path: Path) -> None:
    assert export(data, "test", tmp_path / "caf\udce9.jsonl") == 0
    assert urls(tmp_path / "caf\udce9.jsonl") == of_history(data)


def test_each_part_holds_what_came_since_the_one_before(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    target = tmp_path / "a.jsonl"
    assert export(data, "test", target, "--new") == 0
    first = of_history(data)
    assert urls(target) == first
    capsys.readouterr()
    assert export(data, "test", target, "--new") == 0
    assert "nothing is new since the last part" in capsys.readouterr().out
    crawled(data / "test", 6, strategy="breadth_first")
    second = of_history(data)
    assert export(data, "test", target, "--new") == 0
    crawled(data / "test", strategy="breadth_first")
    assert export(data, "test", target, "--new") == 0
    parts = [tmp_path / name for name in ("a.jsonl", "a.2.jsonl", "a.3.jsonl")]
    assert [url for part in parts for url in urls(part)] == of_history(data)
    assert urls(parts[1]) == second[len(first) :] != []
    assert "part 3, what came after event" in (tmp_path / "a.3.card.md").read_text()


@pytest.mark.parametrize(("name", "second"), [("a/", "a.2"), ("a.jsonl.zst", "a.2.jsonl.zst"), ("a.txt", "a.2.txt")])
def test_a_part_has_the_ending_of_its_format(data: Path, tmp_path: Path, name: str, second: str) -> None:
    assert export(data, "test", f"{tmp_path}/{name}", "--new") == 0
    crawled(data / "test", 5, strategy="breadth_first")
    assert export(data, "test", f"{tmp_path}/{name}", "--new") == 0
    assert (tmp_path / second).is_dir() is name.endswith("/")
    assert (tmp_path / second).exists()
    assert (tmp_path / "a.2.card.md").is_file()


def test_a_part_that_was_written_but_not_remembered_is_written_again(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A kill in between costs nothing and brings nothing twice."""
    target = tmp_path / "a.jsonl"
    assert export(data, "test", target, "--new") == 0
    crawled(data / "test", 5, strategy="breadth_first")
    with monkeypatch.context() as patch:
        patch.setattr("focused.export.export.remember", lambda *_: None)
        assert export(data, "test", target, "--new") == 0
    crawled(data / "test", strategy="breadth_first")
    assert export(data, "test", target, "--new") == 0
    assert len(urls(tmp_path / "a.2.jsonl")) == 10
    assert not (tmp_path / "a.3.jsonl").exists()


def test_parts_of_something_else_are_refused(data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    target, memory = tmp_path / "a.jsonl", tmp_path / "a.jsonl.parts.json"
    assert export(data, "test", target, "--new", "--relevant") == 0
    capsys.readouterr()
    assert "made with another choice of relevant" in refusal(export(data, "test", target, "--new"), capsys)
    assert "made with another choice of fields" in refusal(
        export(data, "test", target, "--new", "--relevant", "--fields", "url"), capsys
    )
    assert "is the first part of an export with --new" in refusal(export(data, "test", target), capsys)
    change(data, "UPDATE runs SET started = '2027-01-01T00:00:00.000+00:00'")
    assert "are of a crawl that was put aside" in refusal(export(data, "test", target, "--new", "--relevant"), capsys)
    for strange in (
        "",
        "[]",
        "{}",
        '{"seq": 1}',
        "[" * 100_000,
        '{"first_run": 1, "asked": {}, "seq": "x", "count": 1}',
    ):
        memory.write_text(strange)
        assert "is not what an export wrote" in refusal(export(data, "test", target, "--new"), capsys)
    assert memory.read_text() == strange


def test_the_card_says_what_is_in_the_file_and_how_it_was_made(data: Path, tmp_path: Path) -> None:
    change(data, "UPDATE fetches SET language = 'de', noindex = 1, verdict = 'near copy' WHERE seq IN (3, 5)")
    assert run_command(Audit(), "test", "--sample", "5", data_dir=data) == 0
    sheet = data / "test" / "audit.csv"
    header, *lines = sheet.read_text().splitlines()
    sheet.write_text("\n".join([header, *(line.replace(",,", ",yes,", 1) for line in lines)]))
    assert export(data, "test", tmp_path / "a.csv", "--min", "0", "--host", "example") == 0
    card = (tmp_path / "a.card.md").read_text()
    for words in ('language: ["de"]', "30 Web pages about solar energy", "strategy breadth_first", "cosine 1, threshold 0.1",
                  "relevance at least 0.0; host example, with subdomains", "| de | 2 |", "| unknown | 28 |",
                  "| near copy | 2 |", "2 of the pages ask search engines", "Audit: harvest rate"):  # fmt: skip
        assert words in card, words


def test_a_second_format_leaves_the_card_of_the_first(data: Path, tmp_path: Path) -> None:
    for name, *only in (("a.csv",), ("a.jsonl", "--relevant"), ("a.jsonl", "--relevant")):
        assert export(data, "test", tmp_path / name, *only) == 0
    assert "\n# a.csv\n" in (tmp_path / "a.card.md").read_text()
    assert "\n# a.jsonl\n" in (tmp_path / "a.jsonl.card.md").read_text()
    assert len(list(tmp_path.glob("*.card.md"))) == 2


def test_a_row_that_no_crawl_wrote_is_told_in_one_line(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    change(data, "UPDATE fetches SET time = 'noon', title = x'00' WHERE seq = 5")
    for name in ("a.jsonl", "a.warc.gz"):
        assert "it is damaged" in refusal(export(data, "test", tmp_path / name), capsys)
    assert not list(tmp_path.glob("*a.*"))


def test_nothing_is_written_into_the_collection(data: Path, tmp_path: Path) -> None:
    with closing(sqlite3.connect(data / "test" / "crawl.db")) as db:
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    files = {path: path.read_bytes() for path in (data / "test").rglob("*") if path.suffix in (".db", ".gz")}
    assert export(data, "test", tmp_path / "a.jsonl") == 0
    assert {path: path.read_bytes() for path in files} == files


def test_another_program_gets_the_same_bytes_and_nothing_else(
    data: Path, tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    assert export(data, "test", tmp_path / "a.csv", "--relevant") == 0
    capfdbinary.readouterr()
    before = sorted(tmp_path.iterdir())
    assert export(data, "test", "-", "--format", "csv", "--relevant") == 0
    assert capfdbinary.readouterr().out == (tmp_path / "a.csv").read_bytes()
    assert export(data, "test", "-", "--fields", "final_url") == 0
    assert [json.loads(line)["final_url"] for line in capfdbinary.readouterr().out.splitlines()] == of_history(data)
    assert sorted(tmp_path.iterdir()) == before


@pytest.mark.parametrize("kind", ["jsonl", "jsonl.gz", "jsonl.zst", "csv", "parquet", "urls", "warc", "wacz"])
def test_a_reader_that_has_had_enough_ends_it_without_a_word(
    data: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    with open(writing, "w") as pipe:  # noqa: PTH123  # it has no path
        monkeypatch.setattr(sys, "stdout", pipe)
        assert export(data, "test", "-", "--format", kind) == 0
    assert capsys.readouterr().err == ""


def test_a_terminal_is_spared_what_pages_hold(
    data: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    assert "-: this is a terminal: name a file" in refusal(export(data, "test", "-"), capsys)


def test_a_full_disk_behind_standard_output_is_one_line(
    data: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    with open("/dev/full", "w") as full:  # noqa: PTH123
        monkeypatch.setattr(sys, "stdout", full)
        code = export(data, "test", "-")
        monkeypatch.undo()
        with contextlib.suppress(OSError):
            full.close()
    assert "standard output: cannot be written: No space left on device" in refusal(code, capsys)

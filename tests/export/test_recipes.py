"""Other tools read a collection and its exports the way docs/how-to/get-results-out.md says."""

import contextlib
import io
import json
import shlex
from pathlib import Path

import pytest
from warcio.cli import main as warcio

from focused.export.commands.export import Command
from tests.commands.running import run_command
from tests.export.collections import history
from tests.recipes import commands, recipe


@pytest.fixture
def solar(data: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of a reader whose topic is called solar."""
    (data / "test").rename(data / "solar")
    monkeypatch.chdir(data.parent)
    return data.parent


def printed(code: str) -> str:
    """What a program of the recipes prints."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(compile(code, "get-results-out.md", "exec"), {})
    return out.getvalue()


def pages_of(solar: Path) -> list[tuple[str, int]]:
    (solar / "data" / "solar").rename(solar / "data" / "test")
    found: list[tuple[str, int]] = history(solar / "data", "final_url, bytes")  # type: ignore[assignment]
    (solar / "data" / "test").rename(solar / "data" / "solar")
    return found


def test_warcio_checks_and_lists_it(solar: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for line in commands("warcio check"):
        program, *words = shlex.split(line)
        assert program == "warcio"
        *options, pattern = words
        code: object = 0
        try:
            warcio([*options, *map(str, sorted(solar.glob(pattern)))])
        except SystemExit as end:
            code = end.code
        assert code == 0
    told = [json.loads(line) for line in capsys.readouterr().out.splitlines() if line.startswith("{")]
    listed = [row["warc-target-uri"] for row in told if row["warc-type"] == "response"]
    assert listed == [url for url, _ in pages_of(solar)]


def test_a_program_reads_all_pages_without_the_database(solar: Path) -> None:
    told = printed(recipe("python", "ArchiveIterator"))
    assert told.splitlines() == [f"{url} {size}" for url, size in pages_of(solar)]


def test_duckdb_asks_an_export(solar: Path) -> None:
    pytest.importorskip("duckdb")
    assert run_command(Command(), "solar", "solar.parquet", "--processes", "1", data_dir=solar / "data") == 0
    told = printed(recipe("python", "'solar.parquet'"))
    assert all(host in told for host in {url.split("/")[2] for url, _ in pages_of(solar)})


def test_duckdb_asks_the_history_by_way_of_pandas(solar: Path) -> None:
    pytest.importorskip("duckdb")
    pytest.importorskip("pandas")
    told = printed(recipe("python", "read_sql_query"))
    assert f" {len(pages_of(solar))} " in told

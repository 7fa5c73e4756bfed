"""Exports open in the programs that people use them with: pandas, DuckDB, datasets and spreadsheets."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest
from hypothesis import given
from hypothesis import strategies as st

from focused.exporting.formats.csv_table import in_a_cell
from focused.exporting.formats.spreadsheet import LONGEST_CELL, fitted
from tests.commands.running import refusal
from tests.exporting.collections import article_crawled, change, export, history


@pytest.mark.parametrize("fill", ["", "x" * LONGEST_CELL])
def test_a_text_that_is_xml_of_a_sheet_is_a_text(fill: str) -> None:
    xlsxwriter = pytest.importorskip("xlsxwriter", reason="needs focused[xlsx]")
    hostile = f'<r><t>{fill}</t></r></is></c><c r="B1"><f>1+1</f></c><c><is><r><t></t></r>'
    target = BytesIO()
    book = xlsxwriter.Workbook(target, {"constant_memory": True, "in_memory": True})
    book.add_worksheet().write_string(0, 0, fitted(hostile))
    book.close()
    with ZipFile(target) as file:
        assert b"<f>" not in file.read("xl/worksheets/sheet1.xml")


def test_texts_of_a_list_have_no_control_characters_in_a_cell() -> None:
    assert "\x1b" not in in_a_cell(["\x1b[31mred", "\rback"])
    assert "\r" not in in_a_cell(["\x1b[31mred", "\rback"])


@pytest.mark.parametrize("name", ["a.parquet", "a.jsonl", "a.csv"])
def test_pandas_opens_it(finished: Path, tmp_path: Path, name: str) -> None:
    pandas = pytest.importorskip("pandas", reason="pandas is not installed")
    if name.endswith("parquet"):
        pytest.importorskip("pyarrow", reason="needs focused[parquet]")
    assert export(finished, "test", tmp_path / name) == 0
    read = {"a.parquet": pandas.read_parquet, "a.csv": pandas.read_csv}.get(
        name, lambda p: pandas.read_json(p, lines=True)
    )
    frame = read(tmp_path / name)
    assert frame["seq"].tolist() == [seq for (seq,) in history(finished, "seq")]
    assert frame["relevance"].sum() == pytest.approx(sum(r for (r,) in history(finished, "relevance")))


@pytest.mark.parametrize("name", ["a.parquet", "a.jsonl.zst", "a.jsonl.gz", "a.csv"])
def test_duckdb_opens_it(finished: Path, tmp_path: Path, name: str) -> None:
    duckdb = pytest.importorskip("duckdb", reason="DuckDB is not installed")
    if name.endswith("parquet"):
        pytest.importorskip("pyarrow", reason="needs focused[parquet]")
    assert export(finished, "test", tmp_path / name) == 0
    found = duckdb.sql(f"SELECT count(*), sum(relevant::INTEGER), max(depth) FROM '{tmp_path / name}'").fetchall()[0]
    assert tuple(map(int, found)) == history(finished, "count(*), sum(relevant), max(depth)")[0]


@pytest.mark.filterwarnings("ignore")  # of a library that is not ours
@pytest.mark.parametrize("name", ["a.parquet", "a.jsonl.zst", "a.jsonl", "a.csv"])
def test_datasets_opens_it(finished: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    pytest.importorskip("pyarrow", reason="needs focused[parquet]")
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    datasets = pytest.importorskip("datasets", reason="datasets is not installed")
    assert export(finished, "test", tmp_path / name) == 0
    kind = {"a.parquet": "parquet", "a.csv": "csv"}.get(name, "json")
    found = datasets.load_dataset(
        kind, data_files=str(tmp_path / name), split="train", cache_dir=str(tmp_path / "cache")
    )
    assert found["seq"][:] == [seq for (seq,) in history(finished, "seq")]
    assert sum(found["relevant"]) == history(finished, "sum(relevant)")[0][0]


TRICK = '=HYPERLINK("http://evil.example";"x")'


def test_a_spreadsheet_holds_types_and_texts_and_no_formula(data: Path, tmp_path: Path) -> None:
    pytest.importorskip("xlsxwriter", reason="needs focused[xlsx]")
    pandas = pytest.importorskip("pandas", reason="pandas is not installed")
    change(data, "UPDATE fetches SET title = ? WHERE seq = (SELECT min(seq) FROM fetches)", TRICK)
    assert export(data, "test", tmp_path / "a.xlsx") == 0
    frame = pandas.read_excel(tmp_path / "a.xlsx", engine="calamine")
    assert frame["final_url"].tolist() == [url for (url,) in history(data, "final_url")]
    assert frame["relevance"].sum() == pytest.approx(sum(r for (r,) in history(data, "relevance")))
    assert frame["relevant"].tolist() == [bool(relevant) for (relevant,) in history(data, "relevant")]
    assert frame["title"][0] == TRICK
    with ZipFile(tmp_path / "a.xlsx") as file:
        sheet = file.read("xl/worksheets/sheet1.xml")
    assert b"HYPERLINK" in sheet
    assert b"<f>" not in sheet and b"hyperlink " not in sheet


@given(st.text(max_size=50), st.integers(0, 40_000))
def test_a_cell_holds_what_a_spreadsheet_can(text: str, times: int) -> None:
    found = fitted(text * times)
    assert len(found.encode("utf-16-le")) <= 2 * LONGEST_CELL
    assert found.isprintable() or not set(found) & set(map(chr, range(9)))


def test_a_sheet_that_is_full_is_told(
    finished: Path, tmp_path: Path, capsys: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("xlsxwriter", reason="needs focused[xlsx]")
    monkeypatch.setattr("focused.exporting.formats.spreadsheet.MOST_ROWS", 10)
    assert "a sheet holds 9 rows" in refusal(export(finished, "test", tmp_path / "a.xlsx"), capsys)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("name", ["a.parquet", "a.jsonl.zst", "a.csv", "a.xlsx"])
def test_chunks_and_facts_open_too(tmp_path: Path, name: str) -> None:
    duckdb = pytest.importorskip("duckdb", reason="DuckDB is not installed")
    pandas = pytest.importorskip("pandas", reason="pandas is not installed")
    article_crawled(tmp_path / "test")
    options = ("--chunks", "40", "--structured", "--fields", "id,headings,text,position,published,author,description")
    if export(tmp_path, "test", tmp_path / name, *options):
        pytest.skip("needs an extra")
    if name == "a.xlsx":
        table = pandas.read_excel(tmp_path / name, engine="calamine")
    else:
        table = duckdb.sql(f"FROM '{tmp_path / name}'").df()
    assert table["position"].tolist() == [0, 1, 2]
    assert table["id"].is_unique
    assert table["text"][0].startswith("# Panels\n\nSolar") and table["text"][0].endswith("é.")
    assert {str(day)[:10] for day in table["published"]} == {"2026-11-01"}
    assert "json_ld" in table["structured"][0]

"""Exports open in the programs that people use them with: pandas, DuckDB and datasets."""

from pathlib import Path

import pytest

from focused.export.writers import in_a_cell
from tests.export.collections import article_crawled, export, history


def test_texts_of_a_list_have_no_control_characters_in_a_cell() -> None:
    assert "\x1b" not in in_a_cell(["\x1b[31mred", "\rback"])
    assert "\r" not in in_a_cell(["\x1b[31mred", "\rback"])


@pytest.mark.parametrize("name", ["a.parquet", "a.jsonl", "a.csv"])
def test_pandas_opens_it(finished: Path, tmp_path: Path, name: str) -> None:
    pandas = pytest.importorskip("pandas", reason="pandas is not installed")
    if name.endswith("parquet"):
        pytest.importorskip("pyarrow", reason="needs the extra parquet")
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
        pytest.importorskip("pyarrow", reason="needs the extra parquet")
    assert export(finished, "test", tmp_path / name) == 0
    found = duckdb.sql(f"SELECT count(*), sum(relevant::INTEGER), max(depth) FROM '{tmp_path / name}'").fetchall()[0]
    assert tuple(map(int, found)) == history(finished, "count(*), sum(relevant), max(depth)")[0]


@pytest.mark.filterwarnings("ignore")  # of a library that is not ours
@pytest.mark.parametrize("name", ["a.parquet", "a.jsonl.zst", "a.jsonl", "a.csv"])
def test_datasets_opens_it(finished: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    pytest.importorskip("pyarrow", reason="needs the extra parquet")
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    datasets = pytest.importorskip("datasets", reason="datasets is not installed")
    assert export(finished, "test", tmp_path / name) == 0
    kind = {"a.parquet": "parquet", "a.csv": "csv"}.get(name, "json")
    found = datasets.load_dataset(
        kind, data_files=str(tmp_path / name), split="train", cache_dir=str(tmp_path / "cache")
    )
    assert found["seq"][:] == [seq for (seq,) in history(finished, "seq")]
    assert sum(found["relevant"]) == history(finished, "sum(relevant)")[0][0]


@pytest.mark.parametrize("name", ["a.parquet", "a.jsonl.zst", "a.csv"])
def test_chunks_and_facts_open_too(tmp_path: Path, name: str) -> None:
    duckdb = pytest.importorskip("duckdb", reason="DuckDB is not installed")
    article_crawled(tmp_path / "test")
    options = ("--chunks", "40", "--structured", "--fields", "id,headings,text,position,published,author,description")
    if export(tmp_path, "test", tmp_path / name, *options):
        pytest.skip("needs an extra")
    table = duckdb.sql(f"FROM '{tmp_path / name}'").df()
    assert table["position"].tolist() == [0, 1, 2]
    assert table["id"].is_unique
    assert table["text"][0].startswith("# Panels\n\nSolar") and table["text"][0].endswith("é.")
    assert {str(day)[:10] for day in table["published"]} == {"2026-11-01"}
    assert "json_ld" in table["structured"][0]

"""What a page says comes into the export as asked: about itself, for programs, in chunks."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from focused.export.row import CHUNK_FIELDS, FACTS, FIELDS
from tests.export.collections import ARTICLE, article_crawled, export


@pytest.fixture(scope="module")
def article(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of data with one page, that has everything."""
    folder = tmp_path_factory.mktemp("article")
    article_crawled(folder / "test")
    return folder


def lines(data: Path, target: Path, *options: str) -> list[dict[str, Any]]:
    assert export(data, "test", target, *options) == 0
    return [json.loads(line) for line in target.read_text().split("\n")[:-1]]


def test_what_a_page_says_about_itself(article: Path, tmp_path: Path) -> None:
    (row,) = lines(article, tmp_path / "a.jsonl")
    assert tuple(row) == FIELDS
    assert [row[name] for name in FACTS] == ["Ada Lovelace", "2026-11-01", "=1+1 panels", "Sun & Co"]


def test_what_it_does_not_say_is_empty_and_a_date_is_null(finished: Path, tmp_path: Path) -> None:
    rows = lines(finished, tmp_path / "a.jsonl", "--fields", ",".join(FACTS))
    assert {tuple(row.values()) for row in rows} == {("", None, "", "")}


def test_structured_data_is_json_in_a_text_where_it_is_asked_for(article: Path, tmp_path: Path) -> None:
    (row,) = lines(article, tmp_path / "a.jsonl", "--structured")
    assert tuple(row) == (*FIELDS, "structured")
    told = json.loads(row["structured"])
    assert told["json_ld"] == [{"@type": "Article", "datePublished": "2026-11-01", "wordCount": None}]
    assert told["open_graph"]["og:site_name"] == ["Sun & Co"]
    assert list(lines(article, tmp_path / "a.jsonl", "--structured", "--fields", "seq")[0]) == ["seq", "structured"]


def test_chunks_are_rows_with_ids_and_the_fields_of_their_page(article: Path, tmp_path: Path) -> None:
    rows = lines(article, tmp_path / "a.jsonl", "--chunks", "20")
    assert {tuple(row) for row in rows} == {CHUNK_FIELDS}
    assert [row["position"] for row in rows] == list(range(len(rows)))
    assert {row["final_url"] for row in rows} == {ARTICLE}
    assert rows[0]["text"].startswith("# Panels") and rows[0]["headings"] == ["Panels"]
    assert rows[-1]["headings"] == ["Panels", "Roofs"]
    assert all(row["tokens"] <= 20 for row in rows)
    assert rows == lines(article, tmp_path / "b.jsonl", "--chunks", "20")
    assert "A row is a chunk of a page: " in (tmp_path / "a.card.md").read_text()


def test_a_vector_store_is_refreshed_by_the_ids_of_two_exports(article: Path, tmp_path: Path) -> None:
    article_crawled(tmp_path / "later" / "test", ("roof of the house", "roof of the barn"))
    old, new = (
        {row["id"]: row["text"] for row in lines(data, tmp_path / "a.jsonl", "--chunks", "40")}
        for data in (article, tmp_path / "later")
    )
    assert {text.split("\n")[0] for id_, text in old.items() if id_ not in new} == {"## Roofs"}
    assert {text.split("\n")[0] for id_, text in new.items() if id_ not in old} == {"## Roofs"}
    assert len(old.keys() & new.keys()) == len(old) - 1 > 0


def test_the_recipe_of_the_documentation_tells_what_to_add_and_what_to_delete(
    article: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("duckdb", reason="DuckDB is not installed")
    pytest.importorskip("pyarrow", reason="needs the extra parquet")
    article_crawled(tmp_path / "later" / "test", ("roof of the house", "roof of the barn"))
    monkeypatch.chdir(tmp_path)
    assert export(article, "test", "old.parquet", "--chunks", "40") == 0
    assert export(tmp_path / "later", "test", "new.parquet", "--chunks", "40") == 0
    text = (Path(__file__).parents[2] / "docs/how-to/get-results-out.md").read_text()
    (recipe,) = re.findall(r"```python\n([^`]+delete = [^`]+)```", text)
    names: dict[str, Any] = {}
    exec(recipe, names)
    ((_, added, url),) = names["add"].fetchall()
    assert ("barn" in added, url) == (True, ARTICLE)
    assert len(names["delete"].fetchall()) == 1

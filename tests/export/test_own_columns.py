"""What somebody's own spider kept with the pages is columns of an export, with types, in every format."""

import csv
import json
from pathlib import Path
from typing import Any

import pytest

from focused.export import row
from focused.export.row import FIELDS
from tests.commands.running import crawled, refusal
from tests.export.collections import change, export, history


@pytest.fixture
def priced(data: Path) -> Path:
    """The same crawl; the first pages have fields of their own."""
    fields: list[dict[str, Any]] = [
        {"price": 9, "seller": "=me", "sold": True, "mixed": 1, "nothing": None},
        {"price": 9.5, "mixed": "one", "sold": False},
        {"mixed": False},
    ]
    for (seq,), own in zip(history(data, "seq"), fields, strict=False):
        change(data, "INSERT INTO own_fields VALUES (?, ?)", seq, json.dumps(own))
    return data


OWN = ["own_mixed", "own_nothing", "own_price", "own_seller", "own_sold"]


def exported(data: Path, *options: str) -> list[dict[str, Any]]:
    path = data / "out.jsonl"
    assert export(data, "test", path, *options) == 0
    return [json.loads(line) for line in path.read_text().splitlines()]


def test_they_come_after_the_others_and_what_is_text_on_one_page_is_text_on_all(priced: Path) -> None:
    rows = exported(priced)
    assert list(rows[0]) == [*FIELDS, *OWN]
    assert [[row[name] for name in OWN] for row in rows[:4]] == [
        ["1", None, 9.0, "=me", True],
        ["one", None, 9.5, None, False],
        ["false", None, None, None, None],
        [None, None, None, None, None],
    ]


def test_a_collection_without_any_has_no_such_columns(data: Path) -> None:
    assert list(exported(data)[0]) == list(FIELDS)


def test_they_can_be_chosen(priced: Path) -> None:
    assert list(exported(priced, "--fields", "own_price,url")[0]) == ["own_price", "url"]


def test_one_that_no_page_has_is_told(priced: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "own_prize: unknown; did you mean own_price?" in refusal(
        export(priced, "test", priced / "a.csv", "--fields", "own_prize"), capsys
    )


def test_so_many_that_nobody_can_want_them_all_are_told(
    priced: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(row, "MOST", 4)
    assert "test: has 5 own fields" in refusal(export(priced, "test", priced / "a.csv"), capsys)
    assert exported(priced, "--fields", "own_price")[0] == {"own_price": 9.0}


def test_parquet_has_their_types(priced: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    assert export(priced, "test", priced / "out.parquet") == 0
    table = parquet.read_table(priced / "out.parquet")
    types = {name: str(table.schema.field(name).type) for name in OWN}
    assert types == dict(zip(OWN, ["string", "string", "double", "string", "bool"], strict=True))
    assert table["own_price"].to_pylist()[:3] == [9.0, 9.5, None]


def test_a_spreadsheet_takes_none_for_a_formula_and_markdown_has_them_as_front_matter(priced: Path) -> None:
    assert export(priced, "test", priced / "out.csv", "--fields", ",".join(OWN)) == 0
    with (priced / "out.csv").open(newline="") as file:
        assert next(iter(csv.DictReader(file)))["own_seller"] == "'=me"
    assert export(priced, "test", f"{priced}/notes/") == 0
    first = next((priced / "notes").glob(f"*/*-{history(priced, 'seq')[0][0]}.md"))
    assert '\nown_price: 9.0\nown_seller: "=me"\nown_sold: true\n' in first.read_text()


def test_a_new_one_does_not_stop_a_corpus_that_grows(priced: Path) -> None:
    path = priced / "grown.jsonl"
    crawled(priced / "grown", 10)
    assert export(priced, "grown", path, "--new") == 0
    crawled(priced / "grown", 20)
    change_of = "INSERT INTO own_fields SELECT max(seq), '{\"price\": 1}' FROM fetches WHERE outcome = 'page'"
    (priced / "test").rename(priced / "other")
    (priced / "grown").rename(priced / "test")
    change(priced, change_of)
    (priced / "test").rename(priced / "grown")
    assert export(priced, "grown", path, "--new") == 0
    assert json.loads((priced / "grown.2.jsonl").read_text().splitlines()[-1])["own_price"] == 1


@pytest.mark.parametrize("fields", ["{", "[]", '{"a": [1]}', '{"A": 1}', "1"])
def test_a_row_that_no_crawl_wrote_is_told_in_one_line(
    priced: Path, capsys: pytest.CaptureFixture[str], fields: str
) -> None:
    change(priced, "UPDATE own_fields SET fields = ? WHERE seq = (SELECT max(seq) FROM own_fields)", fields)
    assert "crawl.db: " in refusal(export(priced, "test", priced / "a.jsonl"), capsys)

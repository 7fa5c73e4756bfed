"""Each format opens again in the programs that it is for, and holds what the collection holds."""

import csv
import gzip
import json
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from focused.export.row import FIELDS
from focused.export.writers import LONGEST, in_a_cell, place_of
from focused.page.plain_text import uncelled
from tests.export.collections import change, export, history
from tests.small_web import WEB

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

TRICK = '=HYPERLINK("http://evil.example";"x")'


def lines(data: Path, target: Path, *options: str) -> list[dict[str, Any]]:
    assert export(data, "test", target, *options) == 0
    return [json.loads(line) for line in target.read_text().split("\n")[:-1]]


@pytest.mark.parametrize(
    ("name", "read"),
    [("a.jsonl", Path.read_bytes), ("a.jsonl.gz", lambda p: gzip.decompress(p.read_bytes())),
     ("a.jsonl.zst", lambda p: zstd.decompress(p.read_bytes()))],
)  # fmt: skip
def test_json_lines_hold_every_field_of_every_page_in_order(
    finished: Path, tmp_path: Path, name: str, read: Any
) -> None:
    assert export(finished, "test", tmp_path / name) == 0
    found = [json.loads(line) for line in read(tmp_path / name).decode().splitlines()]
    assert {tuple(line) for line in found} == {FIELDS}
    columns = "url, final_url, relevance, relevant, depth, found_on, fetched, bytes, file, offset, seq"
    told = [(*(line[name] for name in columns.replace("fetched", "fetched_at").split(", ")),) for line in found]
    assert told == history(finished, columns)
    assert all(f"page {int(line['title']) + 1}" in line["text"] for line in found)


def test_csv_is_read_back_as_it_was_written_and_holds_no_formula(data: Path, tmp_path: Path) -> None:
    change(data, "UPDATE fetches SET title = ? WHERE seq = (SELECT min(seq) FROM fetches)", TRICK)
    assert export(data, "test", tmp_path / "a.csv", "--fields", "title,final_url,path,relevant") == 0
    with (tmp_path / "a.csv").open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert [row["final_url"] for row in rows] == [url for (url,) in history(data, "final_url")]
    assert rows[0]["title"] == f"'{TRICK}"
    assert {row["relevant"] for row in rows} == {"0", "1"}
    assert rows[-1]["path"].split()[0] in ("http://host0.example/0", "http://host2.example/7")


@given(st.text(alphabet=st.characters(exclude_categories=["Cs"]) | st.sampled_from("=+-@\t\r\n'＝ \x00\x1b")))
def test_no_cell_begins_like_a_formula_and_plain_texts_stay_as_they_are(text: str) -> None:
    written = in_a_cell(text)
    assert written[:1] not in {"=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠"}
    if text.isprintable():
        assert uncelled(written) == text


def test_parquet_has_types_and_many_row_groups(data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    parquet = pytest.importorskip("pyarrow.parquet", reason="needs the extra parquet")
    monkeypatch.setattr("focused.export.writers.GROUP_ROWS", 16)
    assert export(data, "test", tmp_path / "a.parquet") == 0
    table = parquet.read_table(tmp_path / "a.parquet")
    assert table.num_rows == len(WEB)
    assert parquet.ParquetFile(tmp_path / "a.parquet").num_row_groups == 3
    types = {name: str(table.schema.field(name).type) for name in FIELDS}
    assert types["path"] in ("list<item: string>", "list<element: string>")
    assert [types[name] for name in ("text", "seq", "relevance", "relevant")] == ["string", "int64", "double", "bool"]
    assert types["fetched_at"] == "timestamp[ms, tz=UTC]"
    assert table.to_pylist()[3]["found_on"] == history(data, "found_on")[3][0]


def test_a_list_of_urls_has_one_a_line(finished: Path, tmp_path: Path) -> None:
    assert export(finished, "test", tmp_path / "a.txt") == 0
    assert (tmp_path / "a.txt").read_text().splitlines() == [url for (url,) in history(finished, "final_url")]


def test_a_folder_of_markdown_has_a_file_for_each_page_with_front_matter(data: Path, tmp_path: Path) -> None:
    change(
        data, "UPDATE fetches SET title = ? WHERE seq = (SELECT min(seq) FROM fetches)", 'a: "b" # \x07 \u2028 😀 ---'
    )
    assert export(data, "test", f"{tmp_path}/notes/", "--fields", "final_url,title,path,seq,relevant,text") == 0
    files = sorted((tmp_path / "notes").glob("*/*.md"))
    pages = {yaml.safe_load(path.read_text().split("---\n")[1])["seq"]: path.read_text() for path in files}
    assert sorted(pages) == [seq for (seq,) in history(data, "seq")]
    front = yaml.safe_load(pages[min(pages)].split("---\n")[1])
    assert front["title"] == 'a: "b" #     😀 ---'
    assert (front["path"], front["relevant"]) == ([], True)
    assert pages[min(pages)].partition("\n---\n\n")[2].startswith("solar energy from solar panels")


@given(st.text(max_size=3000), st.integers(1, 2**62))
def test_a_file_of_markdown_stays_in_its_folder_and_has_a_name_that_every_system_takes(url: str, seq: int) -> None:
    for whole in (
        url,
        f"http://{url}",
        f"http://host.example/{url}",
        f"https://host.example:8080/%2e%2e/%2F..%00{url}",
    ):
        host, name = place_of(whole, seq)
        assert not host.startswith((".", "-")) and not name.startswith((".", "-"))
        assert not set(host + name) & set('/\\:*?"<>|') and (host + name).isprintable()
        assert ".." not in host + name and not host.endswith(".")
        assert host and len(host.encode()) <= LONGEST and len(name.encode()) <= LONGEST + 30


@given(st.text(max_size=50), st.text(max_size=50), st.integers(1, 10**6), st.integers(1, 10**6))
def test_two_pages_never_get_the_same_file(one: str, other: str, seq: int, other_seq: int) -> None:
    names = [place_of(f"http://A.example/{path}", number) for path, number in ((one, seq), (other, other_seq))]
    assert seq == other_seq or names[0][1].lower() != names[1][1].lower()

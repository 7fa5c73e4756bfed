"""Where an exported page comes from: its text is the stored page's, its path leads from a seed to it."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from focused.export.row import FIELDS, READ
from focused.page.page import Page
from focused.page.page_text import page_text
from focused.page.reader import Reader, ReadingOptions
from tests.export.collections import change, export, history
from tests.small_web import topic_of

READER = Reader(ReadingOptions(max_bytes=200))
PIECES = [
    *("<title>t</title>", "<p>one", "two", "&#xD800;", "&amp;", "<script>x</script>", "�", "é", "\x00"),
    "<a href=/>l</a>",
]
MARKUP = st.lists(st.sampled_from(PIECES), max_size=60)


def test_a_path_leads_from_a_seed_to_the_page_where_it_was_found(finished: Path, tmp_path: Path) -> None:
    assert export(finished, "test", tmp_path / "a.jsonl") == 0
    rows = {row["final_url"]: row for row in map(json.loads, (tmp_path / "a.jsonl").read_text().splitlines())}
    assert max(row["depth"] for row in rows.values()) > 3
    for row in rows.values():
        assert len(row["path"]) >= row["depth"]  # which counts the shortest way
        assert bool(row["path"]) is bool(row["depth"])
        if row["path"]:
            assert row["path"][0] in topic_of().seeds
            assert row["path"][-1] == row["found_on"]
            assert row["path"] == [*rows[row["found_on"]]["path"], row["found_on"]]


def test_a_path_ends_even_where_a_damaged_database_leads_in_a_circle(data: Path, tmp_path: Path) -> None:
    (last,) = history(data, "seq")[-1]
    change(
        data,
        "UPDATE picks SET source = (SELECT final_url FROM fetches WHERE pick = picks.seq) WHERE source IS NOT NULL",
    )
    assert export(data, "test", tmp_path / "a.jsonl", "--fields", "seq,path") == 0
    rows = map(json.loads, (tmp_path / "a.jsonl").read_text().splitlines())
    assert [len(row["path"]) for row in rows if row["seq"] == last] == [1]  # its own source


@pytest.mark.parametrize("content_type", ["text/html", "text/html; charset=latin-1", "text/plain", "image/png", ""])
@given(markup=MARKUP)
def test_the_text_is_that_of_the_reader(content_type: str, markup: list[str]) -> None:
    body = "<body>".join(["", "".join(markup)]).encode("utf-8", "surrogatepass")
    page = READER.read("http://a.example/", body, content_type)
    assert isinstance(page, Page)
    found = page_text(body, content_type, READER.options, "all")
    assert found is not None
    assert " ".join(found.split()) == page.text.encode("utf-8", "replace").decode()


def test_where_no_text_is_asked_for_no_page_is_read(data: Path, tmp_path: Path) -> None:
    (data / "test" / "pages" / "pages-00001.warc.gz").write_bytes(b"")
    without = ",".join(name for name in FIELDS if name not in READ)
    assert export(data, "test", tmp_path / "a.jsonl", "--fields", without) == 0
    assert export(data, "test", tmp_path / "b.jsonl") == 1

"""The file that a person fills: what is written can be read, and each mistake in it is one line with its number."""

import csv
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from focused.desk.judging.sheet import COLUMNS, SheetLine, judged, read_sheet, write_sheet
from focused.exceptions import AuditError, FocusedError

HEAD = ",".join(COLUMNS)
A, B, C = (f"http://{name}.example/" for name in "abc")
LINES = [SheetLine(A, True, 1, 9), SheetLine(B, None, 1, 9), SheetLine(C, False, None)]


def write(folder: Path, *lines: str, encoding: str = "utf-8") -> Path:
    path = folder / "audit.csv"
    path.write_text("\n".join(lines) + "\n", encoding=encoding)
    return path


def rows(path: Path) -> list[dict[str, str]]:
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def test_what_was_written_is_read(tmp_path: Path) -> None:
    write_sheet(LINES, tmp_path / "audit.csv")
    assert read_sheet(tmp_path / "audit.csv") == LINES
    assert judged(LINES) == {A: True, C: False}
    assert [path.name for path in tmp_path.iterdir()] == ["audit.csv"]


def test_a_page_stands_for_its_part_of_the_stratum_and_one_out_of_the_sample_for_none(tmp_path: Path) -> None:
    write_sheet(LINES, tmp_path / "audit.csv")
    assert [row["weight"] for row in rows(tmp_path / "audit.csv")] == ["4.5", "4.5", "0"]
    assert [row["relevant"] for row in rows(tmp_path / "audit.csv")] == ["yes", "", "no"]


@given(st.text(st.characters(codec="utf-8"), max_size=40))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_no_title_breaks_the_file_or_is_a_formula(tmp_path: Path, title: str) -> None:
    write_sheet([SheetLine(A, None, 1, 9, title), SheetLine(B, None, 1, 9)], tmp_path / "audit.csv")
    assert [line.url for line in read_sheet(tmp_path / "audit.csv")] == [A, B]
    (shown, _) = (row["title"] for row in rows(tmp_path / "audit.csv"))
    assert shown[:1] not in ("=", "+", "-", "@")
    assert "\n" not in shown


@pytest.mark.parametrize("answer", ["yes", "Y", "1", "TRUE", " Yes "])
def test_many_ways_to_say_yes_and_spreadsheets_that_write_semicolons(tmp_path: Path, answer: str) -> None:
    path = write(tmp_path, "url;relevant;stratum;stratum_pages", f"{A};{answer};2;7", ";;;", encoding="utf-8-sig")
    assert read_sheet(path) == [SheetLine(A, True, 2, 7)]


@pytest.mark.parametrize("answer", ["no", "N", "0", "False"])
def test_many_ways_to_say_no(tmp_path: Path, answer: str) -> None:
    assert judged(read_sheet(write(tmp_path, HEAD, f"{A},,{answer},0.1,2,7,3.5"))) == {A: False}


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (["", ""], "line 1: no column 'url'"),
        (["url,stratum,stratum_pages"], "line 1: no column 'relevant'"),
        ([HEAD, f"{A},,maybe,0.1,1,5,5"], "line 2: relevant is 'maybe': write yes or no, or leave it empty"),
        ([HEAD, f"{A},,yes,0.1,1,5,5", "", f"{A},,no,0.1,1,5,5"], f"line 4: '{A}' stands in line 2 already"),
        ([HEAD, f"{A},,yes,0.1,1,5"], "line 2 has 6 columns and not 7"),
        ([HEAD, f"{A},,yes,0.1,x,5,5"], "line 2: stratum is 'x' and not a number"),
        ([HEAD, f"{A},,yes,0.1,1,0,5"], "line 2: stratum_pages is '0' and not a number"),
        ([HEAD, ",,yes,0.1,1,5,5"], "line 2: url is empty"),
        ([HEAD, f"{A},,,0.1,1,5,5", f"{B},,,0.1,1,6,5"], "line 3: stratum 1 has 6 pages here and 5 above"),
        ([HEAD, "x" * 140_000], "line 2: field larger than field limit"),
    ],
)
def test_a_mistake_is_told_with_its_line(tmp_path: Path, lines: list[str], message: str) -> None:
    with pytest.raises(AuditError) as refusal:
        read_sheet(write(tmp_path, *lines))
    assert message in str(refusal.value)
    assert "audit.csv" in str(refusal.value)
    assert "\n" not in str(refusal.value)


def test_a_file_in_another_encoding_is_told(tmp_path: Path) -> None:
    with pytest.raises(FocusedError, match="line 2 is not UTF-8"):
        read_sheet(write(tmp_path, HEAD, f"{A},é,,0.1,1,5,5", encoding="latin-1"))


def test_a_file_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(FocusedError, match="cannot be written"):
        write_sheet(LINES, tmp_path / "file" / "audit.csv")

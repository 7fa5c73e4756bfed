"""A sheet of guesses goes out, and what a person wrote on it comes back."""

import csv
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from focused.exceptions import TaxonomyError, TopicError
from focused.papers.taxonomies.guesses import Guess, read_verdicts, write_verdicts
from focused.papers.taxonomies.taxonomy_store import ExampleUrl

HEADER = "url,category,guess,verdict\n"


def guess(url: str, category: str | None, title: str = "") -> Guess:
    example = ExampleUrl(url, title, category, None, None, None, None, None, False, None)
    return Guess(example, ("Energy", "Sun"), 0.5)


def fill(path: Path, *verdicts: str) -> None:
    """Write into the column verdict as a spreadsheet does."""
    rows = list(csv.reader(path.read_text().splitlines()))
    for row, verdict in zip(rows[1:], verdicts, strict=True):
        row[-1] = verdict
    with path.open("w", newline="") as file:
        csv.writer(file, delimiter=";").writerows(rows)


def test_a_verdict_is_one_of_three_words_or_a_category(tmp_path: Path) -> None:
    path = tmp_path / "sheet.csv"
    write_verdicts([guess(f"http://a.example/{number}", "-Sports") for number in range(5)], path)
    fill(path, "keep", "Guess", "drop", "Energy/Wind", "")
    assert read_verdicts(path, str) == {
        "http://a.example/0": "-Sports",
        "http://a.example/1": "Energy/Sun",
        "http://a.example/2": None,
        "http://a.example/3": "Energy/Wind",
    }


def test_no_cell_is_a_formula_to_a_spreadsheet(tmp_path: Path) -> None:
    write_verdicts([guess("http://a.example/", "+A", "=1+1\nx")], tmp_path / "sheet.csv")
    cells = next(iter(csv.DictReader((tmp_path / "sheet.csv").read_text().splitlines())))
    assert (cells["title"], cells["category"]) == ("'=1+1 x", "'+A")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "url,verdict\n",
            "line 1: no column 'category': fill the file that scrapy taxonomy NAME classify --csv FILE wrote",
        ),
        (HEADER + "http://a.example/,,Sun,keep\n", "line 2: 'keep': nobody has said a category that could be kept"),
        (
            HEADER + "http://a.example/,A,B,keep\nhttp://a.example/,A,B,guess\n",
            "line 3: 'http://a.example/' has another",
        ),
        (
            "verdict,url,category,guess\nkeep,http://a.example/\n",
            "line 2: 'keep': nobody has said a category that could",
        ),
        (HEADER + 'http://a.example/,"A,B,keep\nhttp://b.example/,A,B,keep\n', "unexpected end of data"),
        ("verdict,url,category,guess\ndrop\n", "line 2: the verdict 'drop' stands beside no URL"),
    ],
)
def test_a_mistake_is_told_with_its_line(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "sheet.csv").write_text(text)
    with pytest.raises(TaxonomyError, match=message.replace("(", r"\(")):
        read_verdicts(tmp_path / "sheet.csv", str)


@given(st.binary(max_size=200))
def test_no_rubbish_breaks_the_reading(tmp_path_factory: pytest.TempPathFactory, data: bytes) -> None:
    path = tmp_path_factory.mktemp("rubbish") / "sheet.csv"
    path.write_bytes(HEADER.encode() + data)
    try:
        read_verdicts(path, str)
    except (TaxonomyError, TopicError) as error:
        assert str(path) in str(error)

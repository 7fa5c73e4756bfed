"""The laboratory's judge of extractors: what it counts, where its pages come from, and that sites decide the splits."""

import gzip
import json
from pathlib import Path

import pytest

from focused.exceptions import EvaluationError
from lab.benchmarks.main_text import Judged, f1_of, interval, judge, runs_of, table_by_kind, table_of
from lab.benchmarks.main_text_pages import SPLITS, LabelledPage, labelled_pages, split_of

TEXT = "Balsa grows fast and its wood is light, so that children build planes of it."
PAGE = LabelledPage("http://a.example/", "a.example", "article", "", TEXT)


def test_runs_of_four_words_are_counted() -> None:
    assert runs_of("a b c d e") == {("a", "b", "c", "d"): 1, ("b", "c", "d", "e"): 1}
    assert runs_of("a b") == {("a", "b"): 1} and not runs_of(" . ")


def test_what_is_found_is_judged_by_precision_and_recall() -> None:
    judged = judge(lambda *_: f"{TEXT} {TEXT}", PAGE)
    assert judged.precision < 0.5 and judged.recall == 1
    assert judge(lambda *_: 1 / 0, PAGE).recall == 0  # type: ignore[arg-type]


def test_an_interval_draws_whole_sites() -> None:
    low, high = interval([Judged("a", 0, 0, 0)] * 50 + [Judged("b", 1, 1, 0)] * 50)
    assert (low, high) == (0, 1)
    rows = [Judged("a", 0.5, 1, 2)]
    assert f1_of(rows) == pytest.approx(2 / 3)
    assert "| it | 0.500 | 1.000 | 0.667 (0.667 to 0.667) | 2.0 | 2.0 |" in list(table_of({"it": rows}))


def test_a_folder_has_pages_and_texts(tmp_path: Path) -> None:
    (tmp_path / "html").mkdir()
    (tmp_path / "html" / "one.html").write_text("<p>one")
    (tmp_path / "ground-truth.json").write_text(
        json.dumps({"one": {"articleBody": "one", "url": "http://b.example/x"}})
    )
    (page,) = labelled_pages(tmp_path, "all")
    assert (page.site, page.markup, page.expected) == ("b.example", "<p>one", "one")
    assert list(labelled_pages(tmp_path, split_of("b.example"))) == [page]
    assert {split_of(f"{number}.example") for number in range(50)} == set(SPLITS)


def test_a_source_without_pages_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(EvaluationError, match="no page with a known main text"):
        list(labelled_pages(tmp_path, "all"))


def test_a_folder_of_wcxb_has_kinds(tmp_path: Path) -> None:
    (tmp_path / "html").mkdir()
    (tmp_path / "ground-truth").mkdir()
    (tmp_path / "html" / "0001.html.gz").write_bytes(gzip.compress(b"<p>solar energy"))
    truth = {
        "url": "https://a.example/x",
        "_internal": {"page_type": {"primary": "forum"}},
        "ground_truth": {"main_content": "solar energy"},
    }
    (tmp_path / "ground-truth" / "0001.json").write_text(json.dumps(truth))
    (page,) = labelled_pages(tmp_path, "all")
    assert (page.kind, page.site, page.expected) == ("forum", "a.example", "solar energy")
    row = judge(lambda *_: "solar energy power", page)
    assert row.words == 2 * 2 / 5
    assert list(table_by_kind({"one": [row]}))[-1] == "| one | 0.800 | 0.800 |"

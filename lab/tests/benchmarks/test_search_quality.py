"""Questions come from links and titles alone, and a page that is found first counts in full."""

from __future__ import annotations

import random
from contextlib import closing
from pathlib import Path

import pytest

from focused.storage.collection import open_to_read
from lab.benchmarks.search_quality import Question, found, main, mrr, questions
from tests.storage.collecting import collect

A, B, C = (f"http://{name}.example/" for name in "abc")
PAGES = {
    A: f"<title>Solar roof tiles</title><p>Slate. <a href={B}>windmills of Holland</a> <a href={B}>Holland</a> "
    f"<a href={A}>this very page</a>",
    B: f"<title>Mill</title><p>Windmills grind corn. <a href={A}>both ways</a> <a href={C}>both ways</a>",
    C: "<title>The sea</title><p>Fish and ships. <a href=http://gone.example/>a lost page</a>",
}


def test_a_link_asks_for_the_only_page_that_is_called_so_and_a_memory_for_words_of_a_title(tmp_path: Path) -> None:
    collect(tmp_path / "test", PAGES)
    with closing(open_to_read(tmp_path / "test")) as store:
        asked = list(questions(store, random.Random(0)))
        ids = dict(store.execute("SELECT seq, final_url FROM history WHERE outcome = 'page'").fetchall())
    assert [(one.words, ids[one.page]) for one in asked if one.kind == "link"] == [(("windmills", "of", "holland"), B)]
    remembered = {ids[one.page]: set(one.words) for one in asked if one.kind == "memory"}
    assert remembered.keys() == {A, C}
    assert remembered[A] < {"solar", "roof", "tiles"} and remembered[C] == {"the", "sea"}
    assert all(isinstance(one, Question) for one in asked)


def test_the_first_place_counts_in_full_and_no_place_nothing() -> None:
    assert mrr([1, 2, 0, 4]) == (1 + 0.5 + 0 + 0.25) / 4
    assert found([1, 2, 0, 4]) == 0.75
    assert mrr([]) == found([]) == 0.0


def test_the_product_is_a_row_of_the_table_and_finds_what_all_words_do_not(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    collect(tmp_path / "test", PAGES)
    main([str(tmp_path / "test")])
    rows = {
        line[:28].strip(): line[28:].split()
        for line in capsys.readouterr().out.splitlines()
        if "0." in line or "1." in line
    }
    assert rows["scrapy search"] == ["0.500", "1.000", "1.000", "1.000"]  # the page with the link has all its words
    assert rows["all words"][:2] == ["0.000", "0.000"]  # no page says windmills, of and Holland

"""Chunks have all of a page, in order and within their limit, and an edit changes the ids of what it changes alone."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from focused.export.chunks import Chunk, chunks_of, tokens

URL = "http://a.example/"
WORD = st.sampled_from(["sun", "electricity", "日本語", "1998.", "é!", "a|b", "`x`", "<", "ก"])
PARAGRAPH = st.lists(WORD, min_size=1, max_size=20).map(" ".join)
CODE = st.lists(st.sampled_from(["x = 1", "", "    # y", "def f(a, b):"]), max_size=20).map(
    lambda lines: "\n".join(["```python", *lines, "```"])
)
TABLE = st.lists(st.sampled_from(["| a | b |", "| one | two |"]), min_size=1, max_size=20).map(
    lambda rows: "\n".join(["| h | i |", "|---|---|", *rows])
)
LIST = st.lists(PARAGRAPH, min_size=1, max_size=5).map(lambda items: "\n".join(f"- {item}" for item in items))
BLOCK = st.one_of(PARAGRAPH, CODE, TABLE, LIST)
HEADING = st.tuples(st.integers(1, 6), st.sampled_from(["One", "Two", "Three"])).map(lambda h: f"{'#' * h[0]} {h[1]}")
SECTION = st.tuples(HEADING, st.lists(BLOCK, min_size=1, max_size=3)).map(lambda s: "\n\n".join((s[0], *s[1])))
PAGE = st.lists(SECTION, min_size=1, max_size=4)


def cut(markdown: str, most: int = 50, url: str = URL) -> list[Chunk]:
    return list(chunks_of(markdown, url, most))


def texts(markdown: str, most: int = 50) -> list[str]:
    return [chunk.text for chunk in cut(markdown, most)]


def bare(text: str) -> str:
    """A text without what pieces of code and tables have again, and without white space."""
    lines = (line for line in text.split("\n") if line not in ("```python", "```", "| h | i |", "|---|---|"))
    return "".join("".join(lines).split())


@given(PAGE, st.integers(40, 200))
def test_nothing_is_lost_the_order_is_kept_and_the_limit_too(page: list[str], most: int) -> None:
    markdown = "\n\n".join(page)
    chunks = cut(markdown, most)
    assert bare("\n".join(chunk.text for chunk in chunks)) == bare(markdown)
    assert [chunk.position for chunk in chunks] == list(range(len(chunks)))
    assert all(0 < chunk.tokens == tokens(chunk.text) <= most for chunk in chunks)
    assert len({chunk.id for chunk in chunks}) == len(chunks)


@given(st.text(max_size=2000), st.integers(20, 60))
def test_whatever_the_text_is(text: str, most: int) -> None:
    chunks = cut(text, most)
    assert all(0 < chunk.tokens <= most for chunk in chunks)
    told = "".join("".join(chunk.text for chunk in chunks).split())
    framed = re.search(r"```|~~~|\|", text)  # fences and first rows may stand there again
    assert framed or told.replace(">", "") == "".join(text.split()).replace(">", "")


@given(PAGE, st.data(), SECTION)
def test_an_edit_of_one_section_leaves_the_ids_of_all_others(page: list[str], data: st.DataObject, new: str) -> None:
    place = data.draw(st.integers(0, len(page) - 1))
    edited = [new if number == place else section for number, section in enumerate(page)]
    others = "\n\n".join(section for number, section in enumerate(page) if number != place)
    kept = {chunk.id for chunk in cut(others)}
    assert kept <= {chunk.id for chunk in cut("\n\n".join(page))}
    assert kept <= {chunk.id for chunk in cut("\n\n".join(edited))}


def test_an_id_is_of_the_url_and_the_text() -> None:
    (one,), (other,) = cut("a"), cut("a", url="http://b.example/")
    assert one.id != other.id
    assert one.id == cut("a\n\n# New\n\nb")[0].id
    first, second = cut("# A\n\nsame\n\n# A\n\nsame")
    assert first.text == second.text
    assert first.id != second.id


def test_a_heading_begins_a_chunk_and_names_the_way_to_it() -> None:
    chunks = cut("start\n\n# Solar\n\na\n\n## Panels\n\nb\n\n### Roof\n\nc\n\n## Mills \\<x>\n\nd\n\n# End\n\ne")
    assert [(chunk.headings, chunk.text.split("\n")[-1]) for chunk in chunks] == [
        ([], "start"),
        (["Solar"], "a"),
        (["Solar", "Panels"], "b"),
        (["Solar", "Panels", "Roof"], "c"),
        (["Solar", "Mills <x>"], "d"),
        (["End"], "e"),
    ]


def test_headings_without_a_text_of_their_own_go_with_the_text_that_follows() -> None:
    (chunk,) = cut("# Solar\n\n## Panels\n\ntext")
    assert (chunk.headings, chunk.text) == (["Solar", "Panels"], "# Solar\n\n## Panels\n\ntext")


def test_a_hash_in_code_is_no_heading_and_blank_lines_in_code_part_nothing() -> None:
    assert texts("```\n# no heading\n\n# none\n```\n\nafter") == ["```\n# no heading\n\n# none\n```\n\nafter"]
    assert texts("- ````python\n  ```\n\n  # no heading\n  ````") == ["- ````python\n  ```\n\n  # no heading\n  ````"]


@pytest.mark.parametrize("block", ["```\n" + "x = 10\n" * 8 + "```", "| a | b |\n|---|---|" + "\n| 1 | 2 |" * 4])
def test_code_and_tables_are_whole_where_they_fit(block: str) -> None:
    assert 30 < tokens(block) <= 50
    assert texts("word " * 30 + f"\n\n{block}\n\nafter")[1].startswith(block)


def test_code_that_is_too_long_is_cut_at_lines_and_fenced_again() -> None:
    lines = [f"call({number})" for number in range(100, 130)]
    pieces = texts("\n".join(["```python", *lines, "```"]))
    assert len(pieces) > 4
    assert all(piece.startswith("```python\ncall(") and piece.endswith(")\n```") for piece in pieces)


def test_code_that_never_ends_is_cut_too() -> None:
    lines = [f"call({number})" for number in range(100, 130)]
    pieces = texts("\n".join(["```", *lines]))
    assert [line for piece in pieces for line in piece.split("\n") if line != "```"] == lines


def test_each_piece_of_a_table_has_its_first_row() -> None:
    rows = [f"| key {number} | value |" for number in range(30)]
    pieces = texts("\n".join(["| name | meaning |", "|---|---|", *rows]), 80)
    assert len(pieces) > 3
    assert all(piece.startswith("| name | meaning |\n|---|---|\n| key") and piece.endswith("|") for piece in pieces)


def test_a_long_paragraph_is_cut_after_sentences_and_a_long_word_anywhere() -> None:
    sentence = "The sun shines on the roof of the house. "
    pieces = texts(sentence * 20)
    assert len(pieces) > 1
    assert all(piece.strip().endswith("house.") for piece in pieces)
    assert texts("x" * 500, 100) == ["x" * 400, "x" * 100]
    assert texts("日" * 50, 20) == ["日" * 20, "日" * 20, "日" * 10]


def test_a_page_without_text_has_no_chunk() -> None:
    assert cut("") == cut(" \n\n>\n") == []


@pytest.mark.parametrize(
    "markdown",
    ["# a\n\n" * 20_000, "# a\n\nb\n\n" * 20_000, "`" * 200_000 + "\nx\n" + "`" * 200_000, "```\n" * 50_001,
     "> " * 100_000 + "```", "- " * 100_000, "|---" * 50_000, "| a |\n|---|\n" + "| b |\n" * 30_000, "#" * 200_000,
     "x" * 200_000, " " * 200_000, "1. " * 70_000 + "x", "\\<" * 100_000],
)  # fmt: skip
def test_a_hostile_page_costs_steps_in_proportion_to_its_length(markdown: str) -> None:
    chunks = cut(markdown, 20)
    assert sum(len(chunk.text) for chunk in chunks) <= 4 * len(markdown)
    assert all(len(heading) <= 200 for chunk in chunks for heading in chunk.headings)


def test_the_head_of_a_table_is_not_repeated_where_it_is_mostly_blanks() -> None:
    page = "\n".join([f"| a {' ' * 20_000} | b |", "|---|---|", *["| one two three | four |"] * 500])
    assert sum(map(len, texts(page))) < 2 * len(page)


def test_a_line_of_tildes_takes_no_time() -> None:
    assert tokens(
        "".join(texts("~" * 200_000 + " `", most=1_000))
    )  # 2 minutes, where each start is tried with each end

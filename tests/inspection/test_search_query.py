"""What a person types is never a mistake of grammar to FTS5."""

import sqlite3

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from focused.exceptions import FocusedError
from focused.inspection.search_query import WORDS, query_of, readable, searchable


@pytest.mark.parametrize(
    ("text", "match"),
    [
        ("solar panels", '("solar") AND ("panels")'),
        ('solar "roof tiles"', '("solar") AND ("roof tiles")'),
        ("solar roof OR wall", '("solar") AND ("roof" OR "wall")'),
        ("solar -thermal", '(("solar")) NOT ("thermal")'),
        ('-"hot water" -thermal solar', '(("solar")) NOT ("hot water" OR "thermal")'),
        ("OR solar OR", '("solar")'),
        ("near AND not or", '("near") AND ("AND") AND ("not") AND ("or")'),
        ("wind-turbine c++ -- !?", '("wind-turbine") AND ("c++")'),
        ('an "unfinished phrase', '("an") AND ("unfinished phrase")'),
        ("Anlage* -b*", '(("Anlage*" *)) NOT ("b*" *)'),
        ('"roof til*" a*b ***', '("roof til*") AND ("a*b")'),
        ("太陽", '("太\u200b陽\u200b")'),
    ],
)
def test_the_grammar(text: str, match: str) -> None:
    assert query_of(text).match == match


def test_words_to_leave_out_are_not_marked() -> None:
    query = query_of("solar roof -thermal")
    assert query.marked == '("solar" OR "roof")'
    assert query.together == '("solar") AND ("roof")'
    assert query.some == '(("solar" OR "roof")) NOT ("thermal")'


def test_where_one_word_is_all_that_is_wanted_no_page_has_only_some() -> None:
    assert query_of("roof OR wall -slate").some == query_of('"roof tiles"').some == ""


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "a word to look for"),
        ("!? --", "a word to look for"),
        ("-a", "beside those to leave out"),
        ("a " * 51, "50 at most"),
    ],
)
def test_what_asks_for_nothing_or_too_much_is_told(text: str, told: str) -> None:
    with pytest.raises(FocusedError, match=told):
        query_of(text)


@pytest.fixture(scope="module")
def texts() -> sqlite3.Connection:
    db = sqlite3.connect(":memory:")
    db.execute(f"CREATE VIRTUAL TABLE texts USING fts5(title, text, tokenize = '{WORDS}')")
    db.execute("INSERT INTO texts VALUES ('solar', 'energy')")
    return db


@given(st.text() | st.text(alphabet=" \"'-+*^:(){}\\/,.aOR{}\0\x02\u200bNEAR"))
@example('"" "a')
@example('a"b')
@example("title:a {title text} : b ^c d*")
@example('NEAR("a" "b", 3)')
def test_no_text_is_a_mistake_to_fts5(texts: sqlite3.Connection, text: str) -> None:
    try:
        query = query_of(text)
    except FocusedError:
        return
    for match in filter(None, (query.match, query.some, query.together, query.marked)):
        texts.execute("SELECT rowid FROM texts WHERE texts MATCH ?", (match,)).fetchall()


@given(st.text())
def test_what_is_made_searchable_can_be_read_again(text: str) -> None:
    assert readable(searchable(text)) == text.replace("\u200b", "")

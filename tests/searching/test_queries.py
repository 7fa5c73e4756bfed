"""The questions that are made of keywords, and of what was found."""

from hypothesis import given
from hypothesis import strategies as st

from focused.page.page import Page
from focused.page.text import TextAnalyser
from focused.seeds.searching.queries import WrittenWords, first_queries, next_queries, telling_words, words_of
from focused.seeds.searching.search_providers import LONGEST_QUERY

ENGLISH = TextAnalyser("english")


def page(text: str) -> Page:
    return Page("http://a.example/", 1, "a.example", "text/html", "x", text=text)


def words(text: str, *, relevant: bool) -> WrittenWords:
    return words_of(page(text), ENGLISH, relevant=relevant)


def test_all_keywords_then_each_then_pairs() -> None:
    assert first_queries(["heat pump", "geothermal", "borehole"]) == [
        *("heat pump geothermal borehole", "heat pump", "geothermal", "borehole", "heat pump geothermal"),
        *("heat pump borehole", "geothermal borehole"),
    ]


def test_one_keyword_is_one_question() -> None:
    assert first_queries(["perovskite solar cells"]) == ["perovskite solar cells"]


@given(st.lists(st.text(st.characters(categories=("L",)), min_size=1, max_size=300), min_size=1, max_size=12))
def test_there_is_a_question_none_is_too_long_and_none_is_asked_twice(keywords: list[str]) -> None:
    queries = first_queries(keywords)
    assert queries
    assert all(0 < len(query) <= LONGEST_QUERY for query in queries)
    assert len({frozenset(query.lower().split()) for query in queries}) == len(queries)


def test_words_that_relevant_pages_have_and_others_lack_come_first() -> None:
    pages = [
        words("solar inverters contact privacy", relevant=True),
        words("solar inverters modules contact privacy", relevant=True),
        words("cats contact privacy modules", relevant=False),
        words("dogs contact privacy", relevant=False),
    ]
    assert telling_words(pages, {"solar"}, 10) == ["inverters"]


def test_without_relevant_pages_nothing_is_learned() -> None:
    assert telling_words([words("cats dogs", relevant=False)] * 3, set(), 10) == []


def test_words_are_written_as_pages_write_them() -> None:
    pages = [words("Photovoltaics", relevant=True), words("photovoltaics", relevant=True)]
    assert telling_words(pages, set(), 10) == ["photovoltaics"]  # its stem is none that a person would type


def test_a_word_joins_a_keyword_and_no_question_is_asked_again() -> None:
    queries = next_queries(["heat pump", "borehole"], ["brine", "drilling"], ["brine heat pump"])
    assert list(queries) == ["borehole drilling"]

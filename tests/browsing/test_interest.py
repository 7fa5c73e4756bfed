"""What somebody is interested in: what they read for long, not long ago, and in words that tell something."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from focused.desk.agent.interest import (
    HALF_LIFE,
    CommonWords,
    Matter,
    attention,
    faded,
    interest_of,
    is_telling,
    likeness,
    matter_of,
    shared,
    vector,
    words_of_collection,
)
from focused.page.page import Page
from focused.page.reader import Reader, ReadingOptions
from tests.commands.running import crawled

SOLAR, FOOTBALL = Matter({"solar": 9, "panel": 5}), Matter({"football": 9, "goal": 5})


def rarity(_: str) -> float:
    return 1.0


def read(html: str) -> tuple[Reader, Page]:
    reader = Reader(ReadingOptions())
    page = reader.read("http://a.example/", html.encode(), "text/html")
    assert isinstance(page, Page)
    return reader, page


def test_what_is_read_for_long_counts_more() -> None:
    interest = interest_of([(SOLAR, 0.0, 120.0), (FOOTBALL, 0.0, 5.0)], rarity, 0.0)
    assert interest["solar"] > 3 * interest["football"] > 0


def test_what_was_read_long_ago_fades() -> None:
    interest = interest_of([(SOLAR, 0.0, 60.0), (FOOTBALL, 3 * HALF_LIFE, 60.0)], rarity, 3 * HALF_LIFE)
    assert interest["football"] == pytest.approx(8 * interest["solar"])


@given(st.floats(0, 1e9), st.floats(0, 1e9))
def test_attention_and_fading_stay_in_their_bounds(seconds: float, age: float) -> None:
    assert 0 <= attention(seconds) <= 1
    assert 0 <= faded(age) <= 1


def test_a_clock_that_was_set_back_makes_nothing_grow() -> None:
    assert faded(-1e6) == 1.0


def test_nobody_who_reads_nothing_has_an_interest() -> None:
    assert interest_of([], rarity, 0.0) == {}
    assert interest_of([(SOLAR, 0.0, 0.0)], rarity, 0.0) == {}


@pytest.mark.parametrize("term", ["2024", "77", "b", "a1", "18th2024", "é"])
def test_numbers_codes_and_single_letters_are_no_interest(term: str) -> None:
    assert not is_telling(term)


@pytest.mark.parametrize("term", ["solar", "co2", "cas9", "光", "ai"])
def test_words_are(term: str) -> None:
    assert is_telling(term)


def test_words_of_the_title_count_most_and_menus_do_not_count() -> None:
    prose = (
        "<p>A long story of batteries, roofs and sunlight that somebody wrote down in 2024 for their neighbours. </p>"
        * 4
    )
    html = f"<title>Solar 2024</title><nav><a href=/a>Imprint</a> <a href=/b>Imprint</a></nav><main>{prose}</main>"
    reader, page = read(html)
    matter = matter_of(reader, page, html)
    assert max(matter.words, key=lambda word: matter.words[word]) == "solar"
    assert {"2024", "imprint"} & set(matter.words) == set()
    assert matter.written["batteri"] == "batteries"


def test_what_all_pages_say_counts_for_little() -> None:
    common = CommonWords()
    for number in range(50):
        common.add({"page", "solar"} if number % 5 == 0 else {"page"})
    assert common.rarity("solar") > 2 * common.rarity("page") > 0
    assert common.rarity("new") > common.rarity("solar")


def test_pages_are_alike_by_the_words_they_share() -> None:
    interest = interest_of([(SOLAR, 0.0, 60.0)], rarity, 0.0)
    page = vector({"solar": 3, "cooking": 4}, rarity)
    assert 0 < likeness(interest, page) < 1
    assert likeness(interest, vector(FOOTBALL.words, rarity)) == 0
    assert shared(interest, page, 3) == ["solar"]


def test_the_background_is_read_from_the_collection(tmp_path: Path) -> None:
    crawled(tmp_path)
    pages = list(words_of_collection(tmp_path, Reader(ReadingOptions())))
    assert len(pages) > 20
    assert 0 < sum("cook" in words for words in pages) < len(pages)


def test_without_a_collection_there_is_none(tmp_path: Path) -> None:
    assert list(words_of_collection(tmp_path, Reader(ReadingOptions()))) == []

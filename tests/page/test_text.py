"""Terms of a text, in many languages."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from focused.page import text
from focused.page.language import LANGUAGES
from focused.page.text import MAX_TERM_LENGTH, TextAnalyser

ENGLISH = TextAnalyser()


def test_english_loses_stop_words_and_is_stemmed_by_porter() -> None:
    assert ENGLISH.terms("The Foxes aren't jumping over the generalizations") == ["fox", "jump", "gener"]


def test_without_stemming_words_are_terms_as_they_are_written() -> None:
    whole = TextAnalyser("en", stemming=False)
    assert whole.terms("The foxes' Generalizations about genes") == ["foxes", "generalizations", "genes"]
    assert TextAnalyser("de", stemming=False).terms("Die Häuser") == ["häuser"]


def test_content_words_that_longer_stop_lists_hold_stay() -> None:
    assert ENGLISH.terms("course system computer") == ["cours", "system", "comput"]


def test_numbers_stay_from_two_digits_on_and_single_latin_letters_go() -> None:
    assert ENGLISH.terms("c 7 é 1997 x2 802.11b") == ["1997", "x2", "802", "11b"]


def test_what_is_too_long_is_no_term() -> None:
    assert ENGLISH.terms("z" * (MAX_TERM_LENGTH + 1)) == []
    assert ENGLISH.terms("z" * MAX_TERM_LENGTH) == ["z" * MAX_TERM_LENGTH]


def test_ways_to_write_the_same_letters_make_one_term() -> None:
    composed, decomposed, full_width = ENGLISH.terms("café cafe\u0301 ｃａｆé")
    assert composed == decomposed == full_width
    assert ENGLISH.terms("snake_case pho\xadto") == ["snake", "case", "photo"]


def test_keywords_are_terms_even_if_they_are_stop_words() -> None:
    analyser = TextAnalyser(keep=["C", "The Who", "history of art"])
    assert analyser.terms("C and d") == ["c"]
    assert analyser.terms("the who of history of art") == ["the", "who", "histori", "art"]


@pytest.mark.parametrize(
    ("language", "written", "terms"),
    [
        ("german", "Die Häuser und der Straßenbau", ["haus", "strassenbau"]),
        ("fr", "L'avion est à nous", ["avion"]),
        ("Hindi", "हिन्दी भाषा में", ["हिन्द", "भाष"]),
        ("bulgarian", "но градове", ["градове"]),
        (
            "zh",
            "我们的中文自然语言处理系统 and Python3程序",
            ["中文", "自然语言", "处理", "系统", "and", "python3", "程序"],
        ),
        ("ja", "東京塔。Towerが始まっています", ["東京", "塔", "tower", "始まる"]),
        ("thai", "ไทย", ["ไท", "ทย"]),
    ],
)
def test_each_language_has_its_own_words(language: str, written: str, terms: list[str]) -> None:
    assert TextAnalyser(language).terms(written) == terms


def test_a_language_may_be_given_by_its_name_or_its_code() -> None:
    for code, name in LANGUAGES.items():
        assert TextAnalyser(code).language == TextAnalyser(name.title()).language == code


def test_an_unknown_language_is_refused_with_a_hint() -> None:
    with pytest.raises(ValueError, match=r"unknown language 'germn': did you mean 'german'\?"):
        TextAnalyser("germn")
    with pytest.raises(ValueError, match=r"unknown language 'qqqq': Give an English name \(arabic"):
        TextAnalyser("qqqq")


def test_what_is_remembered_is_bounded_and_forgetting_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    words = "running dogs and jumping cats running dogs"
    expected = ENGLISH.terms(words)
    monkeypatch.setattr(text, "MAX_KNOWN_TOKENS", 2)
    analyser = TextAnalyser()
    assert analyser.terms(words) == expected
    assert len(analyser.stems) <= 2


@given(st.text())
def test_terms_are_never_empty_or_blank(written: str) -> None:
    for analyser in (ENGLISH, TextAnalyser("zh"), TextAnalyser("ja")):
        assert all(term and not term.isspace() for term in analyser.terms(written))


@given(st.text(st.characters(codec="ascii")))
def test_plain_ascii_has_the_same_terms_in_the_company_of_other_scripts(written: str) -> None:
    assert [*ENGLISH.terms(written), "ж"] == ENGLISH.terms(f"{written} ж")


@given(st.lists(st.text() | st.sampled_from(["The foxes", "c", "Füchse, 7", "ж", "\N{ZERO WIDTH SPACE}"]), min_size=1))
@pytest.mark.parametrize("analyser", [ENGLISH, TextAnalyser("ja")], ids=["english", "japanese"])
def test_terms_of_many_texts_are_those_of_each(analyser: TextAnalyser, written: list[str]) -> None:
    written = [text.replace("\0", "") for text in written]
    terms, before = analyser.terms_of_each(written)
    assert [terms[start:end] for start, end in pairwise(before)] == [analyser.terms(text) for text in written]


def test_of_marks_on_a_letter_the_first_thirty_are_kept() -> None:
    whole = TextAnalyser(stemming=False)
    few, most, many = ("\u0316" * count for count in (10, 30, 1_000))
    assert whole.terms(f"a{few}b") == [f"a{few}b"]
    assert whole.terms(f"ab{many} c{many}d") == [f"ab{most}", f"c{most}d"]


def test_a_character_that_stands_for_a_sentence_is_left_out() -> None:
    assert TextAnalyser("arabic").terms("\ufdfa\ufdfb") == []
    assert TextAnalyser().terms("\ufb01nd") == ["find"]


def test_a_null_is_no_letter() -> None:
    for written in ("solar\0wind", "sölar\0wind"):
        assert len(TextAnalyser().terms(written)) == 2


def test_of_more_different_words_than_a_novel_has_the_first_count(monkeypatch):
    monkeypatch.setattr(text, "MAX_TOKENS", 3)
    assert ENGLISH.terms("sun wind sun water rain sun") == ["sun", "wind", "sun", "water", "sun"]
    terms, before = ENGLISH.terms_of_each(["sun wind", "water rain", "rain sun"])
    assert terms == ["sun", "wind", "water", "sun"]
    assert before == [0, 2, 3, 4]

"""Words of scripts that are written without spaces."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from focused.page import segmenters
from focused.page.segmenters import PIECE, segmenter
from focused.page.text import TextAnalyser

JAPANESE = TextAnalyser("ja")


def test_japanese_words_are_those_of_the_dictionary_without_particles() -> None:
    assert JAPANESE.terms("風車の建設が始まっています。") == ["風車", "建設", "始まる"]
    assert JAPANESE.terms("コンピュータとコンピューター") == ["コンピューター"] * 2


def test_without_stemming_japanese_words_are_as_they_are_written() -> None:
    assert TextAnalyser("ja", stemming=False).terms("建設が始まっています") == ["建設", "始まっ"]


def test_words_of_other_scripts_stay_whole_among_them() -> None:
    assert JAPANESE.terms("größe風力3MW") == ["größe", "風力", "3mw"]
    assert TextAnalyser("zh").terms("größe风力发电straße") == ["größe", "风力", "发电", "straße"]


def test_each_run_goes_to_the_language_of_its_letters() -> None:
    both = segmenter(["zh", "ja"], stemming=True)
    assert both is not None
    assert both.words("自然语言处理") == ["自然语言", "处理"]
    assert both.words("始まっています") == ["始まる"]
    assert both.words("ไทย") == ["ไท", "ทย"]
    assert segmenter(["en", "ar", "ko"], stemming=True) is None


def test_a_run_longer_than_sudachi_takes_is_cut() -> None:
    assert JAPANESE.terms("風車" * PIECE) == ["風車"] * PIECE  # which has two letters


def test_of_a_text_without_end_the_first_letters_are_split(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(segmenters, "MOST_JAPANESE", 4)
    assert TextAnalyser("ja").terms("風車 風力発電 wind 風車") == ["風車", "風力", "wind"]


@settings(max_examples=2 * settings.default.max_examples)
@given(st.text(st.characters(min_codepoint=0x3000, max_codepoint=0xFFFF, exclude_categories=("Cs",))))
def test_any_letters_have_terms_and_the_same_in_company(written: str) -> None:
    terms, before = JAPANESE.terms_of_each([written, "wind"])
    assert terms[: before[1]] == JAPANESE.terms(written)
    assert all(term and not term.isspace() for term in terms)

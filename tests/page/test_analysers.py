"""Pages of a topic in several languages are each read in their own."""

import pytest

from focused.page.language import is_written_in, script_of
from focused.page.page import Page
from focused.page.reader import Reader, ReadingOptions
from focused.page.text import Analysers
from tests.texts_in_languages import KEYWORDS, OTHER, WIND

FIVE = Analysers(list(KEYWORDS), KEYWORDS)
PARAGRAPHS = [(code, text) for texts in (WIND, OTHER) for code, said in texts.items() for text in said]


@pytest.mark.parametrize(("code", "text"), PARAGRAPHS)
def test_the_language_of_a_paragraph_is_known_whether_it_says_so_or_not(code: str, text: str) -> None:
    assert FIVE.language_of([text]) == code
    assert FIVE.language_of([text], f"{code}-XX") == code


@pytest.mark.parametrize(("code", "text"), PARAGRAPHS)
def test_a_paragraph_has_keywords_of_its_language_exactly_if_it_is_about_the_topic(code: str, text: str) -> None:
    wanted = set(FIVE.of(code).terms(" ".join(KEYWORDS[code])))
    assert bool(wanted.intersection(FIVE.of(code).terms(text))) == (text in WIND[code])
    # Where nobody knows the language, the keywords of all are found.
    assert bool(wanted.intersection(FIVE.any.terms(text))) == (text in WIND[code])


def test_what_a_page_declares_counts_unless_its_letters_say_otherwise() -> None:
    assert FIVE.language_of(WIND["de"], "nl") == "nl"
    assert FIVE.language_of(WIND["ja"], "en") == "ja"
    assert FIVE.language_of(WIND["en"], "zh") == "en"


def test_the_longest_texts_of_a_page_tell_its_language_and_not_its_menu() -> None:
    menu = ["Home", "Login", "Sign up", "About", "Contact", "www.example.org"] * 20
    assert FIVE.language_of([*menu, *WIND["zh"]], "") == "zh"


def test_a_text_that_says_nothing_has_no_language() -> None:
    assert FIVE.language_of([]) == FIVE.language_of(["12 345"]) == FIVE.language_of(["OK"]) == ""


def test_a_page_in_another_language_keeps_its_own() -> None:
    french = "Le vent fait tourner les pales et le générateur produit du courant pour les maisons de la région."
    assert FIVE.language_of([french]) == "fr"


@pytest.mark.parametrize(
    ("text", "script"),
    [
        ("wind", "LATIN"),
        ("Ветер", "CYRILLIC"),
        ("风车", "HAN"),
        ("風車が回る", "KANA"),
        ("바람", "HANGUL"),
        ("ไทย", "THAI"),
        ("风力发电 (see example.org) 风车", "HAN"),
        ("a long English sentence that names 风", "LATIN"),
        ("12", ""),
    ],
)
def test_scripts(text: str, script: str) -> None:
    assert script_of(text) == script


def test_serbian_is_written_in_two_scripts_and_of_languages_unknown_here_nothing_is_said() -> None:
    assert [is_written_in("sr", script) for script in ("LATIN", "CYRILLIC", "ARABIC")] == [True, True, False]
    assert is_written_in("ka", "GEORGIAN")


def test_one_language_is_read_as_ever_whatever_a_page_declares() -> None:
    one = Analysers(["english"], ["IT"])
    assert one.of("de") is one.of("en") is one.any
    assert one.any.terms("it turbines") == ["it", "turbin"]
    reader = Reader(ReadingOptions(language="german"))
    page = reader.read("http://a.example/", '<html lang="en"><p>Die Häuser'.encode(), "text/html")
    assert isinstance(page, Page)
    assert (page.language, page.terms) == ("en", ["haus"])


@pytest.mark.parametrize("content_type", ["text/plain; charset=utf-8", "text/html; charset=utf-8"])
def test_pages_of_any_type_are_read_in_their_language(content_type: str) -> None:
    reader = Reader(ReadingOptions(language=("english", "japanese")))
    page = reader.read("http://a.example/", WIND["ja"][0].encode(), content_type)
    assert isinstance(page, Page)
    assert page.language == "ja"
    assert "風力" in page.terms


@pytest.mark.parametrize(
    ("language", "codes"),
    [("en", ("en",)), (["German"], ("de",)), ("en, de", ("en", "de")), (("ja", "english"), ("ja", "en"))],
)
def test_languages_are_given_by_name_or_code_one_or_many(language: object, codes: tuple[str, ...]) -> None:
    assert ReadingOptions.model_validate({"language": language}).languages == codes


@pytest.mark.parametrize(
    ("language", "told"),
    [
        (5, "must be a language"),
        ([], "must be a language"),
        ([1], "must be a language"),
        (["en", "english"], "twice"),
        ("x,en", "unknown"),
    ],
)
def test_what_is_no_language_is_refused(language: object, told: str) -> None:
    with pytest.raises(ValueError, match=told):
        ReadingOptions.model_validate({"language": language})

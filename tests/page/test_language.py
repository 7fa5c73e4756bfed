"""The language of a page: declared, guessed or unknown."""

import pytest

from focused.page.language import detect

GERMAN = "Der schnelle braune Fuchs springt über den faulen Hund und läuft dann in den Wald."


@pytest.mark.parametrize(
    ("declared", "code"),
    [
        ("en", "en"),
        ("EN-gb", "en"),
        (" pt_BR ", "pt"),
        ("zh-Hans-CN", "zh"),
        ("x-klingon", ""),
        ("und", ""),
        ("qq", ""),
    ],
)
def test_a_page_is_in_the_language_that_it_declares(declared: str, code: str) -> None:
    assert detect("", declared) == code


def test_the_declared_language_wins_over_the_text() -> None:
    assert detect(GERMAN, "fr", guess=True) == "fr"


def test_the_text_is_only_looked_at_if_asked_and_if_there_is_enough_of_it() -> None:
    assert detect(GERMAN) == ""
    assert detect(GERMAN, "nonsense", guess=True) == "de"
    assert detect("Hund", guess=True) == ""

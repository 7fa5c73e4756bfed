"""Which letters keywords are written in: told only where the language that is said has none of them."""

import pytest

from focused.page.language import script_of_another_language


@pytest.mark.parametrize(
    ("texts", "language", "found"),
    [
        (["солнечные батареи"], "english", ("Cyrillic", "russian")),
        (["солнечные батареи"], "russian", None),
        (["солнечные батареи"], "bulgarian", None),
        (["solar", "солнце"], "english", None),  # one that the language can have is enough
        (["αστρονομία"], "english", ("Greek", "greek")),
        (["α", "β"], "english", None),  # signs
        (["solar"], "russian", None),  # names in Latin letters stand in any text
        (["2026"], "english", None),
        (["太阳能"], "english", None),  # told otherwise: written without spaces
    ],
)
def test_the_script_and_the_language_meant(texts: list[str], language: str, found: tuple[str, str] | None) -> None:
    assert script_of_another_language(texts, language) == found

"""Which letters a language is written in, to tell keywords that cannot be in the language that is said."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

from focused.reading.stop_words import language_code

#: Languages that are not written in Latin letters, by the first word of the Unicode names of theirs.
SCRIPTS = {
    "ARABIC": ("ar", "fa", "ku", "ur"),
    "ARMENIAN": ("hy",),
    "BENGALI": ("bn",),
    "CYRILLIC": ("bg", "ru", "sr", "uk"),
    "DEVANAGARI": ("hi", "mr", "ne"),
    "GREEK": ("el",),
    "GUJARATI": ("gu",),
    "HEBREW": ("he", "yi"),
    "TAMIL": ("ta",),
}
#: The language most likely meant by letters of a script, by its English name.
LIKELIEST = {
    "ARABIC": "arabic",
    "ARMENIAN": "armenian",
    "BENGALI": "bengali",
    "CYRILLIC": "russian",
    "DEVANAGARI": "hindi",
    "GREEK": "greek",
    "GUJARATI": "gujarati",
    "HEBREW": "hebrew",
    "TAMIL": "tamil",
}


def script_of_another_language(texts: Sequence[str], language: str) -> tuple[str, str] | None:
    """The script of the first text and the language likeliest meant, where no text has a letter that the language is written in.

    None where one has, or where the script says nothing. Single Greek letters are signs in any language: a text of them alone
    counts only where it is a word.
    """
    code = language_code(language)
    own = next((script for script, codes in SCRIPTS.items() if code in codes), "LATIN")
    scripts = [script for text in texts for word in text.split() if len(word) > 1 for script in _scripts(word)]
    if not scripts or own in scripts or scripts[0] not in LIKELIEST:
        return None
    return scripts[0].capitalize(), LIKELIEST[scripts[0]]


def _scripts(word: str) -> list[str]:
    return [unicodedata.name(letter, "UNKNOWN").split()[0] for letter in word if letter.isalpha()]

"""Which letters a language is written in, to tell keywords or pages that cannot be in the language that is said."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Sequence

from focused.page.stop_words import LANGUAGES, language_code

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
#: Scripts of languages that are not in Latin letters, as `script_of` names them; Serbian and Kurdish are written in two.
_WRITTEN_IN = {code: (script,) for script, codes in SCRIPTS.items() for code in codes} | {
    "ja": ("KANA", "HAN"),
    "km": ("KHMER",),
    "ko": ("HANGUL",),
    "ku": ("ARABIC", "LATIN"),
    "lo": ("LAO",),
    "my": ("MYANMAR",),
    "sr": ("CYRILLIC", "LATIN"),
    "th": ("THAI",),
    "zh": ("HAN",),
}
_SAME = {"CJK": "HAN", "HIRAGANA": "KANA", "KATAKANA": "KANA", "KATAKANA-HIRAGANA": "KANA"}
LEAST_OTHER = 0.2  #: share of letters that are not Latin; names, addresses and code on a page in another script are
LEAST_KANA = 0.05  #: of letters that are Chinese or kana; Japanese text has a half


def script_of(text: str) -> str:
    """The script that a text is written in, such as ``LATIN``, ``HAN`` or ``KANA`` (of Japanese, with Chinese letters among it).

    Words in Latin letters stand in text of all scripts, so another one counts from a fifth of the letters on. Empty where there is
    no letter.
    """
    letters = Counter(_SAME.get(script, script) for script in _scripts(text))
    if not letters:
        return ""
    latin = letters["LATIN"]
    if letters.total() - latin >= LEAST_OTHER * letters.total():
        del letters["LATIN"]
    most = letters.most_common(1)[0][0]
    is_japanese = letters["KANA"] > LEAST_KANA * (letters["KANA"] + letters["HAN"])
    return "KANA" if most in ("HAN", "KANA") and is_japanese else most


def is_written_in(code: str, script: str) -> bool:
    """Whether a language may be written in a script; true where nobody knows."""
    return not script or code not in LANGUAGES or script in _WRITTEN_IN.get(code, ("LATIN",))


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

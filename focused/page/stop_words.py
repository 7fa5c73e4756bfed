"""Languages that text can be analysed in: their names, their codes and their stop lists."""

from __future__ import annotations

import tomllib
from difflib import get_close_matches
from functools import cache
from importlib.resources import files

#: ISO 639-1 code -> English name, which is also the name of its Snowball stemmer if there is one.
LANGUAGES = {
    "af": "afrikaans", "ar": "arabic", "bg": "bulgarian", "bn": "bengali", "br": "breton", "ca": "catalan",
    "cs": "czech", "da": "danish", "de": "german", "el": "greek", "en": "english", "eo": "esperanto",
    "es": "spanish", "et": "estonian", "eu": "basque", "fa": "persian", "fi": "finnish", "fr": "french",
    "ga": "irish", "gl": "galician", "gu": "gujarati", "ha": "hausa", "he": "hebrew", "hi": "hindi",
    "hr": "croatian", "hu": "hungarian", "hy": "armenian", "id": "indonesian", "it": "italian", "ja": "japanese",
    "km": "khmer", "ko": "korean", "ku": "kurdish", "la": "latin", "lo": "lao", "lt": "lithuanian",
    "lv": "latvian", "mr": "marathi", "ms": "malay", "my": "burmese", "ne": "nepali", "nl": "dutch",
    "no": "norwegian", "pl": "polish", "pt": "portuguese", "ro": "romanian", "ru": "russian", "sk": "slovak",
    "sl": "slovenian", "so": "somali", "sr": "serbian", "st": "sesotho", "sv": "swedish", "sw": "swahili",
    "ta": "tamil", "th": "thai", "tl": "tagalog", "tr": "turkish", "uk": "ukrainian", "ur": "urdu",
    "vi": "vietnamese", "yi": "yiddish", "yo": "yoruba", "zh": "chinese", "zu": "zulu",
}  # fmt: skip
_CODES = {name: code for code, name in LANGUAGES.items()}
# What the tokeniser leaves of "isn't", "we'll", "they've"; the English list only has "don", "s" and "t".
_ENGLISH_CONTRACTIONS = frozenset(
    {"ain", "aren", "couldn", "didn", "doesn", "hadn", "hasn", "haven", "isn", "mustn", "needn", "shouldn", "wasn"}
    | {"weren", "wouldn", "ll", "re", "ve"}
)


def language_code(language: str) -> str:
    """ISO 639-1 code of a language given by its English name or its code; `ValueError` when it is not known."""
    wanted = language.strip().lower()
    if wanted in LANGUAGES:
        return wanted
    if wanted in _CODES:
        return _CODES[wanted]
    near = get_close_matches(wanted, _CODES, n=1)
    hint = f"did you mean {near[0]!r}? " if near else ""
    known = "an English name (arabic, chinese, english, french, german, hindi, ...) or an ISO 639-1 code"
    raise ValueError(f"unknown language {language!r}: {hint}Give {known}")


def language_name(code: str) -> str:
    """English name of a language, in lower case."""
    return LANGUAGES[code]


def stop_words(code: str) -> frozenset[str]:
    """Words of a language that carry no topic; empty where no list exists.

    Snowball's lists come first: those of stop words ISO are longer and hold content words (in English "course",
    "system", "computer"), so they only serve languages without any other list.
    """
    if code in _snowball_lists():
        words = frozenset(_snowball_lists()[code].split())
        return words | _ENGLISH_CONTRACTIONS if code == "en" else words
    import stopwordsiso  # 65 ms to import, which most topics do not need

    return frozenset(stopwordsiso.stopwords(code)) if stopwordsiso.has_lang(code) else frozenset()


@cache
def _snowball_lists() -> dict[str, str]:
    return tomllib.loads(files("focused.page").joinpath("stop_words.toml").read_text(encoding="utf-8"))

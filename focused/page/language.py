"""Languages: their names, codes, stop lists and letters; and that of a page: the one it declares, or a guess from its text."""

from __future__ import annotations

import tomllib
import unicodedata
from collections import Counter
from collections.abc import Sequence
from difflib import get_close_matches
from functools import cache
from importlib.resources import files

#: ISO 639-1 code -> English name in lower case, which is also the name of its Snowball stemmer if there is one.
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


SAMPLE_LENGTH = 1_000  #: characters looked at; more does not make the guess better
MIN_SAMPLE_LENGTH = 20  #: characters; a guess from fewer is a coin toss
LOOKED_AT = 300  #: characters from all over a text, which tell its script at 0.2 us each
LEAST_OWN = 0.3  #: share of letters that a language is written in, on a page that says it is in this language

_ALL_CODES = """
    aa ab ae af ak am an ar as av ay az ba be bg bh bi bm bn bo br bs ca ce ch co cr cs cu cv cy da de dv dz ee
    el en eo es et eu fa ff fi fj fo fr fy ga gd gl gn gu gv ha he hi ho hr ht hu hy hz ia id ie ig ii ik io is
    it iu ja jv ka kg ki kj kk kl km kn ko kr ks ku kv kw ky la lb lg li ln lo lt lu lv mg mh mi mk ml mn mr ms
    mt my na nb nd ne ng nl nn no nr nv ny oc oj om or os pa pi pl ps pt qu rm rn ro ru rw sa sc sd se sg si sk
    sl sm sn so sq sr ss st su sv sw ta te tg th ti tk tl tn to tr ts tt tw ty ug uk ur uz ve vi vo wa wo xh yi
    yo za zh zu
"""
_ISO_639_1 = frozenset(_ALL_CODES.split())


def detect(text: str, declared: str = "", guess: bool = False) -> str:
    """ISO 639-1 code of a page's language, empty when unknown.

    What the page declares (``<html lang="en-GB">`` is ``en``) wins if it is a code, unless its letters are those of others;
    then, or if asked to `guess`, py3langid looks at the first `SAMPLE_LENGTH` characters (0.1 to 0.5 ms a page; 0.1 s and 20 MB to
    load it once).
    """
    primary = declared.strip().lower().replace("_", "-").partition("-")[0]
    if primary in _ISO_639_1:
        if not _is_contradicted(primary, text):
            return primary
        guess = True
    sample = text[:SAMPLE_LENGTH]
    if not guess or len(sample) < MIN_SAMPLE_LENGTH:
        return ""
    import py3langid

    code: str = py3langid.classify(sample)[0]
    return code if code in _ISO_639_1 else ""


#: Languages that are not written in Latin letters, the likeliest first, by the first word of the Unicode names of theirs.
SCRIPTS = {
    "ARABIC": ("ar", "fa", "ku", "ur"),
    "ARMENIAN": ("hy",),
    "BENGALI": ("bn",),
    "CYRILLIC": ("ru", "bg", "sr", "uk"),
    "DEVANAGARI": ("hi", "mr", "ne"),
    "GREEK": ("el",),
    "GUJARATI": ("gu",),
    "HEBREW": ("he", "yi"),
    "TAMIL": ("ta",),
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


def _is_contradicted(code: str, text: str) -> bool:
    """Whether hardly a letter of a text is one that a language is written in."""
    if code not in LANGUAGES:
        return False
    own = _WRITTEN_IN.get(code, ("LATIN",))
    if "LATIN" in own and text.isascii():
        return False
    letters = Counter(_SAME.get(script, script) for script in _scripts(text[:: 1 + len(text) // LOOKED_AT]))
    if letters.total() < MIN_SAMPLE_LENGTH:
        return False
    is_japanese = code == "zh" and letters["KANA"] > LEAST_OWN * letters.total()
    return is_japanese or sum(letters[script] for script in own) < LEAST_OWN * letters.total()


def script_of_another_language(texts: Sequence[str], language: str) -> tuple[str, str] | None:
    """The script of the first text and the language likeliest meant, where no text has a letter that the language is written in.

    None where one has, or where the script says nothing. Single Greek letters are signs in any language: a text of them alone
    counts only where it is a word.
    """
    code = language_code(language)
    own = next((script for script, codes in SCRIPTS.items() if code in codes), "LATIN")
    scripts = [script for text in texts for word in text.split() if len(word) > 1 for script in _scripts(word)]
    if not scripts or own in scripts or scripts[0] not in SCRIPTS:
        return None
    return scripts[0].capitalize(), LANGUAGES[SCRIPTS[scripts[0]][0]]


def _scripts(word: str) -> list[str]:
    return [unicodedata.name(letter, "UNKNOWN").split()[0] for letter in word if letter.isalpha()]

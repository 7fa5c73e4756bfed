"""Words of scripts that are written without spaces: from a segmenter where one is installed, else pairs of characters."""

from __future__ import annotations

import logging
import re
import sys
from collections.abc import Callable, Sequence
from functools import cache, lru_cache
from importlib.util import find_spec
from typing import TYPE_CHECKING, NamedTuple, cast

from focused.exceptions import how_to_install

if TYPE_CHECKING:
    from sudachipy import Dictionary, Morpheme

logger = logging.getLogger(__name__)

Segment = Callable[[str], list[str]]  #: the words of a run of letters
MOST_JAPANESE = 100_000  #: letters of a text that are split: 0.4 s, and 1.6 s of nonsense; the rest has no terms

#: Letters of scripts without spaces: Thai and Lao, Burmese, Khmer, Japanese, Chinese.
UNSPACED = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005\u3040-\u30ff\u3400-\u9fff\U00020000-\U0003ffff"
PAIRED = ("th", "lo", "km", "my")  #: languages of which pairs of characters are the terms
#: Languages whose words come from a package, those of it, and the extra that brings it.
SEGMENTED = {
    "zh": ("Chinese", ("rjieba",), "chinese"),
    "ja": ("Japanese", ("sudachipy", "sudachidict_small"), "japanese"),
}

_KANA = re.compile("[\u3040-\u30ff]")
_HAN = re.compile("[\u3005\u3400-\u9fff\U00020000-\U0003ffff]")
PIECE = 10_000  #: characters that Sudachi is given at a time; it takes 49,149 bytes
#: Parts of speech that carry no topic. Verbs and adjectives of the second kind are those of "to do", "to be", "not".
_WITHOUT_TOPIC = ("助詞", "助動詞", "補助記号", "記号", "空白", "代名詞", "連体詞", "接続詞", "感動詞")
_OFTEN_AUXILIARY = "非自立可能"


class Segmenter(NamedTuple):
    """What splits runs of letters into words, and how many letters of a text it splits at most."""

    words: Segment
    most: int


def segmenter(codes: Sequence[str], *, stemming: bool) -> Segmenter | None:
    """What splits runs of letters without spaces, for text in these languages; None where they have no such letters.

    stemming : Japanese words as a dictionary lists them, not as they are written
    """
    if not set(codes) & {*SEGMENTED, *PAIRED}:
        return None
    chinese = _chinese() if "zh" in codes else None
    japanese = _japanese(stemming=stemming) if "ja" in codes else None
    of_kana, of_han = japanese or chinese or pairs, chinese or japanese or pairs

    def segment(run: str) -> list[str]:
        if _KANA.search(run):
            return of_kana(run)
        return of_han(run) if _HAN.search(run) else pairs(run)

    return Segmenter(segment, MOST_JAPANESE if japanese not in (None, pairs) else sys.maxsize)


def pairs(run: str) -> list[str]:
    """Overlapping pairs of characters: ``abc`` is ``ab``, ``bc``."""
    return [run[i : i + 2] for i in range(len(run) - 1)] or [run]


@cache
def missing(code: str) -> tuple[str, ...]:
    """The packages that the words of a language come from and that are not here; a warning says so, once."""
    name, packages, extra = SEGMENTED.get(code, ("", (), ""))
    gone = tuple(package for package in packages if find_spec(package) is None)
    if gone:
        logger.warning(
            "%s text is read as pairs of characters; its words need the packages %s: %s",
            name,
            ", ".join(packages),
            how_to_install(extra),
        )
    return gone


@cache
def _chinese() -> Segment:
    if missing("zh"):
        return pairs
    import rjieba  # slow to import, and only Chinese topics need it

    return cast("Segment", rjieba.cut)


@cache
def _japanese(*, stemming: bool) -> Segment:
    if missing("ja"):
        return pairs
    from sudachipy import SplitMode

    dictionary = _dictionary()
    tokenizer = dictionary.tokenizer(mode=SplitMode.A)
    is_empty = dictionary.pos_matcher(lambda kind: kind[0] in _WITHOUT_TOPIC or kind[1] == _OFTEN_AUXILIARY)

    def words(piece: str) -> list[str]:
        found = [word for word in tokenizer.tokenize(piece) if not is_empty(word)]
        return [_form(word) if stemming else word.surface() for word in found]

    def segment(run: str) -> list[str]:
        return [word for start in range(0, len(run), PIECE) for word in words(run[start : start + PIECE])]

    # Texts repeat their runs, and menus come back on every page of a site.
    remembered = lru_cache(maxsize=20_000)(lambda run: tuple(segment(run)))
    return lambda run: list(remembered(run)) if len(run) <= 40 else segment(run)


def _form(word: Morpheme) -> str:
    """A word as the dictionary lists it, unless that is none or several."""
    form: str = word.normalized_form().lower()
    return form if form.isalnum() else word.surface()


@cache
def _dictionary() -> Dictionary:
    from sudachipy import Dictionary

    return Dictionary(dict="small")

"""Keywords by language: the table [topic.keywords], which says in which languages a topic is and what it is called in each."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import TypeAdapter, ValidationError

from focused.reading.reader import ReadingOptions
from focused.reading.stop_words import language_code
from focused.topic.mistakes import Mistakes, in_plain_words
from focused.topic.topic import Keywords

_KEYWORDS: TypeAdapter[tuple[str, ...]] = TypeAdapter(Keywords)
PLACE = ("topic", "keywords")


def keywords_by_language(given: Mapping[str, Any], mistakes: Mistakes) -> dict[str, tuple[str, ...]]:
    """Keywords by ISO 639-1 code, from such a table; of a language with a mistake, which is noted, none."""
    found: dict[str, tuple[str, ...]] = {}
    for name, words in given.items():
        try:
            code = language_code(name)
        except ValueError as error:
            mistakes.add(str(error), *PLACE, name)
            continue
        if code in found:
            mistakes.add("stands here twice, under another name", *PLACE, name)
        try:
            found[code] = _KEYWORDS.validate_python(words, strict=True)
        except ValidationError as invalid:
            found[code] = ()
            for detail in invalid.errors(include_url=False):
                mistakes.add(in_plain_words(detail), *PLACE, name, *detail["loc"])
            continue
        if not found[code]:
            mistakes.add("at least one keyword is needed", *PLACE, name)
    if not given:
        mistakes.add("at least one keyword is needed", *PLACE)
    return found


def reading_in(codes: list[str], reading: ReadingOptions, *, said: bool, mistakes: Mistakes) -> ReadingOptions:
    """Reading options in the languages of such a table; those of [reading] must be the same, if it says any.

    said : whether it does
    """
    if not said:
        return reading.model_copy(update={"language": codes[0] if len(codes) == 1 else tuple(codes)})
    if {*reading.languages} != {*codes}:
        mistakes.add(f"the keywords are given in {', '.join(codes)}; leave language out here", "reading", "language")
    return reading

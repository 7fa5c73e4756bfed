"""The words that say what a page is about: those of its title first, then those that its text repeats."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from focused.exceptions import FocusedError
from focused.page.text import TextAnalyser

KEPT = 60  #: words of a page
TITLE_COUNTS = 5  #: a word of the title counts as much as so many in the text
LONGEST_TEXT = 20_000  #: characters of a text that are looked at: what a page is about it says early
MOST_COUNT = 255


@dataclass(frozen=True, slots=True)
class Said:
    """Words of one page with how often it says them, most often first; both of the same length."""

    words: tuple[str, ...]
    counts: tuple[int, ...]  #: from 1 to `MOST_COUNT`


class PageWords:
    """Finds the words of pages, each by the stop words of its own language.

    language : of the collection's topic, and of pages whose language nobody knows
    """

    def __init__(self, language: str) -> None:
        self._analysers = {"": TextAnalyser(language, stemming=False)}

    def of(self, title: str, text: str, language: str) -> Said:
        """The words of a page, in lower case, without numbers."""
        analyser = self._analyser(language)
        counts = Counter(analyser.terms(text[:LONGEST_TEXT]))
        for word in analyser.terms(title):
            counts[word] += TITLE_COUNTS
        words = [(word, min(count, MOST_COUNT)) for word, count in counts.items() if not word.isdigit()]
        words.sort(key=lambda pair: (-pair[1], pair[0]))
        return Said(tuple(word for word, _ in words[:KEPT]), tuple(count for _, count in words[:KEPT]))

    def _analyser(self, language: str) -> TextAnalyser:
        if language not in self._analysers:
            try:
                self._analysers[language] = TextAnalyser(language, stemming=False)
            except (ValueError, FocusedError):  # a language that nobody knows, or whose package is missing
                self._analysers[language] = self._analysers[""]
        return self._analysers[language]

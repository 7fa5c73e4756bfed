"""A topic in several languages: each text becomes terms in its own language."""

from __future__ import annotations

import heapq
from collections.abc import Collection, Iterable, Mapping, Sequence

from focused.page.language import detect
from focused.page.scripts import is_written_in, script_of
from focused.page.segmenters import missing
from focused.page.stop_words import language_code
from focused.page.text import StemOf, TextAnalyser

UNKNOWN = ""  #: the language of a text that says nothing of it
LONGEST_TEXTS, OF_EACH = (
    5,
    400,
)  #: texts of a page that are looked at, and characters of each: no menus, where there is more


class Analysers:
    """The analysers of a topic's languages.

    Parameters
    ----------
    languages : names or codes, at least one; the first is that of the topic where there must be one. `ValueError` for unknown ones
    keep : the topic's keywords, which are terms even if they are stop words: of all languages, or by code
    stemming : as in `TextAnalyser`

    Attributes
    ----------
    codes : of the languages, each once
    any : for text in no language of these, or in one that nobody knows
    """

    def __init__(
        self, languages: Sequence[str], keep: Iterable[str] | Mapping[str, Iterable[str]] = (), *, stemming: bool = True
    ) -> None:
        self.codes = tuple(dict.fromkeys(map(language_code, languages)))
        kept = keep if isinstance(keep, Mapping) else dict.fromkeys(self.codes, tuple(keep))
        self._of = {code: TextAnalyser(code, kept.get(code, ()), stemming=stemming) for code in self.codes}
        self.any = next(iter(self._of.values()))
        if self.several:
            self.any = AnyLanguage(self._of.values(), [kept.get(code, ()) for code in self.codes])
        #: equal where the terms of every page are: keywords change them only where they are stop words, or in several languages
        self.way: tuple[object, ...] = (
            tuple((code, frozenset(kept.get(code, ()))) for code in self.codes)
            if self.several
            else (self.codes, self.any.stems.kept)
        )

    @property
    def several(self) -> bool:
        return len(self.codes) > 1

    @property
    def version(self) -> str:
        """What terms depend on beside the topic: packages that are missing; empty where none is."""
        return "".join(f", without {package}" for code in self.codes for package in missing(code))

    def of(self, language: str) -> TextAnalyser:
        """The analyser for text in a language, by its code."""
        return self._of.get(language, self.any)

    def language_of(self, texts: Sequence[str], declared: str = "") -> str:
        """ISO 639-1 code of the language of a page in a topic of several languages; empty when unknown.

        texts : of the page, those in menus too
        declared : what the page says, such as ``en-GB``; it counts unless the language is not written in these letters

        A page that declares nothing is in the one language of the topic that has its letters, or py3langid guesses.
        """
        sample = " ".join(text[:OF_EACH] for text in heapq.nlargest(LONGEST_TEXTS, texts, key=len))
        script = script_of(sample)
        said = detect("", declared)
        if said and is_written_in(said, script):
            return said
        likely = [code for code in self.codes if is_written_in(code, script)]
        guess = detect(sample, guess=True)
        if guess and is_written_in(guess, script):
            return guess
        return likely[0] if len(likely) == 1 and script != "LATIN" else UNKNOWN


class AnyLanguage(TextAnalyser):
    """For text whose language nobody knows: a word is the keyword that it would be in one of these languages, or one of the first.

    keywords : of each language
    """

    def __init__(self, analysers: Iterable[TextAnalyser], keywords: Iterable[Iterable[str]]) -> None:
        first, *_ = analysers = list(analysers)
        super().__init__(first.language, stemming=first.stemming)
        self._read_scripts_of([analyser.language for analyser in analysers])
        stems = [analyser.stems for analyser in analysers]
        wanted = [{*analyser.terms(" ".join(words))} for analyser, words in zip(analysers, keywords, strict=True)]
        self.stems = _AnyStem(stems, wanted)


class _AnyStem(StemOf):
    """The stem of a token that is a keyword in any language, or else that of the first language.

    stems, keywords : by language
    """

    def __init__(self, stems: Sequence[StemOf], keywords: Sequence[Collection[str]]) -> None:
        super().__init__(frozenset(), str)
        self._stems, self._keywords = stems, keywords

    def made(self, token: str) -> str | None:
        for stems, keywords in zip(self._stems, self._keywords, strict=True):
            if (stem := stems[token]) in keywords:
                return stem
        return self._stems[0][token]

"""From text to terms: words without stop words, reduced to their stems unless a topic wants them whole."""

from __future__ import annotations

import heapq
import re
import sys
import unicodedata
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from itertools import islice
from typing import cast

import Stemmer

from focused.page.language import LANGUAGES, detect, is_written_in, language_code, script_of, stop_words
from focused.page.segmenters import PAIRED, SEGMENTED, UNSPACED, missing, segmenter

MAX_TERM_LENGTH = 40  #: characters; what is longer is no word (encoded data, a sentence of an unspaced script)
MAX_TOKENS = 30_000  #: different ones in a text, and the first count; a long novel has 20,000, and each costs 3 us
MAX_KNOWN_TOKENS = 200_000  #: tokens remembered with their stems, about 30 MB; then forgotten all at once

# Vowel signs and other marks belong to the word in Indic scripts, Thai, Arabic and decomposed Latin, but are not in \w.
_MARKS = "".join(c for c in map(chr, range(0x300, 0x1E00)) if unicodedata.category(c) in ("Mn", "Mc"))
# Byte to byte: letters in lower case, everything but letters and digits a space (a third of the time of a pattern).
_ASCII_WORDS = bytes(b if bytes((b,)).isalnum() else ord(" ") for b in bytes(range(256)).lower())
# The same for ASCII among words that are tokens already, whatever their script is.
_WORDS_AND_ENDS = bytes(b if b in (0, *range(128, 256)) else _ASCII_WORDS[b] for b in range(256))
_WORD = re.compile(rf"[^\W_](?:[^\W_]|[{_MARKS}])*|\0")
# The same, where letters of scripts without spaces stand apart from others.
_SEGMENTABLE = re.compile(
    rf"(?:(?=\w)[{UNSPACED}])(?:(?=\w)[{UNSPACED}]|[{_MARKS}])*|[^\W_{UNSPACED}](?:[^\W_{UNSPACED}]|[{_MARKS}])*|\0"
)
# Whatever combines with the letter before it; above U+FFFF whole scripts for a few signs.
_COMBINING = "".join(c for c in map(chr, range(0x300, 0xFFFF)) if unicodedata.combining(c)) + "\U00010100-\U0001efff"
_COMBINES = re.compile(f"[{_COMBINING}]")
# At most so many marks on one letter: Unicode says so too (UAX #15, section 13: Stream-Safe Text Format).
_STACK = 30
_TOO_MANY = re.compile(f"([{_COMBINING}]{{{_STACK}}})[{_COMBINING}]+")
_END = "\0"  # of a text, where many are tokenised at once; no parser lets it through
_FIRST_AFTER_LATIN = "\u0250"
_UNSPACED = re.compile(f"[{UNSPACED}]")


class TextAnalyser:
    """Turns text of one language into terms.

    A token is a run of letters and digits, in lower case. Dropped are stop words, single Latin letters, single digits
    and whatever is longer than `MAX_TERM_LENGTH`. English is stemmed by Porter's algorithm (the one that the papers
    use), other languages by Snowball's where there is one. Chinese is segmented with jieba and Japanese with Sudachi,
    whose stems are words as a dictionary lists them; Thai, Lao, Khmer and Burmese, which are written without spaces too,
    become overlapping pairs of characters, and so do those two where the packages are missing.

    Parameters
    ----------
    language : English name or ISO 639-1 code; `ValueError` when unknown
    keep : keywords that are terms even if they are stop words or single letters ("C", "IT", "The Who"); a phrase that
        has other words loses its stop words all the same ("history of art")
    stemming : reduce words to their stems; otherwise only equal words are one term ("gene" is not "general")
    """

    def __init__(self, language: str = "english", keep: Iterable[str] = (), *, stemming: bool = True) -> None:
        self.language = language_code(language)
        self.stemming = stemming
        self._read_scripts_of([self.language])
        self.stems = StemOf(stop_words(self.language), _stemmer(self.language) if stemming else str)
        for keyword in keep:
            if not self.terms(keyword):
                self.stems.keep(self._tokens(keyword))

    def _read_scripts_of(self, codes: Sequence[str]) -> None:
        self._segment = segmenter(codes, stemming=self.stemming)
        self._pattern = _SEGMENTABLE if self._segment else _WORD

    def terms(self, text: str) -> list[str]:
        return list(filter(None, map(self.stems.__getitem__, _bounded(self._tokens(text.replace(_END, " "))))))

    def terms_of_each(self, texts: list[str]) -> tuple[list[str], list[int]]:
        """The terms of n texts in order, and n + 1 numbers: how many of them come before each text, and in all.

        As `terms` does it for each; a page of a thousand short texts takes a third of the time.
        """
        beyond_ascii = _END.join(text for text in texts if not text.isascii())
        words_beyond = iter(" ".join(self._tokens(beyond_ascii)).split(_END))
        words = (text if text.isascii() else next(words_beyond, "") for text in texts)
        tokens = f" {_END} ".join(words).encode().translate(_WORDS_AND_ENDS).decode().split()
        marked = list(filter(None, map(self.stems.__getitem__, _bounded(tokens))))
        ends = [position for position, term in enumerate(marked) if term == _END]
        before = [0, *(position - number for number, position in enumerate(ends)), len(marked) - len(ends)]
        return [term for term in marked if term != _END], before

    def _tokens(self, text: str) -> list[str]:
        if text.isascii():
            return text.encode().translate(_ASCII_WORDS).decode().split()
        words: list[str] = self._pattern.findall(_normal(text))
        if self._segment is None:
            return words
        tokens, room = list[str](), self._segment.most
        for word in words:
            if not _UNSPACED.match(word):
                tokens.append(word)
            elif room > 0:
                tokens += self._segment.words(word[:room])
                room -= len(word)
        return tokens


def _bounded(tokens: list[str]) -> list[str]:
    """Tokens without those that come after `MAX_TOKENS` different ones."""
    if len(tokens) <= MAX_TOKENS or len(different := dict.fromkeys(tokens)) <= MAX_TOKENS:
        return tokens
    different.pop(_END, None)
    kept = {_END, *islice(different, MAX_TOKENS)}
    return [token for token in tokens if token in kept]


def _normal(text: str) -> str:
    """A text in Unicode's form NFKC, without soft hyphens (U+00AD), in lower case.

    To put n characters in order that combine with one letter takes O(n**2): of many only the first are kept. Whoever looks at
    every 30th character of a text meets all runs of 30. Two Arabic formulas that are one character each (U+FDFA, U+FDFB) go,
    for NFKC writes them out in 18 and 8.
    """
    if _COMBINES.search(text[::_STACK]):
        text = _TOO_MANY.sub(r"\1", text)
    return unicodedata.normalize("NFKC", text.replace("\ufdfa", " ").replace("\ufdfb", " ")).replace("\xad", "").lower()


def finds_words(text: str, language: str) -> bool:
    """Whether words of a text can be told apart: by spaces, or because its language is one that is written without them."""
    return not _UNSPACED.search(text) or language_code(language) in (*SEGMENTED, *PAIRED)


class StemOf(dict[str, str | None]):
    """Token to stem, None if the token is dropped: stop list, stemmer and memory in one look-up."""

    def __init__(self, stopped: frozenset[str], stem: Callable[[str], str]) -> None:
        super().__init__()
        self._stopped, self._stem = stopped, stem
        self.kept: frozenset[str] = frozenset()  #: terms though they are on the stop list, or single letters

    def keep(self, tokens: Iterable[str]) -> None:
        self.kept |= frozenset(tokens)
        self.clear()

    def __missing__(self, token: str) -> str | None:
        if len(token) > MAX_TERM_LENGTH:
            return None
        if len(self) >= MAX_KNOWN_TOKENS:
            self.clear()
        self[token] = stem = self.made(token)
        return stem

    def made(self, token: str) -> str | None:
        """The stem of a token that is not remembered; interned, so that equal terms of all pages are one object."""
        is_letter = len(token) == 1 and token < _FIRST_AFTER_LATIN and token != _END
        is_dropped = token not in self.kept and (token in self._stopped or is_letter)
        return None if is_dropped else sys.intern(self._stem(token))


def _stemmer(code: str) -> Callable[[str], str]:
    algorithm = "porter" if code == "en" else LANGUAGES[code]
    if algorithm not in Stemmer.algorithms():
        return str
    return cast("Callable[[str], str]", Stemmer.Stemmer(algorithm, 0).stemWord)  # 0: it need not remember, we do


UNKNOWN = ""  #: the language of a text that says nothing of it
#: Texts of a page that are looked at, and characters of each: no menus, where there is more.
LONGEST_TEXTS, OF_EACH = 5, 400


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

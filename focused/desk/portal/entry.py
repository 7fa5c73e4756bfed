"""One page of the Web as a portal shows it."""

from __future__ import annotations

import json
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from hashlib import blake2b

from focused.export.row import UnfinishedRow
from focused.page.media_types import PDF, media_type
from focused.page.plain_text import LONGEST_TITLE, plain
from focused.page.text import TextAnalyser

MOST_WORDS = 250  #: of a page: those with the greatest weight
LONGEST_TEXT = 40_000  #: characters of a text that are looked at
LONGEST_WORD = 30
HEAVIEST = 15  #: weight of a word: half of it is reached by `HALF` occurrences
HALF = 3.0

_UNSPACED = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff"
_TOKEN = re.compile(rf"[{_UNSPACED}]+|[^\W_{_UNSPACED}]+")
_FIRST_UNSPACED = "\u0e00"
MOST_REFERENCES = 100
SHORTEST, LONGEST = 20, 400  #: characters of a reference
LONGEST_LIST = 100_000  #: characters after the heading that are looked at
START = 6_000  #: characters of a paper among which its abstract begins
LONGEST_PAPER_ABSTRACT, SHORTEST_ABSTRACT = 4_000, 80
_ABSTRACT = re.compile(r"\b(?:Abstract|ABSTRACT)\b\s*[:.—–-]?\s*")
_AFTER = re.compile(
    r"\b(?:Keywords|KEYWORDS|Key words|Index Terms|Categories and Subject Descriptors|CCS Concepts|CCS CONCEPTS)\b"
    r"|\b(?:1|I)\.?\s*(?:Introduction|INTRODUCTION)\b|\bINTRODUCTION\b"
)
_REFERENCES = re.compile(r"\b(?:References|REFERENCES|Bibliography|BIBLIOGRAPHY)\b")
_NUMBER = re.compile(r"\[(\d{1,3})\]\s")
LONGEST_ABSTRACT = 500  #: characters: a portal tells what a page is about and sends its readers there
_LANGUAGE = re.compile(r"[a-z]{2,3}")
_SITE = re.compile(r"\s[|–—-]\s")
_SENTENCE = re.compile(r"(?<=[.!?。！？])\s")


def words_in(text: str) -> Iterator[str]:
    """The words of a text, in order."""
    if not text.isascii():
        parts = unicodedata.normalize("NFKD", text.lower())
        text = unicodedata.normalize("NFC", "".join(one for one in parts if unicodedata.category(one)[0] != "M"))
    for token in _TOKEN.findall(text.lower()):
        if token[0] >= _FIRST_UNSPACED and len(token) > 1 and re.match(f"[{_UNSPACED}]", token):
            yield from (token[i : i + 2] for i in range(len(token) - 1))
        elif len(token) <= LONGEST_WORD:
            yield token


def words_of(texts: Iterable[tuple[str, float]]) -> list[tuple[str, int]]:
    """Words with weights from 1 to `HEAVIEST`, in alphabetical order.

    texts : of a page, and how much a word of each counts
    """
    counts: Counter[str] = Counter()
    for text, counted in texts:
        for word in words_in(text[:LONGEST_TEXT]):
            counts[word] += counted  # type: ignore[assignment]
    best = sorted(counts.items(), key=lambda one: (-one[1], one[0]))[:MOST_WORDS]
    return sorted((word, max(1, round(HEAVIEST * count / (count + HALF)))) for word, count in best)


def terms_of(weights: Iterable[tuple[str, int]], stems: TextAnalyser) -> list[str]:
    """The stems of words, each as often as its word weighs: as a classifier reads a page."""
    return [stem for word, weight in weights for stem in stems.terms(word) for _ in range(weight)]


def paper_abstract(text: str) -> str:
    """What stands between "Abstract" and the keywords or the introduction; empty where that cannot be told."""
    if not (found := _ABSTRACT.search(text[:START])):
        return ""
    rest = text[found.end() : found.end() + LONGEST_PAPER_ABSTRACT]
    end = _AFTER.search(rest)
    return plain(rest[: end.start()]) if end and end.start() >= SHORTEST_ABSTRACT else ""


def paper_references(text: str) -> list[str]:
    """References numbered [1], [2], ... after the last heading that says so, in their order; none where they are not."""
    headings = list(_REFERENCES.finditer(text))
    if not headings:
        return []
    rest = text[headings[-1].end() :][:LONGEST_LIST]
    marks = list(_NUMBER.finditer(rest))
    found: list[str] = []
    for at, mark in enumerate(marks):
        if int(mark[1]) != len(found) + 1:  # a citation inside a reference, or of an appendix
            continue
        following = next((one.start() for one in marks[at + 1 :] if int(one[1]) == len(found) + 2), len(rest))
        reference = plain(rest[mark.end() : min(following, mark.end() + LONGEST)])
        if len(reference) < SHORTEST or len(found) == MOST_REFERENCES:
            break
        found.append(reference)
    return found


@dataclass(frozen=True, slots=True)
class PortalEntry:
    """What is kept of one page; all texts are on one line.

    number : among all entries that this portal ever had, from 0 on
    published : YYYY-MM-DD as the page says; empty where it says nothing
    words : by which a search finds it, as JSON: word, weight, word, weight, ...
    citations : references of a PDF document, found by a heuristic, as JSON: a list of texts
    """

    number: int
    url: str
    seq: int  #: of the fetch that it was read from
    host: str
    title: str
    author: str
    published: str
    fetched: str  #: ISO 8601, UTC
    abstract: str
    language: str
    relevance: float
    words: str
    citations: str = "[]"
    category: str = ""

    @property
    def key(self) -> str:
        """The name of its file, the same for ever."""
        return key_of(self.url)

    def weights(self) -> list[tuple[str, int]]:
        """Its words with their weights."""
        flat = json.loads(self.words)
        return list(zip(flat[::2], flat[1::2], strict=True))

    def cited(self) -> list[str]:
        """Its references."""
        found: list[str] = json.loads(self.citations)
        return found


def key_of(url: str) -> str:
    return blake2b(url.encode("utf-8", "replace"), digest_size=8).hexdigest()


def entry_of(page: UnfinishedRow, host: str, number: int) -> PortalEntry:
    """The entry of a page that was read."""
    title, author = plain(page.title, LONGEST_TITLE), plain(page.author, LONGEST_TITLE)
    is_paper = media_type(page.content_type, b"") == PDF
    said = page.description or (paper_abstract(page.text or "") if is_paper else "")
    abstract = "" if page.nosnippet else abstract_of(said, page.text or "", title)
    texts = ((title, 5), (author, 3), (page.description, 2), ("" if page.nosnippet else page.text or "", 1))
    words = [part for pair in words_of(texts) for part in pair]
    language = page.language if _LANGUAGE.fullmatch(page.language) else ""
    return PortalEntry(
        number,
        page.final_url,
        page.seq,
        plain(host),
        title,
        author,
        page.published or "",
        page.fetched_at,
        abstract,
        language,
        page.relevance or 0.0,
        json.dumps(words, ensure_ascii=False, separators=(",", ":")),
        json.dumps(paper_references(page.text or "") if is_paper else []),
    )


def abstract_of(description: str, text: str, title: str = "") -> str:
    """What the page says of itself, else how its text begins after the title; whole sentences, as far as they fit."""
    said = plain(description) or _after(plain(text, 4 * LONGEST_ABSTRACT), title)
    if len(said) <= LONGEST_ABSTRACT:
        return said
    start = said[:LONGEST_ABSTRACT]
    ends = [match.start() for match in _SENTENCE.finditer(start)]
    if ends and ends[-1] > LONGEST_ABSTRACT // 2:
        return start[: ends[-1]]
    return f"{start.rpartition(' ')[0] or start[:-1]}…"


def _after(text: str, title: str) -> str:
    """The text without the heading at its start, where the title is the same or goes on with the name of the site."""
    heading = _SITE.split(title)[0]
    rest = text[len(heading) :].lstrip()
    return rest if heading and rest and text.startswith(heading) else text

"""One page of the Web as a portal shows it."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from hashlib import blake2b

from focused.desk.portal.index_words import words_of
from focused.desk.portal.paper_parts import paper_abstract, paper_references
from focused.export.row import Found
from focused.page.decoding import media_type
from focused.page.documents import PDF
from focused.page.plain_text import LONGEST_TITLE, plain

LONGEST_ABSTRACT = 500  #: characters: a portal tells what a page is about and sends its readers there
_LANGUAGE = re.compile(r"[a-z]{2,3}")
_SITE = re.compile(r"\s[|–—-]\s")
_SENTENCE = re.compile(r"(?<=[.!?。！？])\s")


@dataclass(frozen=True, slots=True)
class Entry:
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


def entry_of(page: Found, host: str, number: int) -> Entry:
    """The entry of a page that was read."""
    title, author = plain(page.title, LONGEST_TITLE), plain(page.author, LONGEST_TITLE)
    is_paper = media_type(page.content_type, b"") == PDF
    said = page.description or (paper_abstract(page.text or "") if is_paper else "")
    abstract = "" if page.nosnippet else abstract_of(said, page.text or "", title)
    texts = ((title, 5), (author, 3), (page.description, 2), ("" if page.nosnippet else page.text or "", 1))
    words = [part for pair in words_of(texts) for part in pair]
    language = page.language if _LANGUAGE.fullmatch(page.language) else ""
    return Entry(
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

"""What a page is about: the words of its title and main text, as terms and as a person writes them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

from focused.reading.main_text import main_text
from focused.reading.page import Page
from focused.reading.reader import Reader
from focused.reading.segmenters import UNSPACED

KEPT = 60  #: words of a page
TITLE_COUNTS = 5  #: a word of the title counts as much as so many in the text
LONGEST_TEXT = 20_000  #: characters that are looked at: what a page is about it says early
SHORTEST_TEXT = 200  #: characters of a main text; under them the whole page is looked at
MOST_COUNT = 255
_TOKEN = re.compile(r"[^\W_]+")
_NEEDS_NO_NEIGHBOUR = re.compile(f"[{UNSPACED}]")


@dataclass(frozen=True, slots=True)
class Matter:
    """What a page is about.

    words : how often it says each of its `KEPT` most frequent terms
    written : how it writes them
    """

    words: Mapping[str, int]
    written: Mapping[str, str] = field(default_factory=dict)

    @property
    def fingerprint(self) -> frozenset[tuple[str, int]]:
        """What copies of a page have in common, such as its print version."""
        return frozenset(self.words.items())


def matter_of(reader: Reader, page: Page, markup: str) -> Matter:
    """What a page that was read is about; ``markup`` is its HTML, empty for a plain text."""
    text = main_text(markup)[:LONGEST_TEXT] if markup else ""
    if len(text) < SHORTEST_TEXT:
        text = page.text[:LONGEST_TEXT]
    analyser = reader.analysers.of(page.language)
    counts = Counter(analyser.terms(text))
    for term in analyser.terms(page.title):
        counts[term] += TITLE_COUNTS
    telling = [(term, min(count, MOST_COUNT)) for term, count in counts.items() if is_telling(term)]
    kept = dict(sorted(telling, key=lambda pair: (-pair[1], pair[0]))[:KEPT])
    written: dict[str, str] = {}
    for token in dict.fromkeys(_TOKEN.findall(f"{page.title} {text}".lower())):
        for term in analyser.terms(token):
            if term in kept:
                written.setdefault(term, token)
    return Matter(kept, written)


def is_telling(term: str) -> bool:
    """Whether a term can be an interest at all: no number, no code of mostly digits, no single letter."""
    letters, digits = sum(map(str.isalpha, term)), sum(map(str.isdigit, term))
    return letters > digits and (len(term) > 1 or bool(_NEEDS_NO_NEIGHBOUR.match(term)))

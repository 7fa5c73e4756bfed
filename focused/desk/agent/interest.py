"""What somebody is interested in, as far as the pages tell that they read: words, by the time spent, fading as days go by.

After Lieberman 1995, "Letizia: an agent that assists Web browsing". Which words tell anything is told by background statistics:
how rare each is among pages of all kinds (`CommonWords`).
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from focused.collection.collection import DATABASE, PAGES, open_repository, opened
from focused.collection.repository import Place
from focused.desk.mapping.page_reading import LONGEST_TEXT, most_said
from focused.exceptions import StorageError
from focused.live.last_run import last_run
from focused.page.decoding import decode
from focused.page.main_text import main_text
from focused.page.media_types import HTML_TYPES
from focused.page.page import Page
from focused.page.reader import Reader
from focused.page.segmenters import UNSPACED

SHORTEST_TEXT = 200  #: characters of a main text; under them the whole page is looked at
_TOKEN = re.compile(r"[^\W_]+")
_NEEDS_NO_NEIGHBOUR = re.compile(f"[{UNSPACED}]")
LEAST = 0.5  #: rarity of a word that stands on every page: somebody who reads of one thing only still has an interest
SAMPLE = 300  #: pages of a collection that are read for the background
_PLACES = "SELECT file, offset, length FROM fetches WHERE outcome = 'page' ORDER BY seq"
HALF_LIFE = 7 * 86_400.0  #: seconds after which a visit counts half
ENOUGH = 60.0  #: seconds of reading after which a visit counts two thirds of what it can count at most
WORDS = 80  #: of an interest
Interest = Mapping[str, float]  #: weight of each term; its vector has length 1, or there is none


@dataclass(frozen=True, slots=True)
class Matter:
    """What a page is about.

    words : how often it says each of its most frequent terms
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
    kept = most_said(analyser, page.title, text, is_telling)
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


class CommonWords:
    """Document frequencies, which grow with each page.

    pages : that were added
    """

    def __init__(self) -> None:
        self.pages = 0
        self._frequencies: Counter[str] = Counter()

    def add(self, words: Iterable[str]) -> None:
        """Add the different words of a page."""
        self.pages += 1
        self._frequencies.update(words)

    def rarity(self, word: str) -> float:
        """How rare a word is, from `LEAST` on: ln((n + 1) / (n_i + 0.5)) among n pages, n_i of which have it, as in BM25."""
        return max(LEAST, math.log((self.pages + 1) / (max(1, self._frequencies[word]) + 0.5)))


def words_of_collection(folder: Path, reader: Reader) -> Iterator[list[str]]:
    """The words of pages all over a collection, each page a list; none where nothing was crawled, or it cannot be read."""
    if not (folder / DATABASE).is_file():
        return
    try:
        with opened(folder, may_copy=False) as store:
            repository = open_repository(last_run(store).pages, folder / PAGES)
            places = [Place(*row) for row in store.execute(_PLACES).fetchall()]
    except StorageError:
        return
    for place in places[:: 1 + len(places) // SAMPLE]:
        try:
            stored = repository.get(place)
        except StorageError:
            continue
        page = reader.read(stored.url, stored.body, stored.content_type)
        if isinstance(page, Page):
            markup = decode(stored.body, stored.content_type) if page.content_type in HTML_TYPES else ""
            yield list(matter_of(reader, page, markup).words)


def attention(seconds: float) -> float:
    """How much a visit counts, in [0, 1), by the time spent on its page."""
    return 1.0 - math.exp(-max(0.0, seconds) / ENOUGH)


def faded(age: float) -> float:
    """What is left of a visit after so many seconds, in (0, 1]."""
    return math.exp2(-max(0.0, age) / HALF_LIFE)


def vector(words: Mapping[str, int], rarity: Callable[[str], float]) -> dict[str, float]:
    """Weights of the words of a page, as a vector of length 1; empty where none tells anything."""
    weights = {word: math.log1p(count) * rarity(word) for word, count in words.items()}
    return _unit(weights)


def interest_of(visits: Iterable[tuple[Matter, float, float]], rarity: Callable[[str], float], now: float) -> Interest:
    """The interest that visits tell: what each page says, when it was read (seconds since 1970), and for how many seconds."""
    weights: dict[str, float] = {}
    for matter, began, seconds in visits:
        counts = attention(seconds) * faded(now - began)
        for word, weight in vector(matter.words, rarity).items():
            weights[word] = weights.get(word, 0.0) + counts * weight
    best = sorted(weights.items(), key=lambda pair: (-pair[1], pair[0]))[:WORDS]
    return _unit(dict(best))


def likeness(interest: Interest, page: Mapping[str, float]) -> float:
    """Cosine of an interest and the vector of a page, in [0, 1]."""
    return min(1.0, sum(weight * page.get(word, 0.0) for word, weight in interest.items()))


def shared(interest: Interest, page: Mapping[str, float], most: int) -> list[str]:
    """The words that make them alike, the most telling first."""
    both = {word: weight * page[word] for word, weight in interest.items() if word in page}
    return sorted(both, key=lambda word: (-both[word], word))[:most]


def _unit(weights: Mapping[str, float]) -> dict[str, float]:
    length = math.hypot(*weights.values())
    return {word: weight / length for word, weight in weights.items() if weight} if length else {}

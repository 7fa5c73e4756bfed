"""The questions: what is made of the keywords at first, and then of what tells the pages that were good from the rest.

The second is the way of ACHE's SeedFinder (Vieira et al. 2016, "Finding seeds to bootstrap focused crawlers", WWW Journal 19):
the next query is the old one with a term of the relevant results.
"""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from focused.page.page import Page
from focused.page.text import TextAnalyser
from focused.seeds.searching.search_provider import LONGEST_QUERY

MOST_PHRASES = 8  #: of which pairs are made
LONGEST_TEXT = 20_000  #: characters of a page whose words are looked at
SHORTEST, LONGEST = 3, 25  #: characters of a word that joins a query
FEWEST_PAGES = 2  #: relevant ones that have it
_WORD = re.compile(r"[^\W_]+")


def first_queries(keywords: Sequence[str]) -> list[str]:
    """All keywords together, each alone, then pairs of them; each query once, however its words are ordered."""
    phrases = list(keywords[:MOST_PHRASES])
    pairs = (" ".join(pair) for pair in combinations(phrases, 2))
    by_words: dict[frozenset[str], str] = {}
    for query in (" ".join(phrases), *phrases, *pairs):
        if len(query) <= LONGEST_QUERY:
            by_words.setdefault(frozenset(query.lower().split()), query)
    return list(by_words.values()) or [phrases[0][:LONGEST_QUERY]]


@dataclass(frozen=True)
class PageWords:
    """The words of a page: its terms, each as it is written there."""

    relevant: bool
    words: dict[str, str]


def words_of(page: Page, analyser: TextAnalyser, *, relevant: bool) -> PageWords:
    """The words of a page that may join a query."""
    written: dict[str, str] = {}
    for word in _WORD.findall(f"{page.title} {page.text[:LONGEST_TEXT]}".lower()):
        if SHORTEST <= len(word) <= LONGEST and not word.isdecimal():
            terms = analyser.terms(word)
            if len(terms) == 1:
                written.setdefault(terms[0], word)
    return PageWords(relevant, written)


def telling_words(pages: Iterable[PageWords], keywords: Collection[str], most: int) -> list[str]:
    """Words that tell the relevant pages from the rest, the best first.

    A word is worth how many of the relevant pages have it, times how much more often they have it than the rest (the logarithm of
    the ratio, each count raised by a half). Words on one relevant page alone, and keywords, are none.

    keywords : as terms
    """
    good: Counter[str] = Counter()
    rest: Counter[str] = Counter()
    written: defaultdict[str, Counter[str]] = defaultdict(Counter)
    totals = [0, 0]
    for page in pages:
        (good if page.relevant else rest).update(page.words.keys())
        totals[page.relevant] += 1
        for term, word in page.words.items():
            written[term][word] += page.relevant

    def worth(term: str) -> float:
        share, other = (good[term] + 0.5) / (totals[1] + 1), (rest[term] + 0.5) / (totals[0] + 1)
        return good[term] / totals[1] * math.log(share / other)

    terms = [term for term, count in good.items() if count >= FEWEST_PAGES and term not in keywords]
    best = sorted((term for term in terms if worth(term) > 0), key=lambda term: (-worth(term), term))[:most]
    return [written[term].most_common(1)[0][0] for term in best]


def next_queries(keywords: Sequence[str], words: Sequence[str], asked: Collection[str]) -> Iterator[str]:
    """The keywords in turn, each with one of the telling words; no query that was asked before."""
    known = {frozenset(query.lower().split()) for query in asked}
    for number, word in enumerate(words):
        query = f"{keywords[number % len(keywords)]} {word}"
        if len(query) <= LONGEST_QUERY and frozenset(query.lower().split()) not in known:
            yield query

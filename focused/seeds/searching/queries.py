"""The questions: what is made of the keywords at first, and then of what tells the pages that were good from the rest.

The second is the way of ACHE's SeedFinder (Vieira et al. 2016, "Finding seeds to bootstrap focused crawlers", WWW Journal 19):
the next query is the old one with a term of the relevant results.

What a crawl asks next is made of its keywords, and of what its pages have taught since. Four kinds of queries take turns, and none
is asked twice: the keywords; words that tell relevant pages from the rest (as above); names that stand on relevant pages and hardly
on others; titles of the best pages, which find pages like them.
"""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import TypeVar

from focused.page.page import Page
from focused.page.text import TextAnalyser
from focused.seeds.searching.search_providers import LONGEST_QUERY

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
            by_words.setdefault(_same(query), query)
    return list(by_words.values()) or [phrases[0][:LONGEST_QUERY]]


@dataclass(frozen=True)
class WrittenWords:
    """The words of a page: its terms, each as it is written there."""

    relevant: bool
    words: dict[str, str]


def words_of(page: Page, analyser: TextAnalyser, *, relevant: bool) -> WrittenWords:
    """The words of a page that may join a query."""
    written: dict[str, str] = {}
    for word in _WORD.findall(f"{page.title} {page.text[:LONGEST_TEXT]}".lower()):
        if SHORTEST <= len(word) <= LONGEST and not word.isdecimal():
            terms = analyser.terms(word)
            if len(terms) == 1:
                written.setdefault(terms[0], word)
    return WrittenWords(relevant, written)


def telling_words(pages: Iterable[WrittenWords], keywords: Collection[str], most: int) -> list[str]:
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
    known = {_same(query) for query in asked}
    for number, word in enumerate(words):
        query = f"{keywords[number % len(keywords)]} {word}"
        if len(query) <= LONGEST_QUERY and _same(query) not in known:
            yield query


MOST_GOOD, MOST_OTHERS = 60, 60  #: relevant pages that are looked at, the most relevant ones, and the last of the rest
OF_A_HOST = 5  #: of each
MOST_BEST = 10  #: pages that others are asked for which link to them
MOST_OF_A_KIND = 30  #: ideas that are made at a time
FEWEST_HOSTS = 2  #: on which a name must stand
WORDS_OF_TITLE = 8
#: A name in the middle of a sentence: up to three words, each with a capital letter or digits in it.
_NAME = re.compile(r"(?<=[a-z,] )[A-Z][\w.+-]*\w(?: [A-Z][\w.+-]*\w){0,2}")
_SEPARATOR = re.compile(r"\s[|\u2013\u2014\u2022\u00b7\u00bb:-]\s|\s{2,}| :: ")


@dataclass(frozen=True)
class QuerySource:
    """A page of the crawl, as far as it says what to ask next."""

    url: str
    host: str
    title: str
    relevance: float
    words: WrittenWords
    names: frozenset[str]


T = TypeVar("T")


def known(page: Page, relevance: float, analyser: TextAnalyser, *, relevant: bool) -> QuerySource:
    """What a page of the crawl says of what to ask next."""
    names = frozenset(_NAME.findall(page.text[:LONGEST_TEXT]))
    return QuerySource(page.url, page.host, page.title, relevance, words_of(page, analyser, relevant=relevant), names)


def some_of_each_host(pages: Iterable[T], host_of: Callable[[T], str], most: int) -> list[T]:
    """The first pages, no more than `OF_A_HOST` of a host."""
    counts, chosen = Counter[str](), list[T]()
    for page in pages:
        host = host_of(page)
        if counts[host] < OF_A_HOST and len(chosen) < most:
            counts[host] += 1
            chosen.append(page)
    return chosen


def best_urls(pages: Sequence[QuerySource]) -> list[str]:
    """URLs of the best pages, whose neighbours are asked for: one of each host."""
    return [page.url for page in _best_of_each_host(pages)[:MOST_BEST]]


@dataclass
class QueryIdeas:
    """Makes queries.

    keywords : of the topic
    terms : the same, as terms
    """

    keywords: Sequence[str]
    terms: Collection[str]
    asked: list[str] = field(default_factory=list)  #: so far, in order

    def __post_init__(self) -> None:
        #: What makes queries of pages, by kind, in the order of their turns.
        self.kinds: dict[str, Callable[[Sequence[QuerySource]], Iterable[str]]] = {
            "keywords": lambda _: first_queries(self.keywords),
            "words": self._of_words,
            "names": self._of_names,
            "titles": _of_titles,
        }

    def next(self, pages: Sequence[QuerySource]) -> str | None:
        """The next query; None where there is no idea left."""
        done, kinds = {_same(query) for query in self.asked}, list(self.kinds.values())
        turn = len(self.asked) % len(kinds)
        for kind in (*kinds[turn:], *kinds[:turn]):
            for query in kind(pages):
                if _same(query) not in done and len(query) <= LONGEST_QUERY:
                    return query
        return None

    def about_links(self, pages: Sequence[QuerySource]) -> str | None:
        """What is written down of a question for pages that link to the best; None where the best was asked about before."""
        best = best_urls(pages)
        words = f"links to {best[0]}"[:LONGEST_QUERY] if len(best) > 1 else ""
        return words if words and words not in self.asked else None

    def _of_words(self, pages: Sequence[QuerySource]) -> Iterator[str]:
        return next_queries(self.keywords, telling_words(_by_host(pages), self.terms, MOST_OF_A_KIND), self.asked)

    def _of_names(self, pages: Sequence[QuerySource]) -> Iterator[str]:
        good, rest = Counter[str](), Counter[str]()  # each host counts once
        for _, relevant, name in {(page.host, page.words.relevant, name) for page in pages for name in page.names}:
            (good if relevant else rest)[name] += 1
        names = [name for name, count in good.items() if count >= FEWEST_HOSTS and count > 2 * rest[name]]
        for name in sorted(names, key=lambda name: (2 * rest[name] - good[name], name)):
            yield f"{name} {self.keywords[0]}" if len(name.split()) == 1 else name


def _of_titles(pages: Sequence[QuerySource]) -> Iterator[str]:
    """The beginnings of titles, of the best page of each host."""
    for page in _best_of_each_host(pages):
        words = _SEPARATOR.split(page.title)[0].split()[:WORDS_OF_TITLE]
        if len(words) > 1:
            yield " ".join(words)


def _best_of_each_host(pages: Iterable[QuerySource]) -> list[QuerySource]:
    """The most relevant page of each host, the best first."""
    best: dict[str, QuerySource] = {}
    for page in sorted((page for page in pages if page.words.relevant), key=lambda page: (-page.relevance, page.url)):
        best.setdefault(page.host, page)
    return list(best.values())


def _by_host(pages: Sequence[QuerySource]) -> list[WrittenWords]:
    """The words of the pages of each host together: what stands on all pages of a site tells nothing of its topic."""
    together: dict[tuple[str, bool], dict[str, str]] = {}
    for page in pages:
        together.setdefault((page.host, page.words.relevant), {}).update(page.words.words)
    return [WrittenWords(relevant, words) for (_, relevant), words in together.items()]


def _same(query: str) -> frozenset[str]:
    return frozenset(query.lower().split())

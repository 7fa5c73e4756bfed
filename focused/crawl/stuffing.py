"""Tells pages that are stuffed with words from lists of things that share a name: products, prices, headlines, towns."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence, Set
from itertools import groupby, zip_longest
from math import sqrt

FEWEST_TERMS = 30  #: a shorter page is not judged: a list of links may well repeat one word
#: A text of n terms has this many times the square root of n distinct ones at least. Of 2,500 pages of Wikispeedia the poorest
#: had 4.2 times, of 6,400 of WebKB one in a thousand fewer than 2.8, of 7,000 of the documentation web one in 200 fewer than 1.9.
LEAST_VARIETY = 1.5
MOST_KEYWORDS = 0.35  #: share of the topic's keywords among all terms of running text
#: Terms of a link that is an entry of a list, and of what is said of it before the next; longer ones are text.
LONGEST_ENTRY = 12
MOST_OF_ENTRY = 0.5  #: share of keywords in an entry that repeats some
MOST_IDLE = 0.2  #: share of the mentions in a list that say nothing of their own
MOST_REPEATS = 2  #: times that a list may show each of its entries again, or what can be done with it


def is_stuffed(terms: Sequence[str], keywords: Set[str], links: Sequence[tuple[int, int]] = ()) -> bool:
    """Whether a text is stuffed with words: all of it, or what stands between its links.

    keywords : of the topic, as terms
    links : spans of the terms of links, in page order

    A list of the topic's things is not, though each of its entries names the topic.

    Source: ours, after the features of Ntoulas et al. (2006), "Detecting spam web pages through content analysis": the share of
    popular words, and redundancy.
    """
    count = len(terms)
    if count < FEWEST_TERMS:
        return False
    if len(set(terms)) < LEAST_VARIETY * sqrt(count):
        return not is_list(_pieces(terms, links), keywords | {Counter(terms).most_common(1)[0][0]})
    if sum(map(keywords.__contains__, terms)) <= MOST_KEYWORDS * FEWEST_TERMS:
        return False
    pieces = _pieces(terms, links)
    for some in (pieces, [piece for piece in pieces if not piece[1]]):
        words = [term for said, _ in some for term in said]
        is_dense = sum(map(keywords.__contains__, words)) > MOST_KEYWORDS * len(words)
        if is_dense and len(words) >= FEWEST_TERMS and not is_list(some, keywords):
            return True
    return False


def _pieces(terms: Sequence[str], links: Sequence[tuple[int, int]]) -> list[tuple[tuple[str, ...], bool]]:
    """A text in pieces, and whether each is a link of a few words, with the few that stand between it and the next one."""
    pieces, at = [], 0
    short = [span for span in links if span[0] < span[1] <= span[0] + LONGEST_ENTRY]
    for (start, end), (following, _) in zip_longest(short, short[1:], fillvalue=(len(terms) + LONGEST_ENTRY + 1, 0)):
        if at <= start:
            pieces.append((tuple(terms[at:start]), False))
            at = following if end < following <= end + LONGEST_ENTRY else end
            pieces.append((tuple(terms[start:at]), True))
    return [piece for piece in (*pieces, (tuple(terms[at:]), False)) if piece[0]]


def is_list(pieces: Iterable[tuple[tuple[str, ...], bool]], names: Set[str]) -> bool:
    """Whether a text, in pieces, lists things that all have the same ``names``: at each mention it says something of its own.

    For a link that is words no link before it has; a list may repeat each entry, and what can be done with it, as shops do. In
    other text it is a word that did not stand before, or a number with a word in a way that did not: numbers are easily made up.
    """
    known: set[str | tuple[str, ...]] = set()
    entries = repeated = mentions = idle = 0
    for piece, is_link in pieces:
        if is_link and names.isdisjoint(piece):
            continue
        for is_name, group in [(True, piece)] if is_link else groupby(piece, names.__contains__):
            said = tuple(group)
            words, named = set(said) - names, [word for word in said if word in names]
            repeats_itself = len(set(named)) < len(named)
            if is_link and words and not (repeats_itself and len(named) > MOST_OF_ENTRY * len(said)):
                repeated += said in known
                entries += said not in known
                known.add(said)
            elif is_name:
                mentions += 1
                idle += is_link or repeats_itself
            else:
                numbers = {word for word in words if not word.isalpha()}
                news = words if not numbers else {said} if numbers < words else set()
                idle += known.issuperset(news)
                known |= words | news
    idle += max(0, repeated - MOST_REPEATS * entries)
    mentions += max(entries, repeated)
    return 2 * idle < mentions and idle <= 1 + MOST_IDLE * mentions  # one for the heading

"""Keyword stuffing: a page that repeats few words, or the topic's own, more than texts do that people write to be read."""

from __future__ import annotations

from collections.abc import Sequence, Set
from math import sqrt

FEWEST_TERMS = 30  #: a shorter page is not judged: a list of links may well repeat one word
#: A text of n terms has this many times the square root of n distinct ones at least. Of 2,500 pages of Wikispeedia the poorest
#: had 4.2 times, of 6,400 of WebKB one in a thousand fewer than 2.8, of 7,000 of the documentation web one in 200 fewer than 1.9.
LEAST_VARIETY = 1.5
MOST_KEYWORDS = 0.35  #: share of the topic's keywords among all terms


def is_stuffed(terms: Sequence[str], keywords: Set[str]) -> bool:
    """Whether a text is stuffed with words. ``keywords`` are the topic's, as terms.

    Source: ours, after the features of Ntoulas et al. (2006), "Detecting spam web pages through content analysis": the share of
    popular words, and redundancy.
    """
    count = len(terms)
    if count < FEWEST_TERMS:
        return False
    if len(set(terms)) < LEAST_VARIETY * sqrt(count):
        return True
    return sum(term in keywords for term in terms) > MOST_KEYWORDS * count

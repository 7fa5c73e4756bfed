"""Keyword stuffing: a page that repeats few words, or the topic's own, more than texts do that people write to be read."""

from __future__ import annotations

from collections.abc import Sequence, Set
from math import sqrt

FEWEST_TERMS = 30  #: a shorter page is not judged: a list of links may well repeat one word
#: A text of n terms has this many times the square root of n distinct ones at least. Of 14,000 pages of WebKB, Wikispeedia and
#: the documentation of programs, the poorest had XXX (see docs/research/traps.md).
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

"""Pages that say much the same as one page: those that have its most telling words, by the index of the search."""

from __future__ import annotations

import math
import sqlite3
from collections import Counter
from collections.abc import Mapping
from contextlib import closing

from focused.collection.search_index import SearchIndex
from focused.collection.search_query import WORDS

MOST_WORDS = 12  #: of the page that are asked for
CANDIDATES = 30  #: words of the page among which the most telling are chosen
LONGEST_TEXT = 50_000  #: characters of a page that are read
TITLE = 5  #: times that a word of the title counts
SAMPLE = 200  #: pages that tell how common words are
COMMON = (
    0.05  #: share of the pages from which on the sample is believed: to count all pages that have a word takes its time
)
MOST_POSTINGS = 40_000  #: pages that the words have, all together: .1 s. The most telling words come first
FEWEST_PAGES = 2  #: that have a word: the page alone is not enough


def similar(index: SearchIndex, shares: Mapping[str, float], seq: int, most: int) -> list[int]:
    """Numbers of the fetches of the most similar pages, without the page itself.

    shares : of `common_words`
    """
    words = telling_words(index, shares, *index.page(seq))
    if not words:
        return []
    match = " OR ".join(f'"{word}"' for word in words)
    return [other for other in index.ranked(match, most + 1) if other != seq][:most]


def common_words(index: SearchIndex) -> dict[str, float]:
    """By stem the share of the pages that have it, in (0, 1], by a sample spread over all pages."""
    counts: Counter[str] = Counter()
    pages = index.sample(SAMPLE)
    for title, text in pages:
        counts.update(_stems(f"{title} {text[:LONGEST_TEXT]}").keys())
    return {word: count / len(pages) for word, count in counts.items()}


def telling_words(index: SearchIndex, shares: Mapping[str, float], title: str, text: str) -> list[str]:
    """Stems that are frequent in a page and rare in the others, the most telling first."""
    counts = _stems(f"{' '.join([title] * TITLE)} {text[:LONGEST_TEXT]}")

    def weight(word: str, share: float) -> float:
        return counts[word] * -math.log(share)

    rough = {word: weight(word, min(1.0, shares.get(word, 0.0) + 1 / SAMPLE)) for word in counts}
    candidates = sorted(rough, key=lambda word: (-rough[word], word))[:CANDIDATES]
    pages, having = index.pages_with([word for word in candidates if shares.get(word, 0.0) < COMMON])
    having |= {word: int(shares[word] * pages) for word in candidates if shares.get(word, 0.0) >= COMMON}
    weights = {word: weight(word, count / pages) for word, count in having.items() if count >= FEWEST_PAGES}
    chosen: list[str] = []
    postings = 0
    for word in sorted(weights, key=lambda word: (-weights[word], word)):
        if len(chosen) < MOST_WORDS and weights[word] > 0 and postings + having[word] <= MOST_POSTINGS:
            chosen.append(word)
            postings += having[word]
    return chosen


def _stems(text: str) -> dict[str, int]:
    """How often each word stands in a text, by the stems of FTS5; without numbers and single letters."""
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as db:
        db.execute(f"CREATE VIRTUAL TABLE page USING fts5(text, tokenize = '{WORDS}')")
        db.execute("CREATE VIRTUAL TABLE words USING fts5vocab(page, 'row')")
        db.execute("INSERT INTO page VALUES (?)", (text,))
        return {
            word: count for word, count in db.execute("SELECT term, cnt FROM words") if len(word) > 1 and word.isalpha()
        }

"""Pages that say much the same as one page: those that have its most telling words, by the index of the search."""

from __future__ import annotations

import math
import sqlite3
from contextlib import closing

from focused.storage.excerpts import WORDS
from focused.storage.search_index import SearchIndex

MOST_WORDS = 12  #: of the page that are asked for
CANDIDATES = 60  #: words of the page, the most frequent, among which the most telling are chosen
LONGEST_TEXT = 50_000  #: characters of the page that are read
TITLE = 5  #: times that a word of the title counts
MOST_POSTINGS = 40_000  #: pages that the words have, all together: .1 s. The most telling words come first
FEWEST_PAGES = 2  #: that have a word: the page alone is not enough


def similar(index: SearchIndex, seq: int, most: int) -> list[int]:
    """Numbers of the fetches of the most similar pages, without the page itself."""
    words = telling_words(index, *index.page(seq))
    if not words:
        return []
    match = " OR ".join(f'"{word}"' for word in words)
    return [other for other in index.ranked(match, most + 1) if other != seq][:most]


def telling_words(index: SearchIndex, title: str, text: str) -> list[str]:
    """Stems that are frequent in a page and rare in the others, the most telling first."""
    counts = _stems(f"{' '.join([title] * TITLE)} {text[:LONGEST_TEXT]}")
    frequent = sorted(counts, key=lambda word: (-counts[word], word))[:CANDIDATES]
    pages, having = index.pages_with(frequent)
    weights = {
        word: counts[word] * math.log(pages / having[word]) for word in frequent if having.get(word, 0) >= FEWEST_PAGES
    }
    chosen, postings = [], 0
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
        return {word: count for word, count in db.execute("SELECT term, cnt FROM words") if len(word) > 1 and word.isalpha()}

"""The index of a portal's search: small scripts, of which a browser loads the few that a question needs, also from a disk.

Words lie together by their first three letters, so that a search for ``pump`` finds ``pumps`` in the same file. Files hold arrays
only: no word of a page is the name of anything.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from focused.desk.html_output import script_json
from focused.desk.portal.entry import Entry

FEWEST_SHARDS, MOST_SHARDS = 16, 512
PER_SHARD = 20  #: pages for which a shard of words is made
PAGES_EACH = 50  #: pages that a shard of titles has
MOST_PAGES = 2_000  #: of a word: those in which it has the greatest weight
WEIGHTS = 16  #: a page and its weight are one number: page · WEIGHTS + weight
LONGEST_TITLE, LONGEST_EXCERPT = 160, 240  #: characters that a hit shows


def shards_for(pages: int) -> int:
    """How many shards of words: a power of two, so that it rarely changes as a portal grows."""
    count = FEWEST_SHARDS
    while count < MOST_SHARDS and count * PER_SHARD < pages:
        count *= 2
    return count


def shard_of(word: str, shards: int) -> int:
    """Where a word lies; portal_search.js computes the same."""
    number = 0
    for letter in word[:3]:
        number = (number * 31 + ord(letter)) % 1_000_003
    return number % shards


def search_files(entries: Sequence[Entry], addresses: Mapping[str, str]) -> Iterator[tuple[str, bytes]]:
    """Yield the name and the content of each file; ``about.js`` comes last.

    addresses : of categories
    """
    shards = shards_for(len(entries))
    yield from _word_files(entries, shards)
    names = sorted(addresses)
    numbers = {name: number for number, name in enumerate(names)}
    titles: dict[int, list[Any]] = {}
    for entry in entries:
        part, at = divmod(entry.number, PAGES_EACH)
        titles.setdefault(part, []).append([at, *_hit(entry, numbers)])
    for part, rows in sorted(titles.items()):
        yield f"t{part}.js", _script("titles", part, sorted(rows))
    places = [[name, addresses[name]] for name in names]
    yield "about.js", _script("about", len(entries), shards, PAGES_EACH, WEIGHTS, places)


def _word_files(entries: Sequence[Entry], shards: int) -> Iterator[tuple[str, bytes]]:
    pages: dict[str, array[int]] = {}
    for entry in sorted(entries, key=lambda one: one.number):
        for word, weight in entry.weights():
            found = pages.get(word)
            if found is None:
                found = pages[word] = array("Q")
            found.append(entry.number * WEIGHTS + weight)
    words: list[list[str]] = [[] for _ in range(shards)]
    for word in sorted(pages):
        words[shard_of(word, shards)].append(word)
    for shard, some in enumerate(words):
        if some:
            yield (
                f"w{shard}.js",
                _script("words", shard, [[word, len(pages[word]), _steps(pages[word])] for word in some]),
            )


def _steps(pages: array[int]) -> list[int]:
    """Each number as the distance from the one before it: shorter."""
    if len(pages) > MOST_PAGES:
        best = sorted(pages, key=lambda one: (-(one % WEIGHTS), one))[:MOST_PAGES]
        pages = array("Q", sorted(best))
    before, steps = 0, []
    for one in pages:
        steps.append(one - before)
        before = one
    return steps


def _hit(entry: Entry, numbers: Mapping[str, int]) -> tuple[Any, ...]:
    excerpt = entry.abstract
    if len(excerpt) > LONGEST_EXCERPT:
        excerpt = f"{excerpt[:LONGEST_EXCERPT].rpartition(' ')[0] or excerpt[:LONGEST_EXCERPT]}…"
    date = entry.published or entry.fetched[:10]
    title = entry.title[:LONGEST_TITLE] or entry.url[:LONGEST_TITLE]
    return entry.key, title, entry.host, date, numbers[entry.category], excerpt, entry.language


def _script(name: str, *values: object) -> bytes:
    """A call with plain values. ASCII without < and >: no encoding and no page can make anything else of it."""
    return f"portal.{name}({script_json(values)[1:-1]});\n".encode()

"""Themes of a map: where pages lie close together, as hills of their density, each named by words that others lack."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from focused.crawl.arrays import FloatArray, IntArray
from focused.desk.mapping.page_places import Floats, WordMatrix, own_share
from focused.page.text import TextAnalyser

GRID = 96  #: cells of the density in each direction
MOST_THEMES = 24
LEAST_PAGES = 4  #: of a theme in a small collection; in a large one half the square root of all pages
FIRST_BLUR, BLUR_GROWS = 1.4, 1.15  #: standard deviation in cells; it grows until there are few enough hills
MOST_BLUR = GRID / 3
LOOKED_AT = 300  #: pages of a theme whose titles are read
TEXT_COUNTS = 0.3  #: a word of the text, where one of the title counts 1
PHRASE_COUNTS = 1.6  #: two words that stand side by side in titles
#: Pages of a theme that must have a word, and share of them: one loud page names nothing.
FEWEST, FEWEST_SHARE = 2, 0.08
WORDS = 3  #: of a name
NEXT_BEST = 0.4  #: of the best word's score, under which no other is worth telling
LONGEST_TITLE = 200  #: characters that are looked at
_TOKEN = re.compile(r"[^\W_]+(?:['’.-][^\W_]+)*")


def themes_of(places: Floats) -> IntArray:
    """(n,) the theme of each page, from 0 on, the largest first; every page has one.

    places : (n, 2)
    """
    if not len(places):
        return np.empty(0, np.int64)
    cells, counts = _counted(places)
    least = max(LEAST_PAGES, round(len(places) ** 0.5 / 2))
    blur = FIRST_BLUR
    while True:
        hill = _hills(_blurred(counts, blur))[cells]
        names, sizes = np.unique(hill, return_counts=True)
        if (sizes >= least).sum() <= MOST_THEMES or blur > MOST_BLUR:
            break
        blur *= BLUR_GROWS
    large = names[np.argsort(-sizes, kind="stable")][:MOST_THEMES]
    large = large[: max(1, int((sizes >= least).sum()))]
    return _nearest_hill(places, hill, large)


def _nearest_hill(places: Floats, hill: IntArray, large: IntArray) -> IntArray:
    """The number of each page's hill among the large ones; pages of small hills belong to the large one that is nearest."""
    middles = np.stack([np.median(places[hill == one], axis=0) for one in large])
    distance = ((places[:, None, :] - middles[None, :, :]) ** 2).sum(axis=2)
    own = hill[:, None] == large[None, :]
    distance[own] = -1
    theme = distance.argmin(axis=1)
    order = np.argsort(-np.bincount(theme, minlength=len(large)), kind="stable")
    number = np.empty(len(large), np.int64)
    number[order] = np.arange(len(large))
    numbered: IntArray = number[theme]
    return numbered


def middle_of(places: Floats) -> int:
    """Position of the page in the middle of some: the one nearest to their median."""
    return int(((places - np.median(places, axis=0)) ** 2).sum(axis=1).argmin())


def _counted(places: Floats) -> tuple[IntArray, FloatArray]:
    """The cell of each page, and how many pages each cell has: (n,) and (GRID, GRID)."""
    low, high = places.min(axis=0), places.max(axis=0)
    width = max(float((high - low).max()), 1e-6)
    at = ((places - (low + high) / 2) / width * (GRID * 0.9) + GRID / 2).astype(np.int64).clip(0, GRID - 1)
    cells = at[:, 1] * GRID + at[:, 0]
    return cells, np.bincount(cells, minlength=GRID * GRID).reshape(GRID, GRID).astype(np.float64)


def _blurred(counts: FloatArray, blur: float) -> FloatArray:
    reach = np.arange(GRID)
    kernel = np.exp(-0.5 * ((reach[:, None] - reach[None, :]) / blur) ** 2)
    smooth: FloatArray = kernel @ counts @ kernel
    return smooth


def _hills(density: FloatArray) -> IntArray:
    """(GRID * GRID,) for each cell the cell of the top that one reaches by always going up."""
    padded = np.pad(density, 1, constant_values=-1)
    cells = np.arange(GRID * GRID).reshape(GRID, GRID)
    best, highest = cells.copy(), density.copy()
    for down in (-1, 0, 1):
        for right in (-1, 0, 1):
            part: NDArray[np.float64] = padded[1 + down : 1 + down + GRID, 1 + right : 1 + right + GRID]
            higher = part > highest
            best[higher] = (cells + down * GRID + right)[higher]
            highest[higher] = part[higher]
    top: IntArray = best.ravel()
    while (above := top[top]).tolist() != top.tolist():
        top = above
    return top


class TitleWords:
    """Words and pairs of words of titles, by their stems, and how most titles write them."""

    def __init__(self, language: str) -> None:
        self._analyser = TextAnalyser(language)
        self._written: dict[str, Counter[str]] = defaultdict(Counter)

    def of(self, title: str) -> set[str]:
        """What a title says: stems, and pairs of stems with a blank between."""
        found = set()
        before: tuple[str, str] | None = None
        for match in _TOKEN.finditer(title[:LONGEST_TITLE]):
            word = match[0]
            stem = self.stem(word)
            if not stem or " " in stem or stem.isdigit():
                before = None
                continue
            found.add(self._said(stem, word))
            # Only a blank lies between the words of a phrase: "roof - Sun Power" says nothing of a "roof Sun".
            if before and title[match.start() - 1] == " " and title[: match.start() - 1].endswith(before[1]):
                found.add(self._said(f"{before[0]} {stem}", f"{before[1]} {word}"))
            before = stem, word
        return found

    def stem(self, word: str) -> str:
        """Empty of a stop word."""
        return " ".join(self._analyser.terms(word))

    def written(self, stem: str) -> str:
        """A word as most titles write it; in lower case where some do, for then capitals are those of headings."""
        seen = self._written[stem]
        low = Counter[str]()
        for word, count in seen.items():
            low[word.lower()] += count
        best = max(low, key=lambda word: (low[word], word))
        spelled = {word: count for word, count in seen.items() if word.lower() == best}
        if best in spelled:
            return best
        return max(spelled, key=lambda word: (spelled[word], word))

    def _said(self, stem: str, word: str) -> str:
        self._written[stem][word] += 1
        return stem


def looked_at(theme: IntArray) -> IntArray:
    """Positions of the pages whose titles name the themes: `LOOKED_AT` of each at most, spread over all its pages."""
    parts = []
    for number in range(int(theme.max(initial=-1)) + 1):
        members = np.flatnonzero(theme == number)
        parts.append(members[np.linspace(0, len(members) - 1, min(LOOKED_AT, len(members))).astype(np.int64)])
    return np.concatenate(parts) if parts else np.empty(0, np.int64)


def theme_names(
    titles: Sequence[str], theme: IntArray, hosts: IntArray, sizes: IntArray, matrix: WordMatrix, language: str
) -> list[str]:
    """A name for each theme, as in ``solar system · moons``; empty where its pages share no word that others lack.

    titles : of the pages that are `looked_at`
    theme, hosts : (m,) of the same pages
    sizes : pages of each theme
    matrix : words of the same pages
    """
    said = TitleWords(language)
    of_titles = [said.of(title) for title in titles]
    stems = {word: said.stem(word) or word for word in matrix.vocabulary}
    entries = [(row, term, 1.0) for row, terms in enumerate(of_titles) for term in sorted(terms)]
    written = {term: said.written(term) for term in dict.fromkeys(term for _, term, _ in entries)}
    for row, word in zip(matrix.rows.tolist(), matrix.words.tolist(), strict=True):
        stem = stems[matrix.vocabulary[word]]
        if stem not in of_titles[row]:
            written.setdefault(stem, matrix.vocabulary[word])
            entries.append((row, stem, TEXT_COUNTS))
    names = list(written)
    numbers = {name: number for number, name in enumerate(names)}
    rows = np.array([row for row, _, _ in entries], np.int64)
    words = np.array([numbers[term] for _, term, _ in entries], np.int64)
    own = own_share(rows, words, hosts) * np.array([weight for *_, weight in entries])
    scores = _scores(rows, words, own, theme, sizes, len(names))
    scores *= np.array([PHRASE_COUNTS if " " in name else 1.0 for name in names])
    return list(_chosen(scores, names, written))


def _scores(
    rows: IntArray, words: IntArray, own: FloatArray, theme: IntArray, sizes: IntArray, count: int
) -> FloatArray:
    """(themes, words) how well each word tells a theme: the share of its pages that have it, times how rare it is elsewhere."""
    seen = np.bincount(theme, minlength=len(sizes)).clip(min=1)
    shares = np.zeros((len(sizes), count))
    having = np.zeros((len(sizes), count))
    if len(rows):
        np.add.at(shares, (theme[rows], words), own)
        np.add.at(having, (theme[rows], words), 1)
    shares /= seen[:, None]
    everywhere = (shares * sizes[:, None]).sum(axis=0) / max(1, sizes.sum())
    with np.errstate(divide="ignore", invalid="ignore"):
        scores = np.where(shares > 0, shares * np.log(shares / everywhere), 0.0)
    scores[having < np.minimum(np.maximum(FEWEST, FEWEST_SHARE * seen), seen)[:, None]] = 0
    if len(sizes) == 1:  # nothing to tell it from
        scores = shares
    return scores


def _chosen(scores: FloatArray, names: list[str], written: Mapping[str, str]) -> Iterator[str]:
    taken: set[str] = set()
    for row in scores:
        parts: list[str] = []
        used: set[str] = set()
        best = float(row.max(initial=0.0))
        for word in np.argsort(-row, kind="stable")[:20].tolist():
            stems = set(names[word].split())
            enough = len(used | stems) > WORDS or row[word] < NEXT_BEST * best
            if row[word] <= 0 or (enough and " · ".join(parts) not in taken and parts):
                break
            if not stems & used:
                parts.append(written[names[word]])
                used |= stems
        name = " · ".join(parts)
        taken.add(name)
        yield name

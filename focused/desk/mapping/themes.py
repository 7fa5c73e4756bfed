"""Themes of a map: where pages lie close together, as hills of their density, each named by words that others lack."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence

import numpy as np

from focused.crawl.arrays import FloatArray, IntArray
from focused.desk.mapping.page_places import Floats, own_share
from focused.desk.mapping.page_reading import PageWordCounts
from focused.page.text import TextAnalyser

MOST_THEMES = 24
LEAST_PAGES = 4  #: of a theme in a small collection; in a large one half the square root of all pages
LOOKED_FOR = 2_000  #: pages by which hills are found
FEW = 50  #: pages, each of which hills are looked for at; of more, where there are some
#: Share of all pages that lie in the reach of one, in the mean, as a hill is wide: this over the square root of their number.
REACH, LEAST_REACH, MOST_REACH = 2.0, 0.04, 0.5
LOOKED_AT = 300  #: pages of a theme whose titles are read
TEXT_COUNTS = 0.3  #: a word of the text, where one of the title counts 1
PHRASE_COUNTS = 1.6  #: two words that stand side by side in titles
#: Pages of a theme that must have a word, and share of them: one loud page names nothing.
FEWEST, FEWEST_SHARE = 2, 0.08
WORDS = 3  #: of a name
NEXT_BEST = 0.4  #: of the best word's score, under which no other is worth telling
_BREAK = re.compile(
    r"[^\w\s'’.-]+|\s[.-]\s"
)  #: no phrase reaches over it: "roof - Sun Power" says nothing of a "roof Sun"


def themes_of(places: Floats) -> IntArray:
    """(n,) the theme of each page, from 0 on, the largest first; every page has one.

    places : (n, 2)
    """
    from sklearn.cluster import MeanShift, estimate_bandwidth

    if not len(places):
        return np.empty(0, np.int64)
    some = places[:: -(-len(places) // LOOKED_FOR)]
    share = min(max(REACH / len(places) ** 0.5, LEAST_REACH), MOST_REACH)
    reach = estimate_bandwidth(some, quantile=share, random_state=0)
    hills = MeanShift(bandwidth=max(reach, 1e-3), bin_seeding=len(some) > FEW).fit(some)
    least = max(LEAST_PAGES, len(places) ** 0.5 / 2)
    for _ in range(2):  # pages of hills that are too small belong to the nearest one of the others
        sizes = np.bincount(hills.predict(places), minlength=len(hills.cluster_centers_))
        order = np.argsort(-sizes, kind="stable")[:MOST_THEMES]
        hills.cluster_centers_ = hills.cluster_centers_[order[: max(1, int((sizes[order] >= least).sum()))]]
    theme = hills.predict(places)
    _names, theme = np.unique(theme, return_inverse=True)
    order = np.argsort(-np.bincount(theme), kind="stable")
    numbered: IntArray = np.argsort(order, kind="stable")[theme]
    return numbered


def middle_of(places: Floats) -> int:
    """Position of the page in the middle of some: the one nearest to their median."""
    return int(((places - np.median(places, axis=0)) ** 2).sum(axis=1).argmin())


def looked_at(theme: IntArray) -> IntArray:
    """Positions of the pages whose titles name the themes: `LOOKED_AT` of each at most, spread over all its pages."""
    parts = []
    for number in range(int(theme.max(initial=-1)) + 1):
        members = np.flatnonzero(theme == number)
        parts.append(members[np.linspace(0, len(members) - 1, min(LOOKED_AT, len(members))).astype(np.int64)])
    return np.concatenate(parts) if parts else np.empty(0, np.int64)


def theme_names(
    titles: Sequence[str],
    said: Sequence[PageWordCounts],
    theme: IntArray,
    hosts: IntArray,
    sizes: IntArray,
    language: str,
) -> list[str]:
    """A name for each theme, as in ``solar system · moons``; empty where its pages share no word that others lack.

    titles, said : of the pages that are `looked_at`, the latter in lower case
    theme, hosts : (m,) of the same pages
    sizes : pages of each theme
    """
    from sklearn.feature_extraction import DictVectorizer

    if not any(said):
        return [""] * len(sizes)
    analyser = TextAnalyser(language, stemming=False)
    counted = DictVectorizer()
    matrix = counted.fit_transform(
        [
            dict.fromkeys(words, TEXT_COUNTS) | _of_title(title, analyser)
            for title, words in zip(titles, said, strict=True)
        ]
    )
    is_of = np.arange(len(sizes))[:, None] == theme
    having = is_of @ (matrix > 0).astype(np.float64)
    matrix.data *= own_share(matrix, hosts)
    seen = is_of.sum(axis=1, keepdims=True).clip(min=1)
    shares = is_of @ matrix / seen
    scores = shares
    if len(sizes) > 1:
        everywhere = (shares * sizes[:, None]).sum(axis=0) / sizes.sum()
        scores = shares * np.log(np.maximum(shares, 1e-12) / np.maximum(everywhere, 1e-12))
    scores[having < np.minimum(np.maximum(FEWEST, FEWEST_SHARE * seen), seen)] = 0
    return list(_chosen(scores, counted.feature_names_, TextAnalyser(language)))


def _of_title(title: str, analyser: TextAnalyser) -> dict[str, float]:
    """Words of a title, and pairs of words that stand side by side in it."""
    found: dict[str, float] = {}
    for part in _BREAK.split(title):
        words = ["".join(terms) if len(terms := analyser.terms(word)) == 1 else "" for word in part.split()]
        found |= {word: 1.0 for word in words if word}
        found |= {f"{one} {other}": PHRASE_COUNTS for one, other in itertools.pairwise(words) if one and other}
    return {word: count for word, count in found.items() if not word.isdigit()}


def _chosen(scores: FloatArray, names: Sequence[str], analyser: TextAnalyser) -> Iterator[str]:
    """For each theme its best words, none with a stem that another one has; more where a name is taken."""
    taken: set[str] = set()
    for row in scores:
        parts: list[str] = []
        used: set[str] = set()
        best = float(row.max(initial=0.0))
        for word in np.argsort(-row, kind="stable")[:20].tolist():
            stems = {*analyser.terms(names[word])} or {names[word]}
            enough = len(used | stems) > WORDS or row[word] < NEXT_BEST * best
            if row[word] <= 0 or (enough and " · ".join(parts) not in taken and parts):
                break
            if not stems & used:
                parts.append(names[word])
                used |= stems
        taken.add(name := " · ".join(parts))
        yield name

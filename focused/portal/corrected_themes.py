"""Themes as editors corrected them: where they moved some pages of a theme, others like these follow."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from focused.portal.entry import Entry
from focused.portal.index_words import terms_of
from focused.reading.text import TextAnalyser
from focused.storage.placements import Placement
from focused.strategies.focused.taxonomy import Taxonomy

FEWEST_MOVES = 5  #: from a theme into one category, from which can be learned what belongs there
LEAST, LENGTH = 2, 50  #: as `scrapy train classifier` learns where nobody says otherwise


def corrected(
    entries: Sequence[Entry], themes: Mapping[str, str], placements: Mapping[str, Placement], stems: TextAnalyser
) -> dict[str, str]:
    """By URL: the theme, or the category that editors moved pages to which are more like this one than what stays.

    Each theme learns by itself, by naive Bayes. Pages that nobody moved count as examples of the theme: so a page leaves it only
    where its words say so clearly.
    """
    moved = {url: one.category for url, one in placements.items() if one.category not in ("", themes.get(url, ""))}
    moves = Counter((themes[url], category) for url, category in moved.items() if url in themes)
    taught = {move for move, count in moves.items() if count >= FEWEST_MOVES}
    found = dict(themes)
    for theme in sorted({theme for theme, _ in taught}):
        words = {one.url: terms_of(one.weights(), stems) for one in entries if themes.get(one.url) == theme}
        said = {url: moved[url] if (theme, moved.get(url)) in taught else theme for url in words}
        if theme not in said.values():  # all were moved: nothing stays that others could be like
            continue
        model = Taxonomy.fit(list(words.values()), [(said[url],) for url in words], (), least=LEAST, length=LENGTH)
        for url, terms in words.items():
            (found[url],) = model.best_leaf(model.probabilities(terms))
    return found

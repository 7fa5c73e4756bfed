"""The category of each entry: where an editor put it, else the theme of the map, else where a taxonomy's examples say."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path

from focused.collection.collection import opened
from focused.collection.desk import Desk
from focused.desk.mapping.making import drawings
from focused.desk.mapping.page_map import NO_NAME, PageMap, named_themes
from focused.desk.mapping.page_reading import Tell
from focused.desk.portal.editing import Placement, PortalMemory
from focused.desk.portal.entry import Entry, terms_of, words_of
from focused.exceptions import TaxonomyError
from focused.page.page_text import Wanted, page_content
from focused.page.plain_text import plain
from focused.page.reader import ReadingOptions
from focused.page.text import TextAnalyser
from focused.papers.strategies.focused.taxonomy import Node, Taxonomy, name_of, node_of
from focused.papers.taxonomies.taxonomy_store import TaxonomyStore

FEWEST = 10  #: examples of a taxonomy that can be learned from
FEWEST_MOVES = 5  #: from a theme into one category, from which can be learned what belongs there
LEAST, LENGTH = 2, 50  #: as `scrapy train classifier` learns where nobody says otherwise


def placed(entries: Sequence[Entry], categories: Mapping[str, str], placements: Mapping[str, Placement]) -> list[Entry]:
    """Entries with their categories: those of editors first."""
    said = {url: one.category for url, one in placements.items() if one.category}
    return [replace(one, category=said.get(one.url) or categories.get(one.url) or NO_NAME) for one in entries]


def by_themes(
    folder: Path,
    entries: Sequence[Entry],
    placements: Mapping[str, Placement],
    reading: ReadingOptions,
    memory: PortalMemory,
    tell: Tell,
) -> dict[str, str]:
    """By URL: the theme of the map, as editors corrected it. A theme keeps the name under which it was shown last, unless a person
    gives it another.

    Raises StorageError.
    """
    *_, drawn = drawings("pages", folder, tell)
    if not isinstance(drawn, PageMap) or not len(drawn):
        return {}
    with opened(folder) as store:
        given = Desk(folder).names()
        own = named_themes(drawn, store, given)
        before = named_themes(drawn, store, memory.names())
        named = [old if one.name == (one.words or NO_NAME) else one for one, old in zip(own, before, strict=True)]
        names = [plain(one.name) or NO_NAME for one in named]
        memory.keep_names({one.key: name for one, name in zip(own, names, strict=True)})
        urls = dict(store.execute("SELECT id, url FROM urls WHERE id IN (SELECT final_url FROM fetches)"))
    themes = {
        urls[url]: names[theme] for url, theme in zip(drawn.pages.url.tolist(), drawn.theme.tolist(), strict=True)
    }
    return corrected(entries, themes, placements, _stems(reading))


def by_taxonomy(
    folder: Path, entries: Sequence[Entry], placements: Mapping[str, Placement], reading: ReadingOptions
) -> dict[str, str]:
    """By URL: the most probable category of a taxonomy. What editors moved is learned from, too.

    Raises TaxonomyError where there is too little to learn from, StorageError.
    """
    stems = _stems(reading)
    with closing(TaxonomyStore(folder)) as store:
        examples = [(terms_of(said, stems), node) for said, node in _examples(store, reading)]
    words = {one.url: terms_of(one.weights(), stems) for one in entries}
    moved = [(words[url], node_of(one.category)) for url, one in placements.items() if one.category and url in words]
    learned = [(said, node) for said, node in examples + moved if said and node]
    if len(learned) < FEWEST or len({node for _, node in learned}) < 2:
        raise TaxonomyError(
            f"{folder}: {len(learned)} fetched examples with a category: {FEWEST} of two categories are needed; "
            f"fetch more: scrapy taxonomy fetch {folder.name}"
        )
    texts, nodes = zip(*learned, strict=True)
    model = Taxonomy.fit(texts, nodes, (), least=LEAST, length=LENGTH)
    return {url: name_of(model.best_leaf(model.probabilities(said))) for url, said in words.items()}


def _examples(store: TaxonomyStore, reading: ReadingOptions) -> Iterator[tuple[list[tuple[str, int]], Node]]:
    """Weights of words, and category, of each example that was fetched."""
    for example in store.examples():
        if example.place and example.category and not example.dropped:
            page = store.pages.get(example.place)
            said = page_content(page.body, page.content_type, page.url, reading, Wanted(facts=True))
            title = said.facts.title if said.facts else example.title or ""
            yield words_of(((title, 5), (said.text or "", 1))), node_of(example.category)


def _stems(reading: ReadingOptions) -> TextAnalyser:
    return TextAnalyser(reading.languages[0], stemming=reading.stemming)


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

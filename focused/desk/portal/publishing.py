"""Makes the portal of a collection, or brings it up to date."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from itertools import count
from pathlib import Path
from urllib.parse import quote

from focused.collection.collection import mark_of, opened
from focused.collection.desk import Desk
from focused.collection.store import Store
from focused.desk.mapping.making import drawings
from focused.desk.mapping.page_map import NO_NAME, PageMap, named_themes
from focused.desk.mapping.page_reading import TellStage, addresses_and_titles
from focused.desk.news.letter import ENTRIES, FeedEntry, feed_of
from focused.desk.portal.editing import Placement, Placements, PortalMemory
from focused.desk.portal.entry import PortalEntry, entry_of, terms_of, words_of
from focused.desk.portal.site_pages import SiteFolder, SitePages, categories_of, newest_of, search_files
from focused.exceptions import ExportError, TaxonomyError
from focused.export.reading_processes import FEW, PlainCollection, with_contents
from focused.export.row import UnfinishedRow
from focused.export.selection import Selection
from focused.live.last_run import LastRun, last_run
from focused.page.page_text import TextRequest, page_content
from focused.page.plain_text import plain
from focused.page.reader import ReadingOptions
from focused.page.text import TextAnalyser
from focused.page.urls import host_of
from focused.papers.models.taxonomy import Node, Taxonomy, name_of, node_of
from focused.papers.taxonomies.taxonomy_store import TaxonomyStore

FEWEST = 10  #: examples of a taxonomy that can be learned from
FEWEST_MOVES = 5  #: from a theme into one category, from which can be learned what belongs there
LEAST, LENGTH = 2, 50  #: as `scrapy train classifier` learns where nobody says otherwise
KEPT_AT_ONCE = 500
#: Copies, pages that are gone, and pages that ask not to be indexed are in no portal, whatever an editor says.
SHOWABLE = Selection(dedupe=True, honour_noindex=True, still_there=True)


def placed(
    entries: Sequence[PortalEntry], categories: Mapping[str, str], placements: Mapping[str, Placement]
) -> list[PortalEntry]:
    """Entries with their categories: those of editors first."""
    said = {url: one.category for url, one in placements.items() if one.category}
    return [replace(one, category=said.get(one.url) or categories.get(one.url) or NO_NAME) for one in entries]


def by_themes(
    folder: Path,
    entries: Sequence[PortalEntry],
    placements: Mapping[str, Placement],
    reading: ReadingOptions,
    memory: PortalMemory,
    tell: TellStage,
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
        urls = [url for url, _ in addresses_and_titles(store, drawn.pages.seq)]
    themes = {url: names[theme] for url, theme in zip(urls, drawn.theme.tolist(), strict=True)}
    return corrected(entries, themes, placements, _stems(reading))


def by_taxonomy(
    folder: Path, entries: Sequence[PortalEntry], placements: Mapping[str, Placement], reading: ReadingOptions
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
            f"fetch more: scrapy taxonomy {folder.name} fetch"
        )
    texts, nodes = zip(*learned, strict=True)
    model = Taxonomy.fit(texts, nodes, (), least=LEAST, length=LENGTH)
    return {url: name_of(model.best_leaf(model.probabilities(said))) for url, said in words.items()}


def _examples(store: TaxonomyStore, reading: ReadingOptions) -> Iterator[tuple[list[tuple[str, int]], Node]]:
    """Weights of words, and category, of each example that was fetched."""
    for example in store.examples():
        if example.place and example.category and not example.dropped:
            page = store.pages.get(example.place)
            said = page_content(page.body, page.content_type, page.url, reading, TextRequest(facts=True))
            title = said.facts.title if said.facts else example.title or ""
            yield words_of(((title, 5), (said.text or "", 1))), node_of(example.category)


def _stems(reading: ReadingOptions) -> TextAnalyser:
    return TextAnalyser(reading.languages[0], stemming=reading.stemming)


def corrected(
    entries: Sequence[PortalEntry], themes: Mapping[str, str], placements: Mapping[str, Placement], stems: TextAnalyser
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


def is_shown(
    page: UnfinishedRow, placements: Mapping[str, Placement], judged: Mapping[str, bool], *, accepted_only: bool
) -> bool:
    """Whether a page is in the portal.

    placements : of editors, by URL
    judged : pages that a person judged while the crawl was taught or audited, by URL
    accepted_only : those alone that an editor accepted; else also relevant ones that nobody rejected
    """
    url = page.final_url
    if not url.startswith(("http://", "https://")):
        return False
    placed = placements.get(url)
    return placed.accepted if placed else not accepted_only and judged.get(url, page.relevant)


def entries_of(
    store: Store, run: LastRun, memory: PortalMemory, found: Mapping[str, UnfinishedRow], tell: TellStage
) -> list[PortalEntry]:
    """An entry for each page that is shown, the most relevant first. Reads what the memory does not know, and keeps it there.

    found : pages that are shown, by URL

    Raises StorageError for pages that are damaged or missing.
    """
    known = memory.entries()
    missing = [page for url, page in found.items() if url not in known or known[url].seq != page.seq]
    following = count(max((entry.number for entry in known.values()), default=-1) + 1)
    collection = PlainCollection.of(store.path.parent, run, TextRequest(facts=True))
    waiting: list[PortalEntry] = []
    with closing(with_contents(missing, collection, 0 if len(missing) >= FEW else 1)) as pages:
        for done, page in enumerate(pages, start=1):
            url = page.final_url
            known[url] = entry_of(page, host_of(url), known[url].number if url in known else next(following))
            page.text = None  # it is long, and the list keeps the page
            waiting.append(known[url])
            if len(waiting) == KEPT_AT_ONCE:  # what was read is not lost if somebody ends this
                memory.keep(waiting)
                waiting = []
            tell("reading pages", done, len(missing))
    memory.keep(waiting)
    return sorted((known[url] for url in found), key=lambda one: (-one.relevance, one.number))


@dataclass(frozen=True, slots=True)
class PortalWish:
    """What a person asks for.

    out : folder of the site
    taxonomy : folder of the one whose categories are taken; None: themes of the map
    address : of the site on the Web, ending with a slash; empty where it has none
    """

    out: Path
    title: str
    taxonomy: Path | None = None
    accepted_only: bool = False
    address: str = ""


@dataclass(frozen=True, slots=True)
class Published:
    """What the site has now, and what it took."""

    pages: int
    categories: int
    written: int
    deleted: int
    size: int  #: bytes of all files


def sorted_entries(folder: Path, wish: PortalWish, tell: TellStage) -> list[PortalEntry]:
    """The entries of a portal with their categories. Raises StorageError, TaxonomyError."""
    placements = Placements(folder).all()
    judged = {one.url: one.relevant for one in Desk(folder).verdicts()}
    with opened(folder) as store:
        run, mark = last_run(store), mark_of(store)
    with closing(PortalMemory(folder, mark)) as memory:
        with opened(folder) as store:
            every = SHOWABLE.pages(store, "")
            shown = (one for one in every if is_shown(one, placements, judged, accepted_only=wish.accepted_only))
            entries = entries_of(store, run, memory, {one.final_url: one for one in shown}, tell)
        if wish.taxonomy is None:
            categories = by_themes(folder, entries, placements, run.reading, memory, tell) if entries else {}
        else:
            categories = by_taxonomy(wish.taxonomy, entries, placements, run.reading)
        entries = placed(entries, categories, placements)
        memory.keep(entries)
    return entries


def publish(folder: Path, wish: PortalWish, tell: TellStage) -> Published:
    """Write the site. Raises ExportError where it cannot be written or would be empty, and what `sorted_entries` does."""
    pages = SitePages(wish.title, accepted_only=wish.accepted_only)
    site = SiteFolder(wish.out, folder.name)
    entries = sorted_entries(folder, wish, tell)
    if not entries and not (wish.out / "index.html").exists():
        why = "no page was accepted yet" if wish.accepted_only else "no relevant page may be shown"
        raise ExportError(f"{folder}: {why}: a portal would be empty")
    site.begin()
    categories = categories_of(entries)
    digest = hashlib.sha256()
    for name, content in search_files(entries, {one.name: one.address for one in categories}):
        digest.update(name.encode() + content)
        site.write(f"s/{name}", content)
    for done, (name, content) in enumerate(pages.files(categories, digest.hexdigest()[:12]), start=1):
        site.write(name, content)
        tell("writing pages", min(done, len(entries)), len(entries))
    ident = f"urn:focused:portal:{quote(folder.name, safe='')}"
    feeds = [
        ("new.xml", wish.title, entries),
        *((one.feed, f"{one.name} – {wish.title}", one.entries) for one in categories),
    ]
    for name, title, some in feeds:
        newest = [_feed_entry(one, ident) for one in newest_of(some, ENTRIES)]
        site.write(name, feed_of(f"{ident}:{name}", title, newest, wish.address and f"{wish.address}{name}"))
    site.end()
    return Published(len(entries), len(categories), site.written, site.deleted, site.size)


def _feed_entry(entry: PortalEntry, ident: str) -> FeedEntry:
    about = plain(f"{entry.abstract} ({entry.host})" if entry.abstract else entry.host)
    return FeedEntry(f"{ident}:{entry.key}", entry.title or entry.url, entry.fetched, entry.url, about)

"""One question to the search indexes of all collections: each ranks its own pages, and their answers are mixed by rank."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass, replace

from focused.collection.search import Hit, Wanted, found_in
from focused.collection.search_query import Query, parts
from focused.collection.store import IS_VERSION, Store
from focused.desk.dashboard.served import Served, Shown
from focused.exceptions import FocusedError

MOST = 30  #: pages of an answer, and pages that are asked of each collection
THREADS = 4
UPDATES = 2  #: collections whose pages are added at the same time

_LAST = f"SELECT seq FROM fetches WHERE {IS_VERSION} ORDER BY seq DESC LIMIT 1"


@dataclass(frozen=True, slots=True)
class Answered:
    """A page that was found.

    collections : names of all that have it, that with the best rank first
    """

    hit: Hit
    collections: tuple[str, ...]
    excerpt: Sequence[tuple[str, bool]]


@dataclass(frozen=True, slots=True)
class Answers:
    """Pages, the best first, and how much of the collections was asked.

    asked : collections with pages
    behind : of these, those with pages that no index has yet
    updating : pages are being added
    troubles : why a collection gave no answer, by name
    """

    pages: Sequence[Answered]
    asked: int
    behind: int
    updating: bool
    troubles: dict[str, str]

    @property
    def told(self) -> str:
        """What a person should know of it; empty where all is well."""
        if not self.behind:
            return ""
        more = "they are being added …" if self.updating else "search in them to see why"
        return f"Of {self.behind:,} of {self.asked:,} collections some pages are not ready to be searched; {more}"


@dataclass(frozen=True, slots=True)
class _Own:
    """The answer of one collection."""

    name: str
    hits: Sequence[Hit] = ()
    has_pages: bool = False
    is_behind: bool = False
    trouble: str = ""


def ask_all(served: Served, query: Query | None) -> Answers:
    """Ask all collections; None asks nothing, and only looks how far the indexes are."""
    shown = [one for name in served.names() if (one := served.find(name)) is not None]
    with ThreadPoolExecutor(THREADS, thread_name_prefix="search") as threads:
        own = list(threads.map(lambda one: _asked(one, query), shown))
        found = _mixed(own)
        excerpts = dict(threads.map(lambda one: (one.name, _excerpts(one, query, found)), shown)) if query else {}
    behind = [one for one, answer in zip(shown, own, strict=True) if answer.is_behind]
    updating = False
    for one in behind[:UPDATES]:
        updating |= one.finding.update()
    pages = [replace(page, excerpt=tuple(parts(excerpts[page.collections[0]].get(page.hit.seq, "")))) for page in found]
    troubles = {answer.name: answer.trouble for answer in own if answer.trouble}
    return Answers(pages, sum(answer.has_pages for answer in own), len(behind), updating, troubles)


def _asked(shown: Shown, query: Query | None) -> _Own:
    try:
        with shown.store() as store:
            last = store.execute(_LAST).fetchone()
            if last is None:
                return _Own(shown.name)
            reached = shown.finding.reached(store)
            hits = _hits(shown, store, query) if query is not None and reached else []
    except FocusedError as error:
        return _Own(shown.name, trouble=str(error))
    return _Own(shown.name, hits, has_pages=True, is_behind=reached < last[0])


def _hits(shown: Shown, store: Store, query: Query) -> list[Hit]:
    with closing(shown.finding.index(store)) as index:
        return found_in(index, store, query, Wanted(), MOST)


def _mixed(answers: Sequence[_Own]) -> list[Answered]:
    """All answers by rank: scores of two indexes say nothing of each other. Pages with all words come first."""
    ranked = [
        ((not hit.all_words, rank, -hit.relevance, answer.name), hit)
        for answer in answers
        for rank, hit in enumerate(answer.hits)
    ]
    ranked.sort(key=lambda one: one[0])
    found: dict[str, Answered] = {}
    for (*_, name), hit in ranked:
        known = found.get(hit.url)
        found[hit.url] = replace(known, collections=(*known.collections, name)) if known else Answered(hit, (name,), ())
    return list(found.values())[:MOST]


def _excerpts(shown: Shown, query: Query, found: Sequence[Answered]) -> dict[int, str]:
    """By number of a fetch of this collection: the passage that answers best."""
    seqs = [page.hit.seq for page in found if page.collections[0] == shown.name]
    if not seqs:
        return {}
    try:
        with shown.store() as store:
            return dict(zip(seqs, shown.finding.excerpts(store, query, seqs), strict=True))
    except FocusedError:
        return {}

"""One URL: what is known of its page, why it was fetched, its neighbours, and what a person says of it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import pairwise
from urllib.parse import urlsplit

import numpy as np
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from focused import strategies
from focused.collection.collection import PAGES, open_repository
from focused.collection.desk import TEACH_PILE
from focused.collection.repository import Stored
from focused.collection.store import Store
from focused.crawl.strategy import Strategy
from focused.desk.dashboard.figures import VersionTable
from focused.desk.dashboard.finding import similar
from focused.desk.dashboard.long_tables import Part, part_of, whole
from focused.desk.dashboard.neighbours import Fate, Linked, Links, fates_of, links_of, neighbours
from focused.desk.dashboard.page_templates import answer, as_file, quoted, see, sent, shown_of
from focused.desk.dashboard.served import Shown
from focused.exceptions import FocusedError, StorageError
from focused.inspection.explanation import meanings_of
from focused.inspection.search import Hit, SearchFilter, hits_of
from focused.inspection.stored_page import FRAMED_HEADERS, StoredPage, described, harmless, nearest_url, page_of_fetch
from focused.live.last_run import LastRun, last_run
from focused.page.media_types import HTML_TYPES, media_type
from focused.page.page_text import page_text
from focused.page.plain_text import plain
from focused.page.urls import UrlRules

LONGEST_TEXT = 30_000  #: characters of a page that are shown
LONGEST_WAY = 30  #: pages from the seed that are shown, the nearest
SIMILAR = 8
PER_PAGE = 50  #: links that are listed at once
REPLAYED = (*HTML_TYPES, "text/plain")
NOT_SHOWN = "<!doctype html><title>-</title><p>"


@dataclass(frozen=True, slots=True)
class PickReason:
    """Why a URL was chosen when it was."""

    time: str
    score: float
    depth: int
    source: int | None  #: id of the page whose link led to it
    parts: dict[str, float]
    meanings: list[tuple[float, str]]
    passed_over: float | None  #: score of a better one that could have been taken


@dataclass(slots=True)
class Dossier:
    """What is known of one URL; `page` is None where it gave none."""

    id: int
    url: str
    host: str
    fate: Fate
    page: StoredPage | None
    choice: PickReason | None
    way: list[tuple[str, str]]  #: pages from a seed to it, each with the words of its link to the next
    links: Links
    facts: list[tuple[str, str]] = field(default_factory=list)
    paragraphs: list[str] = field(default_factory=list)
    is_cut: bool = False  #: whether the page says more than is shown
    content_type: str = ""
    trouble: str = ""  #: why its bytes cannot be shown


def find(store: Store, versions: VersionTable, run: LastRun, text: str) -> tuple[int, StoredPage | None]:
    """Id of the URL that a person wrote, and its page, which may lie elsewhere by now; None: it gave none.

    Raises FocusedError for a URL that the crawl does not know.
    """
    options = run.reading
    rules = UrlRules(options.fold_index, options.strip_parameters, options.strip_session_ids)
    if (canonical := rules.canonical(text)) is None:
        raise FocusedError(f"{text or 'nothing'}: not an http(s) URL")
    if (row := versions.row_of(canonical)) is not None:
        return int(versions.url[row]), page_of_fetch(store, int(versions.seq[row]))
    known = store.execute("SELECT id FROM urls WHERE key = ?", (UrlRules.key(canonical),)).fetchone()
    if known is None:
        near = nearest_url(store, canonical)
        raise FocusedError(f"{canonical}: not known to this crawl{f'; did you mean {near}?' if near else ''}")
    final = store.execute(
        "SELECT final_url FROM fetches WHERE url = ? AND final_url IS NOT NULL ORDER BY seq DESC LIMIT 1", known
    ).fetchone()
    rows = np.flatnonzero(versions.newest & ((versions.url == (final or known)[0]) | (versions.first == known[0])))
    return int(known[0]), page_of_fetch(store, int(versions.seq[rows[-1]])) if len(rows) else None


def stored_bytes(shown: Shown, run: LastRun, page: StoredPage) -> tuple[Stored, str]:
    """A page as it is stored, and its content type. Raises StorageError where its bytes are gone."""
    stored = open_repository(run.pages, shown.folder / PAGES).get(page.place)
    return stored, stored.content_type or page.content_type or ""


def dossier(shown: Shown, store: Store, versions: VersionTable, text: str) -> Dossier:
    """What is known of a URL as a person wrote it. Raises FocusedError for one that the crawl does not know."""
    run = last_run(store)
    url, page = find(store, versions, run, text)
    about = page.id if page else url
    choice = _choice(store, page, url, run)
    ids = [*_way(store, versions, choice.source if choice else None), about]
    links, address = links_of(store, shown.links, about, ids), store.address(about)
    way = [(store.url(one), links.anchors.get((one, to), "")) for one, to in pairwise(ids)]
    fate = fates_of(store, versions, [about])[about]
    found = Dossier(about, address.url, address.host, fate, page, choice, way, links)
    if page:
        _read(shown, store, run, page, found)
    return found


def like(shown: Shown, store: Store, seq: int) -> list[Hit]:
    """The most similar pages by the search index; none where it does not have them yet."""
    try:
        with closing(shown.finding.index(store)) as index:
            is_there = index.reached(store) >= seq
            seqs = similar(index, shown.finding.common_words(index), seq, SIMILAR) if is_there else []
    except StorageError:
        return []
    return list(hits_of(store, seqs, SearchFilter()))


def _read(shown: Shown, store: Store, run: LastRun, page: StoredPage, into: Dossier) -> None:
    """Add what only the page's bytes say."""
    try:
        stored, into.content_type = stored_bytes(shown, run, page)
        into.facts = list(described(store, page, stored, with_path=False))
        text = page_text(stored.body, into.content_type, run.reading) or ""
    except FocusedError as error:
        into.trouble = str(error)
        return
    into.is_cut = len(text) > LONGEST_TEXT
    into.paragraphs = [line for line in text[:LONGEST_TEXT].splitlines() if line.strip()]


def _choice(store: Store, page: StoredPage | None, url: int, run: LastRun) -> PickReason | None:
    which, value = ("seq", page.pick) if page else ("url", url)
    row = store.execute(
        f"SELECT time, score, depth, source, parts, passed_over FROM picks WHERE {which} = ? ORDER BY seq DESC LIMIT 1",
        (value,),
    ).fetchone()
    if row is None:
        return None
    time, score, depth, source, text, passed_over = row
    parts = {str(name): float(number) for name, number in json.loads(text).items()}
    strategy = _strategy(str(run.topic.get("strategy", {}).get("name", "")))
    meanings = list(meanings_of(strategy, parts)) if strategy else []
    return PickReason(time, score, depth, source, parts, meanings, passed_over)


@cache
def _strategy(name: str) -> type[Strategy] | None:
    """Which says what its parts mean; None where it is not at hand, or no code of ours."""
    try:
        return strategies.get_strategy(name) if strategies.is_own(name) else None
    except FocusedError:
        return None


def _way(store: Store, versions: VersionTable, source: int | None) -> list[int]:
    """Ids of the pages from a seed, or from the nearest of many, to a page."""
    way: list[int] = []
    while source is not None and source not in way and len(way) < LONGEST_WAY:
        way.append(source)
        rows: Sequence[int] = np.flatnonzero((versions.url == source) | (versions.first == source))[:1].tolist()
        if not rows:
            break
        (source,) = store.execute(
            "SELECT p.source FROM fetches f JOIN picks p ON p.seq = f.pick WHERE f.seq = ?",
            (int(versions.seq[rows[0]]),),
        ).fetchone() or (None,)
    return way[::-1]


def page(request: Request) -> Response:
    shown, asked = shown_of(request), request.query_params
    with shown.store() as store:
        versions = shown.figures.versions(store)
        try:
            about = dossier(shown, store, versions, asked.get("url", ""))
        except FocusedError as error:
            return _no_page(request, error)
        ways = {"in": about.links.incoming, "out": about.links.outgoing}
        lists = {way: _listed(store, versions, links, asked.get(way, "")) for way, links in ways.items()}
        alike = like(shown, store, about.page.seq) if about.page else []
    desk = shown.desk
    return answer(
        request,
        "page.html",
        about=about,
        lists=lists,
        like=alike,
        verdict=next((one for one in desk.verdicts() if one.url == about.url), None),
        tags=desk.tags().get(about.url, []),
        note=desk.notes().get(about.url, ""),
        replay=asked.get("replay", "") == "1",
        replayable=bool(about.content_type) and media_type(about.content_type, b"") in REPLAYED,
    )


def _listed(store: Store, versions: VersionTable, links: Sequence[Linked], asked: str) -> Part:
    part = part_of(links, whole(asked, 1), PER_PAGE)
    return replace(part, rows=neighbours(store, versions, part.rows))


def _no_page(request: Request, error: FocusedError) -> Response:
    return answer(request, "no_page.html", 404, why=plain(str(error), 1000))


def _stored(request: Request) -> tuple[bytes, str, str]:
    """Body, content type and URL of the page that a request names. Raises FocusedError where there is none."""
    shown = shown_of(request)
    with shown.store() as store:
        run, versions = last_run(store), shown.figures.versions(store)
        _, found = find(store, versions, run, request.query_params.get("url", ""))
        if found is None:
            raise FocusedError("this URL gave no page")
        stored, content_type = stored_bytes(shown, run, found)
        return stored.body, content_type, store.url(found.id)


def replay(request: Request) -> Response:
    """A stored page as it is, for a frame: without scripts, without network, in an origin of its own."""
    try:
        body, content_type, _ = _stored(request)
        data, kind = harmless(body, content_type)
    except FocusedError:
        return HTMLResponse(f"{NOT_SHOWN}This page cannot be shown.", 404, headers=FRAMED_HEADERS)
    return Response(data, media_type=kind, headers=FRAMED_HEADERS)


def download(request: Request) -> Response:
    """The bytes of a stored page, as a file that no browser opens."""
    try:
        body, _, url = _stored(request)
    except FocusedError as error:
        return _no_page(request, error)
    last = urlsplit(url).path.rpartition("/")[2] or "page"
    headers = FRAMED_HEADERS | as_file(f"{last[:80]}.stored")
    return Response(body, media_type="application/octet-stream", headers=headers)


def say(request: Request) -> Response:
    """Keep what a person says of a page: a tag, a note, or a verdict that teaches the crawl."""
    shown, url = shown_of(request), sent(request, "url")
    desk = shown.desk
    match sent(request, "kind"):
        case "tag":
            desk.tag(url, sent(request, "tag"))
        case "untag":
            desk.untag(url, sent(request, "tag"))
        case "note":
            desk.note(url, sent(request, "note"))
        case "verdict":
            said = {"yes": True, "no": False}.get(sent(request, "verdict"))
            desk.judge([(url, TEACH_PILE, said)])
    return see(f"/c/{quoted(shown.name)}/page?url={quoted(url)}#said")


ROUTES = [
    Route("/c/{name}/page", page),
    Route("/c/{name}/replay", replay),
    Route("/c/{name}/download", download),
    Route("/c/{name}/say", say, methods=["POST"]),
]

"""The search of one collection, with filters, saved searches and lists to take along; and one question to all of them."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass, replace
from urllib.parse import parse_qsl

from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from focused.collection.store import IS_VERSION
from focused.desk.dashboard.answering import EVERYTHING, PER_PAGE, SearchForm, answer_to, written
from focused.desk.dashboard.finding import SearchReadiness, understood
from focused.desk.dashboard.launcher import CHOICES
from focused.desk.dashboard.long_tables import part_of
from focused.desk.dashboard.page_templates import answer, as_file, quoted, see, sent, served_of, shown_of
from focused.desk.dashboard.served import Served, Shown
from focused.exceptions import FocusedError
from focused.inspection.search import Hit, SearchFilter, found_in, hits_of
from focused.inspection.search_query import FtsQuery, parts
from focused.seeds.searching.search_providers import shown_spec

TYPES = {"csv": "text/csv; charset=utf-8", "jsonl": "application/x-ndjson", "txt": "text/plain; charset=utf-8"}
MOST = 30  #: pages of an answer, and pages that are asked of each collection
THREADS = 4
UPDATES = 2  #: collections whose pages are added at the same time
_LAST = f"SELECT seq FROM fetches WHERE {IS_VERSION} ORDER BY seq DESC LIMIT 1"
TICKED = 10  #: pages of an answer that a crawl starts from, unless a person says otherwise


def search(request: Request) -> Response:
    shown, form = shown_of(request), SearchForm.of(request.query_params)
    desk = shown.desk
    tags = desk.tags()
    with shown.store() as store:
        found = answer_to(shown, store, form, tags)
        part = part_of(found.seqs.tolist(), form.page, PER_PAGE)
        hits = list(hits_of(store, part.rows, EVERYTHING))
        excerpts = shown.finding.excerpts(store, found.query, [hit.seq for hit in hits])
    rows = [(hit, list(parts(text)), tags.get(hit.url, [])) for hit, text in zip(hits, excerpts, strict=True)]
    told, searches = in_words(found.ready), desk.searches()
    part = replace(part, rows=rows)
    return answer(request, "search.html", form=form, found=found, part=part, in_words=told, searches=searches)


def progress(request: Request) -> Response:
    """How much can be searched by now, for the script that shows it."""
    shown = shown_of(request)
    with shown.store() as store:
        ready = shown.finding.ready(store, shown.figures.versions(store))
    return JSONResponse({"told": in_words(ready), "done": ready.all or not ready.updating})


def download(request: Request) -> Response:
    """All pages of the answer as a file."""
    shown, form = shown_of(request), SearchForm.of(request.query_params)
    kind = request.url.path.rpartition(".")[2]
    with shown.store() as store:
        seqs = answer_to(shown, store, form, shown.desk.tags()).seqs.tolist()
    headers = as_file(f"{shown.name}-search.{kind}")
    return StreamingResponse(written(shown, seqs, kind), media_type=TYPES[kind], headers=headers)


def keep(request: Request) -> Response:
    """Save a search under a name, or forget one."""
    shown = shown_of(request)
    query = sent(request, "query")
    if forgotten := sent(request, "forget"):
        shown.desk.forget_search(forgotten)
    else:
        shown.desk.save_search(sent(request, "as"), query)
    return see(f"/c/{quoted(shown.name)}/search?{_as_form(query)}")


def _as_form(query: str) -> str:
    """The query of an address, made of nothing but fields of the form."""
    return SearchForm.of(dict(parse_qsl(query))).query()


def in_words(ready: SearchReadiness) -> str:
    """What a person should know of the index; empty where all is well."""
    if ready.all:
        return ""
    told = f"{ready.pages:,} of {ready.of:,} pages are ready to be searched"
    return f"{told}; {ready.trouble}" if ready.trouble else f"{told} …"


@dataclass(frozen=True, slots=True)
class Answers:
    """Pages, the best first, and how much of the collections was asked.

    pages : each with the names of all collections that have it, that with the best rank first, and the passage that answers
    asked : collections with pages
    behind : of these, those with pages that no index has yet
    updating : pages are being added
    troubles : why a collection gave no answer, by name
    """

    pages: Sequence[tuple[Hit, Sequence[str], Sequence[tuple[str, bool]]]]
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


def ask_all(served: Served, query: FtsQuery | None) -> Answers:
    """Ask all collections; None asks nothing, and only looks how far the indexes are."""
    shown = [one for name in served.names() if (one := served.find(name)) is not None]
    with ThreadPoolExecutor(THREADS, thread_name_prefix="search") as threads:
        own = list(threads.map(lambda one: _asked(one, query), shown))
        found = _mixed(own)
        excerpts = list(threads.map(lambda one: _excerpts(one, query, found), shown)) if query else []
    behind = [one for one, answer in zip(shown, own, strict=True) if answer.is_behind]
    updating = [one.finding.update() for one in behind[:UPDATES]]
    best = {url: passage for some in excerpts for url, passage in some.items()}
    pages = [(hit, names, tuple(parts(best.get(hit.url, "")))) for hit, names in found]
    troubles = {answer.name: answer.trouble for answer in own if answer.trouble}
    return Answers(pages, sum(answer.has_pages for answer in own), len(behind), any(updating), troubles)


def _asked(shown: Shown, query: FtsQuery | None) -> _Own:
    try:
        with shown.store() as store:
            if (last := store.execute(_LAST).fetchone()) is None:
                return _Own(shown.name)
            reached, hits = shown.finding.reached(store), []
            if query is not None and reached:
                with closing(shown.finding.index(store)) as index:
                    hits = found_in(index, store, query, SearchFilter(), MOST)
    except FocusedError as error:
        return _Own(shown.name, trouble=str(error))
    return _Own(shown.name, hits, has_pages=True, is_behind=reached < last[0])


def _mixed(answers: Sequence[_Own]) -> list[tuple[Hit, list[str]]]:
    """All answers by rank, each with the names of all collections that have it: scores of two indexes say nothing of each other.

    Pages with all words come first.
    """
    ranked = [
        ((not hit.all_words, rank, -hit.relevance, answer.name), hit)
        for answer in answers
        for rank, hit in enumerate(answer.hits)
    ]
    found: dict[str, tuple[Hit, list[str]]] = {}
    for (*_, name), hit in sorted(ranked, key=lambda one: one[0]):
        found.setdefault(hit.url, (hit, []))[1].append(name)
    return list(found.values())[:MOST]


def _excerpts(shown: Shown, query: FtsQuery, found: Sequence[tuple[Hit, list[str]]]) -> dict[str, str]:
    """By URL of a page that this collection answered best: the passage that answers best."""
    seqs = {hit.url: hit.seq for hit, names in found if names[0] == shown.name}
    try:
        with shown.store() as store:
            return (
                dict(zip(seqs, shown.finding.excerpts(store, query, list(seqs.values())), strict=True)) if seqs else {}
            )
    except FocusedError:
        return {}


def ask(request: Request) -> Response:
    """The best pages of all collections, and the form that starts a crawl for the same words."""
    served, text = served_of(request), SearchForm.of(request.query_params).q
    query, told = understood(text)
    answers = ask_all(served, query)
    if served.launcher is not None and query is not None:
        served.launcher.get_ready()
    return answer(
        request,
        "ask.html",
        q=text,
        told=told,
        answers=answers,
        asked=query is not None,
        may_crawl=served.launcher is not None,
        providers=[shown_spec(spec) for spec in served.launcher.search] if served.launcher else [],
        choices=CHOICES,
        ticked=TICKED,
    )


def all_progress(request: Request) -> Response:
    """How far the indexes are, for the script that shows it."""
    answers = ask_all(served_of(request), None)
    return JSONResponse({"told": answers.told, "done": not answers.updating})


ROUTES = [
    Route("/c/{name}/search", search),
    Route("/c/{name}/search/progress", progress),
    *(Route(f"/c/{{name}}/search.{kind}", download) for kind in TYPES),
    Route("/c/{name}/searches", keep, methods=["POST"]),
    Route("/search", ask),
    Route("/search/progress", all_progress),
]

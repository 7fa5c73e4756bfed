"""The search of one collection: words, filters with counts, saved searches, and lists to take along."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import parse_qsl, quote

from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from focused.collection.excerpts import parts
from focused.collection.search import Hit, hits_of
from focused.desk.dashboard.answering import EVERYTHING, PER_PAGE, answer_to, written
from focused.desk.dashboard.finding import Ready
from focused.desk.dashboard.page_templates import quoted
from focused.desk.dashboard.search_form import SearchForm
from focused.desk.dashboard.table_form import place
from focused.desk.dashboard.views.requested import answer, sent, see, shown_of

TYPES = {"csv": "text/csv; charset=utf-8", "jsonl": "application/x-ndjson", "txt": "text/plain; charset=utf-8"}


@dataclass(frozen=True, slots=True)
class FoundPage:
    """A page of the answer as it is shown."""

    hit: Hit
    excerpt: list[tuple[str, bool]]  #: parts, and whether each is marked
    tags: list[str]


def search(request: Request) -> Response:
    shown, form = shown_of(request), SearchForm.of(request.query_params)
    desk = shown.desk
    tags = desk.tags()
    with shown.store() as store:
        found = answer_to(shown, store, form, tags)
        count = len(found.seqs)
        start, number, pages = place(count, form.page, PER_PAGE)
        seqs = found.seqs[start : start + PER_PAGE].tolist()
        hits = list(hits_of(store, seqs, EVERYTHING))
        excerpts = shown.finding.excerpts(store, found.query, [hit.seq for hit in hits])
    values = {
        "name": shown.name,
        "form": form,
        "found": found,
        "count": count,
        "start": start,
        "number": number,
        "pages": pages,
        "rows": [
            FoundPage(hit, list(parts(excerpt)), tags.get(hit.url, []))
            for hit, excerpt in zip(hits, excerpts, strict=True)
        ],
        "in_words": in_words(found.ready),
        "searches": desk.searches(),
    }
    return answer(request, "search.html", values)


def progress(request: Request) -> Response:
    """How much can be searched by now, for the script that shows it."""
    shown = shown_of(request)
    with shown.store() as store:
        ready = shown.finding.ready(store, shown.versions.read(store))
    return JSONResponse({"told": in_words(ready), "done": ready.all or not ready.updating})


def download(request: Request) -> Response:
    """All pages of the answer as a file."""
    shown, form = shown_of(request), SearchForm.of(request.query_params)
    kind = request.url.path.rpartition(".")[2]
    with shown.store() as store:
        seqs = answer_to(shown, store, form, shown.desk.tags()).seqs.tolist()
    name = quote(f"{shown.name}-search.{kind}", safe="")
    headers = {"Content-Disposition": f"attachment; filename*=UTF-8''{name}"}
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


def in_words(ready: Ready) -> str:
    """What a person should know of the index; empty where all is well."""
    if ready.all:
        return ""
    told = f"{ready.pages:,} of {ready.of:,} pages are ready to be searched"
    return f"{told}; {ready.trouble}" if ready.trouble else f"{told} …"


ROUTES = [
    Route("/c/{name}/search", search),
    Route("/c/{name}/search/progress", progress),
    *(Route(f"/c/{{name}}/search.{kind}", download) for kind in TYPES),
    Route("/c/{name}/searches", keep, methods=["POST"]),
]

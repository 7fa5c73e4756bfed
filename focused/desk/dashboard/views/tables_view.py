"""Tables: hosts, failures, dropped URLs and the queue; sites as companies; news; and the queue of a portal's editors."""

from __future__ import annotations

from dataclasses import replace
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from focused.collection.collection import mark_of
from focused.desk.dashboard.long_tables import (
    COLUMNS,
    DROPS,
    FAILURES,
    Source,
    TableForm,
    host_rows,
    ordered,
    part_of,
    reasons_of,
    unfetched,
    whole,
)
from focused.desk.dashboard.page_templates import answer, as_file, quoted, see, sent, shown_of
from focused.desk.news.letter import ReadMarks, atom_feed, news_of
from focused.desk.portal.editing import STATES, category_name, queue_of, take
from focused.desk.sites import Sites, table_lines
from focused.exceptions import FocusedError

READER = "dashboard"  #: who looks here: what is told elsewhere stays new here
MOST = 20  #: pages of each kind that are shown
ROWS = 20  #: entries of a page
ACCEPT_REST = "accept"  #: value of the button that accepts all of which nothing is said


def hosts(request: Request) -> Response:
    shown, form = shown_of(request), TableForm.of(request.query_params)
    form = replace(form, sort=form.sort if form.sort in COLUMNS else COLUMNS[0])
    known = shown.waiting.last
    with shown.store() as store:
        rows = host_rows(store, shown.figures.numbers(store), known.hosts if known else {})
    found = [row for row in rows if form.q.lower() in row.host]
    part = part_of(ordered(found, form.sort, up=bool(form.up)), form.page)
    return answer(request, "hosts.html", form=form, part=part, all=len(rows), waits_known=known is not None)


def failures(request: Request) -> Response:
    return _unfetched(request, FAILURES, "failures")


def dropped(request: Request) -> Response:
    return _unfetched(request, DROPS, "dropped")


def _unfetched(request: Request, source: Source, which: str) -> Response:
    shown, form = shown_of(request), TableForm.of(request.query_params)
    with shown.store() as store:
        reasons = shown.reasons[source].of(store.committed, lambda: reasons_of(store, source))
        part = unfetched(store, source, form, reasons)
    return answer(request, "unfetched.html", form=form, part=part, reasons=reasons.most_common(), which=which)


def queue(request: Request) -> Response:
    """What comes next, as far as it is known; reading it takes a process of its own a while."""
    shown, form = shown_of(request), TableForm.of(request.query_params)
    with shown.store() as store:
        look = shown.waiting.look(store)
    urls = look.waiting.urls if look.waiting else []
    found = [(place, one) for place, one in enumerate(urls, 1) if form.q.lower() in one["url"].lower()]
    part, running = part_of(found, form.page), shown.is_running
    return answer(request, "queue.html", form=form, part=part, look=look, listed=len(urls), running=running)


def progress(request: Request) -> Response:
    """Whether the queue has been read, for the script that waits for it."""
    shown = shown_of(request)
    with shown.store() as store:
        look = shown.waiting.look(store)
    return JSONResponse({"told": look.trouble or "Reading the state of the crawl …", "done": not look.reading})


def companies(request: Request) -> Response:
    form, sites, found = _sites(request)
    part = part_of(found, form.page)
    return answer(request, "companies.html", form=form, part=replace(part, rows=list(sites.shown(part.rows))))


def table(request: Request) -> Response:
    _, sites, found = _sites(request)
    headers = as_file(f"{request.path_params['name']}-sites.csv")
    return StreamingResponse(table_lines(sites, found), media_type="text/csv; charset=utf-8", headers=headers)


def _sites(request: Request) -> tuple[TableForm, Sites, list[int]]:
    """What is asked, all sites, and the numbers of those that are shown."""
    shown, form = shown_of(request), TableForm.of(request.query_params)
    with shown.store() as store:
        sites = shown.sites(store)
    return form, sites, sites.ordered(seeds=form.seeds == "yes", q=form.q.lower())


def news(request: Request) -> Response:
    return answer(request, "news.html", news=news_of(shown_of(request).folder, READER, most=MOST), most=MOST)


def seen(request: Request) -> Response:
    """Note that all up to an event has been seen. Field: ``upto``."""
    shown, upto = shown_of(request), whole(sent(request, "upto"))
    if upto < 0:
        raise FocusedError("Nothing was noted: the page did not say up to where you have seen it. Load it again.")
    with shown.store() as store:
        mark, committed = mark_of(store), store.committed
    looks = ReadMarks(shown.folder)
    last = looks.last(READER, mark)
    if last.seq < upto <= committed:
        looks.note(READER, last, upto)
    return see(f"/c/{quoted(shown.name)}/news")


def feed(request: Request) -> Response:
    shown = shown_of(request)
    address = str(request.url.replace(query=""))
    return Response(atom_feed(shown.folder, address), media_type="application/atom+xml; charset=utf-8")


def portal(request: Request) -> Response:
    """Fields of the address: ``show``, ``category``, ``page``."""
    shown, form = shown_of(request), TableForm.of(request.query_params)
    show, category = form.show if form.show in STATES else STATES[0], category_name(form.category)
    with shown.store() as store:
        queue = queue_of(shown.folder, mark_of(store))
    found = [one for one in queue if one.state == show and category in ("", one.category)]
    return answer(
        request,
        "portal.html",
        form=replace(form, show=show, category=category),
        counts={state: sum(one.state == state for one in queue) for state in STATES},
        categories=sorted({one.category for one in queue if one.category}),
        part=part_of(found, form.page, ROWS),
    )


def decide(request: Request) -> Response:
    """Fields: ``url0``, ``say0``, ``category0`` and so on; ``rest``; ``show`` and ``category`` of the page that is left."""
    shown = shown_of(request)
    rest = "accept" if sent(request, "rest") == ACCEPT_REST else ""
    said = [
        (url, sent(request, f"say{row}") or rest, sent(request, f"category{row}"))
        for row in range(ROWS)
        if (url := sent(request, f"url{row}"))
    ]
    with shown.store() as store:
        mark = mark_of(store)
    take(shown.folder, mark, said)
    query = urlencode({name: sent(request, name) for name in ("show", "category")})
    return see(f"/c/{quoted(shown.name)}/portal?{query}")


ROUTES = [
    Route("/c/{name}/hosts", hosts),
    Route("/c/{name}/failures", failures),
    Route("/c/{name}/dropped", dropped),
    Route("/c/{name}/queue", queue),
    Route("/c/{name}/queue/progress", progress),
    Route("/c/{name}/companies", companies),
    Route("/c/{name}/companies.csv", table),
    Route("/c/{name}/news", news),
    Route("/c/{name}/news/seen", seen, methods=["POST"]),
    Route("/c/{name}/news.atom", feed),
    Route("/c/{name}/portal", portal),
    Route("/c/{name}/portal/decide", decide, methods=["POST"]),
]

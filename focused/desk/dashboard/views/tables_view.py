"""Hosts, failures, dropped URLs and the queue, as tables."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from focused.desk.dashboard.host_rows import COLUMNS, host_rows, ordered
from focused.desk.dashboard.table_form import TableForm, part_of
from focused.desk.dashboard.unfetched import DROPS, FAILURES, Source
from focused.desk.dashboard.views.requested import answer, shown_of


def hosts(request: Request) -> Response:
    shown = shown_of(request)
    form = TableForm.of(request.query_params, COLUMNS)
    known = shown.waiting.last
    with shown.store() as store:
        rows = host_rows(store, shown.figures.numbers(store), known.hosts if known else {})
    found = [row for row in rows if form.q.lower() in row.host]
    part = part_of(ordered(found, form.sort, up=form.up == "yes"), form)
    values = {"name": shown.name, "form": form, "part": part, "all": len(rows), "waits_known": known is not None}
    return answer(request, "hosts.html", values)


def failures(request: Request) -> Response:
    return _unfetched(request, FAILURES, "failures")


def dropped(request: Request) -> Response:
    return _unfetched(request, DROPS, "dropped")


def _unfetched(request: Request, source: Source, which: str) -> Response:
    shown, form = shown_of(request), TableForm.of(request.query_params)
    with shown.store() as store:
        part = shown.unfetched.part(store, source, form)
    return answer(request, "unfetched.html", {"name": shown.name, "form": form, "part": part, "which": which})


def queue(request: Request) -> Response:
    """What comes next, as far as it is known; reading it takes a process of its own a while."""
    shown, form = shown_of(request), TableForm.of(request.query_params)
    with shown.store() as store:
        look = shown.waiting.look(store)
    urls = look.waiting.urls if look.waiting else []
    found = [(place, one) for place, one in enumerate(urls, 1) if form.q.lower() in one["url"].lower()]
    values = {
        "name": shown.name,
        "form": form,
        "part": part_of(found, form),
        "look": look,
        "listed": len(urls),
        "running": shown.is_running,
    }
    return answer(request, "queue.html", values)


def progress(request: Request) -> Response:
    """Whether the queue has been read, for the script that waits for it."""
    shown = shown_of(request)
    with shown.store() as store:
        look = shown.waiting.look(store)
    return JSONResponse({"told": look.trouble or "Reading the state of the crawl …", "done": not look.reading})


ROUTES = [
    Route("/c/{name}/hosts", hosts),
    Route("/c/{name}/failures", failures),
    Route("/c/{name}/dropped", dropped),
    Route("/c/{name}/queue", queue),
    Route("/c/{name}/queue/progress", progress),
]

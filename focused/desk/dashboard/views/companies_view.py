"""The sites of a collection by registered domain, rated, with evidence and contact pages; as a table and as CSV."""

from __future__ import annotations

from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route

from focused.desk.companies.sites import table_lines
from focused.desk.dashboard.table_form import PER_PAGE, TableForm, place
from focused.desk.dashboard.views.requested import answer, shown_of


def companies(request: Request) -> Response:
    shown, form = shown_of(request), TableForm.of(request.query_params)
    with_seeds = request.query_params.get("seeds") == "yes"
    with shown.store() as store:
        sites = shown.sites.sites(store)
    found = sites.ordered(seeds=with_seeds, q=form.q.lower())
    start, number, pages = place(len(found), form.page, PER_PAGE)
    kept = {"q": form.q, "seeds": "yes" if with_seeds else ""}
    values = {
        "name": shown.name,
        "form": form,
        "rows": list(sites.shown(found[start : start + PER_PAGE])),
        "count": len(found),
        "number": number,
        "pages": pages,
        "with_seeds": with_seeds,
        "query": urlencode({key: value for key, value in kept.items() if value}),
    }
    return answer(request, "companies.html", values)


def table(request: Request) -> Response:
    shown, form = shown_of(request), TableForm.of(request.query_params)
    with shown.store() as store:
        sites = shown.sites.sites(store)
    found = sites.ordered(seeds=request.query_params.get("seeds") == "yes", q=form.q.lower())
    name = shown.name.encode("ascii", "replace").decode().replace('"', "_").replace("\\", "_")
    headers = {"Content-Disposition": f'attachment; filename="{name}-sites.csv"'}
    return StreamingResponse(table_lines(sites, found), media_type="text/csv; charset=utf-8", headers=headers)


ROUTES = [Route("/c/{name}/companies", companies), Route("/c/{name}/companies.csv", table)]

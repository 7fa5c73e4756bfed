"""The queue of a portal's editors: they accept and reject pages, and move them into other categories."""

from __future__ import annotations

from urllib.parse import quote, urlencode

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from focused.collection.collection import mark_of
from focused.desk.dashboard.table_form import page_number, place
from focused.desk.dashboard.views.requested import answer, sent, see, shown_of
from focused.desk.portal.editing import STATES, Said, categories_in, counted, queue_of, take
from focused.desk.portal.placements import LONGEST_CATEGORY
from focused.page.plain_text import plain

ROWS = 20  #: entries of a page
ACCEPT_REST = "accept"  #: value of the button that accepts all of which nothing is said


def portal(request: Request) -> Response:
    """Fields of the address: ``show``, ``category``, ``page``."""
    shown, given = shown_of(request), request.query_params
    with shown.store() as store:
        queue = queue_of(shown.folder, mark_of(store))
    show = given.get("show", "") if given.get("show", "") in STATES else STATES[0]
    category = plain(given.get("category", ""), LONGEST_CATEGORY)
    found = [one for one in queue if one.state == show and category in ("", one.category)]
    start, number, pages = place(len(found), page_number(given.get("page", "")), ROWS)
    values = {
        "name": shown.name,
        "is_made": bool(queue),
        "counts": counted(queue),
        "rows": found[start : start + ROWS],
        "categories": categories_in(queue),
        "show": show,
        "category": category,
        "query": urlencode({"show": show, "category": category}),
        "number": number,
        "pages": pages,
    }
    return answer(request, "portal.html", values)


def decide(request: Request) -> Response:
    """Fields: ``url0``, ``say0``, ``category0`` and so on; ``rest``; ``show`` and ``category`` of the page that is left."""
    shown = shown_of(request)
    rest = "accept" if sent(request, "rest") == ACCEPT_REST else ""
    said = [
        Said(url, sent(request, f"say{row}") or rest, sent(request, f"category{row}"))
        for row in range(ROWS)
        if (url := sent(request, f"url{row}"))
    ]
    with shown.store() as store:
        mark = mark_of(store)
    take(shown.folder, mark, said)
    query = urlencode({"show": sent(request, "show"), "category": sent(request, "category")})
    return see(f"/c/{quote(shown.name, safe='')}/portal?{query}")


ROUTES = [Route("/c/{name}/portal", portal), Route("/c/{name}/portal/decide", decide, methods=["POST"])]

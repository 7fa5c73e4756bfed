"""One URL: what is known of its page, why it was fetched, its neighbours, and what a person says of it."""

from __future__ import annotations

from collections.abc import Sequence
from urllib.parse import quote, urlsplit

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from focused.collection.desk import TEACH_PILE
from focused.collection.store import Store
from focused.desk.dashboard.dossier import dossier, find, like, stored_bytes
from focused.desk.dashboard.neighbours import Linked, neighbours
from focused.desk.dashboard.page_templates import quoted
from focused.desk.dashboard.table_form import Part, page_number, place
from focused.desk.dashboard.versions import Versions
from focused.desk.dashboard.views.requested import answer, sent, see, shown_of
from focused.exceptions import FocusedError
from focused.explain.one_visit import FRAMED_HEADERS, harmless
from focused.explain.stored_page import page_of_fetch
from focused.live.last_run import last_run
from focused.page.decoding import HTML_TYPES, media_type
from focused.page.plain_text import plain

PER_PAGE = 50  #: links that are listed at once
REPLAYED = (*HTML_TYPES, "text/plain")
NOT_SHOWN = "<!doctype html><title>-</title><p>"


def page(request: Request) -> Response:
    shown = shown_of(request)
    asked = request.query_params
    with shown.store() as store:
        versions = shown.versions.read(store)
        try:
            about = dossier(shown, store, versions, asked.get("url", ""))
        except FocusedError as error:
            return answer(request, "no_page.html", {"name": shown.name, "why": plain(str(error), 1000)}, 404)
        lists = {
            way: _listed(store, versions, links, asked.get(way, ""))
            for way, links in (("in", about.links.incoming), ("out", about.links.outgoing))
        }
        values = {
            "name": shown.name,
            "about": about,
            "lists": lists,
            "like": like(shown, store, about.page.seq) if about.page else [],
        }
    desk = shown.desk
    verdict = next((one for one in desk.verdicts() if one.url == about.url), None)
    values |= {
        "tags": desk.tags().get(about.url, []),
        "note": desk.notes().get(about.url, ""),
        "verdict": verdict,
        "replay": asked.get("replay", "") == "1",
        "replayable": media_type(about.content_type, b"") in REPLAYED if about.content_type else False,
    }
    return answer(request, "page.html", values)


def _listed(store: Store, versions: Versions, links: Sequence[Linked], asked: str) -> Part:
    start, number, pages = place(len(links), page_number(asked), PER_PAGE)
    return Part(neighbours(store, versions, links[start : start + PER_PAGE]), len(links), number, pages)


def _stored(request: Request) -> tuple[bytes, str, str]:
    """Body, content type and URL of the page that a request names. Raises FocusedError where there is none."""
    shown = shown_of(request)
    with shown.store() as store:
        run, versions = last_run(store), shown.versions.read(store)
        _, row = find(store, versions, run, request.query_params.get("url", ""))
        if row is None:
            raise FocusedError("this URL gave no page")
        found = page_of_fetch(store, int(versions.seq[row]))
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
        return answer(request, "no_page.html", {"name": shown_of(request).name, "why": plain(str(error), 1000)}, 404)
    last = urlsplit(url).path.rpartition("/")[2] or "page"
    headers = {
        **FRAMED_HEADERS,
        "Content-Disposition": f"attachment; filename*=UTF-8''{quote(last[:80], safe='')}.stored",
    }
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

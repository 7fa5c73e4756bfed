"""What is new in a collection since a person looked here last, and the same events as an Atom feed."""

from __future__ import annotations

from urllib.parse import quote

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from focused.collection.collection import mark_of
from focused.desk.dashboard.views.requested import answer, sent, see, shown_of
from focused.desk.news.atom_feed import atom_feed
from focused.desk.news.letter import news_of
from focused.desk.news.looks import Looks
from focused.exceptions import FocusedError

READER = "dashboard"  #: who looks here: what is told elsewhere stays new here
MOST = 20  #: pages of each kind that are shown


def news(request: Request) -> Response:
    shown = shown_of(request)
    found = news_of(shown.folder, READER, most=MOST)
    return answer(request, "news.html", {"name": shown.name, "news": found, "most": MOST})


def seen(request: Request) -> Response:
    """Note that all up to an event has been seen. Field: ``upto``."""
    shown, upto = shown_of(request), sent(request, "upto")
    if not (upto.isascii() and upto.isdecimal() and len(upto) < 18):
        raise FocusedError("Nothing was noted: the page did not say up to where you have seen it. Load it again.")
    with shown.store() as store:
        mark, committed = mark_of(store), store.committed
    looks = Looks(shown.folder)
    last = looks.last(READER, mark)
    if last.seq < int(upto) <= committed:
        looks.note(READER, last, int(upto))
    return see(f"/c/{quote(shown.name, safe='')}/news")


def feed(request: Request) -> Response:
    shown = shown_of(request)
    address = str(request.url.replace(query=""))
    return Response(atom_feed(shown.folder, address), media_type="application/atom+xml; charset=utf-8")


ROUTES = [
    Route("/c/{name}/news", news),
    Route("/c/{name}/news/seen", seen, methods=["POST"]),
    Route("/c/{name}/news.atom", feed),
]

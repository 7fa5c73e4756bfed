"""The first page: all collections with how they stand, and crawls that can be started."""

from __future__ import annotations

from dataclasses import dataclass

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from focused.desk.dashboard.new_crawl import CHOICES
from focused.desk.dashboard.served import Served
from focused.desk.dashboard.standing import Standing, sparkline, standing
from focused.desk.dashboard.views.requested import answer, sent, see, served_of
from focused.exceptions import FocusedError


@dataclass(frozen=True, slots=True)
class Row:
    """A collection in the list; one that cannot be read has `trouble` alone."""

    name: str
    stands: Standing | None
    line: str = ""  #: points of its sparkline
    trouble: str = ""


def index(request: Request) -> Response:
    served = served_of(request)
    rows = [_row(served, name) for name in served.names()]
    rows.sort(key=lambda row: (not (row.stands and row.stands.running), row.name))
    launcher = served.launcher
    values = {
        "rows": rows,
        "data": served.data,
        "topics": launcher.topics() if launcher else [],
        "choices": CHOICES if launcher else {},
        "failed": launcher.failures() if launcher else {},
    }
    return answer(request, "collections.html", values)


def start(request: Request) -> Response:
    """Start the crawl of a topic file, or go on with it."""
    launcher = served_of(request).launcher
    if launcher is None:
        raise HTTPException(403, "This dashboard only shows collections: start the crawl in a terminal.")
    launcher.start(sent(request, "topic"))
    return see("/")


def _row(served: Served, name: str) -> Row:
    shown = served.find(name)
    try:
        if shown is None:
            return Row(name, None, trouble="it is gone")
        with shown.store() as store:
            stands = standing(shown, store)
    except FocusedError as error:
        return Row(name, None, trouble=str(error))
    return Row(name, stands, sparkline(stands.numbers.pages.relevant))


ROUTES = [Route("/", index), Route("/start", start, methods=["POST"])]

"""Commands of a person for the crawl: fixed ones only, kept on the desk until the crawl takes them."""

from __future__ import annotations

from urllib.parse import quote

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from focused.collection.desk import OF_RUN
from focused.crawl.standing_orders import LIMITS
from focused.desk.dashboard.standing import standing
from focused.desk.dashboard.steering import WORDS, order, steering
from focused.desk.dashboard.views.requested import answer, sent, see, shown_of
from focused.exceptions import FocusedError


def steer(request: Request) -> Response:
    """Ask something of the crawl, and go back to where it was asked.

    Fields: ``kind``, ``argument`` (a URL or a host), ``value`` (of a budget; or its limits in fields of their own), ``back``.
    """
    shown = shown_of(request)
    limits = " ".join(f"{name}={number}" for name in LIMITS if (number := sent(request, name).strip()))
    asked = order(sent(request, "kind"), sent(request, "argument"), sent(request, "value") or limits)
    if asked[0] in OF_RUN and not shown.is_running:
        raise FocusedError(f"No crawl of {shown.name} is running: there is nothing to {WORDS[asked[0]]}.")
    shown.desk.ask(*asked)
    home, back = f"/c/{quote(shown.name, safe='')}/", sent(request, "back")
    return see(back if back.startswith(home) else home)


def steered(request: Request) -> Response:
    """The part of the overview that changes when the crawl has taken a command, alone: for the script that keeps it fresh."""
    shown = shown_of(request)
    with shown.store() as store:
        values = {"name": shown.name, "steering": steering(shown, standing(shown, store)), "command_words": WORDS}
    return answer(request, "steered.html", values)


ROUTES = [Route("/c/{name}/steer", steer, methods=["POST"]), Route("/c/{name}/steered", steered)]

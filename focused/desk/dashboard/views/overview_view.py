"""The overview of one collection: figures, harvest curve, hosts, newest relevant pages, and what looks wrong."""

from __future__ import annotations

import math

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from focused.collection.desk import OF_RUN
from focused.collection.store import Store
from focused.crawl.standing_orders import LIMITS
from focused.desk.dashboard.figures import runs_of
from focused.desk.dashboard.found_hits import NEWEST
from focused.desk.dashboard.long_tables import host_rows
from focused.desk.dashboard.page_templates import answer, quoted, see, sent, shown_of
from focused.desk.dashboard.served import Shown
from focused.desk.dashboard.standing import WORDS, CollectionStatus, curve, order, standing, steering, tiles, warnings
from focused.exceptions import FocusedError
from focused.explain.strangers import (
    MORE_RELEVANT,
    MOST_NAMED,
    Stranger,
    harvest_without,
    strangers,
    told_by_a_person,
)
from focused.inspection.collection_report import Brought, what_they_brought

HOSTS, RECENT, QUESTIONS = 12, 8, 12  #: that are shown


def overview(request: Request) -> Response:
    shown = shown_of(request)
    with shown.store() as store:
        stands = standing(shown, store)
        found = strangers_of(shown, store, stands)
        hosts = [row for row in host_rows(store, stands.numbers, {}) if row.pages]
        return answer(
            request,
            "overview.html",
            stands=stands,
            tiles=tiles(stands),
            judged=shown.judged_harvest(store, len(stands.numbers.pages)),
            newest=shown.hits.read(store, NEWEST, RECENT, in_short=True),
            questions=best_questions(shown, store),
            hosts=sorted(hosts, key=lambda row: (-row.relevant, -row.pages))[:HOSTS],
            warnings=list(warnings(store, stands)),
            strangers=found,
            most_strangers=MOST_NAMED,
            harvest_without=harvest_without(found) if found else 0.0,
            steering=steering(shown, stands.topic),
            command_words=WORDS,
        )


def newest_pages(request: Request) -> Response:
    """The list of the newest relevant pages alone, for the script that keeps it fresh."""
    shown = shown_of(request)
    with shown.store() as store:
        return answer(request, "newest.html", newest=shown.hits.read(store, NEWEST, RECENT, in_short=True))


def curve_points(request: Request) -> Response:
    """Pages fetched and the two harvest rates, as three lists."""
    return JSONResponse(curve(shown_of(request).numbers().pages.relevant))


def best_questions(shown: Shown, store: Store) -> list[Brought]:
    """The questions to searches that led to most relevant pages."""
    (last,) = store.execute("SELECT max(seq) FROM fetches").fetchone()
    brought = shown.brought.of((runs_of(store), last), lambda: what_they_brought(store))
    return sorted(brought, key=lambda one: (-one.reached_relevant, -one.reached, one.asked.seq))[:QUESTIONS]


def strangers_of(shown: Shown, store: Store, stands: CollectionStatus) -> list[Stranger]:
    """Strangers of a collection; of one that is crawled as they were when it had a few pages less."""
    count = stands.numbers.relevant
    step = round(math.log(max(1, count), MORE_RELEVANT)) if stands.running else count
    made_of = runs_of(store), told_by_a_person(store), stands.running, step
    return shown.strangers.of(made_of, lambda: strangers(store))


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
    home, back = f"/c/{quoted(shown.name)}/", sent(request, "back")
    return see(back if back.startswith(home) else home)


def steered(request: Request) -> Response:
    """The part of the overview that changes when the crawl has taken a command, alone: for the script that keeps it fresh."""
    shown = shown_of(request)
    with shown.store() as store:
        stands = standing(shown, store)
    said = steering(shown, stands.topic)
    return answer(request, "steered.html", stands=stands, steering=said, command_words=WORDS)


ROUTES = [
    Route("/c/{name}/", overview),
    Route("/c/{name}/newest", newest_pages),
    Route("/c/{name}/curve.json", curve_points),
    Route("/c/{name}/steer", steer, methods=["POST"]),
    Route("/c/{name}/steered", steered),
]

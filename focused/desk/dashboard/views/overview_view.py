"""The overview of one collection: figures, harvest curve, hosts, newest relevant pages, and what looks wrong."""

from __future__ import annotations

import asyncio
import json
import math
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from focused.collection.collection import DATABASE
from focused.collection.desk import OF_RUN
from focused.collection.store import Store
from focused.crawl.standing_orders import LIMITS
from focused.desk.dashboard.figures import Numbers, runs_of
from focused.desk.dashboard.page_templates import answer, quoted, see, sent, shown_of
from focused.desk.dashboard.served import Shown
from focused.desk.dashboard.standing import WORDS, CollectionStatus, curve, order, standing, steering, warnings
from focused.exceptions import FocusedError
from focused.explain.plain_output import in_words
from focused.explain.strangers import (
    MORE_RELEVANT,
    MOST_NAMED,
    Stranger,
    harvest_without,
    strangers,
    told_by_a_person,
)
from focused.live.questions import Brought, what_they_brought

STILL_HERE = ": still here\n\n"  #: says that a stream is alive
_NEWEST = """
SELECT f.seq, u.url, f.title, f.relevance, f.time, p.score, p.depth, s.url FROM fetches f
JOIN urls u ON u.id = f.final_url JOIN picks p ON p.seq = f.pick LEFT JOIN urls s ON s.id = p.source
WHERE f.outcome = 'page' AND f.relevant = 1 ORDER BY f.seq DESC LIMIT ?
"""
LOOK_SECONDS = 1.0


def message(event: str, data: Any) -> str:
    """One event as it is sent."""
    return f"event: {event}\ndata: {json.dumps(data)}\n\n"


def stamp_of(folder: Path) -> list[tuple[int, int]]:
    """What is another when somebody has written to the database of a collection."""
    found = []
    for name in (DATABASE, f"{DATABASE}-wal"):
        try:
            status = (folder / name).stat()
        except OSError:
            continue
        found.append((status.st_mtime_ns, status.st_size))
    return found


HOSTS, NEWEST, QUESTIONS = 12, 8, 12


@dataclass(frozen=True, slots=True)
class HostRow:
    name: str
    pages: int
    relevant: int
    failures: int


@dataclass(frozen=True, slots=True)
class NewPage:
    """A relevant page, and why it was fetched."""

    seq: int
    url: str
    title: str
    relevance: float
    time: str
    score: float
    depth: int
    source: str | None  #: URL of the page that led to it


def overview(request: Request) -> Response:
    shown = shown_of(request)
    with shown.store() as store:
        stands = standing(shown, store)
        values = {
            "name": shown.name,
            "stands": stands,
            "tiles": tiles(stands),
            "judged": shown.judged.in_short(store, len(stands.numbers.pages)),
            "newest": newest(store),
            "questions": best_questions(shown, store),
            "hosts": best_hosts(stands.numbers, HOSTS),
            "warnings": list(warnings(store, stands)),
            "strangers": (found := strangers_of(shown, store, stands)),
            "most_strangers": MOST_NAMED,
            "harvest_without": harvest_without(found) if found else 0.0,
            "curve": f"/c/{shown.name}/curve.json",
            "steering": steering(shown, stands),
            "command_words": WORDS,
        }
    return answer(request, "overview.html", values)


def newest_pages(request: Request) -> Response:
    """The list of the newest relevant pages alone, for the script that keeps it fresh."""
    shown = shown_of(request)
    with shown.store() as store:
        return answer(request, "newest.html", {"name": shown.name, "newest": newest(store)})


def curve_points(request: Request) -> Response:
    """Pages fetched and the two harvest rates, as three lists."""
    return JSONResponse(curve(shown_of(request).numbers().pages.relevant))


def tiles(stands: CollectionStatus) -> dict[str, str]:
    """The figures that stand above all else, by their names: the same on the page and in what a running crawl sends."""
    numbers, last = stands.numbers, stands.last
    left = stands.seconds_left
    return {
        "pages": f"{len(numbers.pages):,}",
        "relevant": f"{numbers.relevant:,}",
        "harvest": f"{numbers.harvest:.0%}",
        "last": last.in_short() if last else "–",
        "waiting": "–" if stands.waiting is None else f"{stands.waiting:,}",
        "hosts": f"{numbers.hosts_with_pages:,}",
        "failures": f"{numbers.failures:,}",
        "pace": f"{stands.pace:.1f}/s" if stands.running and stands.pace else "–",
        "left": in_words(left) if left is not None else "–",
    }


def best_hosts(numbers: Numbers, most: int) -> list[HostRow]:
    """Hosts with the most relevant pages, then with the most pages."""
    pages = numbers.pages
    count = len(numbers.hosts)
    fetched = np.bincount(pages.host, minlength=count)
    relevant = np.bincount(pages.host[pages.relevant], minlength=count)
    order = np.lexsort((np.arange(count), -fetched, -relevant))[:most]
    return [
        HostRow(numbers.hosts[host], int(fetched[host]), int(relevant[host]), numbers.failures_by_host[host])
        for host in order.tolist()
        if fetched[host]
    ]


def best_questions(shown: Shown, store: Store, most: int = QUESTIONS) -> list[Brought]:
    """The questions to searches that led to most relevant pages."""
    (last,) = store.execute("SELECT max(seq) FROM fetches").fetchone()
    brought = shown.brought.of((runs_of(store), last), lambda: what_they_brought(store)) or []
    return sorted(brought, key=lambda one: (-one.reached_relevant, -one.reached, one.asked.seq))[:most]


def strangers_of(shown: Shown, store: Store, stands: CollectionStatus) -> list[Stranger]:
    """Strangers of a collection; of one that is crawled as they were when it had a few pages less."""
    count = stands.numbers.relevant
    step = round(math.log(max(1, count), MORE_RELEVANT)) if stands.running else count
    made_of = runs_of(store), told_by_a_person(store), stands.running, step
    return shown.strangers.of(made_of, lambda: strangers(store)) or []


def newest(store: Store, most: int = NEWEST) -> list[NewPage]:
    rows = store.execute(_NEWEST, (most,)).fetchall()
    return [NewPage(seq, url, title or "", *rest) for seq, url, title, *rest in rows]


def live(request: Request) -> Response:
    return StreamingResponse(_messages(request, shown_of(request)), media_type="text/event-stream")


async def _messages(request: Request, shown: Shown) -> AsyncIterator[str]:
    before = None
    while not await request.is_disconnected():
        stamp = stamp_of(shown.folder)
        running = await asyncio.to_thread(lambda: shown.is_running)
        if stamp != before:
            yield message("figures", await asyncio.to_thread(_figures, shown))
        else:
            yield STILL_HERE
        before = stamp
        if not running:
            yield message("ended", {})
            return
        await asyncio.sleep(LOOK_SECONDS)


def _figures(shown: Shown) -> dict[str, Any]:
    try:
        with shown.store() as store:
            stands = standing(shown, store)
    except FocusedError as error:
        return {"trouble": str(error)}
    relevant = stands.numbers.pages.relevant
    newest = int(stands.numbers.pages.seq[relevant][-1]) if relevant.any() else 0
    return {
        "tiles": tiles(stands),
        "curve": curve(relevant),
        "newest": newest,
        "done": stands.done,
        "reason": stands.reason,
    }


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
        values = {"name": shown.name, "steering": steering(shown, standing(shown, store)), "command_words": WORDS}
    return answer(request, "steered.html", values)


ROUTES = [
    Route("/c/{name}/", overview),
    Route("/c/{name}/newest", newest_pages),
    Route("/c/{name}/curve.json", curve_points),
    Route("/c/{name}/live", live),
    Route("/c/{name}/steer", steer, methods=["POST"]),
    Route("/c/{name}/steered", steered),
]

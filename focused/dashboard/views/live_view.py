"""Figures of a running crawl as server-sent events: a look at the database once a second, a message when it has changed."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from pathlib import Path

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route

from focused.dashboard.served import Shown
from focused.dashboard.standing import curve, standing
from focused.dashboard.views.overview_view import tiles
from focused.dashboard.views.requested import shown_of
from focused.exceptions import FocusedError
from focused.storage.collection import DATABASE

LOOK_SECONDS = 1.0
SILENCE = 15  #: looks without a change, after which a line says that the stream is alive

Stamp = tuple[tuple[int, int], ...]


def live(request: Request) -> Response:
    return StreamingResponse(_messages(request, shown_of(request)), media_type="text/event-stream")


async def _messages(request: Request, shown: Shown) -> AsyncIterator[str]:
    stamp: Stamp = ()
    quiet = 0
    while not await request.is_disconnected():
        before, stamp = stamp, stamp_of(shown.folder)
        running = await asyncio.to_thread(lambda: shown.is_running)
        if stamp != before:
            quiet = 0
            yield f"event: figures\ndata: {await asyncio.to_thread(_figures, shown)}\n\n"
        elif (quiet := quiet + 1) % SILENCE == 0:
            yield ": still here\n\n"
        if not running:
            yield "event: ended\ndata: {}\n\n"
            return
        await asyncio.sleep(LOOK_SECONDS)


def stamp_of(folder: Path) -> Stamp:
    """What changes when somebody writes to the database."""
    found = []
    for name in (DATABASE, f"{DATABASE}-wal"):
        try:
            status = (folder / name).stat()
        except OSError:
            continue
        found.append((status.st_mtime_ns, status.st_size))
    return tuple(found)


def _figures(shown: Shown) -> str:
    try:
        with shown.store() as store:
            stands = standing(shown, store)
    except FocusedError as error:
        return json.dumps({"trouble": str(error)})
    relevant = stands.numbers.pages.relevant
    newest = int(stands.numbers.pages.seq[relevant][-1]) if relevant.any() else 0
    return json.dumps(
        {
            "tiles": tiles(stands),
            "curve": curve(relevant),
            "newest": newest,
            "done": stands.done,
            "reason": stands.reason,
        }
    )


ROUTES = [Route("/c/{name}/live", live)]

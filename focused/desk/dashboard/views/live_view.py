"""Figures of a running crawl as server-sent events: a look at the database once a second, a message when it has changed."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route

from focused.desk.dashboard.event_stream import STILL_HERE, DatabaseWatch, Seen, message
from focused.desk.dashboard.served import Shown
from focused.desk.dashboard.standing import curve, standing
from focused.desk.dashboard.views.overview_view import tiles
from focused.desk.dashboard.views.requested import shown_of
from focused.exceptions import FocusedError

LOOK_SECONDS = 1.0


def live(request: Request) -> Response:
    return StreamingResponse(_messages(request, shown_of(request)), media_type="text/event-stream")


async def _messages(request: Request, shown: Shown) -> AsyncIterator[str]:
    watch = DatabaseWatch()
    while not await request.is_disconnected():
        seen = watch.look(shown.folder)
        running = await asyncio.to_thread(lambda: shown.is_running)
        if seen is Seen.CHANGE:
            yield message("figures", await asyncio.to_thread(_figures, shown))
        elif seen is Seen.NOTHING_FOR_LONG:
            yield STILL_HERE
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


ROUTES = [Route("/c/{name}/live", live)]

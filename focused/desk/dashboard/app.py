"""The application: the routes of all pages, and what is told where something goes wrong."""

from __future__ import annotations

import socket
from collections.abc import Collection

import uvicorn
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response

from focused.desk.dashboard import LOOPBACK
from focused.desk.dashboard.page_templates import StaticFiles, answer, templates
from focused.desk.dashboard.safety import Guard
from focused.desk.dashboard.served import Served
from focused.desk.dashboard.views import (
    collections_view,
    hits_view,
    judge_view,
    map_view,
    overview_view,
    page_view,
    search_view,
    tables_view,
)
from focused.exceptions import FocusedError
from focused.page.plain_text import plain

VIEWS = (
    collections_view,
    search_view,
    hits_view,
    overview_view,
    map_view,
    page_view,
    tables_view,
    judge_view,
)
STREAMS_MAY_TAKE = 1  #: seconds to end; a stream of a running crawl would go on for ever


def create_app(
    served: Served, *, hosts: Collection[str] = LOOPBACK, password: str = "", any_address: bool = False
) -> Starlette:
    """The dashboard as an ASGI application; hosts, password and any_address are those of `safety.Guard`."""
    static = StaticFiles()
    guard = Middleware(Guard, hosts=hosts, token=served.token, password=password, any_address=any_address)
    app = Starlette(
        routes=[*(route for view in VIEWS for route in view.ROUTES), static.route()],
        middleware=[guard],
        exception_handlers={FocusedError: _told, HTTPException: _not_there},
    )
    app.state.served, app.state.templates = served, templates(static)
    return app


async def _told(request: Request, error: Exception) -> Response:
    """What a person can act on, in a page of one sentence."""
    status = 409 if request.method == "POST" else 500
    return answer(request, "trouble.html", status, why=plain(str(error)))


async def _not_there(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    why = "There is no such page." if error.detail == "Not Found" else error.detail
    return answer(request, "trouble.html", error.status_code, why=why)


def serve(app: Starlette, listener: socket.socket) -> None:
    """Serve what `create_app` made on a socket that listens, until Ctrl-C or SIGTERM. Only warnings are told."""
    config = uvicorn.Config(
        app,
        log_level="warning",
        access_log=False,
        server_header=False,
        lifespan="off",
        timeout_graceful_shutdown=STREAMS_MAY_TAKE,
    )
    try:
        uvicorn.Server(config).run(sockets=[listener])
    finally:
        if (launcher := app.state.served.launcher) is not None:
            launcher.close()

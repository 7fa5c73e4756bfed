"""The application: the routes of all pages, and what is told where something goes wrong."""

from __future__ import annotations

from collections.abc import Collection

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response

from focused.desk.dashboard.loopback import LOOPBACK
from focused.desk.dashboard.page_templates import Templates
from focused.desk.dashboard.safety import Guard
from focused.desk.dashboard.served import Served
from focused.desk.dashboard.static_files import StaticFiles
from focused.desk.dashboard.views import (
    ask_view,
    collections_view,
    companies_view,
    download_view,
    hits_view,
    judge_view,
    live_view,
    map_view,
    new_crawl_view,
    news_view,
    overview_view,
    page_view,
    portal_view,
    search_view,
    steering_view,
    tables_view,
)
from focused.exceptions import FocusedError
from focused.page.plain_text import plain

VIEWS = (
    collections_view,
    ask_view,
    new_crawl_view,
    hits_view,
    download_view,
    overview_view,
    live_view,
    search_view,
    map_view,
    page_view,
    tables_view,
    judge_view,
    steering_view,
    companies_view,
    news_view,
    portal_view,
)


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
    app.state.served, app.state.templates = served, Templates(static)
    return app


async def _told(request: Request, error: Exception) -> Response:
    """What a person can act on, in a page of one sentence."""
    return _trouble(request, plain(str(error)), 409 if request.method == "POST" else 500)


async def _not_there(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    why = "There is no such page." if error.detail == "Not Found" else error.detail
    return _trouble(request, why, error.status_code)


def _trouble(request: Request, why: str, status: int) -> Response:
    templates: Templates = request.app.state.templates
    return templates.page(request, "trouble.html", {"why": why}, status)

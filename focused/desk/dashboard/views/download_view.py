"""The relevant pages of a collection as a file."""

from __future__ import annotations

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route

from focused.desk.dashboard.download import FORMATS, download
from focused.desk.dashboard.views.requested import shown_of


def export(request: Request) -> Response:
    shown, kind = shown_of(request), request.query_params.get("format", "")
    if kind not in FORMATS:
        raise HTTPException(404, f"There is no such format here: take {' or '.join(FORMATS)}, or `scrapy export`.")
    name = shown.name.encode("ascii", "replace").decode().replace('"', "_").replace("\\", "_")
    headers = {"Content-Disposition": f'attachment; filename="{name}.{kind}"'}
    return StreamingResponse(download(shown, kind), media_type=FORMATS[kind][1], headers=headers)


ROUTES = [Route("/c/{name}/export", export)]

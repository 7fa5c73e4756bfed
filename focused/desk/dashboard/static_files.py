"""Scripts and styles: read once at the start, under names with a hash, so that no browser keeps old ones after an upgrade."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from importlib.resources import files
from pathlib import PurePosixPath

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

TYPES = {".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}
FOR_EVER = "public, max-age=31536000, immutable"


@dataclass(frozen=True)
class StaticFile:
    body: bytes
    media_type: str


class StaticFiles:
    """All files of the folder static/, which may lie in a zipped egg."""

    def __init__(self) -> None:
        self._files: dict[str, StaticFile] = {}
        self._names: dict[str, str] = {}
        for file in files("focused.desk.dashboard").joinpath("static").iterdir():
            name = PurePosixPath(file.name)
            if name.suffix in TYPES:
                body = file.read_bytes()
                hashed = f"{name.stem}.{hashlib.sha256(body).hexdigest()[:12]}{name.suffix}"
                self._files[hashed] = StaticFile(body, TYPES[name.suffix])
                self._names[file.name] = f"/static/{hashed}"

    def path(self, name: str) -> str:
        """Where a file lies, for a template. Raises KeyError for one that there is not."""
        return self._names[name]

    def route(self) -> Route:
        return Route("/static/{name}", self._serve)

    def _serve(self, request: Request) -> Response:
        file = self._files.get(request.path_params["name"])
        if file is None:
            return PlainTextResponse("no such file", status_code=404)
        return Response(file.body, media_type=file.media_type, headers={"Cache-Control": FOR_EVER})

"""The pages: templates, scripts and styles, and what every page needs of a request."""

from __future__ import annotations

import hashlib
from datetime import UTC, datetime
from importlib.resources import files
from pathlib import PurePosixPath
from typing import Any
from urllib.parse import quote

from jinja2 import Environment
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route

from focused.desk.dashboard.figures import seconds_of
from focused.desk.dashboard.launcher import Launcher
from focused.desk.dashboard.served import Served, Shown
from focused.desk.html_output import escaping_templates
from focused.explain.plain_output import in_words
from focused.live.questions import question_at
from focused.page.plain_text import plain

TYPES = {".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}
FOR_EVER = "public, max-age=31536000, immutable"
LONGEST = 300  #: characters of a text of the Web that a page shows, where nothing else is said


class StaticFiles:
    """All files of the folder static/, which may lie in a zipped egg."""

    def __init__(self) -> None:
        self._files: dict[str, tuple[bytes, str]] = {}  # content and media type
        self._names: dict[str, str] = {}
        for file in files("focused.desk.dashboard").joinpath("static").iterdir():
            name = PurePosixPath(file.name)
            if name.suffix in TYPES:
                body = file.read_bytes()
                hashed = f"{name.stem}.{hashlib.sha256(body).hexdigest()[:12]}{name.suffix}"
                self._files[hashed] = body, TYPES[name.suffix]
                self._names[file.name] = f"/static/{hashed}"

    def path(self, name: str) -> str:
        """Where a file lies, for a template. Raises KeyError for one that there is not."""
        return self._names[name]

    def route(self) -> Route:
        return Route("/static/{name}", self._serve)

    def _serve(self, request: Request) -> Response:
        if (file := self._files.get(request.path_params["name"])) is None:
            return PlainTextResponse("no such file", status_code=404)
        return Response(file[0], media_type=file[1], headers={"Cache-Control": FOR_EVER})


def templates(static: StaticFiles) -> Environment:
    """All templates. What comes from the Web is escaped by Jinja: none marks it as safe."""
    jinja = escaping_templates("focused.desk.dashboard")
    jinja.globals.update(static=static.path)
    jinja.filters.update(number="{:,}".format, percent="{:.0%}".format, ago=ago, words=in_words, moment=moment)
    jinja.filters.update(web=web, openable=openable, quoted=quoted)
    return jinja


def ago(time: str) -> str:
    """How long ago a time of crawl.db was, as in ``3 minutes ago``."""
    return f"{in_words(max(0.0, datetime.now(UTC).timestamp() - seconds_of(time)))} ago"


def moment(time: str) -> str:
    """A time of crawl.db for a person: to the minute, in UTC."""
    return (time or "")[:16].replace("T", " ")


def web(text: str, most: int = LONGEST) -> str:
    """A text of the Web on one line, without turns of direction; cut where it is long. Questions are told in words."""
    question = question_at(text or "")
    line = plain(f"the search {question}" if question else text or "", most + 1)
    return f"{line[:most]}…" if len(line) > most else line


def openable(url: str) -> str:
    """A URL that a link may lead to; empty for anything that is not of the Web."""
    return url if url.startswith(("http://", "https://")) else ""


def quoted(text: str) -> str:
    """A text as part of an address."""
    return quote(text, safe="")


def served_of(request: Request) -> Served:
    served: Served = request.app.state.served
    return served


def shown_of(request: Request) -> Shown:
    """The collection that the address names; an HTTPException of status 404 for an unknown one."""
    name = request.path_params["name"]
    shown = served_of(request).find(name)
    if shown is None:
        raise HTTPException(404, f"There is no collection {name!r} here.")
    return shown


def launcher_of(request: Request) -> Launcher:
    """Who starts crawls; an HTTPException of status 403 where nobody may."""
    launcher = served_of(request).launcher
    if launcher is None:
        raise HTTPException(403, "This dashboard only shows collections: start the crawl in a terminal.")
    return launcher


def answer(request: Request, template: str, status: int = 200, /, **values: Any) -> Response:
    """A page, of a template and its values; ``name`` is that of the collection in the address, ``base`` where its pages begin."""
    state, given = request.app.state, {**request.path_params}
    if "name" in given:
        given["base"] = f"/c/{quoted(given['name'])}"
    page = state.templates.get_template(template).render(given | {"token": state.served.token} | values)
    return HTMLResponse(page, status)


def sent(request: Request, name: str, otherwise: str = "") -> str:
    """One field of the form that was sent."""
    values = request.state.form.get(name)
    return str(values[0]) if values else otherwise


def sent_all(request: Request, name: str) -> list[str]:
    """All fields of the form with this name."""
    return list(request.state.form.get(name, ()))


def uploaded(request: Request, name: str) -> bytes | None:
    """The file that was sent in a field of the form; None for none, or an empty one."""
    file: bytes | None = request.state.files.get(name)
    return file


def as_file(name: str) -> dict[str, str]:
    """The header of an answer that a browser is to keep under a name."""
    return {"Content-Disposition": f"attachment; filename*=UTF-8''{quoted(name)}"}


def see(address: str) -> Response:
    """Send the browser on to a page after a change, so that loading it again changes nothing more."""
    return RedirectResponse(address, status_code=303)

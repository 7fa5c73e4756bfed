"""What every page needs of a request: the collection that it is about, the fields of its form, and how to answer."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from focused.desk.dashboard.page_templates import Templates
from focused.desk.dashboard.served import Served, Shown


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


def answer(request: Request, template: str, values: Mapping[str, Any], status: int = 200) -> Response:
    """A page, of a template and its values."""
    templates: Templates = request.app.state.templates
    return templates.page(request, template, values, status)


def sent(request: Request, name: str, otherwise: str = "") -> str:
    """One field of the form that was sent."""
    values = request.state.form.get(name)
    return str(values[0]) if values else otherwise


def fields(request: Request, name: str) -> list[str]:
    """All fields of the form with this name."""
    return list(request.state.form.get(name, ()))


def uploaded(request: Request, name: str) -> bytes | None:
    """The file that was sent in a field of the form; None for none, or an empty one."""
    file: bytes | None = request.state.files.get(name)
    return file


def see(address: str) -> Response:
    """Send the browser on to a page after a change, so that loading it again changes nothing more."""
    return RedirectResponse(address, status_code=303)

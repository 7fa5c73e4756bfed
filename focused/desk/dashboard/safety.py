"""What keeps a dashboard from being a hole in the machine: who may ask, from where, and what a browser may do with the answer."""

from __future__ import annotations

import base64
import ipaddress
import secrets
from collections.abc import Collection, Mapping
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

MOST_BYTES = 1_000_000  #: of the body of a request
MOST_UPLOADED = 5_000_000  #: of one with a file
MOST_FIELDS = 20_000
WITH_FILES = "multipart/form-data"
TOKEN = "token"  #: field of every form

POLICY = "; ".join(
    (
        "default-src 'none'",
        *(f"{kind}-src 'self'" for kind in ("script", "style", "connect", "img", "frame")),
        *("form-action 'self'", "base-uri 'none'", "frame-ancestors 'self'"),
    )
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",  # with no-referrer a form has the origin "null"
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}


Fields = Mapping[str, list[str]]
Files = Mapping[str, bytes]


def at_most(most: int, receive: Receive) -> Receive:
    """The same, which raises OverflowError for a body of more than so many bytes."""
    size = 0

    async def counted() -> Message:
        nonlocal size
        message = await receive()
        size += len(message.get("body", b""))
        if size > most:
            raise OverflowError
        return message

    return counted


async def fields_of(request: Request) -> tuple[Fields, Files]:
    """Fields by name, and files that hold something by the name of their field; none of what is no form.

    Raises HTTPException for a form that is damaged.
    """
    fields: dict[str, list[str]] = {}
    files: dict[str, bytes] = {}
    async with request.form(max_fields=MOST_FIELDS, max_part_size=MOST_BYTES) as form:
        for name, value in form.multi_items():
            if isinstance(value, str):
                fields.setdefault(name, []).append(value)
            elif content := await value.read():
                files.setdefault(name, content)
    return fields, files


class Guard:
    """Stands before the application and turns away what a page elsewhere, or another machine, might send.

    The fields of a form that it lets in are `request.state.form`, by name; files that came with it `request.state.files`.

    hosts : names by which the dashboard may be called; a name that DNS may point anywhere is not among them. Addresses in
        numbers are let in where it listens to all (`any_address`).
    token : must come with every POST
    password : to be given by everybody (HTTP Basic authentication, any user name); empty: none
    """

    def __init__(
        self, app: ASGIApp, *, hosts: Collection[str], token: str, password: str = "", any_address: bool = False
    ) -> None:
        self._app, self._hosts, self._token = app, frozenset(hosts), token
        self._password, self._any_address = password.encode(), any_address

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def send_safely(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        headers = Headers(scope=scope)
        why, status = self._why_not(scope["method"], headers)
        if not why and scope["method"] == "POST":
            kind = headers.get("content-type", "")
            most = MOST_UPLOADED if kind.lower().startswith(WITH_FILES) else MOST_BYTES
            try:
                form, files = await fields_of(Request(scope, at_most(most, receive)))
            except OverflowError:
                why, status = f"more than {most:,} bytes", 413
            except (HTTPException, ClientDisconnect):
                why, status = "this is no form of a browser", 400
            else:
                if not secrets.compare_digest(form.get(TOKEN, [""])[0].encode(), self._token.encode()):
                    why, status = "this page is of another dashboard, or of one that has ended: load it again", 403
                scope.setdefault("state", {}).update(form=form, files=files)
        if why:
            extra = {"WWW-Authenticate": 'Basic realm="focused", charset="UTF-8"'} if status == 401 else {}
            refusal = PlainTextResponse(f"{why}\n", status_code=status, headers=extra)
            await refusal(scope, receive, send_safely)
            return
        await self._app(scope, receive, send_safely)

    def _why_not(self, method: str, headers: Headers) -> tuple[str, int]:
        """Why a request is refused, and the status that says so; empty where it may come in."""
        host = headers.get("host", "")
        if not self._is_ours(_name_of(host)):
            return "this host is not known to the dashboard: open it by the address that it printed", 400
        if self._password and not self._knows_password(headers.get("authorization", "")):
            return "give the password of this dashboard (any user name)", 401
        if method not in ("GET", "HEAD", "POST"):
            return "no such method", 405
        site = headers.get("sec-fetch-site")
        if method == "POST" and (site not in (None, "same-origin") or not _is_of(headers.get("origin"), host)):
            return "changes are made from the dashboard's own pages only", 403
        # A link from elsewhere may open a page; a picture or a frame there would only make the dashboard work.
        opens = headers.get("sec-fetch-mode") == "navigate" and headers.get("sec-fetch-dest", "document") == "document"
        if site not in (None, "same-origin", "none") and not opens:
            return "pages of the dashboard are not parts of other pages", 403
        return "", 0

    def _is_ours(self, name: str) -> bool:
        return name in self._hosts or (self._any_address and _is_address(name))

    def _knows_password(self, given: str) -> bool:
        kind, _, encoded = given.partition(" ")
        try:
            password = base64.b64decode(encoded).partition(b":")[2] if kind.lower() == "basic" else b""
        except ValueError:
            return False
        return secrets.compare_digest(password, self._password)


def _is_of(origin: str | None, host: str) -> bool:
    """Whether an Origin header, if there is one, is that of the host that is asked."""
    try:
        return origin is None or urlsplit(origin).netloc == host
    except ValueError:
        return False


def _name_of(host: str) -> str:
    """The name in a Host header, without its port; empty for a damaged one."""
    try:
        return (urlsplit(f"//{host}").hostname or "").lower()
    except ValueError:
        return ""


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True

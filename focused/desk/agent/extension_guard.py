"""What keeps the agent from being a hole in the machine: nothing is read of a request that is not of the paired extension.

A page of the Web has no token, cannot choose its Origin, and reaches us by names of its own only (DNS rebinding). It is told
nothing, not even by CORS headers. It cannot ask by a form either: a form sends no JSON and no Authorization.
"""

from __future__ import annotations

import asyncio
import json
from typing import Any

from starlette.datastructures import Headers
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from focused.desk.agent.pairing import Pairing
from focused.desk.dashboard.request_body import body_of

NAMES = ("127.0.0.1", "localhost")
MOST_BYTES = 2_000_000  #: of the body of a request
PATIENCE = 10.0  #: seconds for a body to arrive
BEARER = "Bearer "
HEADERS = {
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
    "Cross-Origin-Resource-Policy": "same-origin",
}


class ExtensionGuard:
    """Stands before the application. What it lets in has its JSON object in ``request.state.said``.

    pairing : knows the token and the origin
    port : where the agent listens
    """

    def __init__(self, app: ASGIApp, *, pairing: Pairing, port: int) -> None:
        self._app, self._pairing = app, pairing
        self._hosts = {f"{name}:{port}" for name in NAMES}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            if scope["type"] == "websocket":
                await send({"type": "websocket.close"})
            return
        status, why = self._why_not(scope["method"], Headers(scope=scope))
        said: dict[str, Any] | None = None
        if not status:
            try:
                said = _object(await asyncio.wait_for(body_of(receive, MOST_BYTES), PATIENCE))
            except TimeoutError:
                status, why = 408, "the request took too long"
            except OverflowError:
                status, why = 413, f"more than {MOST_BYTES:,} bytes"
            except (ValueError, RecursionError):
                status, why = 400, "not a JSON object"
        if status:
            await JSONResponse({"trouble": why}, status, {**HEADERS, "Connection": "close"})(scope, receive, send)
            return
        scope.setdefault("state", {})["said"] = said
        await self._app(scope, receive, send)

    def _why_not(self, method: str, headers: Headers) -> tuple[int, str]:
        """Status and reason of a refusal; 0 for what may come in. Told before anything is read of the body."""
        if headers.get("host", "").lower() not in self._hosts:
            return 400, "unknown host"
        if method != "POST":
            return 405, "no such method"
        given = headers.get("authorization", "")
        token = given.removeprefix(BEARER) if given.startswith(BEARER) else ""
        if not self._pairing.knows(token, headers.get("origin", "")):
            return 403, "not paired"
        if headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
            return 415, "not JSON"
        length = headers.get("content-length", "")
        if not length.isdecimal() or len(length) > 12 or int(length) > MOST_BYTES:
            return 413, f"more than {MOST_BYTES:,} bytes"
        return 0, ""


def _object(body: bytes) -> dict[str, Any]:
    said = json.loads(body)
    if not isinstance(said, dict):
        raise ValueError("not an object")
    return said

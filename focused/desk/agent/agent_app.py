"""What the extension asks of the agent: a few questions in JSON, each by POST, and only by the extension that was paired.

Nothing is read of a request that is not of the paired extension. A page of the Web has no token, cannot choose its Origin, and
reaches us by names of its own only (DNS rebinding). It is told nothing, not even by CORS headers. It cannot ask by a form either: a
form sends no JSON and no Authorization.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import math
import re
import secrets
from collections.abc import Callable, Mapping
from typing import Any

from starlette.applications import Starlette
from starlette.datastructures import Headers
from starlette.middleware import Middleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from focused.desk.agent.agent import Agent
from focused.desk.agent.diary import Diary
from focused.desk.dashboard.safety import at_most
from focused.exceptions import FocusedError
from focused.page.plain_text import plain

#: Origins of extensions: Chromium gives each 32 letters from a to p, Firefox a UUID of each installation.
EXTENSION = re.compile(r"chrome-extension://[a-p]{32}|moz-extension://[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
BYTES = 18  #: of a token
_DIGEST, _ORIGIN = "token", "origin"
NAMES = ("127.0.0.1", "localhost")
MOST_BYTES = 2_000_000  #: of the body of a request
PATIENCE = 10.0  #: seconds for a body to arrive
BEARER = "Bearer "
HEADERS = {
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
    "Cross-Origin-Resource-Policy": "same-origin",
}
LONGEST_URL = 4_000  #: characters


class Pairing:
    """Keeps the digest of the token and the origin of the extension that has used it first."""

    def __init__(self, diary: Diary) -> None:
        self._diary = diary

    @property
    def origin(self) -> str:
        """Of the paired extension; empty where there is none yet."""
        return self._diary.fact(_ORIGIN)

    def anew(self) -> str:
        """Part with whatever was paired, and make a token for the next."""
        token = secrets.token_urlsafe(BYTES)
        self._diary.tell(_ORIGIN, "")
        self._diary.tell(_DIGEST, _digest(token))
        return token

    def knows(self, token: str, origin: str) -> bool:
        """Whether a token is the one, and comes from the extension that is paired, or, before that, from any."""
        digest = self._diary.fact(_DIGEST)
        right = bool(digest) and secrets.compare_digest(_digest(token), digest)
        return right and bool(EXTENSION.fullmatch(origin)) and origin == (self.origin or origin)

    def pair(self, origin: str) -> None:
        """Let nobody in but this extension from now on."""
        self._diary.tell(_ORIGIN, origin)


def _digest(token: str) -> str:
    return hashlib.sha256(token.encode("utf-8", "replace")).hexdigest()


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
        said: Any = None
        if not status:
            try:
                said = json.loads(await asyncio.wait_for(Request(scope, at_most(MOST_BYTES, receive)).body(), PATIENCE))
                if not isinstance(said, dict):
                    raise ValueError
            except TimeoutError:
                status, why = 408, "the request took too long"
            except OverflowError:
                status, why = 413, f"more than {MOST_BYTES:,} bytes"
            except (ValueError, RecursionError, ClientDisconnect):
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


AgentMessage = Mapping[str, Any]  #: a JSON object, of which only values of the right kind are taken


def _text(said: AgentMessage, name: str) -> str:
    """A text; empty for anything else, and for a URL that is too long."""
    value = said.get(name)
    return value if isinstance(value, str) and (name != "url" or len(value) <= LONGEST_URL) else ""


def _seconds(said: AgentMessage) -> float:
    value = said.get("seconds")
    return float(value) if isinstance(value, int | float) and math.isfinite(value) else 0.0


QUESTIONS: Mapping[str, Callable[[Agent, AgentMessage], dict[str, Any]]] = {
    "pair": lambda agent, _: agent.status(),
    "status": lambda agent, _: agent.status(),
    "reading": lambda agent, said: agent.read(_text(said, "url"), _text(said, "html")),
    "spent": lambda agent, said: agent.spent(_text(said, "url"), _seconds(said)),
    "suggestions": lambda agent, said: agent.status() | {"suggestions": agent.suggestions(_text(said, "url"))},
    "keep": lambda agent, said: agent.keep(_text(said, "url")),
    "forget": lambda agent, said: agent.forget(_text(said, "what"), _text(said, "site")),
    "pause": lambda agent, said: agent.pause(paused=said.get("paused") is True),
}


def agent_app(agent: Agent, pairing: Pairing, port: int) -> Starlette:
    """The agent as an ASGI application that listens at a port. The first extension that has the token is paired."""

    async def ask(request: Request) -> Response:
        question = QUESTIONS.get(request.path_params["question"])
        if question is None:
            return JSONResponse({"trouble": "no such question"}, 404, HEADERS)
        if not pairing.origin:
            pairing.pair(request.headers["origin"])
        try:
            return JSONResponse(question(agent, request.state.said), 200, HEADERS)
        except (FocusedError, OverflowError) as error:  # a number that is none
            return JSONResponse({"trouble": plain(str(error))}, 409, HEADERS)

    guard = Middleware(ExtensionGuard, pairing=pairing, port=port)
    return Starlette(routes=[Route("/{question}", ask, methods=["POST"])], middleware=[guard])

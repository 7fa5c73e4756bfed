"""What the extension asks of the agent: a few questions in JSON, each by POST."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from focused.desk.agent.agent import Agent
from focused.desk.agent.extension_guard import HEADERS, ExtensionGuard
from focused.desk.agent.pairing import Pairing
from focused.exceptions import FocusedError
from focused.page.plain_text import plain

LONGEST_URL = 4_000  #: characters


@dataclass(frozen=True)
class Said:
    """A JSON object, of which only values of the right kind are taken."""

    said: Mapping[str, Any]

    def text(self, name: str) -> str:
        """A text; empty for anything else."""
        value = self.said.get(name)
        return value if isinstance(value, str) else ""

    @property
    def url(self) -> str:
        url = self.text("url")
        return url if len(url) <= LONGEST_URL else ""

    @property
    def seconds(self) -> float:
        value = self.said.get("seconds")
        return float(value) if isinstance(value, int | float) and math.isfinite(value) else 0.0

    @property
    def paused(self) -> bool:
        return self.said.get("paused") is True


QUESTIONS: Mapping[str, Callable[[Agent, Said], dict[str, Any]]] = {
    "pair": lambda agent, _: agent.status(),
    "status": lambda agent, _: agent.status(),
    "reading": lambda agent, said: agent.read(said.url, said.text("html")),
    "spent": lambda agent, said: agent.spent(said.url, said.seconds),
    "suggestions": lambda agent, said: agent.status() | {"suggestions": agent.suggestions(said.url)},
    "keep": lambda agent, said: agent.keep(said.url),
    "forget": lambda agent, said: agent.forget(said.text("what"), said.text("site")),
    "pause": lambda agent, said: agent.pause(paused=said.paused),
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
            return JSONResponse(question(agent, Said(request.state.said)), 200, HEADERS)
        except (FocusedError, OverflowError) as error:  # a number that is none
            return JSONResponse({"trouble": plain(str(error))}, 409, HEADERS)

    guard = Middleware(ExtensionGuard, pairing=pairing, port=port)
    return Starlette(routes=[Route("/{question}", ask, methods=["POST"])], middleware=[guard])

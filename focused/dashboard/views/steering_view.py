"""Commands of a person for the crawl."""

from __future__ import annotations

from starlette.routing import Route

ROUTES: list[Route] = []

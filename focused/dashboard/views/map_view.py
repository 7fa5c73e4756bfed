"""The maps of one collection: pages by topic, hosts by links."""

from __future__ import annotations

from starlette.routing import Route

ROUTES: list[Route] = []

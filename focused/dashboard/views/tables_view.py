"""Hosts, failures, dropped URLs and the queue, as tables."""

from __future__ import annotations

from starlette.routing import Route

ROUTES: list[Route] = []

"""One stored page: what is known of it, and its neighbours."""

from __future__ import annotations

from starlette.routing import Route

ROUTES: list[Route] = []

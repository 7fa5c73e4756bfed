"""Judging pages, for the audit and to teach the crawl."""

from __future__ import annotations

from starlette.routing import Route

ROUTES: list[Route] = []

"""The dashboard: a page that people look at, in a process of its own beside any crawl. Needs the extra ``dashboard``."""

from __future__ import annotations

LOOPBACK = ("127.0.0.1", "::1", "localhost")  #: how a machine calls itself; also for who has no web framework installed

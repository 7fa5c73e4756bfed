"""How a machine calls itself; also for who has no web framework installed."""

from __future__ import annotations

LOOPBACK = ("127.0.0.1", "::1", "localhost")

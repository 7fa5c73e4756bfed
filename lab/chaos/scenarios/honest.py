"""The honest part of a hostile Web: hosts whose pages must all be collected, whatever the others do."""

from __future__ import annotations

from collections.abc import Sequence

from lab.chaos.replies import page
from lab.chaos.server import Web

GOOD = "good"


def honest_host(web: Web, count: int, links: Sequence[str] = (), name: str = GOOD) -> tuple[str, frozenset[str]]:
    """Add a host of so many pages, the first of which leads to the others, then to ``links``; its first URL, and all of them."""
    host = f"{name}.example"
    paths = ["/", *(f"/{number}" for number in range(1, count))]
    urls = [f"http://{host}{path}" for path in paths]
    pages = {path: page(f"{host} page {path}") for path in paths}
    pages["/"] = page(f"{host} first", *urls[1:], *links)
    web.add(host, pages)
    return urls[0], frozenset(urls)
